import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser, openSignedIn, startPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const looks = suite('how the components of all screens look')
async function open(path: string) {
  const page = await browser.newPage()
  await openSignedIn(page, path)
  return page
}

const styleOf = (element: Locator, name: 'opacity' | 'font-size') =>
  element.evaluate((shown, property) => getComputedStyle(shown).getPropertyValue(property), name)

looks('a section of options has a heading that is larger than the labels of its fields', async () => {
  const page = await open('/dashboard/crawl')
  const heading = page.getByRole('heading', { name: 'Crawler settings' })
  await becomes(() => styleOf(heading, 'font-size'), '16px')
  await becomes(() => styleOf(page.getByText('Max depth', { exact: true }).first(), 'font-size'), '13px')
})

looks('a button that is pressed shows it at once', async () => {
  const page = await open('/dashboard/crawl')
  const button = page.getByRole('button', { name: 'Start Crawling' })
  await button.hover()
  await becomes(() => styleOf(button, 'opacity'), '1')
  await page.mouse.down()
  await becomes(() => styleOf(button, 'opacity'), '0.8')
})

looks.run()
