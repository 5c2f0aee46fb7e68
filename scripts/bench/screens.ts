/**
 * Measures what a person feels of the screens, in a browser with the mock backend, whose answers take no time of their own: how far a live
 * crawl shifts the layout, the longest task of the main thread on a processor that is four times slower, whether fast scrolling over a long
 * list shows gaps, and the time from the click on a large result to the frame that shows it.
 */
import { chromium } from 'playwright'
import { startLiveCrawl } from '#tests/support/browser/live-crawl.ts'
import { MOCK_CRAWL } from '#tests/support/stubs/mock-backend.ts'
import { page as listOf, result } from '#tests/support/stubs/mock-work.ts'
import { DESKTOP, PHONE, drawn, openBrowser, signIn, startPage } from '#tests/e2e/support.ts'
import type { OpenedPage } from '#tests/e2e/support.ts'

const SLOWER = 4
const LIVE_PAGES = 2000
/** Pages per write of the stream, as when a fast crawl commits. */
const AT_ONCE = 20
const ROWS = 50_000
const LARGE_BYTES = 5_000_000
const CRAWL = `/api/v1/core/crawl-requests/${MOCK_CRAWL}`

type Watched = { shifts: number; longest: number; tasks: number }

export async function screensBench({ rounds }: { rounds: number }) {
  const product = await startPage()
  const browser = await openBrowser(chromium, product.url)
  const say = (what: string, figure: string, limit: string) => console.log(`  ${what.padEnd(58)} ${figure.padStart(9)}   limit ${limit}`)
  try {
    console.log(`A live crawl of ${LIVE_PAGES} pages, ${AT_ONCE} at once:`)
    for (const [name, viewport] of [
      ['desktop', DESKTOP],
      ['phone', PHONE],
    ] as const) {
      const { shifts } = await live(viewport, 1)
      say(`layout shifts in all, ${name}`, shifts.toFixed(3), '0.05')
      const { longest, tasks } = await live(viewport, SLOWER)
      say(`longest task at ${SLOWER} times slower, ${name}`, `${longest.toFixed(0)} ms`, '100 ms')
      say(`tasks over 50 ms at ${SLOWER} times slower, ${name}`, String(tasks), 'none')
    }
    const { frames, gaps } = await scrolled()
    console.log(`A list of ${ROWS} rows, scrolled from end to end in ${frames} frames:`)
    say('frames with an empty place', String(gaps), '0')
    console.log(`A result of ${LARGE_BYTES / 1e6} MB, from the click to the frame that shows it:`)
    const spans = []
    for (let round = 0; round < rounds; round++) spans.push(await opened())
    say(`median of ${rounds}`, `${spans.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!.toFixed(0)} ms`, '200 ms')
  } finally {
    await browser.close()
    await product.close()
  }

  /** Shows a crawl from start to end. @param slower  slowdown factor of the page's processor */
  async function live(viewport: { width: number; height: number }, slower: number): Promise<Watched> {
    const { crawl, page } = await start({ viewport }, LIVE_PAGES)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
    await page.evaluate(watch)
    for (let stored = AT_ONCE; stored <= LIVE_PAGES; stored += AT_ONCE) {
      crawl.store(AT_ONCE)
      await page.getByRole('tab', { name: `Results ${stored}` }).waitFor()
    }
    crawl.finish()
    await page.getByLabel('URL to crawl').waitFor()
    await drawn(page, 5)
    const watched = await page.evaluate(() => (window as unknown as { watched: Watched }).watched)
    await page.context().close()
    return watched
  }

  async function start(options: Parameters<typeof browser.newPage>[0], limit: number) {
    const crawl = startLiveCrawl(product.backend, { limit })
    const page = await browser.newPage(options)
    await signIn(page)
    await page.goto('/dashboard/crawl')
    await page.getByLabel('URL to crawl').fill('https://shop.example/')
    await page.getByRole('button', { name: 'Start Crawling' }).click()
    await page.getByRole('button', { name: 'Cancel Crawling' }).first().waitFor()
    return { crawl, page }
  }

  /** Scrolls a screen and a half per frame, as a fast swipe does, and checks each frame for gaps in the list. */
  async function scrolled(): Promise<{ frames: number; gaps: number }> {
    const { crawl, page } = await start({}, ROWS)
    for (let stored = 5000; stored <= ROWS; stored += 5000) {
      crawl.store(5000, { bytes: 40 })
      await page.getByRole('tab', { name: `Results ${stored}` }).waitFor({ timeout: 120_000 })
    }
    const found = await page.getByRole('list', { name: 'Pages' }).evaluate(fling)
    crawl.finish()
    await page.context().close()
    return found
  }

  async function opened(): Promise<number> {
    const text = Array.from(
      { length: 60_000 },
      (_, number) => `# Chapter ${number}\n\nWater and leaves, **a pot**, and [the shop](https://shop.example/${number}).\n\n`,
    )
    const markdown = text.join('').slice(0, LARGE_BYTES)
    const large = { ...result(2, true), title: 'Large', result: { metadata: { title: 'Large', status_code: '200' }, markdown } }
    const answers: [string, object][] = [
      [`GET ${CRAWL}/results`, listOf([result(1, true), large])],
      [`GET ${CRAWL}/results/${large.uuid}`, large],
    ]
    for (const [asked, json] of answers) product.backend.set(asked, { json })
    const page: OpenedPage = await browser.newPage()
    await signIn(page)
    await page.goto(`/dashboard/logs/crawls/${MOCK_CRAWL}`)
    const row = page.getByRole('list', { name: 'Pages' }).getByRole('button').filter({ hasText: 'Large' }).first()
    await row.waitFor()
    await drawn(page, 5)
    const took = await row.evaluate(
      (button: HTMLElement) =>
        new Promise<number>((resolve) => {
          const from = performance.now()
          const look = () => {
            const isShown = document.querySelector('.rendered-markdown')?.textContent.includes('Chapter 0')
            if (isShown) requestAnimationFrame(() => resolve(performance.now() - from))
            else requestAnimationFrame(look)
          }
          button.click()
          look()
        }),
    )
    await page.context().close()
    return took
  }
}

