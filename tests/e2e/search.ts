import { readFileSync } from 'node:fs'
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import type { SearchItem } from '#contract/searches.ts'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, drawn, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const site = await startSmallSite()
const HITS = [
  { url: `${site.url}guide/3`, title: 'As the provider calls it', description: 'What the provider says of a guide' },
  { url: 'https://hits.example/mischief', title: '<img src=x onerror="window.caught=1">', description: '<b>not bold</b>' },
  ...someHits(10),
]
const stubs = await startSearchStubs({ hits: HITS })
// Without `own` at the end a search without an answer fails.
const product = await startProduct({ SEARXNG_URL: stubs.url, SEARCH_PROVIDERS: 'searxng' })
const bare = await startProduct()
const browser = await openBrowser(chromium, product.url)
const bareBrowser = await openBrowser(chromium, bare.url)

const search = suite('searches on screens')

async function open(path: string, from = browser) {
  const page = await from.newPage()
  await openSignedIn(page, path, OWNER)
  return page
}

const main = (page: OpenedPage) => page.getByRole('main')
const query = (page: OpenedPage) => page.getByLabel('Search query')
const ownQuery = (page: OpenedPage) => page.getByLabel('Search your own pages')
const results = (page: OpenedPage) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')
const pages = (page: OpenedPage) => page.getByRole('list', { name: 'Pages' }).getByRole('button')
/** Of the list that is open. */
const options = (page: OpenedPage) => page.getByRole('listbox').getByRole('option')
const badge = (page: OpenedPage, word: string) => main(page).getByText(word, { exact: true }).first()

/** The next request to the provider waits until the test releases it. */
function holdProvider(): () => void {
  const gate = Promise.withResolvers<void>()
  stubs.onRequest = () => gate.promise
  return () => {
    stubs.onRequest = async () => undefined
    gate.resolve()
  }
}

/** Starts a crawl as the page would. */
const crawl = (page: OpenedPage, url: string) =>
  page.evaluate(
    async ([path, url]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ url, options: { spider_options: { max_depth: 2, page_limit: 50 }, page_options: {} } })
      await fetch(path, { method: 'POST', headers, body })
    },
    [createCrawl.path, url] as const,
  )

