import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createBatchCrawl, createCrawl, listCrawls } from '#contract/crawls.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { crawlsOf } from '#tests/support/product-crawls.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { PHONE, assertAccessible, drawn, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)
const { ended } = await crawlsOf(product)

const log = suite('the crawl log')

async function open(path = '', options: Parameters<typeof browser.newPage>[0] = {}) {
  const page = await browser.newPage(options)
  await openSignedIn(page, `/dashboard/logs/crawls${path}`, OWNER)
  return page
}

/** Calls the API as the page does. */
const send = (page: OpenedPage, path: string, body?: unknown) =>
  page.evaluate(
    async ([url, sent]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const reply = await fetch(url as string, sent === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(sent) })
      return (await reply.json()) as { uuid: string; status: string }
    },
    [path, body] as const,
  )

/** A list with an unfinished run is read again after this time (`LIVE_MS` in `run-kind.ts`). */
const REFRESH_MS = 2000

const rows = (page: OpenedPage) => page.getByRole('table', { name: 'Activity Logs' }).getByRole('row')

log('S-WRK-04 before the first crawl the log explains itself', async () => {
  const page = await open()
  await page.getByText('No crawl requests yet').waitFor()
  await assertAccessible(page, 'the empty log')
  await page.getByRole('main').getByRole('link', { name: 'New crawl' }).last().click()
  await page.waitForURL('**/dashboard/crawl')
})

log('S-WRK-04 S-WRK-09 rows update live while a crawl runs', async () => {
  const page = await open()
  site.hold()
  const { uuid } = await send(page, createCrawl.path, { url: site.url, options: { spider_options: { max_depth: 2, page_limit: 50 } } })
  await page.reload()
  await rows(page).getByText('Running').waitFor()
  await rows(page)
    .getByRole('cell', { name: /^5 \/ 50/ })
    .waitFor()
  site.release()
  await rows(page).getByText('Finished').waitFor()
  await rows(page).getByRole('cell', { name: /^13/ }).waitFor()
  assert.is((await ended(uuid)).status, 'finished')
})

log('S-WRK-04 filters are in the URL, and a list without matches differs from an empty log', async () => {
  const page = await open()
  const batch = await send(page, createBatchCrawl.path, { urls: [`${site.url}guide/1`, `${site.url}guide/2`] })
  const failed = await send(page, createCrawl.path, { url: `${site.url}nowhere` })
  assert.is((await ended(batch.uuid)).status, 'finished')
  assert.is((await ended(failed.uuid)).status, 'failed')
  await page.reload()
  await rows(page).getByText('+1 more').waitFor()

  await page.getByLabel('Status').selectOption('failed')
  await rows(page).getByText('Failed').waitFor()
  await rows(page).nth(2).waitFor({ state: 'detached' })
  assert.is(new URL(page.url()).search, '?status=failed')

  await page.getByLabel('Status').selectOption('canceling')
  await page.getByText('Nothing matches the filter').waitFor()
  await assertAccessible(page, 'a log in which nothing matches')
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await rows(page).getByText('+1 more').waitFor()
  assert.is(new URL(page.url()).search, '')

  await page.getByLabel('URL contains').fill('nowhere')
  await page.waitForURL('**?text=nowhere')
  await page.goto(`${page.url()}&type=batch`)
  await page.getByText('Nothing matches the filter').waitFor()
  await becomes(() => page.getByLabel('URL contains').inputValue(), 'nowhere')
})

log('a selected row keeps its tint under the pointer; a column shows that it can be sorted when the pointer meets its head', async () => {
  const page = await open()
  const row = rows(page).nth(1)
  const ground = () => row.evaluate((one) => getComputedStyle(one).backgroundColor)
  const plain = await ground()
  await row.getByRole('checkbox').check()
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()))
  await becomes(async () => (await ground()) === plain, false, 'a selected row has a tint')
  const tint = await ground()
  await row.hover()
  await becomes(ground, tint)
  const head = page.getByRole('columnheader', { name: 'Results' }).getByRole('button')
  const mark = () => head.locator('svg').evaluate((one) => getComputedStyle(one).opacity)
  await becomes(mark, '0')
  await head.hover()
  await becomes(mark, '1')
})

log('the pattern of a date filter is hidden while nothing is typed, and a date that is typed in part stays visible', async () => {
  const page = await open()
  const day = page.getByLabel('Created from')
  const look = async () => (await day.screenshot()).toString('base64')
  const press = async (...keys: string[]) => {
    await day.focus()
    for (const key of keys) await page.keyboard.press(key)
    await page.getByLabel('URL contains').focus()
  }
  await press('1', '2', 'ArrowLeft', 'Backspace')
  const empty = await look()
  await press('1', '2')
  await becomes(() => day.inputValue(), '')
  await becomes(async () => (await look()) === empty, false, 'the month is visible')
  await press('Backspace')
  await becomes(async () => (await look()) === empty, true, 'the pattern is hidden')
})

