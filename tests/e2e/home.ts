import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { getProfile } from '#contract/accounts.ts'
import { listCrawls } from '#contract/crawls.ts'
import { listSearches } from '#contract/searches.ts'
import { getSettings } from '#contract/settings.ts'
import { listSitemaps } from '#contract/sitemaps.ts'
import { listApiKeys } from '#contract/teams.ts'
import { getUsage } from '#contract/usage.ts'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, openBrowser, signIn, startPage, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)
const pageWithHelp = await startPage({ environment: { GUIDE_URL: 'https://guide.example/', SUPPORT_EMAIL: 'help@net.example' } })
const browserWithHelp = await openBrowser(chromium, pageWithHelp.url)

const home = suite('dashboard home')
home.after.each(() => {
  for (const { path } of [getUsage, listCrawls, listSearches, listSitemaps, listApiKeys, getSettings, getProfile])
    app.backend.set(`GET ${path}`, undefined)
})

const id = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '000Z')
const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
const paged = (results: readonly unknown[], count = results.length) => ({ json: { count, next: null, previous: null, results } })

type Given = { status: string; minutes: number; documents: number }
const common = (number: number, { status, minutes, documents }: Given) => ({
  uuid: id(number),
  status,
  created_at: ago(minutes),
  updated_at: ago(minutes),
  duration: status === 'running' ? null : '00:00:02.500000',
  number_of_documents: documents,
  reason: null,
})
const crawl = (number: number, url: string, given: Given) => ({
  ...common(number, given),
  url,
  urls: [url],
  crawl_type: 'single',
  options: { spider_options: { max_depth: 1, page_limit: 500 }, page_options: {}, plugin_options: {} },
  sitemap: null,
  counts: { known: 2, kept: 2, failed: 0, settled: 2, pending: 0 },
})
const search = (number: number, query: string, given: Given) => ({
  ...common(number, given),
  query,
  search_options: {},
  result_limit: 10,
  result: null,
})
const sitemap = (number: number, url: string, given: Given) => ({ ...common(number, given), url, options: {}, result: null })

const USAGE = {
  total_crawls: 1284,
  finished_crawls: 1200,
  failed_crawls: 60,
  running_crawls: 2,
  total_documents: 48_310,
  total_searches: 217,
  total_sitemaps: 1,
  used_credits: 0,
  crawl_history: [{ date: day(1), count: 40 }],
  document_history: [
    { date: day(1), count: 312 },
    { date: day(0), count: 41 },
  ],
  search_history: [],
  sitemap_history: [],
  credit_history: [],
  previous: {
    total_crawls: 1070,
    finished_crawls: 1000,
    failed_crawls: 60,
    total_documents: 0,
    total_searches: 434,
    total_sitemaps: 0,
    used_credits: 0,
  },
}

function setWork(running: 'running' | 'finished' = 'running') {
  const { backend } = app
  backend.set(`GET ${getUsage.path}`, { json: USAGE })
  backend.set(`GET ${listCrawls.path}`, ({ query }, response) => {
    const all = [
      crawl(1, 'https://shop.example/tea', { status: running, minutes: 1, documents: 120 }),
      crawl(2, 'https://old.example/', { status: 'failed', minutes: 90, documents: 0 }),
      crawl(3, 'https://older.example/', { status: 'finished', minutes: 900, documents: 3 }),
      crawl(4, 'https://oldest.example/', { status: 'finished', minutes: 9000, documents: 3 }),
    ]
    const results = query.has('status__in') ? all.filter(({ status }) => status === 'running') : all
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(paged(results).json))
  })
  backend.set(`GET ${listSearches.path}`, ({ query }, response) => {
    const results = query.has('status__in') ? [] : [search(5, 'steep white tea', { status: 'finished', minutes: 5, documents: 10 })]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(paged(results).json))
  })
  backend.set(`GET ${listSitemaps.path}`, ({ query }, response) => {
    const results = query.has('status__in') ? [] : [sitemap(6, 'https://map.example/', { status: 'finished', minutes: 30, documents: 204 })]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(paged(results).json))
  })
}

