import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, enter, openBrowser, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)
let finished = ''

const details = suite('crawl details')

async function open(options: Parameters<typeof browser.newPage>[0] = {}) {
  const page = await browser.newPage(options)
  await enter(page, OWNER)
  return page
}

/** Starts a crawl of the whole site as the page would. */
const start = (page: OpenedPage) =>
  page.evaluate(
    async ([path, url]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const body = JSON.stringify({
        url,
        options: { spider_options: { max_depth: 2, page_limit: 50 }, page_options: { include_links: true } },
      })
      const crawl = (await (await fetch(path, { method: 'POST', headers, body })).json()) as { uuid: string }
      return crawl.uuid
    },
    [createCrawl.path, site.url] as const,
  )

const list = (page: OpenedPage) => page.getByRole('list', { name: 'Pages' })
const text = (page: OpenedPage) => page.locator('.rendered-markdown')
const main = (page: OpenedPage) => page.getByRole('main')

details('S-WRK-04 S-WRK-09 a running crawl is followed to its end', async () => {
  const page = await open()
  site.hold()
  finished = await start(page)
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await list(page).getByText('Guide 3').waitFor()
  await main(page).getByText('Running').first().waitFor()
  await page.getByRole('button', { name: 'Cancel Crawling' }).waitFor()
  site.release()
  await list(page).getByText('Guide 11').waitFor()
  await main(page).getByText('Finished').first().waitFor()
  const { host } = new URL(site.url)
  await becomes(() => page.title(), `${host} · Crawl Details · Seine`, 'the tab names the run')
  await page.getByRole('button', { name: 'Cancel Crawling' }).waitFor({ state: 'hidden' })
})

details('the start time of the crawl is shown before scripts and answer arrive, and stays the same then', async () => {
  const page = await open()
  const scripts = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route('**/assets/main-*.js', (route) => scripts.promise.then(() => route.fallback()))
  await page.route(`**${createCrawl.path}${finished}/`, (route) => answer.promise.then(() => route.fallback()))
  const line = (root: string) => page.locator(root).getByText(/^Crawl Details · started [A-Z][a-z]{2} \d+, \d{4}, /)
  await page.goto(`/dashboard/logs/crawls/${finished}`, { waitUntil: 'commit' })
  await line('#first-paint').waitFor()
  const said = await line('#first-paint').innerText()
  scripts.resolve()
  await line('main').waitFor()
  await becomes(() => line('main').innerText(), said, 'while the crawl is loaded')
  await becomes(() => page.getByText('Loading the crawl…').isVisible(), true)
  answer.resolve()
  await list(page).getByText('Guide 3').waitFor()
  await becomes(() => line('main').innerText(), said, 'and when it has come')
  assert.equal(page.complaints, [])
})

details('S-WRK-04 pages are shown as text, browsed with the keyboard, and filtered', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await text(page).getByRole('heading', { name: 'Blue Kettle' }).waitFor()
  await list(page).getByRole('button').first().focus()
  await page.keyboard.press('ArrowDown')
  await text(page)
    .getByRole('heading', { name: /Steeping guide/ })
    .waitFor()
  await becomes(() => text(page).getByText('Menu of the site').count(), 0, 'no navigation in the text')
  await text(page).getByRole('cell', { name: 'Sencha' }).waitFor()
  await becomes(() => text(page).locator('img').count(), 0, 'nothing is loaded from elsewhere')
  await text(page).getByText('A kettle').waitFor()
  await assertAccessible(page, 'the reader')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('region', { name: 'JSON' }).getByText('"markdown"').waitFor()
  await page.getByRole('tab', { name: /Links/ }).click()
  await page.getByRole('tabpanel', { name: /Links/ }).getByRole('link', { name: /guide/ }).first().waitFor()
  await page.getByRole('tab', { name: 'Metadata' }).click()
  await page.getByText('status_code').waitFor()

  await page.getByLabel('Filter results').fill('guide/7')
  await list(page).getByText('Guide 7').waitFor()
  await list(page).getByText('Guide 6').waitFor({ state: 'hidden' })
  await waitForCount(list(page).getByRole('button'), 1)
})