/** Runs in the page. Sums layout shifts without user input, and records the longest task. */
function watch() {
  const watched = { shifts: 0, longest: 0, tasks: 0 }
  Object.assign(window, { watched })
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
  new PerformanceObserver((entries) => {
    for (const shift of entries.getEntries() as Shift[]) if (!shift.hadRecentInput) watched.shifts += shift.value
  }).observe({ type: 'layout-shift', buffered: false })
  new PerformanceObserver((entries) => {
    for (const { duration } of entries.getEntries()) {
      watched.tasks++
      watched.longest = Math.max(watched.longest, duration)
    }
  }).observe({ type: 'longtask', buffered: false })
}

/** Runs in the page. Scrolls the list to its end and back, and counts frames with gaps. */
async function fling(list: Element): Promise<{ frames: number; gaps: number }> {
  const frame = () => new Promise((next) => requestAnimationFrame(next))
  let scroller: Element | null = list
  while (scroller && (scroller.scrollHeight <= scroller.clientHeight + 1 || getComputedStyle(scroller).overflowY === 'visible'))
    scroller = scroller.parentElement
  scroller ??= document.scrollingElement
  if (!scroller) throw new Error('nothing scrolls the list')
  const end = scroller.scrollHeight - scroller.clientHeight
  const step = scroller.clientHeight * 1.5
  let [frames, gaps] = [0, 0]
  // Skips rows: half a minute of frames shows as much as a quarter of an hour.
  const places = Array.from({ length: 400 }, (_, at) => (at < 200 ? at * step : end - (at - 200) * step))
  for (const place of places) {
    scroller.scrollTop = place
    await frame()
    // The frame shows the state after its callbacks, so a later task reads it.
    await new Promise((next) => setTimeout(next))
    frames++
    const box = list.getBoundingClientRect()
    const seen = scroller === document.scrollingElement ? { top: 0, bottom: window.innerHeight } : scroller.getBoundingClientRect()
    const [top, bottom] = [Math.max(box.top, seen.top) + 4, Math.min(box.bottom, seen.bottom) - 4]
    const x = box.left + box.width / 2
    const probes = Array.from({ length: 12 }, (_, at) => top + ((bottom - top) * (at + 0.5)) / 12)
    const isEmpty = probes.some((y) => {
      const rows = [...list.querySelectorAll('li')].map((row) => row.getBoundingClientRect())
      return x > 0 && !rows.some((row) => row.top <= y + 1 && row.bottom >= y - 1)
    })
    if (isEmpty) gaps++
  }
  return { frames, gaps }
}
