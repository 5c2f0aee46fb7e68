import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { startProduct } from '#tests/support/product.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser } from './support.ts'
import type { OpenedPage } from './support.ts'

const app = await startProduct({}, { installed: false })
const browser = await openBrowser(chromium, app.url)

const visit = suite('first visit')

const EMAIL = 'amelie@example.org'
const PASSWORD = 'Kettle-4?'

visit('S-INS-12 S-SES-07 S-WRK-06 S-TEA-01 a first visitor gets from an empty folder to a working key', async () => {
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/')
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByLabel('I accept the license agreement').check()
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByRole('button', { name: /^Log in and start using/ }).click()

  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('Kettle-5?')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Wrong email address or password.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  await becomes(() => page.getByRole('dialog').count(), 0, 'V5: no document is published, so none is to be confirmed')
  const ownKey = await keyOf(page)

  await page.getByRole('link', { name: 'API Keys', exact: true }).first().click()
  const list = page.getByRole('table', { name: 'API keys' })
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  await page.getByLabel('Key name').fill('Nightly')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await list.getByText('Nightly', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Copy Nightly' }).click()
  await page.getByText('API key copied').waitFor()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  const crawls = () => fetch(`${app.url}/api/v1/core/crawl-requests/`, { headers: { 'x-api-key': key } })
  assert.is((await crawls()).status, 200, 'the key opens the API')
  await page.getByRole('button', { name: 'Delete Nightly' }).click()
  await page.getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('API key deleted').waitFor()
  await list.getByText('Nightly', { exact: true }).waitFor({ state: 'detached' })
  assert.is((await crawls()).status, 401, 'a revoked key opens nothing')

  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByLabel('First name').fill('Amélie')
  await page.getByLabel('Last name').fill('Kettle')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('Team name').fill('Blue Kettle')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Team: Blue Kettle' }).click()
  await page.getByRole('menuitem', { name: 'Create Team' }).click()
  await page.getByLabel('Team Name').fill('Leaf Letters')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Team: Leaf Letters' }).waitFor()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Welcome back, Amélie' }).waitFor()
  const shown = await keyOf(page)
  assert.ok(shown && shown !== ownKey, 'the keys of the other team are not seen')
  assert.equal(
    page.complaints.filter((text) => !text.includes('400 (Bad Request)')),
    [],
  )
})

/** The key that the dashboard offers, with its last four characters. */
const keyOf = (page: OpenedPage) => page.getByLabel('Key', { exact: true }).locator('option:checked').textContent()

visit.run()
