/** Crawled pages whose titles, texts, URLs and metadata try to run a script in the dashboard. */
import { createServer } from 'node:http'
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { pathTo } from '#web/navigation.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { scriptVectors } from '#tests/support/browser/script-vectors.ts'
import { serve } from '#tests/support/stubs/serve.ts'
import { suite } from '#tests/support/suite.ts'
import { enter, openBrowser } from './support.ts'
import type { OpenedPage } from './support.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const CANARY = 'http://canary.example'
const vectors = scriptVectors(CANARY)
const pathOf = (vector: string, number: number) => `/${number}/${encodeURIComponent(vector)}?q=${encodeURIComponent(vector)}`

/** The page of a vector: the vector is text in each field of the page, and live markup in the body. */
const pageOf = (vector: string, number: number) => `<!doctype html><html lang="en"><head><title>${escaped(vector)}</title>
<meta name="description" content="${escaped(vector)}"><meta property="og:title" content="${escaped(vector)}"></head><body><main>
<h1>Vector ${number}</h1><p>${escaped(vector)}</p><p>Words enough to be kept as the text of page ${number} of this site.</p>
<pre><code>${escaped(vector)}</code></pre><blockquote>${escaped(vector)}</blockquote><ul><li>${escaped(vector)}</li></ul>
<table><tr><th>${escaped(vector)}</th></tr><tr><td>${escaped(vector)}</td></tr></table>
<p><a href="${escaped(pathOf(vector, number))}" title="${escaped(vector)}">${escaped(vector)}</a> <img alt="${escaped(vector)}" src="/x"></p>
<div>${vector}</div></main></body></html>`

const home = `<!doctype html><title>Vectors</title><main><h1>All of them</h1><p>A list of the pages of this site, long enough to be kept.</p>
${vectors.map((vector, number) => `<p><a href="${escaped(pathOf(vector, number))}">${escaped(vector)}</a></p>`).join('\n')}</main>`

// Only the number chooses the page: a crawler may spell the rest of a URL differently.
const server = createServer((request, response) => {
  const number = Number(/^\/(\d+)\//.exec(request.url ?? '')?.[1] ?? Number.NaN)
  const body = request.url === '/' ? home : number < vectors.length ? pageOf(vectors[number]!, number) : undefined
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
})
const siteUrl = `${(await serve(server)).url}/`
const product = await startProduct()
const browser = await openBrowser(chromium, product.url)

const vectorsSuite = suite('stored pages that carry scripts')

/** Notes every dialog, every call of `caught`, and every request to another origin but the star count. */
async function watched() {
  const page = await browser.newPage()
  const incidents: string[] = []
  await page.exposeFunction('caught', (number: number) => void incidents.push(`vector ${number} ran: ${vectors[number]}`))
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && ![new URL(product.url).origin, 'https://api.github.com'].includes(origin))
      incidents.push(`asked for ${request.url()}`)
  })
  await enter(page, OWNER)
  return { page, incidents }
}

const startCrawl = (page: OpenedPage) =>
  page.evaluate(
    async ([path, url]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const body = JSON.stringify({
        url,
        options: {
          spider_options: { max_depth: 1, page_limit: 100 },
          page_options: { include_links: true, include_html: true, only_main_content: false },
        },
      })
      return ((await (await fetch(path, { method: 'POST', headers, body })).json()) as { uuid: string }).uuid
    },
    [createCrawl.path, siteUrl] as const,
  )

vectorsSuite('T18 T19 no screen runs, loads or follows anything that a stored page contains', async () => {
  const { page, incidents } = await watched()
  const id = await startCrawl(page)
  await page.goto(pathTo('crawlDetails', { requestId: id }))
  const main = page.getByRole('main')
  await main.getByText('Finished').first().waitFor({ timeout: 60_000 })
  const list = page.getByRole('list', { name: 'Pages' })
  await list.getByText('Vectors').first().waitFor()

  // Each page by keyboard; then the tabs of some.
  await list.getByText('Vectors').first().click()
  for (let number = 0; number < vectors.length; number += 1) {
    await page.keyboard.press('ArrowDown')
    await page.locator('.rendered-markdown').waitFor()
    if (number % 8 !== 0) continue
    for (const face of ['JSON', /Links/, 'Metadata', 'Markdown'] as const) await page.getByRole('tab', { name: face }).first().click()
  }
  await page.getByRole('button', { name: 'Sitemap explorer' }).click()
  await page.getByRole('tree', { name: 'Site' }).waitFor()
  await page.getByRole('button', { name: 'Expand all' }).click()
  await page.getByRole('tab', { name: 'Markdown view' }).click()
  await page.keyboard.press('Escape')

  for (const path of ['crawlLogs', 'dashboard', 'usage'] as const) {
    await page.goto(pathTo(path))
    await main.getByRole('heading', { level: 1 }).first().waitFor()
  }
  assert.equal(incidents, [])
  const stored = await page.evaluate(
    async ([path]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` }
      return ((await (await fetch(path, { headers })).json()) as { count: number }).count
    },
    [`${createCrawl.path}${id}/results/?page_size=1`] as const,
  )
  assert.is(stored, vectors.length + 1, 'every page was kept, so every vector was shown')
})

vectorsSuite.run()