log('a typed filter can be cleared, and a pause behind a blank does not remove the blank', async () => {
  const page = await open()
  const filter = page.getByLabel('URL contains')
  await filter.fill('nowhere')
  await page.waitForURL('**?text=nowhere')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.waitForURL('**/crawls')
  await becomes(() => filter.inputValue(), '')
  await filter.pressSequentially('white ')
  await page.waitForURL('**?text=white')
  await filter.pressSequentially('tea')
  await page.waitForURL('**?text=white+tea')
})

log('S-WRK-04 a row leads to its details, its archive and its sitemap', async () => {
  const page = await open()
  const row = rows(page).filter({ has: page.getByRole('cell', { name: '13', exact: true }) })
  await row.waitFor()
  await assertAccessible(page, 'the log')
  await page.setViewportSize({ width: 1440, height: 900 })

  await row.getByRole('button', { name: 'Download' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /Markdown archive/ }).click()])
  assert.match(download.suggestedFilename(), /^crawl-results-[\da-f-]{36}\.zip$/)

  await row.getByRole('button', { name: 'Sitemap explorer' }).click()
  await page.getByRole('tree', { name: 'Site' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tree', { name: 'Site' }).waitFor({ state: 'hidden' })

  await row.getByRole('link', { name: 'View details' }).click()
  await page.getByRole('heading', { name: 'Information' }).waitFor()
})

