/** Few files side by side: ARCHITECTURE.md names the folders with more, and why. */
import { readFileSync, readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const MOST = 20
/** Pages are data. */
const DATA = /^tests\/(?:corpus|crawler\/fixtures)\//
const ROOTS = ['backend', 'config', 'contract', 'docs', 'gateway', 'scripts', 'tests', 'web']

const folders = suite('folders')

folders('have at most 20 files, except those that ARCHITECTURE.md names', () => {
  const paragraph = /^A folder has at most 20 files[^]*?\n\n/m.exec(readFileSync('ARCHITECTURE.md', 'utf8'))![0]
  const named = [...paragraph.matchAll(/`([\w/-]+)\/`/g)].map(([, folder]) => folder!)
  const full = ROOTS.flatMap(fullFolders).filter((folder) => !DATA.test(`${folder}/`))
  assert.equal(full.toSorted(), named.toSorted())
})

/** The folders from one on that have more files. */
function fullFolders(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const inner = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => fullFolders(`${folder}/${name}`))
  return entries.filter((entry) => entry.isFile()).length > MOST ? [folder, ...inner] : inner
}

folders.run()
