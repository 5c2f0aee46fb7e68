import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)

const sitemap = suite('sitemaps on screens')

async function open(path: string) {
  const page = await browser.newPage()
  await openSignedIn(page, path, OWNER)
  return page
}

const main = (page: OpenedPage) => page.getByRole('main')
const urls = (page: OpenedPage) => page.getByRole('group', { name: 'URLs' })

sitemap('S-WRK-03 S-WRK-09 a sitemap is started on the screen, followed, filtered and passed to a crawl', async () => {
  const page = await open('/dashboard/sitemap')
  await page.getByRole('heading', { name: 'Sitemap Playground' }).waitFor()
  await page.getByRole('button', { name: 'Generate Sitemap' }).first().click()
  await page.getByText('Please enter a URL').waitFor()
  await page.keyboard.type('nonsense')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a valid URL, beginning with https:// or http://.').waitFor()
  await page.getByLabel('URL of the site').and(page.locator(':focus')).waitFor()
  await assertAccessible(page, 'the sitemap screen')
  await page.setViewportSize(DESKTOP)

  await page.getByLabel('URL of the site').fill(site.url)
  await page.getByRole('switch', { name: 'Ignore sitemap.xml' }).click()
  await page.getByText('By following links').waitFor()
  site.hold()
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Generate Sitemap' }).first().click()
  await page.getByRole('button', { name: 'Cancel Generation' }).first().waitFor()
  await main(page)
    .getByRole('region', { name: 'Engine feedback' })
    .getByText(/crawl|follow/i)
    .first()
    .waitFor()
  site.release()
  await page.getByRole('heading', { name: /^Found \d+ URLs$/ }).waitFor()
  await main(page).getByText('Finished').first().waitFor()

  // With its slash, since the port of the site may hold an 11 as well.
  await page.getByLabel('Filter the URLs').fill('guide /11')
  await urls(page).getByText('guide/11').waitFor()
  await urls(page).getByText('guide/10').waitFor({ state: 'detached' })
  await assertAccessible(page, 'a sitemap with its URLs')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('radio', { name: 'Graph' }).click()
  await page.getByRole('tree', { name: 'Site' }).getByRole('treeitem').filter({ hasText: 'guide' }).first().waitFor()
  await page.getByRole('radio', { name: 'Markdown' }).click()
  await page.getByRole('region', { name: 'Sitemap as Markdown' }).getByText('/guide/9').first().waitFor()
  await page.getByRole('radio', { name: 'List' }).click()

  await page.getByRole('checkbox', { name: /guide\/7$/ }).check()
  await page.getByText(/^1 of \d+ chosen/).waitFor()
  await page.getByRole('button', { name: 'Crawl these' }).click()
  await page.waitForURL('**/dashboard/crawl')
  await becomesLike(() => page.getByLabel('One URL per line').inputValue(), /\/guide\/7$/)
})

sitemap('S-WRK-03 S-WRK-04 the log leads to the details; files are downloaded; the sitemap opens in the form again', async () => {
  const page = await open('/dashboard/logs/sitemaps')
  const row = page.getByRole('table', { name: 'Sitemap History' }).getByRole('row').nth(1)
  await row.getByText('Finished').waitFor()
  await assertAccessible(page, 'the log of sitemaps')
  await page.setViewportSize(DESKTOP)
  await row.getByRole('link', { name: 'View details' }).click()
  await page.getByRole('heading', { name: 'Details', exact: true }).waitFor()
  await page.getByRole('heading', { name: /^Found \d+ URLs$/ }).waitFor()
  await assertAccessible(page, 'the details of a sitemap')
  await page.setViewportSize(DESKTOP)
  for (const [name, file] of [
    ['URL list', /^sitemap-.*\.json$/],
    ['Markdown', /^sitemap-.*\.md$/],
    ['Site graph', /^sitemap-graph-.*\.json$/],
    ['Sitemap file', /^sitemap\.xml$/],
  ] as const) {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
    assert.match(download.suggestedFilename(), file)
  }
  await page.getByRole('button', { name: 'Try in Sitemap Playground' }).click()
  await page.waitForURL('**/dashboard/sitemap')
  await becomes(() => page.getByLabel('URL of the site').inputValue(), site.url)
  await becomes(() => page.getByRole('switch', { name: 'Ignore sitemap.xml' }).getAttribute('aria-checked'), 'true')
})

