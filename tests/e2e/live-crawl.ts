import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { startLiveCrawl } from '#tests/support/browser/live-crawl.ts'
import { MOCK_CRAWL } from '#tests/support/stubs/mock-work.ts'
import { suite } from '#tests/support/suite.ts'
import type { OpenedPage } from './support.ts'
import { DESKTOP, PHONE, drawn, excessOf, openBrowser, openSignedIn, startPage, waitForCount } from './support.ts'

const product = await startPage()
const browser = await openBrowser(chromium, product.url)

const live = suite('a running crawl on the screen')

/** Starts the crawl of the mock from the playground. */
async function start(options: Parameters<typeof browser.newPage>[0] = {}, limits: Parameters<typeof startLiveCrawl>[1] = {}) {
  const crawl = startLiveCrawl(product.backend, limits)
  const page = await browser.newPage(options)
  await openSignedIn(page, '/dashboard/crawl')
  await page.getByLabel('URL to crawl').fill('https://shop.example/')
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  await page.getByRole('button', { name: 'Cancel Crawling' }).first().waitFor()
  return { crawl, page }
}

live('V1: the page ends where its content ends, however long the log is', async () => {
  const { crawl, page } = await start()
  for (let line = 1; line <= 180; line++) crawl.tell(`Line ${line} of the feedback`)
  crawl.store(3)
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport)
    await page.getByRole('log').getByText('Line 180').waitFor()
    assert.is((await excessOf(page)).below, 0, `at ${viewport.width} px`)
  }
  crawl.finish()
  await page.goto('/dashboard/logs/crawls/01890000-0000-7000-8000-0000000000c1')
  await page.getByRole('button', { name: 'Expand the feedback' }).click()
  await page.getByRole('log').getByText('Line 180').waitFor()
  assert.is((await excessOf(page)).below, 0, 'the details with the feedback unfolded')
})

live('the bar of a crawl that runs is not full, however few URLs are known; its details are one click away from the start', async () => {
  const { crawl, page } = await start({}, { limit: 1 })
  crawl.store(1)
  const bar = page.getByRole('progressbar', { name: 'Pages' })
  const filled = () => bar.evaluate((whole) => Math.round((100 * whole.firstElementChild!.clientWidth) / whole.clientWidth))
  await page.getByRole('heading', { name: 'Page 1' }).waitFor()
  await becomes(filled, 50)
  await becomes(() => page.getByRole('link', { name: 'Details' }).count(), 1)
  crawl.tell('One page is stored')
  const topOf = async (inside: Locator) => (await inside.locator('xpath=ancestor::section[1]').boundingBox())?.y
  const log = page.getByRole('log')
  await log.waitFor()
  await becomes(
    async () => (await topOf(log)) === (await topOf(page.getByRole('list', { name: 'Pages' }))),
    true,
    'pages and feedback begin at the same height',
  )
  crawl.finish()
  await becomes(filled, 100)
  await page.getByRole('link', { name: 'Details' }).click()
  await page.waitForURL('**/logs/crawls/*')
})

live('the feedback follows the newest line, also if its scrolling is reported late, until the user scrolls up', async () => {
  const { crawl, page } = await start()
  const log = page.getByRole('log')
  const isAtEnd = () => log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight < 2)
  const tell = async (from: number, to: number) => {
    for (let line = from; line <= to; line++) crawl.tell(`Line ${line} of the feedback`)
    await log.getByText(`Line ${to} `).waitFor()
  }
  await tell(1, 60)
  await becomes(isAtEnd, true)
  // As on a busy machine: the event of the last scrolling arrives when there are further lines.
  await log.evaluate((list) => {
    new MutationObserver(() => list.dispatchEvent(new Event('scroll'))).observe(list, { childList: true, subtree: true })
  })
  await tell(61, 90)
  await becomes(isAtEnd, true, 'it follows')

  await log.evaluate((list) => list.scrollTo({ top: 100 }))
  await drawn(page)
  await tell(91, 95)
  assert.is(await log.evaluate((list) => list.scrollTop), 100, 'it stays where the user reads')
  crawl.finish()
})