search('S-WRK-02 S-WRK-09 a search is started on the screen, and its results arrive live', async () => {
  const page = await open('/dashboard/search')
  await page.getByRole('heading', { name: 'Search Playground' }).waitFor()
  await page.getByRole('button', { name: 'Start Search' }).first().click()
  await page.getByText('Please enter a search query').waitFor()
  assert.equal(stubs.asked, [], 'nothing was asked')

  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.keyboard.type('germ')
  await waitForCount(options(page), 1)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Country' }).fill('austr')
  await waitForCount(options(page), 2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByLabel('Number of results').fill('99')
  await page.getByText('Enter a whole number from 1 to 20.').waitFor()
  await page.getByLabel('Number of results').fill('4')
  await page.getByRole('radio', { name: 'Advanced' }).check()
  await page.getByLabel('Time range').selectOption({ label: 'Past year' })
  for (const words of ['German', 'Austria', 'Past year', '4 results', 'Advanced'])
    await page.getByRole('region', { name: 'Search' }).getByText(words, { exact: true }).waitFor()
  await assertAccessible(page, 'the options of a search')
  await page.setViewportSize(DESKTOP)

  await query(page).fill('white tea & more')
  await page.waitForURL('**/dashboard/search?q=white+tea+%26+more&language=de&country=at&time=year&results=4&depth=advanced')
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await page.getByRole('region', { name: 'cURL example' }).getByText('white tea & more').waitFor()
  await assertAccessible(page, 'a search as a program')
  await page.setViewportSize(DESKTOP)

  const release = holdProvider()
  await query(page).press('Enter')
  await page.getByRole('button', { name: 'Cancel Search' }).first().waitFor()
  await page.getByRole('tab', { name: 'Results', selected: true }).waitFor()
  await page.getByText('Searching…').waitFor()
  await badge(page, 'Running').waitFor()
  await page.getByRole('region', { name: 'Engine feedback' }).getByText('Asking SearXNG').waitFor()
  release()
  await badge(page, 'Finished').waitFor()
  await waitForCount(results(page), 4)
  assert.is(stubs.asked.at(-1)?.parameters['q'], 'white tea & more')
  assert.is(stubs.asked.at(-1)?.parameters['language'], 'de-AT')
  // The page has a longer description than the provider; a page that cannot be read keeps the provider's.
  await results(page).nth(0).getByRole('link', { name: 'Guide 3' }).waitFor()
  await results(page).nth(0).getByText('Advanced').waitFor()
  await results(page).nth(1).getByText('Basic').waitFor()
  await becomes(() => results(page).nth(0).getByRole('link').getAttribute('href'), `${site.url}guide/3`)
  await results(page).nth(1).getByText('<img src=x onerror="window.caught=1">').waitFor()
  assert.is(await page.evaluate('window.caught'), undefined, 'nothing of a result is markup')
  await page.getByRole('button', { name: 'Start Search' }).first().waitFor()
  await assertAccessible(page, 'the results of a search')
  await page.setViewportSize(DESKTOP)

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download Results' }).click()])
  assert.match(download.suggestedFilename(), /^search_results_[0-9a-f-]{36}\.json$/)
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as SearchItem[]
  assert.equal(
    saved.map(({ url, order }) => [url, order]),
    HITS.slice(0, 4).map(({ url }, order) => [url, order]),
  )
  await page.reload()
  await waitForCount(results(page), 4)
  await becomes(() => query(page).inputValue(), 'white tea & more')
  await page.getByRole('tab', { name: /^Search Options/ }).click()
  await becomes(() => page.getByRole('combobox', { name: 'Language' }).inputValue(), 'German')
  await page.getByRole('button', { name: 'Clear Language' }).click()
  await becomes(() => page.getByRole('combobox', { name: 'Language' }).inputValue(), '')
  await page.waitForURL((url) => !url.search.includes('language'))
})

search('house 11: arrow keys do nothing in a list without a match, and no option is active', async () => {
  const page = await open('/dashboard/search')
  await page.getByRole('tab', { name: /^Search Options/ }).click()
  const language = page.getByRole('combobox', { name: 'Language' })
  await language.fill('no such language')
  await page.getByRole('listbox', { name: 'Language' }).getByText('Nothing matches').waitFor()
  for (const key of ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp']) {
    await becomes(() => language.getAttribute('aria-activedescendant'), null, `before ${key}`)
    await language.press(key)
  }
  await becomes(() => language.getAttribute('aria-activedescendant'), null)
  await language.fill('ger')
  await language.press('ArrowUp')
  const active = page.locator(`[id="${await language.getAttribute('aria-activedescendant')}"]`)
  await becomesLike(() => active.innerText(), /German/)
  await language.press('Enter')
  await becomesLike(() => language.inputValue(), /German/)
})

search('S-WRK-02 S-WRK-04 the log leads to the details, the results are downloaded, the search opens in the form again', async () => {
  const page = await open('/dashboard/logs/searches')
  const rows = page.getByRole('table', { name: 'Search History' }).getByRole('row')
  await rows.nth(1).getByText('white tea & more').waitFor()
  await rows.nth(1).getByText('Finished').waitFor()
  await assertAccessible(page, 'the log of searches')
  await page.setViewportSize(DESKTOP)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    rows.nth(1).getByRole('button', { name: 'Download Results' }).click(),
  ])
  assert.is((JSON.parse(readFileSync(await download.path(), 'utf8')) as unknown[]).length, 4)
  await page.getByLabel('Status').selectOption('failed')
  await page.getByText('Nothing matches the filter').waitFor()
  await page.waitForURL('**/dashboard/logs/searches?status=failed')
  await page.getByRole('button', { name: 'Clear the filter' }).click()

  await rows.nth(1).getByRole('link', { name: 'View details' }).click()
  await page.getByRole('heading', { name: 'white tea & more' }).waitFor()
  await waitForCount(results(page), 4)
  await page.getByText('Parameters').click()
  await page.getByRole('region', { name: 'Parameters' }).getByText('"at"').waitFor()
  await page.getByRole('button', { name: 'Expand the feedback' }).click()
  await page.getByRole('log', { name: 'Messages' }).getByText('Asking SearXNG').waitFor()
  await assertAccessible(page, 'the details of a search')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('button', { name: 'Try in Search Playground' }).click()
  await page.waitForURL('**/dashboard/search*')
  await becomes(() => query(page).inputValue(), 'white tea & more')
  await becomes(() => page.getByLabel('Number of results').inputValue(), '4')
  await becomes(() => page.getByRole('radio', { name: 'Advanced' }).isChecked(), true)

  await page.goto('/dashboard/logs/searches/nonsense')
  await page.getByRole('heading', { name: 'Search request not found' }).waitFor()
  await assertAccessible(page, 'a search that is not there')
  await page.getByRole('link', { name: 'Back to the search logs' }).click()
  await page.waitForURL('**/dashboard/logs/searches')
})

