/** Results, URLs and the ledger as CSV and JSON Lines. */
import * as assert from 'uvu/assert'
import { createCrawl, exportCrawl, getCrawl, linkExport, listResults } from '#contract/crawls.ts'
import { exportUsage } from '#contract/usage.ts'
import { csvLine } from '#backend/http/rows-text.ts'
import { startApp } from '#tests/support/app.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const site = await startSite({ '/': pageOf('=1+1, "quoted"', ['/a', '/missing']), '/a': pageOf('ä plain page') })
const app = await startApp({ engine: true })
const me = await app.signIn()
const options = { spider_options: { max_depth: 1, page_limit: 10 } }
const { uuid } = (await app.call(createCrawl, { as: me, body: { url: site.url('/'), options } })).body
await until(async () => (await app.call(getCrawl, { as: me, params: { id: uuid } })).body.duration !== null)
const params = { id: uuid }

const exports = suite('exports')
const rowsOf = (text: string) => text.trimEnd().split(/\r?\n/)

exports('the export of results has a CSV line for each result, and JSON Lines have the documents as the list embeds them', async () => {
  const csv = await app.call(exportCrawl, { as: me, params, query: { file_format: 'csv' } })
  assert.is(csv.status, 200)
  assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
  assert.match(csv.headers['content-disposition'] ?? '', /^attachment; filename="[\w.-]+\.csv"$/)
  const [head, ...lines] = rowsOf(csv.text)
  assert.is(head, 'uuid,url,title,http_status,content_type,language,content_hash,created_at')
  assert.is(lines.length, 2)
  assert.ok(
    lines.some((line) => line.includes(`,"'=1+1, ""quoted""",200,text/html`)),
    lines.join('\n'),
  )
  const jsonl = await app.call(exportCrawl, { as: me, params, query: { file_format: 'jsonl' } })
  assert.match(jsonl.headers['content-type'] ?? '', /^application\/x-ndjson/)
  const listed = await app.call(listResults, { as: me, params, query: { prefetched: true } })
  assert.equal(
    rowsOf(jsonl.text).map((line) => JSON.parse(line) as unknown),
    listed.body.results,
  )
})

exports('the export of URLs has every URL that the crawl knew, with its outcome', async () => {
  const csv = await app.call(exportCrawl, { as: me, params, query: { content: 'urls' } })
  const [head, ...lines] = rowsOf(csv.text)
  assert.is(head, 'url,title,depth,outcome,detail,http_status,tries,bytes,took_ms')
  assert.is(lines.length, 3)
  const jsonl = await app.call(exportCrawl, { as: me, params, query: { content: 'urls', file_format: 'jsonl' } })
  const outcomes = rowsOf(jsonl.text).map((line) => (JSON.parse(line) as { outcome: string }).outcome)
  assert.equal(outcomes.toSorted(), ['kept', 'kept', 'status'])
})

exports('a signed link works without a header, for its own file only; other teams get no link', async () => {
  const { link } = (await app.call(linkExport, { as: me, params, query: { content: 'urls', file_format: 'csv' } })).body
  const { pathname, search } = new URL(link)
  assert.is(rowsOf((await app.request('GET', pathname + search)).text).length, 4)
  const saved = await app.request('GET', pathname + search)
  assert.ok(saved.text.startsWith('\uFEFFurl,title,'), 'a spreadsheet program knows that it is UTF-8')
  assert.is((await app.request('GET', pathname.replace('urls.csv', 'results.csv') + search)).status, 403)
  const stranger = await app.secondUser()
  assert.is((await app.call(exportCrawl, { as: stranger, params, query: {} })).status, 404)
})

exports('the usage export has a line for each job of the team', async () => {
  const csv = await app.call(exportUsage, { as: me, query: {} })
  const [head, line, ...rest] = rowsOf(csv.text)
  assert.is(head, 'uuid,content_type,label,is_deleted,requested_page_credit,used_page_credit,status,created_at')
  assert.match(line ?? '', new RegExp(`^${uuid},crawl,`))
  assert.is(rest.length, 0)
  const wrong = await app.request('GET', exportUsage.path, { as: me, query: { file_format: 'xlsx' } })
  assert.is(wrong.status, 400)
})

exports('cells that a spreadsheet would run as formulas are exported as text', () => {
  assert.is(csvLine(['=1', '+1', '-1', '@a', 'a=b', -1, null, true, 'a"b']), `'=1,'+1,'-1,'@a,a=b,-1,,true,"a""b"\r\n`)
})

exports.run()
