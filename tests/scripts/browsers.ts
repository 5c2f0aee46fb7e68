import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { BROWSERS } from '../../scripts/build.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What all of them have; ES2025 begins with functions that Firefox 128 and Safari 18 lack. */
const LIBRARY = ['ES2024', 'DOM', 'DOM.Iterable']

const browsers = suite('the browsers that the dashboard promises')

browsers('the documents name the versions that the page is built for', () => {
  const [, chrome, firefox, safari] =
    /Chrome and Edge from version (\d+), Firefox from (\d+) and Safari from (\d+)/.exec(
      readFileSync(join(root, 'docs/self-hosting.md'), 'utf8'),
    ) ?? []
  assert.equal([`chrome${chrome}`, `edge${chrome}`, `firefox${firefox}`, `safari${safari}`], BROWSERS)
})

browsers('the page calls no function of JavaScript that one of them lacks', () => {
  const folder = temporaryFolder('seine-browsers-')
  const project = join(folder, 'tsconfig.json')
  const compilerOptions = { lib: LIBRARY, typeRoots: [join(root, 'node_modules/@types')] }
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [join(root, 'web')] }))
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc')
  const { stdout = '' } = run(() => execFileSync(process.execPath, [compiler, '-p', project], { cwd: root, encoding: 'utf8' }))
  assert.is(stdout, '')
})

/** What a program wrote, also if it failed. */
function run(program: () => string): { stdout?: string } {
  try {
    return { stdout: program() }
  } catch (error) {
    return error as { stdout?: string }
  }
}

browsers.run()