live('V10: a live list of hundreds of pages shifts only its rows, and keeps few of them in the document', async () => {
  for (const viewport of [DESKTOP, PHONE]) {
    const { crawl, page } = await start({ viewport })
    await page.evaluate(watchShifts)
    // Beyond a thousand: numbers grow by a digit and a comma on the way.
    for (let stored = 50; stored <= 1200; stored += 50) {
      crawl.store(50)
      if (stored % 100 === 0) crawl.tell(`${stored} pages are stored`)
      await page.getByRole('tab', { name: `Results ${stored.toLocaleString('en')}` }).waitFor()
    }
    await rows(page).filter({ hasText: 'Page 1200' }).waitFor()
    await becomes(async () => (await rows(page).count()) < 50, true, `few rows are in the document at ${viewport.width} px`)
    crawl.finish()
    await page.getByLabel('URL to crawl').waitFor()
    await drawn(page)
    const { sum, worst } = await page.evaluate(() => (window as unknown as { shifts: { sum: number; worst: string } }).shifts)
    assert.ok(sum < 0.05, `the layout shifted by ${sum.toFixed(3)} in all at ${viewport.width} px; worst: ${worst}`)
    await becomes(async () => (await excessOf(page)).below, 0)
    await page.close()
  }
})

live('a filter gets into the URL while pages keep arriving', async () => {
  const crawl = startLiveCrawl(product.backend)
  const page = await browser.newPage()
  await openSignedIn(page, `/dashboard/logs/crawls/${MOCK_CRAWL}`)
  crawl.store(3)
  const arriving = setInterval(() => crawl.store(1), 50)
  try {
    await page.getByRole('searchbox').fill('Page 2')
    await page.waitForURL('**?find=Page+2')
  } finally {
    clearInterval(arriving)
    crawl.finish()
  }
})

live('V10: rows that the user is reading stay in place while pages arrive, and new rows are shown on request', async () => {
  const { crawl, page } = await start()
  crawl.store(60)
  await page.getByRole('tab', { name: 'Results 60' }).waitFor()
  const list = page.getByRole('list', { name: 'Pages' })
  await list.hover()
  await page.mouse.wheel(0, 800)
  const read = rows(page).filter({ hasText: /^200Page 40\b/ })
  await read.waitFor()
  await drawn(page)
  const before = await read.boundingBox()
  crawl.store(40)
  await page.getByRole('tab', { name: 'Results 100' }).waitFor()
  await page.getByRole('button', { name: 'Show 40 new' }).waitFor()
  await becomes(() => read.boundingBox(), before)
  await page.getByRole('button', { name: 'Show 40 new' }).click()
  await rows(page).filter({ hasText: 'Page 100' }).waitFor()
  await page.getByRole('button', { name: 'Pause updates' }).waitFor()

  // A focused row counts as being read, and is still there when the dialog it opened returns the focus.
  const preview = page.getByRole('button', { name: 'Preview Page 99' })
  await preview.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  crawl.store(200)
  await page.getByRole('tab', { name: 'Results 300' }).waitFor()
  await page.keyboard.press('Escape')
  await becomes(() => preview.evaluate((element) => element === document.activeElement), true, 'the focus is back')
  const sizes = () => rows(page).evaluateAll((items) => new Set(items.map((item) => item.getAttribute('aria-setsize'))).size)
  await becomes(sizes, 1, 'all rows tell the same number of rows')
  crawl.finish()
  await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()
  await becomes(() => preview.evaluate((element) => element === document.activeElement), true, 'the form that returns leaves the focus')
  await page.getByRole('button', { name: /^Show \d+ new$/ }).click()
  await rows(page).filter({ hasText: 'Page 300' }).waitFor()
})

live('the list runs again once the page that was open is closed and the list is left', async () => {
  const { crawl, page } = await start()
  crawl.store(3)
  await page.getByRole('tab', { name: 'Results 3' }).waitFor()
  const preview = page.getByRole('button', { name: 'Preview Page 2' })
  await preview.click()
  await page.getByRole('dialog').waitFor()
  crawl.store(2)
  await page.getByRole('tab', { name: 'Results 5' }).waitFor()
  await page.keyboard.press('Escape')
  await becomes(() => preview.evaluate((element) => element === document.activeElement), true, 'the focus is back')
  await page.getByRole('button', { name: 'Show 2 new' }).waitFor()
  await page.getByRole('tab', { name: 'Results 5' }).focus()
  await page.getByRole('button', { name: 'Pause updates' }).waitFor()
  await waitForCount(rows(page), 5)
  crawl.finish()
})

