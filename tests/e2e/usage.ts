import { chromium } from 'playwright'
import { createCrawl } from '#contract/crawls.ts'
import { getUsage } from '#contract/usage.ts'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { PLANS, startEnterprise } from '#tests/support/enterprise.ts'
import { OWNER } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { takePlan } from '#tests/support/browser/enterprise-page.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, assertAccessible, enter, openBrowser } from './support.ts'

const product = await startEnterprise()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)
await takePlan(product, PLANS.free.uuid)

const usage = suite('the usage screen')

usage('S-WRK-05 the usage screen shows the figures, the charts and the cost of each job', async () => {
  const page = await openPage()
  await page.goto('/dashboard/usage')
  const totals = page.getByRole('main').getByLabel('Totals')
  await totals.getByText('–').waitFor()
  await page.getByText('No crawls in the last 30 days').waitFor()
  await becomes(() => page.getByRole('main').locator('svg[viewBox="0 0 168 84"]').count(), 1, 'the charts without data have no drawing')
  await page.getByText('Nothing has been used yet').waitFor()
  await assertAccessible(page, 'a usage screen without activity')

  await page.setViewportSize(DESKTOP)
  await page.evaluate(
    async ([path, url]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const options = { spider_options: { max_depth: 2, page_limit: 50 }, page_options: {} }
      const crawl = (await (await fetch(path, { method: 'POST', headers, body: JSON.stringify({ url, options }) })).json()) as {
        uuid: string
      }
      await (await fetch(`${path}${crawl.uuid}/status/`, { headers })).text()
    },
    [createCrawl.path, site.url] as const,
  )
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await totals.getByText('100 %').waitFor()
  await totals.getByText('13', { exact: true }).waitFor()
  const chart = page.getByRole('slider', { name: 'Results per day' })
  await chart.focus()
  await page.keyboard.press('End')
  await becomesLike(() => chart.getAttribute('aria-valuetext'), /: 13 results$/)
  await page.keyboard.press('Home')
  await becomesLike(() => chart.getAttribute('aria-valuetext'), /: 0 results$/)
  await page.reload()
  const ledger = page.getByRole('table', { name: 'Credit ledger' })
  await ledger.getByRole('cell', { name: '13', exact: true }).waitFor()
  await ledger.getByRole('link', { name: site.url }).waitFor()
  await page.getByRole('combobox', { name: 'Type' }).selectOption('search')
  await page.getByText('No job of this type yet').waitFor()
  await page.getByRole('combobox', { name: 'Type' }).selectOption('crawl')
  await ledger.waitFor()
  await assertAccessible(page, 'a usage screen with activity')
})

usage('S-WRK-05 figures that could not be loaded are reported, and can be loaded again', async () => {
  const page = await openPage()
  await page.route(`**${getUsage.path}`, (route) => route.abort())
  await page.goto('/dashboard/usage')
  await page.getByText('Failed to load usage data').waitFor()
  await page.unroute(`**${getUsage.path}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Total crawl requests').waitFor()
})

usage('a download whose connection breaks is reported in the words of the dashboard, not of the browser', async () => {
  const page = await openPage()
  await page.goto('/dashboard/usage')
  await page.evaluate(() => {
    Response.prototype.blob = () => Promise.reject(new TypeError('network error'))
  })
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await page.getByText('The download failed', { exact: true }).waitFor()
})

/** Signed in, on the free plan. */
async function openPage() {
  const page = await browser.newPage()
  await enter(page, OWNER)
  return page
}

usage.run()
