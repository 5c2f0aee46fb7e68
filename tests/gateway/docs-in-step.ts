import { ERRORS } from '#backend/errors.ts'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writtenDocs } from '../../scripts/write-docs.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const docs = suite('documents in step')

for (const [path, text] of Object.entries(writtenDocs())) {
  docs(`${path} is what the code says (npm run docs)`, () => assert.ok(read(path) === text))
}

docs('docs/errors.md has a paragraph for every code, with its status, and for no other', () => {
  const told = [...read('docs/errors.md').matchAll(/^## `(\w+)` · (\d+)\n\n(.+)/gm)].map(([, code, status]) => `${code} ${status}`)
  const known = Object.entries(ERRORS).map(([code, { status }]) => `${code} ${status}`)
  assert.equal(told.toSorted(), known.toSorted())
})

docs('docs/security.md names tests that exist: each file, and a title that begins or contains the quoted words', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const named = rows.flatMap((row) =>
    [...row.matchAll(/`([\w/-]+\.tsx?)` "([^"]+)"/g)].map(([, file, title]) => ({ file: file!, title: title! })),
  )
  assert.ok(named.length > 40, `${named.length} tests are named`)
  const missing = named.filter(({ file, title }) => !read(`tests/${file}`).includes(title))
  assert.equal(missing, [])
})

docs.run()
