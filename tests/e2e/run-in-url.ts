import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { startLiveCrawl } from '#tests/support/browser/live-crawl.ts'
import { MOCK_CRAWL, MOCK_SEARCH, MOCK_SITEMAP } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, signIn, startPage, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startPage()
const browser = await openBrowser(chromium, product.url)
// The mock has no search provider; the screen must still offer the web search.
const SETTINGS = '/api/v1/common/settings'
const settings = (await (await fetch(`${product.url}${SETTINGS}/`)).json()) as object
product.backend.set(`GET ${SETTINGS}`, { json: { ...settings, is_search_configured: true } })
const NOWHERE = '01890000-0000-7000-8000-0000000000ff'

const inUrl = suite('the URL of a run')

async function open(path: string) {
  const page = await browser.newPage()
  await signIn(page)
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: path }).click()
  return page
}

const rows = (page: OpenedPage) => page.getByRole('list', { name: 'Pages' }).getByRole('listitem')
const place = (page: OpenedPage) => new URL(page.url()).pathname + new URL(page.url()).search

inUrl('V4: Back, a reload and a shared link lead to a running crawl again, and Back leads past it', async () => {
  const crawl = startLiveCrawl(product.backend)
  const page = await open('Crawl')
  await page.getByLabel('URL to crawl').fill('https://shop.example/')
  await page.getByLabel('Max depth').fill('3')
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  crawl.store(3)
  await waitForCount(rows(page), 3)
  assert.is(place(page), `/dashboard/crawl?run=${MOCK_CRAWL}`)

  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Usage' }).click()
  await page.waitForURL('**/dashboard/usage')
  crawl.store(1)
  await page.goBack()
  await waitForCount(rows(page), 4)
  await page.getByRole('button', { name: 'Cancel Crawling' }).waitFor()

  await page.reload()
  await waitForCount(rows(page), 4)
  crawl.store(1)
  await waitForCount(rows(page), 5)

  const shared = Object.assign(await page.context().newPage(), { complaints: [] })
  await shared.goto(page.url())
  await waitForCount(rows(shared), 5)
  await shared.close()

  crawl.finish()
  await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()
  await becomes(() => page.getByLabel('URL to crawl').inputValue(), 'https://shop.example/')
  await page.reload()
  await waitForCount(rows(page), 5)
  await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()

  await page.goBack()
  assert.is(place(page), '/dashboard', 'Back leads to where one came from, not through an empty form')
})

inUrl('while the pages of a crawl are on their way, the screen does not say that none were stored', async () => {
  const crawl = startLiveCrawl(product.backend)
  crawl.store(5)
  crawl.finish()
  const page = await open('Crawl')
  // The stream is open, and has not sent its first event.
  await page.route(`**/crawl-requests/${MOCK_CRAWL}/status/**`, () => undefined)
  await page.goto(`/dashboard/crawl?run=${MOCK_CRAWL}`)
  await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()
  await page.getByRole('status').filter({ hasText: 'Loading the pages…' }).waitFor()
  await waitForCount(page.getByText('No pages were stored'), 0)
})

inUrl('V4: the link of the section leads from an ended run to an empty form, and Back leads to the run', async () => {
  const page = await open('Crawl')
  await page.goto(`/dashboard/crawl?run=${MOCK_CRAWL}`)
  await waitForCount(rows(page), 5)
  await page.evaluate(() => window.scrollTo(0, 300))
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Crawl', exact: true }).click()
  await page.getByRole('tab', { name: 'Spider Options', selected: true }).waitFor()
  await becomes(() => page.evaluate(() => window.scrollY), 0, 'the form begins at its top')
  assert.is(place(page), '/dashboard/crawl')
  await becomes(() => page.getByLabel('URL to crawl').inputValue(), '')
  await becomes(() => page.getByRole('tab', { name: 'Results' }).textContent(), 'Results')
  await page.goBack()
  await waitForCount(rows(page), 5)
})

inUrl('V4: a web search and a sitemap have their URLs too', async () => {
  const page = await open('Search')
  await page.getByLabel('Search query').fill('green tea')
  await page.getByRole('button', { name: 'Start Search' }).click()
  await page.getByRole('link', { name: 'Page 1' }).waitFor()
  assert.is(place(page), `/dashboard/search?q=green+tea&run=${MOCK_SEARCH}`)
  await page.reload()
  await page.getByRole('link', { name: 'Page 1' }).waitFor()
  await page.goto(`/dashboard/search?run=${MOCK_SEARCH}`)
  await page.getByRole('link', { name: 'Page 1' }).waitFor()
  await becomes(() => page.getByLabel('Search query').inputValue(), 'green tea')

  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Sitemap' }).click()
  await page.getByLabel('URL of the site').fill('https://shop.example/')
  await page.getByRole('button', { name: 'Generate Sitemap' }).click()
  await page.getByRole('heading', { name: 'Found 2 URLs' }).waitFor()
  assert.is(place(page), `/dashboard/sitemap?run=${MOCK_SITEMAP}`)
  await page.reload()
  await page.getByRole('heading', { name: 'Found 2 URLs' }).waitFor()
  await becomes(() => page.getByLabel('URL of the site').inputValue(), 'https://shop.example/')
})

inUrl('V4: an unknown run and a run of another team are reported, with a new form below', async () => {
  const page = await open('Crawl')
  for (const [path, label, title, offer] of [
    ['crawl', 'URL to crawl', 'Crawl request not found', 'New crawl'],
    ['search', 'Search query', 'Search request not found', 'New search'],
    ['sitemap', 'URL of the site', 'Sitemap request not found', 'New sitemap'],
  ] as const) {
    await page.goto(`/dashboard/${path}?run=${NOWHERE}`)
    await page.getByRole('heading', { name: title }).waitFor()
    if (path === 'crawl') await assertAccessible(page, 'a playground without its run')
    await page.getByRole('main').getByRole('link', { name: offer }).click()
    await page.getByLabel(label).waitFor()
    assert.is(place(page), `/dashboard/${path}`)
  }
})

inUrl.run()
