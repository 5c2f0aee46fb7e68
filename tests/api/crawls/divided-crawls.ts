/** Reads of a crawl that was divided among engines: its URLs are numbered with gaps, because each part numbers its own. */
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { CRAWLS, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const divided = suite('a divided crawl')
const PARTS = 16
const GAP = 20_000
const URLS = ['/', '/a', '/b', '/c'].map((path) => `https://shop.example${path}`)

const { call, database, engine, started } = await startCrawlApp()
const { id, no } = await started('https://SHOP.example/')
await engine.commit(no, { found: URLS.slice(1).map((url) => ({ url, depth: 1, outcome: 'status', httpStatus: 404 })) })
await engine.commit(no, { end: { status: 'finished' } })
// The start URL is the first URL of the last part.
for (const [index] of [...URLS.entries()].toReversed())
  await database
    .updateTable('runUrl')
    .set({ seq: index * GAP + PARTS - 1 })
    .where('runNo', '=', no)
    .where('seq', '=', index)
    .execute()
await sql`UPDATE run SET parts = ${PARTS} WHERE no = ${no}`.execute(database)

for (const format of ['csv', 'jsonl'])
  divided(`the export of URLs as ${format} has all of them in their order`, async () => {
    const { text } = await call('GET', `${CRAWLS}${id}/export/?content=urls&file_format=${format}`)
    assert.equal(text.match(/https:[^",]+/g), URLS)
    assert.not.match(text, /seq/)
  })

divided('the overview counts all URLs', async () => {
  const { json } = await call('GET', `${CRAWLS}${id}/overview/`)
  assert.equal(json.statuses, [{ status: 404, count: 3 }])
  assert.equal(
    json.depths.map(({ count }: { count: number }) => count),
    [1, 3],
  )
})

divided('the list finds it by its start URL in the spelling of the crawl', async () => {
  for (const url of ['https://shop.example/', 'https://SHOP.example/'])
    assert.is((await call('GET', `${CRAWLS}?url=${encodeURIComponent(url)}`)).json.count, 1, url)
  assert.is((await call('GET', `${CRAWLS}?url=${encodeURIComponent(URLS[1]!)}`)).json.count, 0)
})

divided.run()