details('S-WRK-04 every URL is listed with its outcome, filtered by reason and by text', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await page.getByRole('button', { name: /skipped \(scope or limits\)/ }).waitFor()
  const failures = page.getByText('7.1 %', { exact: true }).locator('..')
  await becomes(() => failures.textContent(), '1 7.1 %', 'a screen reader says two numbers')
  await page.getByRole('button', { name: /answered with an error status/ }).click()
  const table = page.getByRole('table', { name: 'URLs' })
  await table.getByText(`${site.url}missing`).waitFor()
  await waitForCount(table.getByRole('row'), 2)
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('robots')
  await table.getByText(`${site.url}private/a`).waitFor()
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('')
  await page.getByLabel('URL contains').fill('guide/1')
  await table.getByText('guide/11').waitFor()
  await table.getByText('guide/2', { exact: false }).waitFor({ state: 'hidden' })
  await assertAccessible(page, 'the URLs of a crawl')
})

details(
  'on a desktop the actions of a crawl are beside its title; the failed URLs are fetched again from where they are counted',
  async () => {
    const page = await open()
    await page.setViewportSize(DESKTOP)
    await page.goto(`/dashboard/logs/crawls/${finished}`)
    await page.getByRole('button', { name: 'Retry failed (1)' }).waitFor()
    const heading = page.getByRole('heading', { level: 1 }).locator('xpath=../..')
    for (const name of ['Repeat', 'Delete', 'Sitemap explorer', 'Download', 'Try in Crawl Playground', 'Run again'])
      await becomes(
        () => isBeside(main(page).getByRole('button', { name, exact: true }).first(), heading),
        true,
        `${name} is beside the title`,
      )
    await becomes(
      () => isBeside(page.getByRole('button', { name: 'Retry failed (1)' }), page.getByRole('button', { name: /answered with/ })),
      true,
    )
    await page.setViewportSize(PHONE)
    await becomes(() => isBeside(main(page).getByRole('button', { name: 'Delete', exact: true }), heading), true, 'on a phone too')
  },
)

/** Whether two elements have a line in common. */
async function isBeside(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  return a !== null && b !== null && a.y < b.y + b.height && b.y < a.y + a.height
}

details('a reason of failures leads to its URLs, which are in view; all URLs begin with an overview', async () => {
  const page = await open()
  await page.setViewportSize(DESKTOP)
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await page.getByRole('button', { name: /answered with an error status/ }).click()
  const url = page.getByRole('table', { name: 'URLs' }).getByText(`${site.url}missing`)
  await url.waitFor()
  await becomes(() => url.evaluate((line) => line.getBoundingClientRect().bottom < window.innerHeight), true)
  const overview = main(page).getByRole('region', { name: 'Overview' })
  await becomes(() => overview.count(), 0)
  await main(page).getByText('Overview', { exact: true }).click()
  await overview.getByRole('link', { name: '/guide/10' }).first().waitFor()
  await page.goto(`/dashboard/logs/crawls/${finished}?view=urls`)
  await overview.getByRole('link', { name: '/guide/10' }).first().waitFor()
})

details('S-WRK-04, house 12: archives are downloaded by a signed link, and can be opened', async () => {
  const page = await open()
  const fetched: string[] = []
  page.on('request', (request) => request.resourceType() === 'fetch' && fetched.push(new URL(request.url()).pathname))
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  for (const [name, ending] of [
    [/JSON archive/, '.json'],
    [/Markdown archive/, '.md'],
    [/llms-full/, 'llms.txt'],
  ] as const) {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
    assert.is(download.suggestedFilename(), `crawl-results-${finished}.zip`)
    assert.match(download.url(), /^http.*[?&]signature=/)
    const parts: Buffer[] = []
    for await (const part of createReadStream(await download.path())) parts.push(part as Buffer)
    const zip = Buffer.concat(parts)
    assert.is(zip.subarray(0, 2).toString(), 'PK')
    assert.is(zip.toString('latin1').split(`${ending}PK`).length - 1 > 0 || zip.includes(ending), true)
  }
  assert.ok(fetched.some((path) => path.endsWith('/download/link/')))
  assert.not.ok(
    fetched.some((path) => path.endsWith('/download/') || path.includes('/archive/')),
    'no archive in the memory of the page',
  )
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const [list] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /Sitemap file/ }).click()])
  assert.is(list.suggestedFilename(), `crawl-sitemap-${finished}.json`)
  assert.ok((JSON.parse(await readFile(await list.path(), 'utf8')) as unknown[]).length > 0)
})