sitemap('the diagram beside the site tree opens a folder and goes back by keyboard, and the tree follows', async () => {
  const page = await open('/dashboard/logs/sitemaps')
  await page.getByRole('table', { name: 'Sitemap History' }).getByRole('row').nth(1).getByRole('link', { name: 'View details' }).click()
  await page.getByRole('radio', { name: 'Graph' }).click()
  const diagram = page.getByRole('group', { name: 'Diagram of the site' })
  const block = (name: RegExp) => diagram.getByRole('button', { name })
  const focused = (name: RegExp) => block(name).and(page.locator(':focus')).waitFor()
  const folders = page.getByRole('navigation', { name: 'Folder of the diagram' }).getByRole('button')
  const row = page.getByRole('tree', { name: 'Site' }).getByRole('treeitem').filter({ hasText: /^11/ })
  await block(/^guide, 12 pages, folder$/).waitFor()
  await row.waitFor({ state: 'detached' })

  await folders.first().focus()
  await page.keyboard.press('Tab')
  await focused(/, \d+ pages$/)
  await page.keyboard.press('ArrowRight')
  await focused(/^guide, 12 pages, folder$/)
  await page.keyboard.press('Enter')
  await waitForCount(folders, 2)
  await focused(/^guide, 12 pages; back to the folder above$/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('End')
  await becomes(() => diagram.locator(':focus').count(), 1)
  await assertAccessible(page, 'the diagram of a site')
  await page.setViewportSize(DESKTOP)

  await block(/^11, 1 page$/).press('Enter')
  await row.waitFor()
  await block(/^guide, 12 pages; back to the folder above$/).press('Enter')
  await waitForCount(folders, 1)

  // Without space for both, the user chooses one.
  await page.setViewportSize(PHONE)
  await diagram.waitFor({ state: 'hidden' })
  await page.getByRole('radio', { name: 'Diagram' }).click()
  await block(/^guide, 12 pages, folder$/).waitFor()
  await page.getByRole('tree', { name: 'Site' }).waitFor({ state: 'hidden' })
  await assertAccessible(page, 'the diagram of a site by itself')
})

sitemap(
  'S-WRK-03 a sitemap can be canceled; the sitemap of a dead site fails with its reason; an unknown sitemap has a link back',
  async () => {
    const page = await open('/dashboard/sitemap')
    site.hold()
    // The start page waits, so there is time to cancel.
    await page.getByLabel('URL of the site').fill(`${site.url}guide/5`)
    await page.getByRole('switch', { name: 'Ignore sitemap.xml' }).click()
    await page.getByRole('button', { name: 'Generate Sitemap' }).first().click()
    await page.getByRole('button', { name: 'Cancel Generation' }).first().click()
    await page.getByText('The sitemap was canceled').first().waitFor()
    site.release()

    await page.goto('/dashboard/sitemap')
    await page.getByLabel('URL of the site').fill('http://127.0.0.1:1/')
    await page.getByRole('button', { name: 'Generate Sitemap' }).first().click()
    await page.getByText('The sitemap could not be made').waitFor({ timeout: 30_000 })
    await page.goto('/dashboard/logs/sitemaps/nonsense')
    await page.getByRole('heading', { name: 'Sitemap request not found' }).waitFor()
    await page.getByRole('link', { name: 'Back to the sitemap logs' }).click()
    await page.waitForURL('**/dashboard/logs/sitemaps')
  },
)

sitemap.run()
