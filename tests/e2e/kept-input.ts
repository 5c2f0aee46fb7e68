import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { startLiveCrawl } from '#tests/support/browser/live-crawl.ts'
import { MOCK_ACCOUNT } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser, openSignedIn, signInByForm, startPage } from './support.ts'
import type { OpenedPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const input = suite('input that was not sent')

const link = (page: OpenedPage, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true }).click()
const url = (page: OpenedPage) => page.getByLabel('URL to crawl')
const filled = async (page: OpenedPage) =>
  [await url(page).inputValue(), await page.getByLabel('Page limit').inputValue(), await page.getByText('/legal/*').count()].join(' ')
const FILLED = 'https://shop.example/ 77 1'

async function fill(page: OpenedPage) {
  await url(page).fill('https://shop.example/')
  await page.getByLabel('Page limit').fill('77')
  await page.getByLabel('Exclude paths', { exact: true }).fill('/legal/*')
  await page.keyboard.press('Enter')
  await becomes(() => filled(page), FILLED)
}

/** On the page that asks for it, without loading it again. */
async function signInAgain(page: OpenedPage) {
  await page.getByLabel('Email').fill(MOCK_ACCOUNT.email)
  await page.getByLabel('Password', { exact: true }).fill(MOCK_ACCOUNT.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

input('a crawl that was filled in and not started is there again: by Back, by the sidebar, and after a reload', async () => {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard/crawl')
  await fill(page)
  await page.getByRole('link', { name: 'Proxy settings' }).first().click()
  await page.waitForURL('**/settings#proxy')
  await page.goBack()
  await becomes(() => filled(page), FILLED)
  await link(page, 'Usage')
  await page.waitForURL('**/usage')
  await link(page, 'Crawl')
  await becomes(() => filled(page), FILLED)
  await page.reload()
  await becomes(() => filled(page), FILLED)
  assert.equal(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('draft'))), [])

  const crawl = startLiveCrawl(app.backend)
  await page.getByRole('button', { name: 'Start Crawling' }).first().click()
  await page.waitForURL('**/crawl?run=*')
  crawl.finish()
  await link(page, 'Crawl')
  await becomes(() => url(page).inputValue(), '', 'what was started is not offered again')
})

input('after the session has expired and the user has signed in again, the form is there again', async () => {
  const page = await browser.newPage()
  await signInByForm(page)
  await link(page, 'Crawl')
  await fill(page)
  const refused = { status: 401, json: { code: 401, errors: null, message: 'Token is invalid or expired' } }
  app.backend.set('POST /api/v1/core/crawl-requests', refused)
  app.backend.set('POST /api/v1/user/auth/token/refresh', refused)
  await page.getByRole('button', { name: 'Start Crawling' }).first().click()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  app.backend.set('POST /api/v1/core/crawl-requests', undefined)
  app.backend.set('POST /api/v1/user/auth/token/refresh', undefined)
  await signInAgain(page)
  await page.waitForURL('**/dashboard/crawl')
  await becomes(() => filled(page), FILLED)
})

input('after the user has logged out, the page and its storage have no input', async () => {
  const page = await browser.newPage()
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('draft')))
  const logOut = async () => {
    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('combobox').fill('log out')
    await page.getByRole('dialog').getByRole('option', { name: 'Log out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  }
  await signInByForm(page)
  await link(page, 'Crawl')
  await fill(page)
  await page.goto(`${app.url}/dashboard/usage`)
  await link(page, 'Sitemap')
  assert.is((await drafts()).length, 1)
  await logOut()
  assert.equal(await drafts(), [])

  await signInByForm(page)
  await link(page, 'Crawl')
  await fill(page)
  await logOut()
  await signInAgain(page)
  await page.waitForURL('**/dashboard')
  await link(page, 'Crawl')
  await becomes(() => url(page).inputValue(), '')
})

input('a dialog in which something was typed stays open when the user clicks beside it', async () => {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard/api-keys')
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New API Key' })
  await page.mouse.click(5, 5)
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Create New API Key' }).click()
  await dialog.getByLabel('Key name').fill('Nightly')
  await page.mouse.click(5, 5)
  await becomes(() => dialog.getByLabel('Key name').inputValue(), 'Nightly')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

input.run()
