import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { axeFindings } from '#tests/support/browser/axe.ts'
import { suite } from '#tests/support/suite.ts'
import { MOCK_CRAWL } from '#tests/support/stubs/mock-work.ts'
import { DESKTOP, PHONE, assertAccessible, openBrowser, openSignedIn, signIn, startPage, waitForCount } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)
const offline = await openBrowser(chromium, app.url, { stars: null })

const shell = suite('dashboard shell')

/** The background of the page in both themes. */
const [LIGHT, DARK] = ['rgb(247, 248, 249)', 'rgb(11, 15, 20)']

const ENTRIES = ['Dashboard', 'Crawl', 'Search', 'Sitemap', 'Activity Logs', 'Usage', 'API Keys', 'Settings', 'Profile', 'API Reference']

shell('S-DSH-02 the sidebar has its entries in order, 18rem wide and fixed, and the logs expand and collapse', async () => {
  const page = await browser.newPage({ viewport: { width: 1024, height: 768 } })
  await signIn(page)
  const sidebar = page.getByRole('complementary', { name: 'Main' })
  const sections = sidebar.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: 'Crawl', exact: true }).waitFor()
  await becomes(() => sections.locator('li > a:visible, li > button:visible').allInnerTexts(), ENTRIES)
  const size = () => sidebar.boundingBox().then((box) => [box?.width, box?.height])
  await becomes(size, [288, 768])

  const logs = sections.getByRole('button', { name: 'Activity Logs' })
  await becomes(() => logs.getAttribute('aria-expanded'), 'false')
  await becomes(() => sections.getByRole('link', { name: 'Crawls' }).isVisible(), false)
  await logs.click()
  await becomes(() => logs.getAttribute('aria-expanded'), 'true')
  await sections.getByRole('link', { name: 'Crawls' }).waitFor()
  await becomes(() => sections.locator('li li > a').allInnerTexts(), ['Crawls', 'Searches', 'Sitemaps'])
  const submenu = sections.locator(`#${CSS_escape(await logs.getAttribute('aria-controls'))}`)
  await becomes(() => submenu.evaluate((list) => getComputedStyle(list).maxHeight), '160px', 'about 10rem')
  await logs.click()
  await sections.getByRole('link', { name: 'Crawls' }).waitFor({ state: 'hidden' })
  await page.evaluate(() => window.scrollTo(0, 5000))
  await becomes(async () => (await sidebar.boundingBox())?.y, 0, 'it stays while the page scrolls')
  await becomes(() => page.getByRole('button', { name: 'Open menu' }).isVisible(), false)
})

/** React's ids hold characters that a selector must not. */
function CSS_escape(id: string | null) {
  return (id ?? '').replace(/[^\w-]/g, (character) => `\\${character}`)
}

shell('S-DSH-02 below 1024 px the sidebar slides over the page and closes on navigation', async () => {
  const page = await browser.newPage({ viewport: { width: 1023, height: 768 } })
  await signIn(page)
  await becomes(() => page.getByRole('complementary', { name: 'Main' }).isVisible(), false)
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Main' })
  await menu.waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await menu.getByRole('link', { name: 'API Keys' }).click()
  await page.waitForURL('**/dashboard/api-keys')
  await menu.waitFor({ state: 'hidden' })
  await page.goBack()
  await page.waitForURL('**/dashboard')
  await becomes(() => menu.isVisible(), false, 'coming back does not open it again')
})

shell('S-DSH-03 S-DSH-10 the theme comes from the system, can be switched, is stored, and is right from the first paint', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const other = colorScheme === 'light' ? 'dark' : 'light'
    const page = await browser.newPage({ colorScheme })
    await signIn(page)
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const [shown, chosen] = colorScheme === 'light' ? [LIGHT, DARK] : [DARK, LIGHT]
    await becomes(ground, shown, 'the system decides')
    await page.getByRole('button', { name: `Switch to ${other} theme` }).click()
    await page.getByRole('button', { name: `Switch to ${colorScheme} theme` }).waitFor()
    await becomes(ground, chosen)
    await becomes(() => page.evaluate(() => localStorage.getItem('theme')), other)
    const answer = await page.goto('/dashboard/settings', { waitUntil: 'commit' })
    assert.match((await answer?.text()) ?? '', `<html data-theme="${other}"`, 'the page comes with the theme')
    await page.getByRole('button', { name: `Switch to ${colorScheme} theme` }).waitFor()
    await becomes(ground, chosen)
    await becomes(() => page.getByRole('button', { name: /^Team:/ }).isVisible(), true, 'the team selector stands in the top bar')
    await page.context().close()
  }
})

