import { chromium } from 'playwright'
import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import type { Settings } from '#contract/settings.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { MOCK_ACCOUNT } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, startPage } from './support.ts'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)
const usual = (await (await fetch(`${app.url}/api/v1/common/settings`)).json()) as Settings
const set = (changes: Partial<Settings>) => app.backend.set('GET /api/v1/common/settings', { json: { ...usual, ...changes } })
set({ is_signup_active: true })

const screens = suite('screens before signing in')

const AUTH = '/api/v1/user/auth'
const refusal = (status: number, message: string, errors: unknown = null) => ({ status, json: { code: status, errors, message } })
const sent = (path: string) =>
  app.backend.requests
    .filter((one) => one.path === `${AUTH}/${path}` && one.method === 'POST')
    .map(({ body }) => JSON.parse(String(body)) as unknown)
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function open(path: string, title: string) {
  const page = await browser.newPage()
  await page.goto(path)
  await heading(page, title).waitFor()
  return page
}

async function fillSignUp(page: Page) {
  await page.getByLabel('First name').fill(' Ben ')
  await page.getByLabel('Last name').fill('Kettle')
  if (await page.getByLabel('Email').isEditable()) await page.getByLabel('Email').fill('ben@example.org')
  await page.getByLabel('Password', { exact: true }).fill('Kettle-4?')
}

const EACH = [
  ['/', 'Sign in to Seine', 'Sign in · Seine'],
  ['/register', 'Create an account', 'Create an account · Seine'],
  ['/forgot-password', 'Forgot your password?', 'Forgot your password? · Seine'],
  ['/reset-password/good', 'Set a new password', 'Set a new password · Seine'],
  ['/verify-email/good', 'Email verified', 'Verify your email · Seine'],
] as const

for (const [path, name, title] of EACH)
  screens(`S-PUB-01 ${path} has logo, product name and theme toggle, and is accessible`, async () => {
    const page = await open(path, name)
    assert.is(await page.title(), title)
    const home = page.getByRole('banner').getByRole('link', { name: 'Seine' })
    await becomes(() => home.getAttribute('href'), '/')
    await becomes(() => home.locator('svg').count(), 1, 'the mark')
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
    const before = await theme()
    await page.getByRole('banner').getByRole('button').click()
    await page.waitForFunction((old) => document.documentElement.dataset['theme'] !== old, before)
    await page.evaluate(() => localStorage.removeItem('theme'))
    await page.reload()
    await heading(page, path.startsWith('/verify') ? 'Email verified' : name).waitFor()
    await assertAccessible(page, path)
    assert.equal(page.complaints, [])
  })

screens('a form shows errors at their fields, and focuses the first wrong field', async () => {
  const page = await open('/register', 'Create an account')
  await page.getByRole('button', { name: 'Create account' }).click()
  for (const words of ['First name is required', 'Last name is required', 'Email is required', 'Password is required'])
    await page.getByText(words, { exact: true }).waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'first_name')
  await page.getByLabel('Password', { exact: true }).fill('kettle-4')
  await page.getByText('Password must contain at least one uppercase letter').waitFor()
  await page.getByRole('meter').and(page.locator('[aria-valuenow="3"]')).waitFor()
  await assertAccessible(page, 'sign-up with errors')
  assert.equal(sent('register/'), [], 'nothing was sent')
})

screens('sign-up sends the input, and names the address that gets the mail', async () => {
  const page = await open('/register', 'Create an account')
  await fillSignUp(page)
  await page.keyboard.press('Enter')
  await heading(page, 'Check your email').waitFor()
  assert.equal(sent('register/'), [{ email: 'ben@example.org', password: 'Kettle-4?', first_name: 'Ben', last_name: 'Kettle' }])
  await becomes(() => page.evaluate(() => document.activeElement?.tagName), 'H1', 'a screen reader is told')
  await assertAccessible(page, 'check your email')
  app.backend.set(`POST ${AUTH}/resend-verify-email/`, {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '120' },
    body: '{"code":429,"errors":null,"message":"Too many."}',
  })
  await page.getByRole('button', { name: 'Resend the mail' }).click()
  await page.getByRole('alert').getByText('Too many attempts. Please wait 2 minutes.').waitFor()
  app.backend.set(`POST ${AUTH}/resend-verify-email/`, undefined)
  await page.getByRole('button', { name: 'Resend the mail' }).click()
  await page.getByText('Verification email sent').waitFor()
  assert.equal(sent('resend-verify-email/'), [{ email: 'ben@example.org' }, { email: 'ben@example.org' }])
})

screens('without mails sign-up leads straight to the login', async () => {
  app.backend.set(`POST ${AUTH}/register/`, {
    status: 201,
    json: { email: 'b@x.org', first_name: '', last_name: '', email_verified: true },
  })
  const page = await open('/register', 'Create an account')
  await fillSignUp(page)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Account created. You can sign in now.').waitFor()
  await heading(page, 'Sign in to Seine').waitFor()
  app.backend.set(`POST ${AUTH}/register/`, undefined)
})

