import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { MOCK_CRAWL, MOCK_SEARCH, MOCK_SITEMAP } from '#tests/support/stubs/mock-backend.ts'
import { stopsOf, titleOf, visit } from '#tests/support/browser/route-walk.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser, signIn, startPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)
const page = await browser.newPage()
await signIn(page)

const routes = suite('every dashboard route, through the gateway in proxy mode and another backend')

const STOPS = stopsOf({ crawl: MOCK_CRAWL, search: MOCK_SEARCH, sitemap: MOCK_SITEMAP, host: 'shop.example', query: 'green tea' })
for (const stop of STOPS) routes(titleOf(stop), () => visit(page, stop))

routes('S-WRK-01 S-WRK-08 a crawl is started and followed through the gateway', async () => {
  await page.goto('/dashboard/crawl')
  await page.getByRole('tab', { name: 'Plugin Options' }).click()
  await page.getByRole('group', { name: 'Prices' }).getByRole('switch', { name: 'Active' }).click()
  await page.getByLabel('URL to crawl').fill('https://shop.example/')
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  await page.getByRole('button', { name: 'Page 2', exact: true }).waitFor()
  await page.getByRole('log').getByText('Two pages fetched').waitFor()
  const started = app.backend.requests.find(({ method, path }) => method === 'POST' && path.endsWith('/crawl-requests/'))
  const { options } = JSON.parse(String(started?.body)) as { options: { plugin_options: unknown } }
  assert.equal(options.plugin_options, { prices: { is_active: true, currency: 'EUR' } })
  assert.ok(app.backend.requests.some(({ path }) => path === `/api/v1/core/crawl-requests/${MOCK_CRAWL}/status/`))
})

routes('all requests and answers follow the contract', () => {
  assert.equal(app.backend.breaches, [])
})

routes.run()