const jobs = (page: OpenedPage) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Latest jobs' }) })
const figures = (page: OpenedPage) => page.locator('dl[aria-label="Last 30 days"]')
const figure = (page: OpenedPage, name: string) =>
  figures(page)
    .locator('div')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .first()

home('the home screen shows the totals of the last 30 days, and the five latest jobs of any kind, newest first', async () => {
  setWork()
  const page = await browser.newPage()
  await signIn(page)
  await figure(page, 'Crawls').getByText('1,284', { exact: true }).waitFor()
  await figure(page, 'Crawls').getByText('+20 % · 2 running').waitFor()
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByRole('link', { name: /Crawl a site.*\(done\)/ }).waitFor()
  await steps.getByRole('link', { name: 'Make a key For your own program.', exact: true }).waitFor()
  await figure(page, 'Documents').getByText('48,310', { exact: true }).waitFor()
  await figure(page, 'Documents').getByText('41 today').waitFor()
  await figure(page, 'Success rate').getByText('93.5 %', { exact: true }).waitFor()
  await figure(page, 'Searches').getByText('−50 % · and 1 sitemap', { exact: true }).waitFor()
  await waitForCount(figures(page).locator('svg'), 3)
  await page.getByText('One job is running; 312 new pages yesterday.').waitFor()

  const lines = jobs(page).getByRole('listitem')
  await waitForCount(lines, 5)
  await becomes(
    async () => (await lines.locator('[title]').allInnerTexts()).filter((text) => /\.example|steep/.test(text)),
    ['shop.example/tea', 'steep white tea', 'map.example', 'old.example', 'older.example'],
  )
  await lines.first().getByText('120 pages so far').waitFor()
  await lines.first().getByText('Running', { exact: true }).waitFor()
  await lines.nth(1).getByText('10 results', { exact: true }).waitFor()
  await lines.nth(2).getByText('204 URLs', { exact: true }).waitFor()
  await becomes(
    () => lines.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    [
      `/dashboard/logs/crawls/${id(1)}`,
      `/dashboard/logs/searches/${id(5)}`,
      `/dashboard/logs/sitemaps/${id(6)}`,
      `/dashboard/logs/crawls/${id(2)}`,
      `/dashboard/logs/crawls/${id(3)}`,
    ],
  )
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await figure(page, 'Crawls').getByText('1,284', { exact: true }).waitFor()
  await becomes(() => steps.count(), 0, 'dismissed once for all')
  const ways = page.getByRole('navigation', { name: 'Quick navigation' }).getByRole('link')
  await becomes(
    () => ways.evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ['/dashboard/crawl', '/dashboard/search', '/dashboard/sitemap'],
  )
  await assertAccessible(page, 'home with work')
  assert.equal(page.complaints, [])
})

home('running jobs update live, and the chip of the top bar shows them on every screen', async () => {
  setWork()
  const page = await browser.newPage()
  await page.clock.install()
  await signIn(page)
  await jobs(page).getByText('Running', { exact: true }).waitFor()
  const chip = page.getByRole('button', { name: '1 running job' })
  await chip.click()
  const list = page.getByRole('region', { name: 'Running jobs' })
  await list.getByText('120 pages so far').waitFor()
  await page.setViewportSize({ ...DESKTOP, width: 1000 })
  await becomes(
    async () => {
      const [at, from] = [await list.boundingBox(), await chip.boundingBox()]
      return at !== null && from !== null && Math.abs(at.x + at.width - from.x - from.width) <= 1 && at.y >= from.y + from.height
    },
    true,
    'the list follows the chip',
  )
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await list.waitFor()
  for (let link = 0; link < 3; link++) await page.keyboard.press('Tab')
  await list.waitFor({ state: 'hidden' })
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Team: Default', 'the next control')
  await page.goto('/dashboard/profile')
  await page.setViewportSize(PHONE)
  await chip.click()
  await list.getByRole('link', { name: /shop\.example/ }).click()
  await page.waitForURL(`**/dashboard/logs/crawls/${id(1)}`)
  await list.waitFor({ state: 'hidden' })

  await page.setViewportSize(DESKTOP)
  await page.goto('/dashboard')
  await jobs(page).getByText('Running', { exact: true }).waitFor()
  setWork('finished')
  await page.clock.runFor(6000)
  await jobs(page).getByText('Running', { exact: true }).waitFor({ state: 'detached' })
  await jobs(page).getByText('120 pages', { exact: true }).waitFor()
  await chip.waitFor({ state: 'detached' })
})

