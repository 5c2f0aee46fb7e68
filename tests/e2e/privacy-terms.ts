import { chromium } from 'playwright'
import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { MOCK_ACCOUNT } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, signIn, signInByForm, startPage } from './support.ts'

const PROFILE = '/api/v1/user/profile/'
const SETTINGS = 'GET /api/v1/common/settings'
const AT = '2026-03-04T09:12:33.481920Z'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const { profile, settings } = await usualAnswers()

const texts = suite('privacy and terms')
texts.before.each(() => {
  set({})
})

texts('S-PRV-01 the dialog blocks the dashboard until it is accepted: neither Esc nor a click beside it closes it', async () => {
  set({
    settings: {
      policy_url: 'https://texts.example/privacy',
      policy_update_at: AT,
      terms_url: 'https://texts.example/terms',
      terms_update_at: '2026-02-11T12:00:00Z',
    },
  })
  const page = await browser.newPage()
  await signIn(page)
  const dialog = dialogOf(page)
  await dialog.waitFor()
  await dialog.getByText('Privacy Policy', { exact: true }).first().waitFor()
  await dialog.getByText('Last updated Mar 4, 2026').waitFor()
  await dialog.getByText('Last updated Feb 11, 2026').waitFor()
  const view = dialog.getByRole('link', { name: 'View Privacy Policy' })
  await becomes(() => view.getAttribute('href'), 'https://texts.example/privacy')
  await becomes(() => view.getAttribute('target'), '_blank')
  await becomes(() => dialog.getByRole('link').count(), 2)
  await dialog.getByText('you agree to the Privacy Policy and the Terms of Service').waitFor()
  await becomes(() => dialog.getByRole('switch').count(), 0, 'no newsletter outside enterprise mode')
  await becomes(() => dialog.getByRole('button', { name: 'Close' }).count(), 0)

  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
  await page.mouse.click(4, 4)
  // A browser closes a dialog at the second Esc in a row, whatever the page says; the page opens it again.
  await page.locator('dialog:modal').waitFor()
  for (let press = 0; press < 7; press++) {
    await page.keyboard.press('Tab')
    await becomes(
      () => page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null),
      true,
      'the focus stays inside',
    )
  }
  assert.ok(await dialog.evaluate((element) => element.matches(':modal')))
  await page.reload()
  await dialog.waitFor()
  assert.is(sent().length, 0)
  assert.equal(page.complaints, [])
})

