/** Data that a model extracted from the pages of a crawl, in the dashboard: a form that offers the model, a table, files. */
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl, listExtractions } from '#contract/crawls.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { startModelStub } from '#tests/support/stubs/model-stub.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { PHONE, assertAccessible, enter, openBrowser } from './support.ts'
import type { OpenedPage } from './support.ts'

const site = await startSite({ '/': pageOf('home', ['/tea', '/cup']), '/tea': pageOf('tea'), '/cup': pageOf('cup') })
const model = await startModelStub(({ asked }) => {
  const name = /Words about (\w+),/.exec(asked)?.[1] ?? 'none'
  return { content: { name, offer: { price: name.length, currency: 'EUR' }, tags: ['a', name] } }
})
const product = await startProduct({ OPENAI_BASE_URL: model.url, OPENAI_MODELS: 'small=1/2' })
const browser = await openBrowser(chromium, product.url)

const data = suite('extracted data')

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, offer: { type: 'object' }, tags: { type: 'array', items: { type: 'string' } } },
}

const start = (page: OpenedPage) =>
  page.evaluate(
    async ([path, url, extractor_schema]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const plugin_options = { openai_extract: { is_active: true, llm_model: 'small', extractor_schema } }
      const options = { spider_options: { max_depth: 1, page_limit: 10 }, page_options: {}, plugin_options }
      const crawl = (await (await fetch(path, { method: 'POST', headers, body: JSON.stringify({ url, options }) })).json()) as {
        uuid: string
      }
      return crawl.uuid
    },
    [createCrawl.path, site.url('/'), SCHEMA] as const,
  )

type Extracted = { url: string; extraction: unknown }

async function downloaded(page: OpenedPage, format: string, name: RegExp): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: format, exact: true }).click()])
  assert.match(file.suggestedFilename(), name)
  return readFile(await file.path(), 'utf8')
}

data('a crawl with a model shows its data in a table and the used tokens, and offers the data as a file', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const id = await start(page)
  await page.goto(`/dashboard/logs/crawls/${id}`)
  await page.getByRole('main').getByText('Finished').first().waitFor()
  await page.getByRole('tab', { name: 'Data', exact: true }).click()
  const table = page.getByRole('table', { name: 'Extracted data' })
  for (const head of ['Page', 'name', 'offer.price', 'offer.currency', 'tags'])
    await table.getByRole('columnheader', { name: head, exact: true }).waitFor()
  await table.getByRole('cell', { name: 'a; tea' }).waitFor()
  await page.getByText('small: 3 calls, 300 tokens read, 30 written, cost 0.00036').waitFor()
  await assertAccessible(page, 'extracted data')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await download
  assert.match(file.suggestedFilename(), /_data\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  assert.is(lines[0], '\uFEFFurl,title,name,offer.price,offer.currency,tags')
  assert.ok(lines.includes(`${site.url('/tea')},tea,tea,3,EUR,a; tea`))
  const tea = { name: 'tea', offer: { price: 3, currency: 'EUR' }, tags: ['a', 'tea'] }
  const jsonLines = (await downloaded(page, 'JSON Lines', /_data\.jsonl$/)).trimEnd().split('\n')
  assert.is(jsonLines.length, 3)
  const ofTea = jsonLines.map((line) => JSON.parse(line) as Extracted).find(({ url }) => url === site.url('/tea'))
  assert.equal(ofTea?.extraction, tea)
  const all = JSON.parse(await downloaded(page, 'JSON', /_data\.json$/)) as Extracted[]
  assert.equal(all.find(({ url }) => url === site.url('/tea'))?.extraction, tea)
  assert.is(all.length, 3)
  await page.setViewportSize(PHONE)
  await page.locator('dd', { hasText: 'a; tea' }).waitFor()
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
})

data('files are offered when only a later page of the table has data, and not when no page has any', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const id = await start(page)
  let count = 26
  await page.route(`**${listExtractions.path.replace('{id}', id)}*`, (route) => {
    const row = { uuid: '00000000-0000-4000-8000-000000000001', url: site.url('/tea'), title: 'tea', extraction: null }
    return route.fulfill({ json: { count, next: count > 25 ? 'more' : null, previous: null, results: [row] } })
  })
  await page.goto(`/dashboard/logs/crawls/${id}?view=data`)
  await page.getByText('Nothing was extracted').first().waitFor()
  await becomes(() => page.getByRole('button', { name: 'CSV' }).isEnabled(), true)
  count = 1
  await page.reload()
  await page.getByText('Nothing was extracted').first().waitFor()
  await becomes(() => page.getByRole('button', { name: 'CSV' }).isEnabled(), false)
})

data('a crawl without plugins has no tab for data', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const id = await page.evaluate(
    async ([path, url]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ url, options: { spider_options: {}, page_options: {} } })
      return ((await (await fetch(path, { method: 'POST', headers, body })).json()) as { uuid: string }).uuid
    },
    [createCrawl.path, site.url('/')] as const,
  )
  await page.goto(`/dashboard/logs/crawls/${id}?view=data`)
  await page.getByRole('tab', { name: 'Results' }).waitFor()
  await becomes(() => page.getByRole('tab', { name: 'Data', exact: true }).count(), 0)
})

data.run()