search(
  'S-WRK-02 S-WRK-09 a search can be canceled; a search without an answer fails with its reason; a search may find nothing',
  async () => {
    const page = await open('/dashboard/search?q=held')
    const release = holdProvider()
    await page.getByRole('button', { name: 'Start Search' }).first().click()
    await page.getByRole('button', { name: 'Cancel Search' }).first().click()
    await badge(page, 'The search was canceled').waitFor()
    release()

    stubs.trouble = { status: 500 }
    await query(page).fill('unanswered')
    await query(page).press('Enter')
    await badge(page, 'The search failed').waitFor()
    await main(page).getByRole('status').getByText('No search provider has answered').waitFor()
    await assertAccessible(page, 'a search that failed')
    await page.setViewportSize(DESKTOP)
    await page.getByRole('link', { name: 'Details' }).click()
    await main(page).getByRole('status').getByText('No search provider has answered').waitFor()
    await page.goto('/dashboard/logs/searches?status=failed')
    await page.getByRole('table', { name: 'Search History' }).getByRole('row').nth(1).getByText('unanswered').waitFor()

    stubs.trouble = null
    stubs.hits = []
    await page.goto('/dashboard/search?q=nothing')
    await page.getByRole('tab', { name: 'Results' }).click()
    await page.getByText('No search yet').waitFor()
    await query(page).press('Enter')
    await page.getByText('No results found for your search query.').waitFor()
    stubs.hits = HITS
  },
)

search("S-WRK-02 without a provider the screen says how to set one up, and the team's own pages can still be searched", async () => {
  const page = await open('/dashboard/search', bareBrowser)
  await page.getByText('Search of the web is not set up').waitFor()
  await waitForCount(query(page), 0)
  const blocks = main(page).getByRole('heading', { level: 2 })
  await becomes(() => blocks.allTextContents(), ['SearXNG', 'Brave Search', 'Google Custom Search'])
  for (const option of ['SEARXNG_URL=', 'BRAVE_API_KEY=', 'GOOGLE_SEARCH_KEY=', 'GOOGLE_SEARCH_CX='])
    await main(page).getByText(option).first().waitFor()
  await main(page)
    .getByText(/^Restart/)
    .waitFor()
  await assertAccessible(page, 'how to set up the search of the web')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('link', { name: 'pages that your crawls have stored' }).click()
  await page.waitForURL('**/dashboard/search?in=own')
  await ownQuery(page).waitFor()
  await page.getByRole('heading', { name: 'No pages yet' }).waitFor()
  await assertAccessible(page, 'own pages before the first crawl')

  await page.route('**/own-pages/search/**', (route) => route.fulfill({ status: 503, json: { code: 503, errors: null, message: 'Busy' } }))
  await page.reload()
  await page.getByRole('heading', { name: 'Your pages could not be searched' }).waitFor()
  await page.unroute('**/own-pages/search/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No pages yet' }).waitFor()
})

