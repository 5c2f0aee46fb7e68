import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import * as assert from 'uvu/assert'
import { startLiveCrawl } from '#tests/support/browser/live-crawl.ts'
import { MOCK_CRAWL } from '#tests/support/stubs/mock-backend.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser, openSignedIn, startPage } from './support.ts'

const product = await startPage()
const browser = await openBrowser(chromium, product.url)

const forced = suite('forced colours')

async function open(path: string) {
  const page = await browser.newPage()
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await openSignedIn(page, path)
  return page
}

/** How an element stands out in forced colours, which remove backgrounds and shadows: border, outline, and a background other than the page's. */
const looks = (element: Locator) =>
  element.first().evaluate((shown) => {
    const canvas = getComputedStyle(document.body).backgroundColor
    return [undefined, '::before', '::after'].map((part) => {
      const style = getComputedStyle(shown, part)
      if (part !== undefined && style.content === 'none') return ''
      const ground = style.backgroundColor === canvas || style.backgroundColor.endsWith(', 0)') ? '' : style.backgroundColor
      const border = style.borderInlineStartWidth === '0px' ? '' : `${style.borderInlineStartWidth} ${style.borderInlineStartColor}`
      const outline = style.outlineStyle === 'none' ? '' : `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`
      return [ground, border, outline].join(' ')
    })
  })

async function assertTold(what: string, chosen: Locator, other: Locator) {
  await other.first().waitFor()
  await chosen.first().waitFor()
  await becomes(async () => (await looks(chosen)) !== (await looks(other)), true, what)
}

forced('V6: selected, enabled and current items are recognisable without their background', async () => {
  const page = await open('/dashboard/crawl')
  const tab = (selected: boolean) => page.getByRole('tab', { selected })
  await assertTold('a tab', tab(true), tab(false))
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await assertTold('the entry of the sidebar', sections.locator('a[aria-current]'), sections.locator('a:not([aria-current])'))
  const segment = (state: string) => page.locator(`label:has(> input[type=radio]${state})`)
  await assertTold('a segment', segment(':checked'), segment(':not(:checked)'))
  await page.getByRole('tab', { name: 'Page Options' }).click()
  await assertTold('a switch', page.getByRole('switch', { checked: true }), page.getByRole('switch', { checked: false }))

  await page.goto(`/dashboard/logs/crawls/${MOCK_CRAWL}`)
  const list = page.getByRole('list', { name: 'Pages' })
  await assertTold('the result that is read', list.locator('[aria-current]'), list.locator('button:not([aria-current])'))

  await page.goto('/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('a')
  const command = (selected: boolean) => page.locator(`dialog [role=option][aria-selected=${selected}]`)
  await assertTold('the command that Enter takes', command(true), command(false))
})

forced('V6: bars keep the colours of their parts, separated by lines', async () => {
  const OUTCOMES = `/api/v1/core/crawl-requests/${MOCK_CRAWL}/outcomes`
  product.backend.set(`GET ${OUTCOMES}`, {
    json: [
      { outcome: 'kept', count: 2 },
      { outcome: 'http-status', count: 3 },
      { outcome: 'timed-out', count: 2 },
    ],
  })
  const page = await open(`/dashboard/logs/crawls/${MOCK_CRAWL}`)
  // Forced colours replace the background of the page by that of the system.
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const parts = async (bar: Locator) => {
    await bar.locator('> *').first().waitFor({ state: 'attached' })
    return bar.evaluate((element) =>
      [element, ...element.children].map((one) => `${getComputedStyle(one).backgroundColor} ${getComputedStyle(one).outlineStyle}`),
    )
  }
  const [bar, ...reasons] = await parts(page.locator('main [aria-hidden=true]:has(> [style*="width"])').first())
  assert.match(bar ?? '', /solid$/, 'the bar of failures has an edge')
  assert.is(new Set(reasons).size, 2, `each reason has its colour: ${reasons.join(', ')}`)
  for (const reason of reasons) assert.not.ok(reason.startsWith(canvas), reason)

  const crawl = startLiveCrawl(product.backend, { limit: 10 })
  crawl.store(4)
  await page.goto(`/dashboard/crawl?run=${MOCK_CRAWL}`)
  const [progress, stored] = await parts(page.getByRole('progressbar', { name: 'Pages' }))
  assert.match(progress ?? '', /solid$/, 'the progress has an edge')
  assert.not.ok(stored?.startsWith(canvas), 'and what is done shows in it')
  crawl.finish()
})

forced.run()