details('house 9: the next user after a logout sees no cached data before the server has answered', async () => {
  const page = await open()
  const title = 'Blue Kettle'
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await list(page).getByText(title).waitFor()
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByRole('button', { name: 'Logout', exact: true }).click()
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(/\/crawl-requests\/[^/]+\/results\//, async (route) => {
    asked.resolve()
    await gate.promise
    await route.continue()
  })
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/dashboard')
  // Without a reload, which would clear everything anyway.
  await page.locator('a[href^="/dashboard/logs"]:visible').first().click()
  await page.locator(`a[href*="${finished}"]:visible`).first().click()
  await main(page).getByText('Finished').first().waitFor()
  await asked.promise
  await becomes(() => page.getByText(title).count(), 0)
  gate.resolve()
  await list(page).getByText(title).waitFor()
})

details('S-WRK-04 the site tree opens, is searched, and is browsed with arrow keys', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await page.getByRole('button', { name: 'Sitemap explorer' }).click()
  const tree = page.getByRole('tree', { name: 'Site' })
  const item = (name: RegExp | string) => tree.getByRole('treeitem').filter({ hasText: name })
  await item('guide').first().waitFor()
  await becomes(() => item('Guide 5').count(), 0, 'only the first level is open')
  await tree.getByRole('treeitem').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await item('Guide 5').waitFor()
  await page.keyboard.press('ArrowLeft')
  await item('Guide 5').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Expand all' }).click()
  await item('Guide 5').waitFor()
  await page.getByRole('searchbox', { name: 'Search in the tree' }).fill('guide 9')
  await item('Guide 9').waitFor()
  await item('Guide 5').waitFor({ state: 'hidden' })
  await assertAccessible(page, 'the sitemap explorer')
  await page.getByRole('tab', { name: 'Markdown view' }).click()
  await page.getByRole('region', { name: 'Sitemap as Markdown' }).getByText('/guide/9').first().waitFor()
})

details('S-WRK-04 a crawl opens in the playground with its own options', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await page.getByRole('button', { name: 'Try in Crawl Playground' }).click()
  await page.waitForURL('**/dashboard/crawl')
  await becomes(() => page.getByLabel('URL to crawl').inputValue(), site.url)
  await becomes(() => page.getByLabel('Page limit').inputValue(), '50')
  await page.reload()
  await becomes(() => page.getByLabel('URL to crawl').inputValue(), '', 'handed over once')
})

details('one click runs a crawl again and shows it live at its own URL; another click runs only the failed URLs again', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.waitForURL(/\/dashboard\/crawl\?run=/)
  assert.not.match(page.url(), finished)
  await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()
  await becomes(() => page.getByLabel('URL to crawl').inputValue(), site.url)
  await page.getByRole('tab', { name: 'Spider Options' }).click()
  await becomes(() => page.getByLabel('Page limit').inputValue(), '50')

  await page.getByLabel('URL to crawl').fill(`${site.url}no-such-page`)
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  await page.getByRole('main').getByText('Failed', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'See what happened to each URL' }).click()
  await page.getByRole('button', { name: 'Retry failed (1)' }).click()
  await page.waitForURL(/\/dashboard\/crawl\?run=/)
  await page.getByRole('radio', { name: 'Batch URLs', checked: true }).waitFor()
  await becomes(() => page.getByLabel('One URL per line').inputValue(), `${site.url}no-such-page`)
})