search('own pages: while pages are being indexed, a slow answer still arrives, and so do more results', async () => {
  const page = await browser.newPage()
  await page.clock.install()
  const asked: string[] = []
  const gates = { query: Promise.withResolvers<void>(), more: Promise.withResolvers<void>() }
  const hitOf = (no: number) => ({
    uuid: `00000000-0000-4000-8000-00000000000${no}`,
    crawl_uuid: '00000000-0000-4000-8000-000000000009',
    url: `https://hits.example/${no}`,
    title: [{ text: `Hit ${no}`, is_match: false }],
    snippet: [],
    language: null,
    created_at: '2026-01-01T00:00:00Z',
    is_newest: true,
    score: 1,
  })
  await page.route('**/own-pages/search/**', async (route) => {
    const { searchParams } = new URL(route.request().url())
    const name = `${searchParams.get('q')} ${searchParams.get('page') ?? 1}`
    asked.push(name)
    if (name === 'word 1') await gates.query.promise
    if (name === 'word 2') await gates.more.promise
    const isSecond = name.endsWith('2')
    const more = { next: isSecond ? null : 'more', previous: null, results: [hitOf(isSecond ? 2 : 1)] }
    const index = { indexed: 2, behind: 5 }
    const json = { count: 2, ...more, suggestion: null, ignored_words: [], is_complete: true, took_ms: 1, index }
    // The page may have aborted the request.
    await route.fulfill({ json }).catch(() => undefined)
  })
  await openSignedIn(page, '/dashboard/search?in=own', OWNER)
  await main(page).getByText('2 pages').first().waitFor()
  await ownQuery(page).fill('word')
  await becomes(async () => asked.includes('word 1'), true)
  for (let times = 0; times < 5; times += 1) await page.clock.runFor(2100)
  assert.equal(
    asked.filter((name) => name === 'word 1'),
    ['word 1'],
    'asked once',
  )
  gates.query.resolve()
  await waitForCount(pages(page), 1)

  await page.getByRole('button', { name: 'Load More' }).click()
  await becomes(async () => asked.includes('word 2'), true)
  await page.clock.runFor(2100)
  await becomes(async () => asked.filter((name) => name === 'word 1').length, 2)
  await main(page).getByText('2 pages').first().waitFor()
  gates.more.resolve()
  await waitForCount(pages(page), 2)
})

search("S-WRK-02 the team's own pages are found while typing, with matches marked, and read beside the list", async () => {
  const page = await open('/dashboard/search?in=own')
  await crawl(page, site.url)
  await crawl(page, `${site.url}mischief`)
  await main(page).getByText('14 pages', { exact: true }).waitFor({ timeout: 30_000 })
  await page.getByRole('heading', { name: 'Type to search everything that your crawls have stored' }).waitFor()
  await assertAccessible(page, 'own pages before a query')
  await page.setViewportSize(DESKTOP)

  await ownQuery(page).pressSequentially('scorches spin')
  await page.getByRole('status').getByText('12 pages').waitFor()
  await page.waitForURL('**/dashboard/search?in=own&q=scorches+spin')
  await becomes(
    () =>
      pages(page)
        .first()
        .locator('mark')
        .allTextContents()
        .then((marks) => [...new Set(marks)].toSorted()),
    ['scorches', 'spinach'],
  )
  const stored = page.getByRole('region', { name: 'Stored page' })
  await stored.getByText('Boiling water scorches delicate leaves.').waitFor()
  await stored.getByText(/^1 of \d+$/).waitFor()
  await stored.getByRole('button', { name: 'Next match' }).click()
  await stored.getByRole('button', { name: 'Next match' }).click()
  await stored.getByText(/^2 of \d+$/).waitFor()
  await assertAccessible(page, 'own pages that were found')
  await page.setViewportSize(DESKTOP)

  // Arrows move while the query keeps the focus; Enter goes to the page.
  const title = () => pages(page).and(page.locator('[aria-current]')).locator('span').first().textContent()
  const first = await title()
  await ownQuery(page).press('ArrowDown')
  await ownQuery(page).press('ArrowDown')
  await pages(page).nth(1).and(page.locator('[aria-current]')).waitFor()
  await becomes(async () => (await title()) !== first, true)
  await becomes(() => ownQuery(page).inputValue(), 'scorches spin')
  await ownQuery(page).press('Enter')
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'tabpanel')

  await ownQuery(page).fill('spinahc')
  await page.getByText('Did you mean').waitFor()
  await page.getByRole('button', { name: 'spinach', exact: true }).click()
  await page.getByRole('status').getByText('12 pages').waitFor()
  await ownQuery(page).fill('nothinglikethis')
  await page.getByText('No stored page has all of these words').waitFor()
  await assertAccessible(page, 'own pages without a hit')
  await page.setViewportSize(DESKTOP)

  await ownQuery(page).fill('mischief')
  await page.getByRole('status').getByText('1 page', { exact: true }).waitFor()
  await stored.getByText('words enough to be kept').waitFor()
  assert.is(await page.evaluate('window.caught'), undefined, 'nothing of a stored page is markup')
  await pages(page).first().getByText('<img src=x').first().waitFor()
})

