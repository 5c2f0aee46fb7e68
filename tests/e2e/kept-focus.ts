import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, drawn, openBrowser, openSignedIn, startPage } from './support.ts'
import type { OpenedPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const focus = suite('the focus after what had it was removed or disabled')

async function open(path: string) {
  const page = await browser.newPage()
  await openSignedIn(page, path)
  return page
}

/** The name of the focused control, or the text of the focused element. */
const focused = (page: OpenedPage) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

focus('after a row was deleted it is on the same control of the next row, then of the one before', async () => {
  const page = await open('/dashboard/api-keys')
  for (const name of ['Nightly', 'Notebook']) {
    await page.getByRole('button', { name: 'Create New API Key' }).press('Enter')
    await page.getByLabel('Key name').fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Delete ${name}` }).waitFor()
  }
  for (const [name, next] of [
    ['Nightly', 'Delete Default'],
    ['Default', 'Delete Notebook'],
  ] as const) {
    await page.getByRole('button', { name: `Delete ${name}` }).press('Enter')
    await page.getByRole('button', { name: 'Delete key' }).press('Enter')
    await page.getByRole('button', { name: `Delete ${name}` }).waitFor({ state: 'detached' })
    await becomes(() => focused(page), next)
  }
})

focus('after a reset it is on the line that now describes the form', async () => {
  const page = await open('/dashboard/crawl')
  await page.getByLabel('Page limit').fill('77')
  await page.getByRole('button', { name: 'Reset', exact: true }).press('Enter')
  await becomes(() => focused(page), 'By default only this page is crawled.')
  await page.keyboard.press('Tab')
  await becomes(() => focused(page), 'Spider Options')
  const line = page.getByText('By default only this page is crawled.').locator('..')
  await becomes(() => line.getAttribute('tabindex'), null, 'it takes the focus only once')
})

focus('after its button was disabled it is on the element around', async () => {
  const page = await open('/dashboard/crawl')
  const button = page.getByRole('button', { name: 'Presets' })
  await button.focus()
  await button.evaluate((element: HTMLButtonElement) => (element.disabled = true))
  await becomes(() => button.evaluate((element) => element.parentElement === document.activeElement), true)
})

focus('after a click beside all controls it is nowhere, whatever is removed later', async () => {
  const page = await open('/dashboard/crawl')
  await page.getByLabel('Page limit').fill('77')
  await page.getByRole('button', { name: 'Reset', exact: true }).focus()
  await page.mouse.click(DESKTOP.width / 2, 4)
  await page.evaluate(() => document.querySelector<HTMLElement>('button.link')?.click())
  await page.getByText('By default only this page is crawled.').waitFor()
  // A lost focus is moved with the next frame.
  await drawn(page)
  assert.is(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
})

focus.run()
