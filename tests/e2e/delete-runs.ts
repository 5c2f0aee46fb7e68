// Deleting jobs: from a row, from the details, and many at once.
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl, getCrawl } from '#contract/crawls.ts'
import { createSearch } from '#contract/searches.ts'
import { createSitemap } from '#contract/sitemaps.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'
import { DESKTOP, PHONE, assertAccessible, enter, openBrowser } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)

const deletion = suite('deleting jobs on screens')

/** Calls the API as the page does. */
const send = (page: OpenedPage, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([verb, url, sent]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const reply = await fetch(url as string, {
        method: verb as string,
        headers,
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      })
      return { status: reply.status, body: (await reply.json()) as { uuid: string; status: string } }
    },
    [method, path, body] as const,
  )

const pathOf = (id: string) => getCrawl.path.replace('{id}', id)

async function crawlOf(page: OpenedPage, path: string): Promise<string> {
  const { body } = await send(page, 'POST', createCrawl.path, { url: `${site.url}${path}` })
  await until(async () => (await send(page, 'GET', pathOf(body.uuid))).body.status === 'finished')
  return body.uuid
}

const rows = (page: OpenedPage) => page.getByRole('table').getByRole('row')

deletion('a crawl is deleted from its row; the dialog focuses Cancel, and Escape closes it', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const [kept, deleted] = [await crawlOf(page, 'guide/1'), await crawlOf(page, 'guide/2')]
  await page.goto('/dashboard/logs/crawls')
  const row = rows(page).filter({ hasText: 'guide/2' })
  await row.getByRole('button', { name: 'Delete crawl' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this crawl?' })
  await dialog.getByText('guide/2').waitFor()
  await assertAccessible(page, 'the question')
  await page.setViewportSize(DESKTOP)
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'Cancel')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.is((await send(page, 'GET', pathOf(deleted))).status, 200)
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Delete crawl')

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete crawl' }).click()
  await page.getByText('The crawl was deleted').waitFor()
  await row.waitFor({ state: 'detached' })
  await rows(page).filter({ hasText: 'guide/1' }).waitFor()
  assert.is((await send(page, 'GET', pathOf(deleted))).status, 404)
  assert.is((await send(page, 'GET', pathOf(kept))).status, 200)
  // The back button shows that the job is gone, not a stored copy of it.
  await page.goto(`/dashboard/logs/crawls/${deleted}`)
  await page.getByText('Crawl request not found').waitFor()
})

deletion('a crawl is deleted from its details, and the log is shown afterwards', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const id = await crawlOf(page, 'guide/3')
  await page.goto('/dashboard/logs/crawls?status=finished')
  await rows(page).filter({ hasText: 'guide/3' }).getByRole('link', { name: 'View details' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this crawl?' })
  await dialog.getByRole('button', { name: 'Delete crawl' }).click()
  await page.waitForURL('**/dashboard/logs/crawls?status=finished')
  await page.getByText('The crawl was deleted').waitFor()
  await rows(page).filter({ hasText: 'guide/3' }).waitFor({ state: 'detached' })
  assert.is((await send(page, 'GET', pathOf(id))).status, 404)
})

deletion('a running crawl is canceled and deleted with one click, and its site gets no more requests', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  site.hold()
  const { body } = await send(page, 'POST', createCrawl.path, {
    url: site.url,
    options: { spider_options: { max_depth: 2, page_limit: 50 } },
  })
  await page.goto(`/dashboard/logs/crawls/${body.uuid}`)
  await page.getByRole('button', { name: 'Cancel Crawling' }).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this crawl?' })
  await dialog.getByText('It is still running and is canceled first.').waitFor()
  await dialog.getByRole('button', { name: 'Delete crawl' }).click()
  await page.waitForURL('**/dashboard/logs/crawls')
  assert.is((await send(page, 'GET', pathOf(body.uuid))).status, 404)
  site.release()
})

deletion('searches and sitemaps are deleted from their logs too', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  await send(page, 'POST', createSearch.path, { query: 'mending nets' })
  await send(page, 'POST', createSitemap.path, { url: site.url })
  for (const [log, noun] of [
    ['searches', 'search'],
    ['sitemaps', 'sitemap'],
  ] as const) {
    await page.goto(`/dashboard/logs/${log}`)
    await rows(page)
      .getByRole('button', { name: `Delete ${noun}` })
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Delete ${noun}` })
      .click()
    await page.getByText(`The ${noun} was deleted`).waitFor()
    await page.getByRole('table').waitFor({ state: 'detached' })
  }
})

deletion('many jobs are selected and deleted at once, on a phone as well', async () => {
  const page = await browser.newPage({ viewport: PHONE })
  await enter(page, OWNER)
  const ids = [await crawlOf(page, 'guide/4'), await crawlOf(page, 'guide/5'), await crawlOf(page, 'guide/6')]
  await page.goto('/dashboard/logs/crawls')
  const box = (name: string) => page.getByRole('checkbox', { name: new RegExp(name) })
  await box('guide/4').check()
  await page.getByRole('status').getByText('1 crawl selected').waitFor()
  await box('guide/5').check()
  const bar = page.getByRole('toolbar', { name: 'Selected rows' })
  await bar.getByText('2 crawls selected').waitFor()
  await assertAccessible(page, 'a selection')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
  await box('guide/4').press('Space')
  await box('guide/6').press('Space')
  await bar.getByText('2 crawls selected').waitFor()
  // The mouse happens to go out of the table between the two halves of a key press.
  await box('guide/5').hover()
  await box('guide/5').focus()
  await page.keyboard.down('Space')
  await page.mouse.move(0, 0)
  await page.keyboard.up('Space')
  await bar.getByText('3 crawls selected').waitFor()
  await box('guide/5').press('Space')
  await bar.getByText('2 crawls selected').waitFor()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete 2 crawls?' }).getByRole('button', { name: 'Delete 2 crawls' }).click()
  await page.getByText('2 crawls were deleted').waitFor()
  await box('guide/4').waitFor({ state: 'detached' })
  await bar.waitFor({ state: 'detached' })
  const found = await Promise.all(ids.map(async (id) => (await send(page, 'GET', pathOf(id))).status))
  assert.equal(found, [404, 200, 404])
})

deletion('a crawl that is deleted elsewhere while its details are open is said to be gone with the next part that is opened', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const id = await crawlOf(page, 'guide/4')
  const shown = page.waitForResponse(/prefetched=true/)
  await page.goto(`/dashboard/logs/crawls/${id}`)
  await shown
  await send(page, 'DELETE', `${pathOf(id)}?purge=true`).catch(() => undefined)
  assert.is((await send(page, 'GET', pathOf(id))).status, 404)
  await page.getByRole('tab', { name: /^All URLs/ }).click()
  await page.getByRole('heading', { name: 'Crawl request not found' }).waitFor()
})

deletion.run()