live('the list runs again after a page was closed in a browser that does not focus what is clicked', async () => {
  const { crawl, page } = await start()
  crawl.store(3)
  await page.getByRole('tab', { name: 'Results 3' }).click()
  await page.evaluate(() => document.addEventListener('mousedown', (event) => event.preventDefault()))
  await page.getByRole('button', { name: 'Preview Page 2' }).click()
  await page.getByRole('dialog').waitFor()
  crawl.store(2)
  await page.getByRole('tab', { name: 'Results 5' }).waitFor()
  await page.getByRole('button', { name: 'Show 2 new', includeHidden: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pause updates' }).waitFor()
  await waitForCount(rows(page), 5)
  crawl.finish()
})

live('a screen reader announces the progress every ten seconds at most, however many pages arrive', async () => {
  const { crawl, page } = await startWithOwnClock()
  await page.getByRole('button', { name: 'Cancel Crawling' }).first().waitFor()
  const told = page.locator('[aria-live]').filter({ hasText: 'Progress' })
  await told.waitFor({ state: 'attached' })
  // From here on the clock stands still until the test moves it.
  await page.clock.pauseAt(Date.now() + 60_000)
  await told.evaluate((region) => {
    const changes: number[] = []
    Object.assign(window, { changes })
    new MutationObserver(() => changes.push(Date.now())).observe(region, { characterData: true, childList: true, subtree: true })
  })
  const changes = () => page.evaluate(() => (window as unknown as { changes: number[] }).changes)
  await becomes(
    async () => {
      crawl.store(3)
      await page.clock.runFor(1000)
      return (await changes()).length >= 3
    },
    true,
    'it is told again and again',
  )
  const at = await changes()
  for (const [index, moment] of at.slice(1).entries()) assert.ok(moment - (at[index] ?? 0) >= 10_000, `told at ${at.join(', ')}`)
  await becomesLike(() => told.textContent(), /^Progress: \d+ stored, 0 failed$/)
  crawl.finish()
})

/** Adds up the layout shifts without user input, with the element that moved most. */
function watchShifts() {
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
  const shifts = { sum: 0, most: 0, worst: '' }
  Object.assign(window, { shifts })
  new PerformanceObserver((entries) => {
    for (const shift of entries.getEntries() as Shift[]) {
      if (shift.hadRecentInput) continue
      shifts.sum += shift.value
      if (shift.value <= shifts.most) continue
      shifts.most = shift.value
      const moved = shift.sources[0]?.node
      shifts.worst = `${shift.value.toFixed(3)} ${moved instanceof Element ? moved.outerHTML.slice(0, 200) : String(moved?.nodeName)}`
    }
  }).observe({ type: 'layout-shift', buffered: false })
}

/** A crawl that was just started, in a page whose clock the test moves. */
async function startWithOwnClock() {
  const crawl = startLiveCrawl(product.backend)
  const page = await browser.newPage()
  await page.clock.install()
  await openSignedIn(page, '/dashboard/crawl')
  await page.getByLabel('URL to crawl').fill('https://shop.example/')
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  return { crawl, page }
}

const rows = (page: OpenedPage) => page.getByRole('list', { name: 'Pages' }).getByRole('listitem')

live('a stream that is open but has fallen silent is opened again, and the screen goes on', async () => {
  const { crawl, page } = await startWithOwnClock()
  crawl.store(2)
  await page.getByRole('tab', { name: 'Results 2' }).waitFor()
  crawl.fallSilent()
  crawl.store(3)
  // The server would have sent a comment after 15 s.
  await page.clock.runFor(60_000)
  await page.getByRole('tab', { name: 'Results 5' }).waitFor()
  crawl.finish()
  await page.getByText('Finished').first().waitFor()
})

live('on a small phone the number of pages and the status share no place while the stream is opened again', async () => {
  const { crawl, page } = await start({ viewport: { width: 320, height: 640 } })
  crawl.store(1)
  await page.getByRole('heading', { name: 'Page 1' }).waitFor()
  crawl.breakOff()
  const status = page.getByRole('main').getByText('Reconnecting')
  await status.waitFor()
  const figure = page.getByText('of at most 5,000 pages')
  await becomes(async () => {
    const [left, right] = [await figure.boundingBox(), await status.locator('xpath=..').boundingBox()]
    return left !== null && right !== null && left.x + left.width <= right.x && left.width >= 60
  }, true)
})

live.run()
