import { chromium } from 'playwright'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startLiveCrawl } from '#tests/support/live-crawl.ts'
import { DESKTOP, PHONE, excessOf, openBrowser, signIn, startPage } from './support.ts'

const product = await startPage()
const browser = await openBrowser(chromium, product.url)

const live = suite('a crawl under way on the screen')
live.after(async () => {
  await browser.close()
  await product.close()
})

/** Starts the crawl of the mock from the playground. */
async function start(options: Parameters<typeof browser.newPage>[0] = {}) {
  const crawl = startLiveCrawl(product.backend)
  const page = await browser.newPage(options)
  await signIn(page)
  await page.goto('/dashboard/crawl')
  await page.getByLabel('URL to crawl').fill('https://shop.example/')
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  await page.getByRole('button', { name: 'Cancel Crawling' }).first().waitFor()
  return { crawl, page }
}

live('V1: the page ends where its content ends, however much the engine has said', async () => {
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
  await page.getByRole('button', { name: 'Unfold the feedback' }).click()
  await page.getByRole('log').getByText('Line 180').waitFor()
  assert.is((await excessOf(page)).below, 0, 'the details with the feedback unfolded')
})

live.run()