log('V9: a row and its "View details" are links that work in a new tab, as a copied URL and with the keyboard', async () => {
  const page = await open()
  const row = rows(page).nth(1)
  const details = row.getByRole('link', { name: 'View details' })
  const name = row.getByRole('cell').nth(1).getByRole('link')
  const target = await details.getAttribute('href')
  assert.match(target ?? '', /^\/dashboard\/logs\/crawls\/[\da-f-]{36}$/)
  await becomes(() => name.getAttribute('href'), target)
  for (const [how, click] of [
    ['a middle click on the link', () => details.click({ button: 'middle' })],
    ['a Ctrl click on the name', () => name.click({ modifiers: ['Control'] })],
    [
      'a middle click on an empty part of the row',
      () =>
        row
          .getByRole('cell')
          .first()
          .click({ button: 'middle', position: { x: 2, y: 2 } }),
    ],
  ] as const) {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), click()])
    await tab.waitForURL(`**${target}`)
    assert.is(new URL(page.url()).pathname, '/dashboard/logs/crawls', how)
    await tab.close()
  }
  await becomes(() => page.locator(':is(a, button) :is(a, button)').count(), 0, 'no control stands in another one')
  await name.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${target}`)
  await page.goBack()
  await row
    .getByRole('cell')
    .first()
    .click({ position: { x: 2, y: 2 } })
  await page.waitForURL(`**${target}`)
})

log('V3: a dialog opened from a cell inherits no styles from it, and a click in it does not open the row', async () => {
  const page = await open()
  const row = rows(page).filter({ has: page.getByRole('cell', { name: '13', exact: true }) })
  const styles = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { cursor, textAlign, whiteSpaceCollapse, textWrapMode } = getComputedStyle(element)
      return { cursor, textAlign, whiteSpaceCollapse, textWrapMode, inTable: element.closest('table') !== null }
    })
  const own = { cursor: 'auto', textAlign: 'start', whiteSpaceCollapse: 'collapse', textWrapMode: 'wrap' }
  await row.getByRole('button', { name: 'Sitemap explorer' }).click()
  await page.getByRole('tree', { name: 'Site' }).waitFor()
  await becomes(() => styles('dialog:modal'), { ...own, inTable: false })
  await page.getByRole('heading', { name: 'Sitemap explorer' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.is(new URL(page.url()).pathname, '/dashboard/logs/crawls')
  await row.getByRole('button', { name: 'Download' }).click()
  await becomes(() => styles('[popover]:popover-open'), { ...own, inTable: true })
})

log('S-WRK-04 a failing API is reported, and can be asked again', async () => {
  const page = await open('?status=new')
  await page.getByText('Nothing matches the filter').waitFor()
  await page.route('**/api/v1/core/crawl-requests/**', (route) => route.abort())
  await page.reload()
  await page.getByText('The crawls could not be loaded').waitFor()
  await assertAccessible(page, 'a log that could not be loaded')
  const asked = page.waitForRequest('**/api/v1/core/crawl-requests/?page_size=10&status=new')
  await page.getByRole('button', { name: 'Try again' }).click()
  await asked
  // The page also asks again by itself: whichever request comes first succeeds.
  await page.unroute('**/api/v1/core/crawl-requests/**')
  await page.getByText('Nothing matches the filter').waitFor()
})

log('S-WRK-04 rows are cards on a phone, and a tap opens one', async () => {
  const page = await open('', { viewport: PHONE })
  await rows(page).getByText('13 results').click()
  await page.getByRole('heading', { name: 'Information' }).waitFor()
})

log('rows are sorted by column header, and page size and number are in the URL', async () => {
  const page = await open()
  for (let number = 0; number < 12; number++)
    assert.is((await ended((await send(page, createCrawl.path, { url: `${site.url}guide/${number % 10}` })).uuid)).status, 'finished')
  await page.reload()
  const head = (name: string) => page.getByRole('columnheader', { name })
  await head('Created').and(page.locator('[aria-sort=descending]')).waitFor()
  await head('Results').getByRole('button').click()
  await page.waitForURL('**?sort=-number_of_documents')
  await rows(page).nth(1).getByRole('cell', { name: '13', exact: true }).waitFor()
  await head('Results').getByRole('button').press('Enter')
  await page.waitForURL('**?sort=number_of_documents')
  await rows(page).nth(1).getByText('Failed').waitFor()

  await page.getByRole('textbox', { name: /^Page, 1 to/ }).waitFor({ state: 'detached' })
  await page.getByLabel('Rows on a page').selectOption('25')
  await page.waitForURL('**?sort=number_of_documents&size=25')
  await waitForCount(rows(page), 16)
  await page.goto('/dashboard/logs/crawls?page=2')
  await page.getByText(/Showing 11 to 1\d of 1\d results/).waitFor()
})

log('several rows are selected by keyboard, run again and exported', async () => {
  const page = await open('?text=guide/3')
  await waitForCount(rows(page), 2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  const bar = page.getByRole('toolbar', { name: 'Selected rows' })
  await bar.getByText('1 crawl selected').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), bar.getByRole('button', { name: 'Export rows' }).click()])
  assert.is(file.suggestedFilename(), 'crawls.csv')
  assert.match(await readFile(await file.path(), 'utf8'), /^\uFEFFuuid,name,/)
  const [archive] = await Promise.all([page.waitForEvent('download'), bar.getByRole('button', { name: 'Download' }).click()])
  assert.match(archive.suggestedFilename(), /\.zip$/)
  await bar.getByRole('button', { name: 'Run again' }).click()
  await page.getByText('1 crawl started').waitFor()
  await waitForCount(rows(page), 3)
})

/** Starts a crawl that runs until the site is released. */
const startOne = async (page: OpenedPage, path: string) => (await send(page, createCrawl.path, { url: site.url + path })).uuid

/** Ends when an answer of the list has so many runs. */
const listHas = (page: OpenedPage, count: number) =>
  page.waitForResponse(
    async (response) =>
      new URL(response.url()).pathname === listCrawls.path && ((await response.json()) as { count: number }).count === count,
  )

/**
 * Opens the log of a path with its one crawl and a second that runs, with a clock that stands still until the test moves it: on a busy
 * machine the time for which rows are held could pass between two actions.
 */
async function openHeld(path: string, options: Parameters<typeof browser.newPage>[0] = {}) {
  const page = await browser.newPage(options)
  await page.clock.install()
  await openSignedIn(page, `/dashboard/logs/crawls?text=${path}`, OWNER)
  site.hold()
  const running = [await startOne(page, path)]
  await page.reload()
  await waitForCount(rows(page), 3)
  await page.clock.pauseAt(Date.now() + 60_000)
  /** Starts a third crawl and ends when the list has it, which is before the held rows move. */
  const oneArrives = async () => {
    running.push(await startOne(page, path))
    await page.clock.runFor(REFRESH_MS)
    await page.getByText('Showing 1 to 3 of 3 results').waitFor()
  }
  const release = async () => {
    site.release()
    for (const uuid of running) await ended(uuid)
  }
  return { oneArrives, page, release }
}

log('rows keep their places while the pointer is over them', async () => {
  const { oneArrives, page, release } = await openHeld('guide/5')
  const first = () => rows(page).nth(1).getByRole('link', { name: 'View details' }).getAttribute('href')
  const before = await first()
  await rows(page).nth(1).hover()
  await oneArrives()
  assert.is(await first(), before)
  await waitForCount(rows(page), 3)
  await page.mouse.move(1, 1)
  await waitForCount(rows(page), 4)
  await release()
})

log('a tap meets the row that was touched, although a newer one has arrived', async () => {
  const { oneArrives, page, release } = await openHeld('guide/6', { hasTouch: true })
  const hrefOf = (place: number) => rows(page).nth(place).getByRole('link', { name: 'View details' }).getAttribute('href')
  const older = rows(page).filter({ has: page.locator(`a[href="${await hrefOf(2)}"]`) })
  await rows(page).nth(1).getByRole('checkbox').tap()
  await oneArrives()
  await older.getByRole('checkbox').tap()
  await page.getByRole('toolbar', { name: 'Selected rows' }).getByText('2 crawls selected').waitFor()
  await becomes(() => older.getByRole('checkbox').isChecked(), true)
  await release()
})

log('a dialog of a row stays open when the run no longer matches the filter', async () => {
  site.hold()
  const page = await open()
  const uuid = await startOne(page, 'guide/7')
  await page.goto('/dashboard/logs/crawls?status=running&text=guide/7')
  await waitForCount(rows(page), 2)
  await rows(page).getByRole('button', { name: 'Repeat' }).click()
  await page.getByRole('dialog').waitFor()
  const left = listHas(page, 0)
  site.release()
  await ended(uuid)
  await left
  await drawn(page)
  await becomes(() => page.getByRole('dialog').count(), 1)
  await page.keyboard.press('Escape')
  await page.mouse.move(1, 1)
  await page.getByText('Nothing matches the filter').waitFor()
})

log.run()