shell('S-DSH-05 the card shows the stars, and the version is shown below it', async () => {
  const page = await browser.newPage()
  await signIn(page)
  const card = page.getByRole('region', { name: 'Open source' }).first()
  await card.getByText('2,481 stars', { exact: true }).waitFor()
  await becomes(() => card.getByRole('link', { name: 'Star' }).getAttribute('href'), 'https://github.com/seine-crawler/seine')
  await becomes(() => page.getByText('Version 9.9.9', { exact: true }).first().isVisible(), true)
})

shell('S-DSH-05 a star count that is not available reads Loading..., and is requested again after five minutes', async () => {
  const page = await offline.newPage()
  await page.clock.install()
  const asked: string[] = []
  page.on('request', (request) => void (request.url().startsWith('https://api.github.com/') && asked.push(request.url())))
  await signIn(page)
  await page.getByRole('region', { name: 'Open source' }).first().getByText('Loading...', { exact: true }).waitFor()
  await waitUntil(() => asked.length > 0)
  assert.equal(asked, ['https://api.github.com/repos/seine-crawler/seine'])
  await page.clock.runFor(4 * 60_000)
  assert.is(asked.length, 1, 'not before')
  await page.clock.runFor(61_000)
  await waitUntil(() => asked.length === 2)
  await becomes(() => page.getByText('Loading...', { exact: true }).first().isVisible(), true)
  await page.context().close()
})

async function waitUntil(holds: () => boolean, limitMs = 5000) {
  const end = performance.now() + limitMs
  while (!holds()) {
    if (performance.now() > end) throw new Error('waited in vain')
    await new Promise((next) => setImmediate(next))
  }
}

shell(
  'S-DSH-07 on small screens a long trail folds to a house icon, an ellipsis and the last two entries, which are cut if too long',
  async () => {
    const page = await browser.newPage({ viewport: PHONE })
    await openSignedIn(page, '/dashboard/logs/searches/0189-ab')
    const trail = page.getByRole('navigation', { name: 'Breadcrumbs' })
    await trail.getByText('Search Details', { exact: true }).waitFor()
    await becomes(
      async () => (await trail.innerText()).split(/\s*\n\s*/).filter((part) => !/^\/?$/.test(part)),
      ['Dashboard', '…', 'Search Logs', 'Search Details'],
    )
    await page.goto('/dashboard/logs/searches')
    await trail.getByText('Search Logs', { exact: true }).waitFor()
    await becomes(() => trail.getByText('…').isVisible(), true, 'three steps fold too')
    await page.goto('/dashboard/logs/searches/0189-ab')
    await trail.getByText('Search Details', { exact: true }).waitFor()
    const home = trail.getByRole('link', { name: 'Dashboard' })
    await becomes(() => home.locator('svg').isVisible(), true, 'the first step is a house')
    await becomes(async () => ((await home.boundingBox())?.width ?? 99) < 30, true, 'its name is for screen readers')
    await becomes(() => trail.getByText('Activity Logs').isVisible(), false)
    await becomes(() => trail.getByText('Search Details').getAttribute('aria-current'), 'page')
    await page.setViewportSize({ width: 320, height: 640 })
    await becomes(() => trail.getByText('Search Logs').evaluate((label) => getComputedStyle(label).textOverflow), 'ellipsis')
    await page.setViewportSize({ width: 1440, height: 900 })
    await becomes(() => trail.getByText('Activity Logs').isVisible(), true, 'large screens show all')
    await becomes(() => trail.getByText('…').isVisible(), false)
    await page.goto('/dashboard/settings')
    await page.setViewportSize(PHONE)
    await trail.getByText('Settings', { exact: true }).waitFor()
    await becomes(async () => ((await home.boundingBox())?.width ?? 0) > 50, true, 'two steps do not fold')
  },
)

shell('S-DSH-08 an unknown path shows the 404 page, with a link to the home screen', async () => {
  const page = await browser.newPage()
  for (const path of ['/no-such-place', '/dashboard/no-such-place', '/dashboard/plans']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor()
    await becomes(() => page.getByText("Sorry, we couldn't find the page you're looking for.", { exact: true }).isVisible(), true)
    await becomes(() => page.getByRole('link', { name: 'Back to Home' }).getAttribute('href'), '/')
  }
  await openSignedIn(page, '/no-such-place')
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.waitForURL('**/dashboard')
})