texts('S-PRV-01 S-PRV-03 in enterprise mode there is a newsletter box, checked by default', async () => {
  set({ settings: { is_enterprise_mode_active: true } })
  const page = await browser.newPage()
  await signIn(page)
  const newsletter = dialogOf(page).getByRole('switch', { name: 'Newsletter' })
  await newsletter.waitFor()
  await becomes(() => newsletter.getAttribute('aria-checked'), 'true')
  await assertAccessible(page, 'privacy and terms')
  await newsletter.click()
  confirmedFromNow()
  await page.getByRole('button', { name: 'Accept and Continue' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  assert.equal(sent().at(-1), { privacy_confirmed: true, terms_confirmed: true, newsletter_confirmed: false })
})

texts(
  'S-PRV-02 S-PRV-03 accepting shows Confirming..., keeps the newsletter choice, and closes the dialog after the profile is loaded again',
  async () => {
    set({ profile: { newsletter_confirmed: true } })
    const page = await browser.newPage()
    await signIn(page)
    const accept = page.getByRole('button', { name: 'Accept and Continue' })
    await accept.waitFor()
    let answer = () => undefined as void
    app.backend.set(`PATCH ${PROFILE}`, (_, response) => {
      answer = () => {
        confirmedFromNow()
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(profile))
      }
    })
    const before = asked().length
    await accept.click()
    await page.getByRole('button', { name: 'Confirming...' }).waitFor()
    assert.is(asked().length, before)
    answer()
    await page.getByText('Privacy Policy and Terms of Service confirmed', { exact: true }).waitFor()
    await dialogOf(page).waitFor({ state: 'detached' })
    assert.is(asked().length, before + 1, 'the profile is read again')
    assert.equal(sent().at(-1), { privacy_confirmed: true, terms_confirmed: true, newsletter_confirmed: true })
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    await becomes(() => dialogOf(page).count(), 0)
  },
)

texts('S-PRV-02 a failure is shown, and the dialog stays open', async () => {
  const page = await browser.newPage()
  await signIn(page)
  app.backend.set(`PATCH ${PROFILE}`, { status: 500, json: { code: 500, errors: null, message: 'Out of order.' } })
  await page.getByRole('button', { name: 'Accept and Continue' }).click()
  await page.getByText('Failed to confirm Privacy Policy and Terms of Service', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Accept and Continue' }).waitFor()
  await becomes(() => dialogOf(page).isVisible(), true)
})

texts('S-PRV-01 users who confirmed before an update are asked again, users who confirmed after it are not', async () => {
  set({ profile: { privacy_confirmed_at: AT, terms_confirmed_at: AT }, settings: { terms_update_at: '2026-03-05T00:00:00Z' } })
  const page = await browser.newPage()
  await signIn(page)
  await dialogOf(page).waitFor()
  set({ profile: { privacy_confirmed_at: AT, terms_confirmed_at: AT }, settings: { terms_update_at: AT, policy_update_at: AT } })
  await page.reload()
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await becomes(() => dialogOf(page).count(), 0)
})

texts('S-PRV-01 the only other action is to log out', async () => {
  const page = await browser.newPage()
  await signIn(page)
  await dialogOf(page).getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  await becomes(() => dialogOf(page).count(), 0)
  await becomes(() => page.evaluate(() => localStorage.getItem('refresh_token')), null)
})

texts('S-PRV-01 S-PRV-02 with the real product a new owner is asked once, if a document is published', async () => {
  const product = await startProduct(
    { POLICY_URL: 'https://texts.example/privacy', TERMS_URL: 'https://texts.example/terms' },
    { confirmed: false },
  )
  const visitor = await openBrowser(chromium, product.url)
  try {
    const page = await visitor.newPage()
    await signInByForm(page, OWNER)
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    await becomes(() => dialogOf(page).count(), 0)
    assert.equal(page.complaints, [])
  } finally {
    await visitor.close()
    await product.close()
  }
})

texts('V5 a document that is not published has no row, and without documents there is no dialog', async () => {
  set({ settings: { policy_url: 'https://texts.example/privacy' } })
  const page = await browser.newPage()
  await signIn(page)
  const dialog = dialogOf(page)
  await dialog.getByRole('link', { name: 'View Privacy Policy' }).waitFor()
  await becomes(() => dialog.getByRole('listitem').count(), 1)
  await becomes(() => dialog.getByText('Terms of Service', { exact: true }).count(), 0)
  await dialog.getByText('you agree to the Privacy Policy.').waitFor()
  set({})
  await page.reload()
  await dialog.getByText('so there is nothing to read').waitFor()
  await becomes(() => dialog.getByRole('listitem').count(), 0)
  await assertAccessible(page, 'the dialog without documents')
})

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Privacy and Terms Update' })

const asked = () => app.backend.requests.filter(({ method, path }) => method === 'GET' && path === PROFILE)

function sent(): unknown[] {
  return app.backend.requests
    .filter(({ method, path }) => method === 'PATCH' && path === PROFILE)
    .map(({ body }) => JSON.parse(String(body)) as unknown)
}

/** The profile of a user who has confirmed nothing, with changes. */
function set(changes: { profile?: Record<string, unknown>; settings?: Record<string, unknown> }) {
  const unconfirmed = { ...profile, privacy_confirmed_at: null, terms_confirmed_at: null, ...changes.profile }
  app.backend.requests.length = 0
  app.backend.set(`GET ${PROFILE}`, { json: unconfirmed })
  app.backend.set(`PATCH ${PROFILE}`, undefined)
  app.backend.set(SETTINGS, { json: { ...settings, ...changes.settings } })
}

function confirmedFromNow() {
  const at = new Date().toISOString()
  app.backend.set(`GET ${PROFILE}`, { json: { ...profile, privacy_confirmed_at: at, terms_confirmed_at: at } })
}

async function usualAnswers() {
  const read = async (path: string, headers: Record<string, string> = {}) =>
    (await (await fetch(app.backend.url + path, { headers })).json()) as Record<string, unknown>
  return {
    profile: { ...(await read(PROFILE, { authorization: 'Bearer any' })), email: MOCK_ACCOUNT.email },
    settings: await read('/api/v1/common/settings'),
  }
}

texts.run()