home('every part says how to begin if there are no jobs and keys, and no figure is NaN', async () => {
  for (const { path } of [listCrawls, listSearches, listSitemaps, listApiKeys]) app.backend.set(`GET ${path}`, paged([]))
  const page = await browser.newPage()
  await signIn(page)
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  await figure(page, 'Success rate').getByText('–', { exact: true }).waitFor()
  await page.getByText('No API key yet').waitFor()
  await becomes(
    () => page.getByRole('main').getByRole('link', { name: 'API Keys', exact: true }).getAttribute('href'),
    '/dashboard/api-keys',
  )
  await page.getByText('Crawl websites, search them, and read their pages as clean text.').waitFor()
  await becomes(async () => /NaN|undefined|null/.test(await page.getByRole('main').innerText()), false)
  await assertAccessible(page, 'home without work')
})

home('a part that cannot be loaded says so and offers a retry; the other parts work', async () => {
  setWork()
  const broken = { status: 400, json: { code: 400, errors: null, message: 'Out of order.' } }
  app.backend.set(`GET ${getUsage.path}`, broken)
  app.backend.set(`GET ${listSitemaps.path}`, broken)
  const page = await browser.newPage()
  await signIn(page)
  await page.getByText(/The figures of the last 30 days could not be loaded\. Out of order\./).waitFor()
  await page.getByText('The sitemaps could not be loaded.').waitFor()
  await waitForCount(jobs(page).getByRole('listitem'), 5)
  await assertAccessible(page, 'home with failures')
  setWork()
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await figure(page, 'Documents').getByText('48,310', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await jobs(page).getByText('map.example', { exact: true }).waitFor()
})

home('a key is chosen, shown masked and copied, and the code sample contains the real key', async () => {
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  app.backend.set(
    `GET ${listApiKeys.path}`,
    paged([key(1, 'Nightly', 'sei-aaaaaaaaaaaaaaaaaaaa11111'), key(2, 'Notebook', 'sei-bbbbbbbbbbbbbbbbbbbb22222')]),
  )
  await signIn(page)
  const choice = page.getByLabel('Key', { exact: true })
  await choice.waitFor()
  await becomes(() => choice.locator('option').allInnerTexts(), ['Nightly (***1111)', 'Notebook (***2222)'])
  await page.getByText('sei-••••••••11111', { exact: true }).waitFor()
  await becomes(() => page.getByRole('tab').count(), 0, 'without an MCP server there is one way')
  await choice.selectOption('Notebook (***2222)')
  await page.getByText('sei-••••••••22222', { exact: true }).waitFor()
  await becomes(async () => (await page.getByRole('main').innerText()).includes('sei-bbbbbbbbbb'), false)
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByText('API key copied').waitFor()
  await becomes(() => page.evaluate(() => navigator.clipboard.readText()), 'sei-bbbbbbbbbbbbbbbbbbbb22222')
  await page.getByRole('button', { name: 'Show the key' }).click()
  await page.getByText('sei-bbbbbbbbbbbbbbbbbbbb22222', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Hide the key' }).click()
  await copyButton(page, 'Start a crawl with curl').click()
  await page.getByText('Copied', { exact: true }).first().waitFor()
  const sample = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(sample, /^curl http.*\/api\/v1\/core\/crawl-requests\/ \\\n {2}-H 'X-API-Key: sei-bbbbbbbbbbbbbbbbbbbb22222'/)
})

/** Beside the code that it copies. */
const copyButton = (page: OpenedPage, label: string) =>
  page.getByRole('region', { name: label, exact: true }).locator('..').getByRole('button', { name: 'Copy' })

const key = (number: number, name: string, secret: string) => ({
  uuid: id(number),
  name,
  key: secret,
  last_used_at: null,
  created_at: ago(1),
  updated_at: ago(1),
})

home('the screen has instructions for six applications, with the key masked on the screen and real in the clipboard', async () => {
  const usual = (await (await fetch(`${app.backend.url}${getSettings.path}`)).json()) as object
  app.backend.set(`GET ${getSettings.path}`, { json: { ...usual, mcp_server: '/mcp' } })
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page)
  await page.getByRole('tab', { name: 'MCP configuration' }).click()
  const chips = page.getByRole('group', { name: 'Application' }).getByRole('button')
  await waitForCount(chips, 6)
  await becomes(() => chips.allInnerTexts(), ['General', 'Windsurf', 'Cursor', 'VS Code', 'Claude Desktop', 'Claude Code'])
  const configuration = page.getByRole('region', { name: 'Configuration for General', exact: true })
  await configuration.getByText(`"url": "${app.url}/mcp"`).waitFor()
  await configuration.getByText('"Authorization": "Bearer mock••••••••00001"').waitFor()
  await copyButton(page, 'Configuration for General').click()
  await page.getByText('Copied', { exact: true }).first().waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.equal(JSON.parse(copied), {
    mcpServers: {
      seine: { type: 'http', url: `${app.url}/mcp`, headers: { Authorization: `Bearer mock-${'1'.padStart(32, '0')}` } },
    },
  })
  for (const name of ['Cursor', 'VS Code']) {
    await chips.filter({ hasText: name }).click()
    const add = page.getByRole('link', { name: `Add to ${name}` })
    await add.waitFor()
    await becomesLike(() => add.getAttribute('href'), name === 'Cursor' ? /^cursor:/ : /^vscode:/)
  }
  await chips.filter({ hasText: 'Claude Code' }).click()
  await page
    .getByRole('region', { name: 'Command for Claude Code' })
    .getByText(/claude mcp add --transport http seine/)
    .waitFor()
  await assertAccessible(page, 'the MCP panel')
})

home('the event stream of another MCP server has the key in its URL', async () => {
  const usual = (await (await fetch(`${app.backend.url}${getSettings.path}`)).json()) as object
  app.backend.set(`GET ${getSettings.path}`, { json: { ...usual, mcp_server: '/mcp/sse' } })
  const page = await browser.newPage()
  await signIn(page)
  await page.getByRole('tab', { name: 'MCP configuration' }).click()
  const stream = page.getByRole('region', { name: 'Event stream for General' })
  await stream.getByText(`${app.url}/mcp/sse?apikey=mock••••••••00001`).waitFor()
})

home('a link to a resource is listed only if this installation has a URL for it', async () => {
  const page = await browserWithHelp.newPage()
  await signIn(page)
  await page.getByRole('link', { name: 'Developer guides' }).waitFor()
  await becomes(() => page.getByRole('link', { name: 'Developer guides' }).getAttribute('href'), 'https://guide.example/')
  await becomes(() => page.getByRole('link', { name: 'Support', exact: true }).getAttribute('href'), 'mailto:help@net.example')

  const bare = await browser.newPage()
  await signIn(bare)
  await bare.getByRole('link', { name: 'API documentation' }).waitFor()
  await becomes(() => bare.getByRole('link', { name: 'Support', exact: true }).count(), 0)
})

home.run()
