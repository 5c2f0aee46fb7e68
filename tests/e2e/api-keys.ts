import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { PHONE, assertAccessible, openBrowser, openSignedIn, startPage, waitForCount } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const keys = suite('API keys')

async function openKeys(options = {}) {
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
  await openSignedIn(page, '/dashboard/api-keys')
  await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor()
  return page
}

keys('S-WRK-06 a key is created, shown unmasked on top, hidden, copied and revoked', async () => {
  const page = await openKeys()
  await page.getByRole('cell', { name: 'Default', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New API Key' })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('Please enter a key name', { exact: true }).waitFor()
  await becomes(() => dialog.getByLabel('Key name').evaluate((field) => field === document.activeElement), true, 'the field has the focus')
  await dialog.getByLabel('Key name').fill('Nightly')
  await page.keyboard.press('Enter')
  await page.getByText('API key created', { exact: true }).waitFor()
  const secret = `mock-${'2'.padStart(32, '0')}`
  const first = page.getByRole('row').nth(1)
  await first.getByText(secret, { exact: true }).waitFor()
  await becomes(() => first.getByText('Nightly', { exact: true }).isVisible(), true, 'it stands on top')
  await becomes(() => first.getByText('Never used').isVisible(), true)
  await waitForCount(page.getByRole('row').nth(2).getByText('mock-000••••••••00000001'), 1)

  await page.getByRole('button', { name: 'Hide Nightly' }).click()
  await first.getByText('mock-000••••••••00000002', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Copy Nightly' }).click()
  await page.getByText('API key copied', { exact: true }).waitFor()
  await becomes(() => page.evaluate(() => navigator.clipboard.readText()), secret)

  await page.getByRole('button', { name: 'Delete Nightly' }).click()
  const question = page.getByRole('dialog', { name: 'Delete “Nightly”?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.is(app.backend.requests.filter(({ method }) => method === 'DELETE').length, 0, 'nothing is deleted unasked')
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Delete Nightly')
  await page.getByRole('button', { name: 'Delete Nightly' }).click()
  await question.getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('API key deleted', { exact: true }).waitFor()
  await page.getByText('Nightly', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(page.complaints, [])
})

keys('S-WRK-06 an empty list explains keys, a list that cannot be loaded offers a retry, and failures are reported', async () => {
  app.backend.set('GET /api/v1/user/api-keys/', { json: { count: 0, next: null, previous: null, results: [] } })
  const page = await openKeys()
  await page.getByRole('heading', { name: 'No API keys found' }).waitFor()
  await assertAccessible(page, 'no keys')
  await waitForCount(page.getByRole('button', { name: 'Create New API Key' }), 1)
  app.backend.set('POST /api/v1/user/api-keys/', { status: 500, json: { code: 500, errors: null, message: 'Oops.' } })
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  await page.getByLabel('Key name').fill('Nightly')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText(/^Failed to create the API key\. \S/).waitFor()
  app.backend.set('POST /api/v1/user/api-keys/', undefined)

  app.backend.set('GET /api/v1/user/api-keys/', { status: 403, json: { code: 403, errors: null, message: 'No.' } })
  await page.reload()
  await page.getByRole('heading', { name: 'Failed to load API keys' }).waitFor()
  app.backend.set('GET /api/v1/user/api-keys/', undefined)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('cell', { name: 'Default', exact: true }).waitFor()
})

keys("S-WRK-06 a long list has the number of pages that the server's count gives", async () => {
  const entry = (number: number) => ({
    uuid: `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    name: `Key ${number}`,
    key: `mock-${String(number).padStart(32, '0')}`,
    created_at: '2026-03-04T09:12:33.481920Z',
    last_used_at: null,
  })
  app.backend.set('GET /api/v1/user/api-keys/', ({ query }, response) => {
    const size = Number(query.get('page_size') ?? 25)
    const from = (Number(query.get('page') ?? 1) - 1) * size
    const results = Array.from({ length: 12 }, (_, index) => entry(index + 1)).slice(from, from + size)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ count: 12, next: null, previous: null, results }))
  })
  const page = await openKeys()
  await page.getByText('Showing 1 to 10 of 12 results', { exact: true }).waitFor()
  await becomes(() => page.getByRole('button', { name: 'Previous' }).isDisabled(), true)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Showing 11 to 12 of 12 results', { exact: true }).waitFor()
  await page.getByText('Key 11', { exact: true }).waitFor()
  await becomes(() => page.getByRole('button', { name: 'Next' }).isDisabled(), true)
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.getByText('Key 1', { exact: true }).waitFor()
  app.backend.set('GET /api/v1/user/api-keys/', undefined)
})

keys('on a phone each row is a card, and every member can read the list', async () => {
  const page = await openKeys()
  await page.getByRole('button', { name: 'Show Default' }).click()
  const key = page.getByText(`mock-${'1'.padStart(32, '0')}`)
  await key.waitFor()
  await assertAccessible(page, 'keys')
  await page.setViewportSize(PHONE)
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0
  const name = page.getByTitle('Default', { exact: true })
  await becomes(async () => (await top(name)) < (await top(key)), true, 'the key stands under its name')
  await page
    .getByText(/^Created [A-Z][a-z]{2} /)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Delete Default' }).click()
  await assertAccessible(page, 'delete dialog')
})

keys.run()