screens('errors of the server are shown at their fields, or on top of the form', async () => {
  const page = await open('/register', 'Create an account')
  await fillSignUp(page)
  const refuse = async (status: number, message: string, errors: unknown) => {
    app.backend.set(`POST ${AUTH}/register/`, refusal(status, message, errors))
    await page.getByRole('button', { name: 'Create account' }).click()
  }
  await refuse(400, 'Invalid input data.', { password: ['This password is too common.'] })
  await page.getByText('This password is too common.').waitFor()
  await becomes(() => page.getByRole('alert').count(), 0)
  await refuse(400, 'Not about a field.', { non_field_errors: ['Not about a field.'] })
  await page.getByRole('alert').getByText('Not about a field.').waitFor()
  await refuse(500, 'at line 7 of secrets.js', null)
  await page.getByRole('alert').getByText('An error occurred during sign-up. Please try again.').waitFor()
  app.backend.set(`POST ${AUTH}/register/`, undefined)
})

screens('S-PUB-04 an invitation fixes the address, also while sign-up is switched off', async () => {
  set({ is_signup_active: false })
  const page = await open('/register/?invitation_code=good', 'Join your team')
  const email = page.getByLabel('Email')
  await becomes(() => email.inputValue(), 'invited@example.org')
  await becomes(() => email.isEditable(), false)
  await assertAccessible(page, 'invitation')
  await fillSignUp(page)
  app.backend.set(`POST ${AUTH}/invitation/good/`, refusal(400, 'The invitation was sent to another address.', []))
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').getByText('The invitation was sent to another address.').waitFor()
  app.backend.set(`POST ${AUTH}/invitation/good/`, undefined)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Account created. You can sign in now.').waitFor()
  set({ is_signup_active: true })
})

screens('a failed lookup of an invitation can be retried', async () => {
  app.backend.set(`GET ${AUTH}/invitation/good/`, refusal(503, 'Down.'))
  const page = await open('/register?invitation_code=good', 'Your invitation')
  await page.getByText('The invitation could not be looked up').waitFor()
  await assertAccessible(page, 'invitation that cannot be looked up')
  app.backend.set(`GET ${AUTH}/invitation/good/`, undefined)
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'Join your team').waitFor()
})

screens('S-PUB-03 a login with an unverified address offers to send the mail again, any other login does not', async () => {
  const page = await open('/', 'Sign in to Seine')
  const dialog = page.getByRole('dialog', { name: 'Email verification required' })
  const attempt = async (answer: ReturnType<typeof refusal>) => {
    app.backend.set(`POST ${AUTH}/login/`, answer)
    await page.getByLabel('Email').fill(` ${MOCK_ACCOUNT.email}`)
    await page.getByLabel('Password', { exact: true }).fill('x')
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await attempt(refusal(403, 'You do not have permission to perform this action.'))
  await page.getByRole('alert').getByText('Signing in with a password is switched off.').waitFor()
  await becomes(() => dialog.count(), 0)

  await attempt(refusal(403, 'Please verify your email address first.'))
  await dialog.getByText(MOCK_ACCOUNT.email).waitFor()
  await assertAccessible(page, 'resend dialog')
  const before = sent('resend-verify-email/').length
  app.backend.set(`POST ${AUTH}/resend-verify-email/`, refusal(500, 'x'))
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await dialog.getByRole('alert').getByText('The mail could not be sent. Please try again.').waitFor()
  app.backend.set(`POST ${AUTH}/resend-verify-email/`, undefined)
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('Verification email sent').waitFor()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(sent('resend-verify-email/').slice(before), [{ email: MOCK_ACCOUNT.email }, { email: MOCK_ACCOUNT.email }])

  await attempt(refusal(403, 'Please verify your email address first.'))
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  app.backend.set(`POST ${AUTH}/login/`, undefined)
})

screens('the link to set a new password is checked before the user types', async () => {
  const page = await open('/reset-password/unknown', 'Sign in to Seine')
  await page.getByText('That link no longer works').waitFor()
  await assertAccessible(page, 'login after a dead link')
  app.backend.set(`GET ${AUTH}/reset-password/good/`, refusal(502, 'x'))
  await page.goto('/reset-password/good')
  await page.getByText('The link could not be checked').waitFor()
  app.backend.set(`GET ${AUTH}/reset-password/good/`, undefined)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('New password', { exact: true }).fill('Kettle-4?')
  await page.getByLabel('Confirm new password').fill('Kettle-4?')
  app.backend.set(`POST ${AUTH}/reset-password/good/`, refusal(404, 'Not found.'))
  await page.getByRole('button', { name: 'Set new password' }).click()
  await page.getByText('That link no longer works').waitFor()
  app.backend.set(`POST ${AUTH}/reset-password/good/`, undefined)
})

screens('an invalid verification link is reported, and its token is sent once', async () => {
  const page = await open('/verify-email/unknown', 'Email not verified')
  await assertAccessible(page, 'email not verified')
  const asked = () => app.backend.requests.filter(({ path }) => path === `${AUTH}/verify-email/once/`).length
  app.backend.set(`GET ${AUTH}/verify-email/once/`, refusal(503, 'x'))
  await page.goto('/verify-email/once')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  assert.is(asked(), 1)
  app.backend.set(`GET ${AUTH}/verify-email/once/`, { json: { access: 'x.e30.x', refresh: 'x.e30.x' } })
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'Email verified').waitFor()
  assert.is(asked(), 2)
})

screens('if sign-in with a password is off, no form asks for a password', async () => {
  set({ is_login_active: false })
  const page = await open('/', 'Sign in to Seine')
  await page.getByText('Signing in with a password is switched off').waitFor()
  await becomes(() => page.getByLabel('Email').count(), 0)
  await assertAccessible(page, 'login switched off')
  set({ is_signup_active: true })
})

screens.run()
