import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { pathTo } from '#web/navigation.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { crawlsOf } from '#tests/support/product-crawls.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { enter, openBrowser } from './support.ts'

const paragraphs = '<p>Tea is a drink of leaves and hot water, and this is one of many sentences about it.</p>'.repeat(40)
const PAGE = `<!doctype html><html lang="en"><head><title>Tea</title></head><body><main><h1>Tea</h1>${paragraphs}
<blockquote><h2>Quoted</h2>${paragraphs}</blockquote>
<ul><li><h2>Listed</h2><p>An entry with a heading.</p></li></ul>${paragraphs}
<p><a href="/leaves?a=1&amp;b=2"><img src="/leaf.png" alt="Leaves &amp; water"></a></p>
<h2>Last</h2>${paragraphs}</main></body></html>`

const product = await startProduct()
const site = await startSite({ '/': PAGE })
const browser = await openBrowser(chromium, product.url)
const crawls = await crawlsOf(product)
const id = await crawls.start(site.url('/'), { page_options: { only_main_content: false } })
await crawls.ended(id)

const stored = suite('a stored page on the screen')

async function open() {
  const page = await browser.newPage()
  await enter(page, OWNER)
  return { page, text: page.locator('.rendered-markdown') }
}

stored('each entry of the outline leads to its own heading, in quotations and lists too', async () => {
  const { page } = await open()
  await page.goto(pathTo('crawlDetails', { requestId: id }))
  await page.locator('.rendered-markdown').getByText('Last').waitFor()
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  const outline = dialog.getByRole('navigation', { name: 'Outline' })
  await becomes(() => outline.getByRole('button').allInnerTexts(), ['Tea', 'Quoted', 'Listed', 'Last'])
  for (const name of ['Last', 'Quoted', 'Listed', 'Tea']) {
    await outline.getByRole('button', { name }).click()
    const heading = dialog.locator('.rendered-markdown').getByRole('heading', { name, exact: true })
    await becomes(
      () =>
        heading.evaluate((element) => {
          const { top } = element.getBoundingClientRect()
          return top >= 0 && top < window.innerHeight
        }),
      true,
      name,
    )
  }
})

stored('an image within a link is one link, with the words of the image and the URL of the link', async () => {
  const { page, text } = await open()
  await page.goto(pathTo('crawlDetails', { requestId: id }))
  const link = text.getByRole('link')
  await link.first().waitFor()
  await becomes(
    () => link.evaluateAll((links) => links.map((one) => [one.textContent, one.getAttribute('href')])),
    [['Leaves & water', site.url('/leaves?a=1&b=2')]],
  )
})

stored('a page whose reader cannot be loaded says so, and can be tried again', async () => {
  const { page, text } = await open()
  await page.route('**/assets/render-markdown-*', (route) => route.abort())
  await page.goto(pathTo('crawlDetails', { requestId: id }))
  await page.getByRole('heading', { name: 'The page could not be loaded' }).waitFor()
  assert.equal(
    page.complaints.filter((complaint) => !complaint.startsWith('Failed to load resource')),
    [],
  )
  await page.unroute('**/assets/render-markdown-*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await text.getByText('Last').waitFor()
})

stored.run()