details('F opens a page in the full window: outline, search within, arrows to the next page; ? lists the shortcuts', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await page.getByRole('list', { name: 'Pages' }).getByRole('button').first().waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Full window, and back').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: site.url, exact: true }).waitFor()
  await becomes(
    () => page.evaluate(() => ['html', 'dialog'].map((name) => getComputedStyle(document.querySelector(name)!).backgroundColor)),
    ['rgb(255, 255, 255)', 'rgb(255, 255, 255)'],
    'the space of the scroll bar looks like the full window',
  )
  await dialog.locator('.rendered-markdown').getByText('Blue Kettle').first().waitFor()
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('heading', { name: `${site.url}guide/0` }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await dialog.getByRole('heading', { name: site.url, exact: true }).waitFor()
  const fills = async () => {
    const box = (await dialog.boundingBox())!
    // The space of the scroll bar stays reserved, so the page behind does not move.
    return { at: [box.x, box.y], height: box.height, wide: box.width > DESKTOP.width - 24 }
  }
  await becomes(fills, { at: [0, 0], height: DESKTOP.height, wide: true }, 'it fills the window')
  await dialog.locator('.rendered-markdown').getByText('Blue Kettle').first().waitFor()
  const tools = dialog.getByRole('complementary', { name: 'Page tools' })
  await tools.getByRole('navigation', { name: 'Outline' }).getByRole('button').first().click()
  await tools.getByLabel('Search within the page').fill('kettle')
  await tools
    .getByRole('status')
    .getByText(/^1 of \d+$/)
    .waitFor()
  await tools.getByLabel('Search within the page').fill('no such words')
  await tools.getByRole('status').getByText('Not found').waitFor()
  await assertAccessible(page, 'the full window')
  await dialog.locator('.rendered-markdown').click()
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('heading', { name: `${site.url}guide/0` }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('[aria-current=true]').filter({ hasText: 'Guide 0' }).waitFor()
})

details('on paper a page stands alone, whole and dark on white', async () => {
  const page = await open({ colorScheme: 'dark', viewport: { width: 1123, height: 400 } })
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await text(page).getByText('Guide 11').waitFor()
  await page.emulateMedia({ media: 'print' })
  await list(page).waitFor({ state: 'hidden' })
  const sheet = () =>
    main(page).evaluate((content) => {
      const panel = content.querySelector('.rendered-markdown')!.parentElement!
      const { backgroundColor } = getComputedStyle(content.parentElement!.parentElement!)
      return { backgroundColor, left: content.getBoundingClientRect().left, scrolls: panel.scrollHeight > panel.clientHeight }
    })
  await becomes(sheet, { backgroundColor: 'rgb(247, 248, 249)', left: 0, scrolls: false })
  await main(page).getByRole('button', { name: 'Run again' }).waitFor({ state: 'hidden' })
})

details('the overview filters the list below it, and names the filter', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}?view=urls`)
  const overview = page.getByRole('region', { name: 'Overview' })
  const table = page.getByRole('table', { name: 'URLs' })
  await overview.getByRole('img', { name: /pages\/s on average/ }).waitFor()
  await overview.getByRole('list', { name: 'Status codes' }).getByRole('button', { name: /^404/ }).click()
  await page.getByRole('button', { name: 'Clear Status 404' }).waitFor()
  await waitForCount(table.getByRole('row'), 2)
  await page.getByRole('button', { name: 'Clear Status 404' }).click()
  await overview
    .getByRole('list', { name: 'Depth' })
    .getByRole('button', { name: /^Start/ })
    .press('Enter')
  await page.getByRole('button', { name: 'Clear Depth 0' }).waitFor()
  await waitForCount(table.getByRole('row'), 2)
  await page.reload()
  await page.getByRole('button', { name: 'Clear Depth 0' }).waitFor()
  await overview.getByRole('img', { name: /pages\/s on average/ }).waitFor()
  await assertAccessible(page, 'the overview of a crawl')
})

details('two crawls of one start URL are compared, and a change is shown word by word', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByRole('radio', { name: 'Unchanged 13' }).waitFor()
  await page.getByRole('radio', { name: 'Unchanged 13' }).check()
  await waitForCount(page.getByRole('table', { name: 'Unchanged pages' }).getByRole('row'), 14)
  await assertAccessible(page, 'two crawls compared')

  // The site never changes, so the test changes one page of the older crawl in the store.
  const counts = { added: 0, removed: 0, changed: 1, unchanged: 12, differing_options: ['only_main_content', 'include_tags'] }
  await page.route(/\/changes\/count\//, (route) => route.fulfill({ json: counts }))
  const results = await page.evaluate(async (id) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` }
    const answer = await fetch(`/api/v1/core/crawl-requests/${id}/results/?page_size=2`, { headers })
    return ((await answer.json()) as { results: { uuid: string; url: string; title: string }[] }).results
  }, finished)
  const [home, guide] = results
  assert.ok(home && guide)
  const changed = { change: 'changed', url: guide.url, title: guide.title, result: guide.uuid, before: home.uuid }
  await page.route(/\/changes\/\?/, (route) => route.fulfill({ json: { count: 1, next: null, previous: null, results: [changed] } }))
  await page.goto(`/dashboard/logs/crawls/${finished}?view=changes&since=${finished}`)
  await page.getByRole('status').getByText('because of only_main_content, include_tags').waitFor()
  await page.getByRole('button', { name: `Show what changed in ${guide.url}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('status')
    .filter({ hasText: /words? added, \d+ words? removed/ })
    .waitFor()
  await dialog.locator('ins').first().waitFor()
  await assertAccessible(page, 'the difference of two pages')
})

details('S-WRK-04 an unknown id shows an error panel with a link back', async () => {
  const page = await open()
  for (const id of ['01890000-0000-7000-8000-0000000000ff', 'nonsense']) {
    await page.goto(`/dashboard/logs/crawls/${id}`)
    await page.getByRole('heading', { name: 'Crawl request not found' }).waitFor()
  }
  await assertAccessible(page, 'an unknown crawl')
  await page.getByRole('link', { name: 'Back to the crawl logs' }).click()
  await page.waitForURL('**/dashboard/logs/crawls')
})

details('V4: a shared link to a crawl of another team of the user offers to switch to that team, and shows the crawl there', async () => {
  const page = await open()
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Team:/ }).click()
  await page.getByRole('menuitem', { name: 'Create Team' }).click()
  await page.getByRole('dialog').getByLabel('Team Name').fill('Herring')
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Team: Herring' }).waitFor()
  for (const link of [`/dashboard/logs/crawls/${finished}`, `/dashboard/crawl?run=${finished}`]) {
    await page.goto(link)
    await page.getByRole('heading', { name: 'This crawl belongs to Default' }).waitFor()
    await assertAccessible(page, 'a crawl of another team')
    await page.setViewportSize(DESKTOP)
    await page.getByRole('button', { name: 'Switch to Default' }).click()
    await page.getByRole('button', { name: 'Team: Default' }).waitFor()
    await page.getByRole('tab', { name: /^Results \d+$/ }).waitFor()
    await page.getByRole('button', { name: 'Team: Default' }).click()
    await page.getByRole('menuitemradio', { name: 'Herring' }).click()
    await page.getByRole('button', { name: 'Team: Herring' }).waitFor()
  }
})

details('without plans, the question before a deletion does not speak of credits', async () => {
  const page = await open()
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await main(page).getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete this crawl?' })
  await question.getByText('This cannot be undone.').waitFor()
  await becomes(() => question.getByText('credits').count(), 0)
})

details('on a phone the layout does not shift when pages and failures arrive', async () => {
  const page = await open({ viewport: PHONE })
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  // Delay these answers, so that the screen is painted before they arrive.
  const gate = Promise.withResolvers<void>()
  await page.route(/\/(results|outcomes)\/?(\?|$)/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await main(page).getByText('Loading the pages').waitFor()
  gate.resolve()
  await list(page).getByText('Guide 3').waitFor()
  await main(page).getByText('answered with an error status').waitFor()
  const { shift } = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen)
  assert.ok(shift < 0.02, `layout shifts of ${shift}`)
})

details('S-WRK-04 a phone shows either the list or a page', async () => {
  const page = await open({ viewport: PHONE })
  await page.goto(`/dashboard/logs/crawls/${finished}`)
  await list(page).getByRole('button').nth(1).click()
  await text(page)
    .getByRole('heading', { name: /Steeping guide/ })
    .waitFor()
  await list(page).waitFor({ state: 'hidden' })
  const opened = page.getByRole('group', { name: 'Guide 0' })
  await becomes(() => opened.evaluate((element) => element === document.activeElement), true, 'the page has the focus')
  await becomes(() => opened.evaluate((element) => Math.round(element.getBoundingClientRect().top) >= 56), true, 'it begins below the bar')
  await page.getByRole('button', { name: 'Next page' }).first().click()
  await page
    .getByText(/^3 of 13$/)
    .filter({ visible: true })
    .waitFor()
  await page.getByRole('button', { name: 'All results' }).click()
  await list(page).waitFor()
  const row = list(page).getByRole('button').nth(2)
  await becomes(() => row.evaluate((element) => element === document.activeElement), true, 'the row of the last page has the focus')
})

details.run()
