/** Links of the documents, and of the page to the documents: the file exists, and so does the heading. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const links = suite('links to documents')

type Link = { from: string; path: string; anchor: string }

const filesIn = (folder: string, end: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => end.test(file))
    .map((file) => join(folder, file))

/** The id that GitHub gives a heading. */
const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const headingsOf = (path: string) =>
  [
    ...readFileSync(path, 'utf8')
      .replace(/^```.*?^```/gms, '')
      .matchAll(/^#+ +(.+?) *$/gm),
  ].map(([, heading = '']) => idOf(heading))

const leadsSomewhere = ({ path, anchor }: Link) => existsSync(path) && (anchor === '' || headingsOf(path).includes(anchor))

links('a link of a document leads to a file and a heading that exist', () => {
  const documents = [...readdirSync('.').filter((file) => file.endsWith('.md')), ...filesIn('docs', /\.md$/)]
  const found = documents.flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(/\]\((?![a-z]+:|\/)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, to = '', anchor = '']): Link => ({
      from,
      path: to === '' ? from : join(dirname(from), to),
      anchor,
    })),
  )
  assert.ok(found.length > 50)
  assert.equal(
    found.filter((link) => !leadsSomewhere(link)),
    [],
  )
})

links('a link of the page into the repository leads to a file and a heading that exist', () => {
  const OWN = /github\.com\/(?:\$\{[^}]+\}|seine-crawler\/seine)(?:\/(?:blob|tree)\/(?:main|HEAD)\/([\w./-]+))?(?:#([\w-]+))?/g
  const found = [...filesIn('web', /\.tsx?$/), 'config/read-config.ts'].flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(OWN)].map(([, path = 'README.md', anchor = '']): Link => ({ from, path, anchor })),
  )
  assert.ok(found.some(({ path }) => path === 'docs/self-hosting.md'))
  assert.equal(
    found.filter((link) => !leadsSomewhere(link)),
    [],
  )
})

links.run()
