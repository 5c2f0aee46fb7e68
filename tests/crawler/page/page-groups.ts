/** Pages that are packed together: each is read as it was, alone or with others, and what is damaged or missing costs no other group. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documentJson, readDocument, writeDocument } from '#backend/crawler/page/page-body.ts'
import { missingHolders, openBodies, packPages } from '#backend/crawler/page/page-groups.ts'
import type { BodyRow } from '#backend/crawler/page/page-groups.ts'

const groups = suite('pages that are packed together')

const FIRST = 1000
const TEXT = 'A sentence with some words, 网页 and 🕸️. '

/** Pages of these lengths, as rows of the database. */
function stored(...lengths: number[]): { texts: string[]; rows: BodyRow[]; bytes: number } {
  const texts = lengths.map((length, at) => `${at} ${TEXT.repeat(Math.ceil(length / TEXT.length))}`.slice(0, length))
  const pages = packPages(texts.map((text, at) => ({ at, ...writeDocument({ title: `Page ${at}` }, text, '{}') })))
  assert.equal(
    pages.map(({ at }) => at),
    texts.map((_, at) => at),
    'in their order, with what else is known of them',
  )
  const rows = pages.map(({ body, encoding }, at) => ({ no: FIRST + at, encoding, body }))
  return { texts, rows, bytes: rows.reduce((sum, { body }) => sum + body.length, 0) }
}

const markdownOf = (open: (row: BodyRow) => ReturnType<ReturnType<typeof openBodies>>, row: BodyRow) => {
  const document = open(row)
  return document === null ? null : readDocument(document).markdown
}

for (const lengths of [[], [0], [100], [5000], [100, 5000, 0, 20_000], Array<number>(30).fill(3000), [90_000, 90_000, 1000, 300_000, 2000]])
  groups(`pages of ${lengths.join(', ') || 'no number'} characters are read as they were written`, () => {
    const { rows, texts } = stored(...lengths)
    assert.equal(missingHolders(rows), [])
    const open = openBodies(rows)
    assert.equal(
      rows.map((row) => markdownOf(open, row)),
      texts,
    )
    for (const [at, row] of rows.entries()) {
      const holders = rows.filter(({ no }) => missingHolders([row]).includes(no))
      const alone = openBodies([row], holders)(row)!
      assert.is(readDocument(alone).markdown, texts[at], `page ${at} by itself`)
      assert.is(documentJson(alone).toString(), JSON.stringify({ metadata: { title: `Page ${at}` }, markdown: texts[at] }))
    }
  })

groups('at most eight pages share one body, and no group unpacks to much more than 128 KiB', () => {
  const holders = (rows: BodyRow[]) => rows.filter(({ body }) => body!.length > 0).map(({ no }) => no - FIRST)
  assert.equal(holders(stored(...Array<number>(30).fill(3000)).rows), [0, 8, 16, 24])
  assert.equal(holders(stored(50_000, 50_000, 50_000, 1000).rows), [0, 2])
})

groups('a very long document is stored alone, and so is the only page of a commit', () => {
  const { rows } = stored(1000, 300_000, 1000)
  assert.equal(
    rows.map(({ encoding }) => encoding),
    [2, 1, 2],
  )
  assert.equal(stored(100).rows[0]!.encoding, 0)
})

groups('similar pages take less space together', () => {
  const alone = stored(5000).bytes
  assert.ok(stored(...Array<number>(8).fill(5000)).bytes < alone * 4)
})

groups("a page whose group's first page is deleted has no document, nor has a page without a row", () => {
  const { rows } = stored(2000, 2000)
  assert.equal(missingHolders([rows[1]!]), [FIRST])
  const open = openBodies([rows[1]!])
  assert.is(open(rows[1]!), null)
  assert.is(open({ no: FIRST + 7, encoding: null, body: null }), null)
  // The number of the holder leads to a page that holds no group.
  const other = { no: FIRST, encoding: 0, body: Buffer.from('{}') }
  assert.is(openBodies([rows[1]!], [other])(rows[1]!), null)
  assert.is(openBodies(rows)({ no: FIRST + 5, encoding: 21, body: new Uint8Array(0) }), null, 'the group has two pages only')
})

groups('damaged bytes are refused for each page of their group, and for no other page', () => {
  const { rows } = stored(3000, 3000, 300_000, 3000, 3000)
  const damaged = rows.map((row, at) => (at === 0 ? { ...row, body: row.body!.subarray(0, 50) } : row))
  const open = openBodies(damaged)
  assert.throws(() => open(damaged[0]!))
  assert.throws(() => open(damaged[1]!))
  assert.type(markdownOf(open, damaged[4]!), 'string')
})

groups.run()
