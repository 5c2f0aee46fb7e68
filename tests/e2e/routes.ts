import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { createCrawl, followCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { AnswerOf, EndpointSpec } from '#contract/endpoint.ts'
import { createSearch, followSearch } from '#contract/searches.ts'
import { createSitemap, followSitemap } from '#contract/sitemaps.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { inspect, stopsOf, titleOf } from '#tests/support/browser/route-walk.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { enter, openBrowser } from './support.ts'

const site = await startSmallSite()
const stubs = await startSearchStubs({ hits: someHits(3) })
const product = await startProduct({ SEARXNG_URL: stubs.url })
const browser = await openBrowser(chromium, product.url)
const page = await browser.newPage()

const routes = suite('every dashboard route, with the real backend')

const { access } = await call(login, OWNER)
const crawl = await done(createCrawl, followCrawl, {
  url: site.url,
  options: { spider_options: { max_depth: 1, page_limit: 5 }, page_options: {} },
})
const search = await done(createSearch, followSearch, { query: 'green tea' })
const sitemap = await done(createSitemap, followSitemap, { url: site.url, options: { ignore_sitemap_xml: true } })
await enter(page, OWNER)

for (const stop of stopsOf({ crawl, search, sitemap, host: new URL(site.url).host, query: 'green tea' }))
  routes(titleOf(stop), () => inspect(page, stop))

routes('S-DSH-01 S-WRK-07 without enterprise mode #billing is the first tab of the settings', async () => {
  await page.goto('/dashboard/settings#billing')
  await page.getByRole('tab', { name: 'Team', selected: true }).waitFor()
  await becomes(() => page.getByRole('tab').allInnerTexts(), ['Team', 'Proxy Settings', 'Webhooks', 'Models'])
})

routes('S-DSH-01 each dashboard route is shown again after leaving it and going back', async () => {
  await page.goto('/dashboard/usage')
  for (const [name, heading] of [
    ['API Keys', 'API Keys'],
    ['Profile', 'Profile'],
    ['API Reference', 'API Reference'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  }
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Profile', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'API Keys', exact: true }).waitFor()
})

routes.run()

async function call<E extends EndpointSpec>(endpoint: E, body: object, token = ''): Promise<AnswerOf<E>> {
  const reply = await fetch(product.url + endpoint.path, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${endpoint.path} was answered ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as AnswerOf<E>
}

/** Starts a job and follows it to its end. */
async function done(create: EndpointSpec, follow: EndpointSpec, body: object): Promise<string> {
  const { uuid } = (await call(create, body, access)) as unknown as { uuid: string }
  const stream = await openStream(product.url + fillPath(follow.path, { id: uuid }), { authorization: `Bearer ${access}` })
  const events = await stream.rest()
  assert.is(events.at(-1)?.status, 'finished', create.path)
  return uuid
}