shell('without a connection a screen that was not loaded says so, and appears when the connection is back', async () => {
  const page = await browser.newPage()
  await signIn(page)
  const usage = page.getByRole('link', { name: 'Usage' })
  await usage.waitFor()
  await page.context().setOffline(true)
  await usage.click()
  await page.getByText('You are offline.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
})

shell('S-DSH-09 toasts appear at the top right, and a success disappears after two seconds', async () => {
  const page = await browser.newPage()
  await page.clock.install()
  await openSignedIn(page, '/dashboard/settings')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Team name').fill('Sturgeon')
  // From here on the clock stands still until the test moves it.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Save' }).click()
  const toast = page.getByRole('status').filter({ hasText: 'Team name saved' })
  await toast.waitFor()
  const box = await toast.boundingBox()
  assert.ok(box && box.y < 40 && box.x + box.width > 1400, JSON.stringify(box))
  await page.clock.runFor(1800)
  await becomes(() => toast.isVisible(), true)
  await page.clock.runFor(400)
  await toast.waitFor({ state: 'detached' })
})

shell('toasts cover no button in the heading of a screen, and on a phone none in the bar at the top', async () => {
  for (const [viewport, toasts, buttons] of [
    [DESKTOP, 3, ['Past crawls']],
    [PHONE, 1, ['Past crawls', 'Open menu', 'Switch to dark theme']],
  ] as const) {
    const page = await browser.newPage({ viewport })
    await openSignedIn(page, '/dashboard/crawl')
    for (let count = 0; count < toasts; count += 1) await page.getByRole('button', { name: 'Start Crawling' }).click()
    await waitForCount(page.locator('[data-toast]'), toasts)
    const boxes = await page
      .locator('[data-toast]')
      .evaluateAll((all) => all.map((toast) => toast.getBoundingClientRect().toJSON() as DOMRect))
    for (const name of buttons) {
      const button = await page
        .getByRole('main')
        .or(page.getByRole('banner'))
        .getByText(name)
        .or(page.getByLabel(name))
        .first()
        .boundingBox()
      assert.ok(button, name)
      const covering = boxes.filter(
        ({ bottom, left, right, top }) =>
          left < button.x + button.width && right > button.x && top < button.y + button.height && bottom > button.y,
      )
      assert.equal(covering, [], `${name} at ${JSON.stringify(button)}`)
    }
  }
})

shell('beside many buttons a long title has a row of its own', async () => {
  const page = await browser.newPage()
  const path = `/dashboard/logs/crawls/${MOCK_CRAWL}`
  await page.route(`**/crawl-requests/${MOCK_CRAWL}/`, async (route) => {
    const answer = await route.fetch()
    const crawl = (await answer.json()) as { url: string }
    await route.fulfill({ response: answer, json: { ...crawl, url: 'https://shop.example/a/rather/long/path/to/the/first/page' } })
  })
  for (const width of [1440, 1100, 900, 700]) {
    await page.setViewportSize({ width, height: 900 })
    await openSignedIn(page, path)
    const title = page.getByRole('heading', { level: 1, name: 'a/rather/long/path' })
    await title.waitFor()
    await becomes(async () => (await title.boundingBox())?.height, 28, `one line at ${width} px`)
  }
})

shell('a page that is not found and the menu of a phone are accessible, and nothing overflows', async () => {
  const page = await browser.newPage()
  await signIn(page)
  await page.goto('/no-such-place')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await assertAccessible(page, 'a page that is not found')
  await page.setViewportSize(PHONE)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Main' }).waitFor()
  assert.equal(await axeFindings(page), [], 'the slide-over')
  assert.equal(page.complaints, [], 'nothing offends the content policy')
})

shell('the keyboard can skip the sidebar to reach the content, and the focus follows a navigation', async () => {
  const page = await browser.newPage()
  await signIn(page)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await becomes(() => page.evaluate(() => document.activeElement?.id), 'content')
  assert.is(await page.title(), 'Settings · Seine')
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.keyboard.press('Tab')
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
  await page.keyboard.press('Enter')
  await becomes(() => page.evaluate(() => document.activeElement?.id), 'content')
})

shell.run()
