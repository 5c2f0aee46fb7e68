/** Screenshots and PDFs of a crawl in the dashboard: a user sees them beside the page, opens them in full size, and downloads them. */
import { readFile } from 'node:fs/promises'
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { findOrInstallBrowser } from '../../scripts/find-browser.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, enter, openBrowser } from './support.ts'

const site = await startSite({ '/': pageOf('home') })
const product = await startProduct({ CHROMIUM_PATH: findOrInstallBrowser(), RENDER_CONCURRENCY: '1' })
const browser = await openBrowser(chromium, product.url)

const captures = suite('captures of a page')

captures('the screenshot is shown and opens in full size; the PDF is downloaded', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const id = await page.evaluate(
    async ([path, url]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const options = { spider_options: { page_limit: 1 }, page_options: { actions: [{ type: 'screenshot' }, { type: 'pdf' }] } }
      return ((await (await fetch(path, { method: 'POST', headers, body: JSON.stringify({ url, options }) })).json()) as { uuid: string })
        .uuid
    },
    [createCrawl.path, site.url('/')] as const,
  )
  await page.goto(`/dashboard/logs/crawls/${id}`)
  await page.getByRole('main').getByText('Finished').first().waitFor()
  await page.getByRole('tab', { name: 'Results' }).click()
  await page
    .getByRole('tab', { name: /^Attachments/ })
    .first()
    .click()
  const picture = page.getByRole('link', { name: `Screenshot of ${site.url('/')}` }).first()
  const shown = picture.getByRole('img')
  await shown.scrollIntoViewIfNeeded()
  // The width of the window that the browser draws in.
  await becomes(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth), 1366)
  // The link has no opener, so this is no popup.
  const [whole] = await Promise.all([page.context().waitForEvent('page'), picture.click()])
  await becomes(() => whole.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth), 1366)
  await whole.close()
  const files = page.getByRole('listitem').filter({ hasText: /\.pdf/ })
  const [file] = await Promise.all([page.waitForEvent('download'), files.getByRole('link', { name: 'Download' }).click()])
  assert.match(file.suggestedFilename(), /\.pdf$/)
  assert.is((await readFile(await file.path())).subarray(0, 5).toString('latin1'), '%PDF-')
  await assertAccessible(page, 'attachments')
})

captures.run()