search("S-WRK-02 the team's own pages are filtered by site, crawl, language and time; on a phone the page covers the list", async () => {
  const page = await open('/dashboard/search?in=own&q=guide')
  await page.getByRole('status').getByText('13 pages').waitFor()
  await page.getByRole('combobox', { name: 'Crawl' }).click()
  await waitForCount(options(page), 3)
  await options(page).filter({ hasText: 'mischief' }).click()
  await page.getByText('No stored page has all of these words').waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByRole('status').getByText('13 pages').waitFor()
  await page.getByRole('combobox', { name: 'Site' }).fill('elsewhere.example')
  await page.keyboard.press('Enter')
  await page.getByText('No stored page has all of these words').waitFor()
  await page.waitForURL('**&site=elsewhere.example')
  await page.getByRole('button', { name: 'Clear Site' }).click()
  await page.getByRole('combobox', { name: 'Language' }).fill('english')
  await page.keyboard.press('Enter')
  await page.getByLabel('Stored', { exact: true }).selectOption({ label: 'Past 24 hours' })
  await page.waitForURL('**/dashboard/search?in=own&q=guide&language=en&stored=day')
  await page.getByRole('status').getByText('13 pages').waitFor()
  // As on a desktop that is magnified to 200 %.
  await page.setViewportSize({ width: 720, height: 450 })
  const filters = page.getByRole('group', { name: 'Filters' })
  await becomes(() => filters.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth), 0, 'no filter is cut off')

  await page.setViewportSize(PHONE)
  await page.reload()
  await waitForCount(page.getByRole('dialog'), 0)
  await pages(page).nth(2).click()
  await page.getByRole('dialog').getByText('Boiling water scorches delicate leaves.').waitFor()
  await assertAccessible(page, 'a stored page over the list')
  await page.setViewportSize(PHONE)
  await page.keyboard.press('Escape')
  await waitForCount(page.getByRole('dialog'), 0)
  await page.getByRole('radio', { name: 'The web' }).check()
  await becomes(() => query(page).inputValue(), 'guide', 'the query goes along')
})

search('on a phone nothing moves when the results of a search arrive', async () => {
  const page = await browser.newPage({ viewport: PHONE })
  await openSignedIn(page, '/dashboard/search', OWNER)
  await query(page).fill('herring')
  await page.keyboard.press('Enter')
  await badge(page, 'Finished').waitFor()
  const run = new URL(page.url()).searchParams.get('run')
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const gate = Promise.withResolvers<void>()
  await page.route(/prefetched=true/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto(`/dashboard/logs/searches/${run}`)
  await main(page).getByText('Loading the results').waitFor()
  await main(page).getByText('Engine feedback').waitFor()
  await drawn(page)
  gate.resolve()
  await results(page).first().waitFor()
  await drawn(page)
  const { shift } = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen)
  assert.ok(shift < 0.05, `layout shifts of ${shift}`)
})

search.run()
