/** Lists in pages: a page that does not exist, and one that could not be loaded. */
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { suite } from '#tests/support/suite.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { openBrowser, openSignedIn, startPage } from './support.ts'
import type { OpenedPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const lists = suite('lists in pages')

/** Answers the requests of which the URL has `part` with an error. */
const refuse = (page: OpenedPage, part: string, status: number) =>
  page.route(
    (url) => url.pathname.startsWith('/api/') && url.search.includes(part),
    (route) => route.fulfill({ status, json: { code: status, errors: null, message: 'Not now.' } }),
  )

for (const [name, path] of [
  ['API keys', '/dashboard/api-keys?page=9'],
  ['proxy servers', '/dashboard/settings?page=9#proxy'],
  ['members', '/dashboard/settings?members=9'],
] as const)
  lists(`a page of ${name} that does not exist leads to the first page`, async () => {
    const page = await browser.newPage()
    await refuse(page, 'page=9', 404)
    await openSignedIn(page, path)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('button', { name: 'To the first page' }).click()
    await page.getByText(/^Showing 1 to /).waitFor()
    await becomes(() => Promise.resolve(/=9/.test(page.url())), false, 'the URL is that of the first page')
  })

lists('rows of the page before are not shown for a page that could not be loaded', async () => {
  const page = await browser.newPage()
  await page.route(
    (url) => url.pathname.endsWith('/api-keys/') && url.search.includes('page=1&'),
    async (route) => {
      const answer = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...answer, count: 25 } })
    },
  )
  await refuse(page, 'page=2&', 429)
  await openSignedIn(page, '/dashboard/api-keys')
  await page.getByRole('cell', { name: 'Default', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Failed to load API keys' }).waitFor()
  await becomes(() => page.getByRole('cell', { name: 'Default', exact: true }).count(), 0)
})

lists('the focus stays on Next from page to page, and moves to the list of pages at the last one', async () => {
  const page = await browser.newPage()
  await page.route(
    (url) => url.pathname.endsWith('/api-keys/'),
    async (route) => {
      const answer = (await (await route.fetch()).json()) as { results: object[] }
      await route.fulfill({ json: { ...answer, count: 25 } })
    },
  )
  await openSignedIn(page, '/dashboard/api-keys')
  const next = page.getByRole('button', { name: 'Next' })
  const hasFocus = () => next.evaluate((element) => element === document.activeElement)
  await next.press('Enter')
  await page.getByText('Showing 11 to 20 of 25 results').waitFor()
  await becomes(() => next.isEnabled(), true)
  assert.ok(await hasFocus())
  await page.keyboard.press('Enter')
  await page.getByText('Showing 21 to 25 of 25 results').waitFor()
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Pages')
})

lists('rows that do not match are not shown for a filter whose rows could not be loaded', async () => {
  const page = await browser.newPage()
  await refuse(page, 'status=canceled', 500)
  await openSignedIn(page, '/dashboard/logs/crawls')
  await page.getByText(/^Showing 1 to /).waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('canceled')
  await page.getByRole('heading', { name: 'The crawls could not be loaded' }).waitFor()
  await becomes(() => page.getByText(/^Showing 1 to /).count(), 0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'The crawls could not be loaded' }).waitFor({ state: 'detached' })
})

lists.run()
