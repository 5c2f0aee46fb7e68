import { chromium } from 'playwright'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, startPage } from './support.ts'

const SETTINGS = 'GET /api/v1/common/settings'
const app = await startPage({ environment: { GUIDE_URL: 'https://guide.example/start' } })
const browser = await openBrowser(chromium, app.url)

const gate = suite('settings gate')
gate.after.each(() => app.backend.set(SETTINGS, undefined))

gate('S-SET-01 a message is shown while settings load', async () => {
  const page = await browser.newPage()
  let letThrough = () => {}
  const held = new Promise<void>((go) => (letThrough = go))
  await page.route('**/api/v1/common/settings', async (route) => {
    await held
    await route.fallback()
  })
  await page.goto('/')
  await page.getByText('Loading application settings...', { exact: true }).waitFor()
  await becomes(() => page.getByLabel('Email').count(), 0)
  letThrough()
  await page.getByLabel('Email').waitFor()
  await becomes(() => page.getByText('Loading application settings...').count(), 0)
})

gate('S-SET-02 a failure names the causes, the message and the API URL, and links to the guide', async () => {
  app.backend.set(SETTINGS, { status: 500, json: { code: 500, errors: null, message: 'The database is away.' } })
  const page = await browser.newPage()
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Settings Error' }).waitFor()
  for (const cause of [/backend is not running/, /API URL is misconfigured/, /CORS/, /network/, /backend answers with errors/])
    await page.getByRole('listitem').filter({ hasText: cause }).first().waitFor()
  await becomes(() => page.getByText('The database is away.', { exact: true }).isVisible(), true)
  await becomes(() => page.getByText(app.url, { exact: true }).isVisible(), true)
  await becomes(() => page.getByRole('link', { name: 'Troubleshooting guide' }).getAttribute('href'), 'https://guide.example/start')
  await becomes(() => page.getByRole('button', { name: 'Try Again' }).isVisible(), true)
})

gate('S-SET-03 Try Again recovers once the backend answers', async () => {
  app.backend.set(SETTINGS, { status: 503, json: { code: 503, errors: null, message: 'Starting.' } })
  const page = await browser.newPage()
  await page.goto('/')
  await page.getByText('Starting.', { exact: true }).waitFor()
  app.backend.set(SETTINGS, { status: 404, json: { code: 404, errors: null, message: 'Still not.' } })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByText('Still not.', { exact: true }).waitFor()
  app.backend.set(SETTINGS, undefined)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
})

gate('the error screen is accessible', async () => {
  app.backend.set(SETTINGS, { status: 404, json: { code: 404, errors: null, message: 'Not found.' } })
  const page = await browser.newPage()
  await page.goto('/')
  await page.getByRole('heading', { name: 'Settings Error' }).waitFor()
  await assertAccessible(page, 'settings error')
})

gate.run()
