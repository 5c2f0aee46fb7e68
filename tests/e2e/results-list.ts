import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { MOCK_CRAWL } from '#tests/support/stubs/mock-backend.ts'
import { page as listOf, result } from '#tests/support/stubs/mock-work.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, drawn, enter, openBrowser, startPage, waitForCount } from './support.ts'

const RESULTS = `/api/v1/core/crawl-requests/${MOCK_CRAWL}/results`
const product = await startPage()
const browser = await openBrowser(chromium, product.url)

const results = suite('the results of a crawl that has ended')

results('B1: a page of results that cannot be loaded is requested once, and again only on request', async () => {
  const asked: string[] = []
  let broken = true
  product.backend.set(`GET ${RESULTS}`, ({ query }, response) => {
    const number = Number(query.get('page') ?? 1)
    asked.push(`page ${number}`)
    const send = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (number === 2 && broken) return send(400, { code: 400, message: 'No second page.', errors: null })
    const next = number === 1 ? `${product.url}${RESULTS}/?page=2` : null
    send(200, { ...listOf([result(number, true)]), count: 2, next })
  })
  const page = await browser.newPage()
  await enter(page)
  const refused = page.waitForResponse((response) => response.status() === 400)
  await page.goto(`/dashboard/logs/crawls/${MOCK_CRAWL}`)
  await refused
  // Frames in which the list, with its end in view, could ask again; one frame is enough for a request and its answer.
  await drawn(page, 60)
  assert.equal(asked, ['page 1', 'page 2'])
  const list = page.getByRole('list', { name: 'Pages' })
  await list.getByText('More results could not be loaded').waitFor()
  await assertAccessible(page, 'results of which a part is missing')
  broken = false
  await list.getByRole('button', { name: 'Try again' }).click()
  await list.getByText('Page 2').waitFor()
  await list.getByText('All 2 results loaded').waitFor()
  await waitForCount(list.getByRole('button'), 2)
  assert.equal(asked, ['page 1', 'page 2', 'page 2'])
})

results('a list with a filter in its URL says that it is loading until the answer arrives, and not that nothing matches', async () => {
  const asked = Promise.withResolvers<() => void>()
  product.backend.set(`GET ${RESULTS}`, ({ query }, response) => {
    const found = query.get('url__contains') === 'page' ? [result(1, true)] : []
    const body = JSON.stringify({ ...listOf(found), count: found.length, next: null })
    asked.resolve(() => void response.writeHead(200, { 'content-type': 'application/json' }).end(body))
  })
  const page = await browser.newPage()
  await enter(page)
  await page.goto(`/dashboard/logs/crawls/${MOCK_CRAWL}?find=page`)
  const answer = await asked.promise
  const list = page.getByRole('region', { name: 'Results' })
  await list.getByLabel('Filter results').waitFor()
  await waitForCount(list.getByText('Nothing matches the filter'), 0)
  await list.getByText('Loading the pages…').waitFor()
  answer()
  await list.getByRole('list', { name: 'Pages' }).getByText('Page 1').waitFor()
})

results.run()
