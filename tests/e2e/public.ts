import { chromium } from 'playwright'
import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { inviteMember } from '#contract/teams.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { startMailServer } from '#tests/support/stubs/mail-server.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser, signInByForm } from './support.ts'

const mail = await startMailServer()
const app = await startProduct({ SMTP_URL: mail.url, POLICY_URL: 'https://texts.example/privacy' })
const browser = await openBrowser(chromium, app.url)

const journey = suite('accounts with the real product and its mails')

const PASSWORD = 'Kettle-4?'
const emails = (page: Page) => page.getByLabel('Email')
const password = (page: Page) => page.getByLabel('Password', { exact: true })

/** The dashboard shows a new user the privacy dialog first. */
async function waitForGreeting(page: Page) {
  await page.waitForURL('**/dashboard')
  await page.getByRole('button', { name: 'Accept and Continue' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
}

async function fillSignUp(page: Page, email: string | null) {
  await page.getByLabel('First name').fill('Ben')
  await page.getByLabel('Last name').fill('Kettle')
  if (email !== null) await emails(page).fill(email)
  await password(page).fill(PASSWORD)
  await page.getByRole('meter', { name: 'Password strength' }).and(page.locator('[aria-valuetext="Very strong"]')).waitFor()
  await page.getByRole('button', { name: 'Create account' }).click()
}

async function trySignIn(page: Page, email: string, secret = PASSWORD) {
  await emails(page).fill(email)
  await password(page).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The link of a mail, which must point to this installation. */
async function nextLink(to: string, subject: RegExp): Promise<string> {
  const arrived = await mail.next()
  assert.equal(arrived.to, [to])
  assert.match(arrived.subject, subject)
  assert.ok(arrived.link.startsWith(`${app.url}/`), arrived.link)
  return arrived.link
}

journey(
  'S-PUB-02 S-PUB-03 a user signs up, is refused before verifying the address, requests the mail again, verifies and logs in',
  async () => {
    const page = await browser.newPage()
    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL('**/register')
    await fillSignUp(page, 'ben@example.org')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.getByText('ben@example.org').waitFor()
    const first = await nextLink('ben@example.org', /verify/i)
    await page.getByRole('link', { name: 'Return to login' }).click()

    await trySignIn(page, 'ben@example.org')
    const dialog = page.getByRole('dialog', { name: 'Email verification required' })
    await dialog.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('Verification email sent').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const second = await nextLink('ben@example.org', /verify/i)
    assert.is.not(second, first)

    await page.goto(first)
    await page.getByRole('heading', { name: 'Email not verified' }).waitFor()
    await becomes(() => page.evaluate(() => localStorage.getItem('refresh_token')), null, 'the replaced link does not sign in')
    await page.goto(second)
    await page.getByRole('heading', { name: 'Email verified' }).waitFor()
    await page.getByRole('button', { name: 'Go to Dashboard' }).click()
    await waitForGreeting(page)
    await page.goBack()
    await page.waitForFunction((used) => window.location.href !== used, second)

    const again = await browser.newPage()
    await again.goto(second)
    await again.getByRole('heading', { name: 'Email not verified' }).waitFor()
    await again.getByRole('link', { name: 'Go to sign in' }).click()
    await trySignIn(again, 'ben@example.org')
    await again.getByRole('heading', { name: 'Welcome' }).waitFor()
    assert.is(mail.mails.length, 2, 'no unrequested mail')
  },
)

journey('S-PUB-02 an address that has an account is refused at its field', async () => {
  const page = await browser.newPage()
  await page.goto('/register')
  await fillSignUp(page, OWNER.email.toUpperCase())
  await page.getByText('An account with this address exists.').waitFor()
  await becomes(() => emails(page).getAttribute('aria-invalid'), 'true')
})

journey('S-PUB-02 a forgotten password is replaced by a mailed link; then the old password and the link are refused', async () => {
  const account = { email: 'ben@example.org', password: PASSWORD }
  const elsewhere = await browser.newPage()
  await signInByForm(elsewhere, account)
  const page = await browser.newPage()
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  for (const email of ['nobody@example.org', account.email]) {
    await emails(page).fill(email)
    await page.getByRole('button', { name: 'Send reset instructions' }).click()
    await page.getByText(`If an account exists for ${email}, a mail with instructions is on its way.`).waitFor()
    if (email !== account.email) await page.getByRole('button', { name: 'Use another address' }).click()
  }
  const link = await nextLink(account.email, /reset/i)

  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('Teapot-5?')
  await page.getByLabel('Confirm new password').fill('Teapot-6?')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await page.getByText('Passwords must match').waitFor()
  await page.getByLabel('Confirm new password').fill('Teapot-5?')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await page.getByText('Password changed. Sign in with the new one.').waitFor()
  await trySignIn(page, account.email)
  await page.getByRole('alert').getByText('Wrong email address or password.').waitFor()
  await trySignIn(page, account.email, 'Teapot-5?')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()

  // The earlier session has ended: its refresh token is refused, and the user sees the sign-in screen.
  await elsewhere.evaluate(() => localStorage.setItem('access_token', 'x.e30.x'))
  await elsewhere.goto('/dashboard/profile')
  await elsewhere.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  await elsewhere.goto(link)
  await elsewhere.getByText('That link no longer works').waitFor()
  assert.is(new URL(elsewhere.url()).pathname, '/')
  await elsewhere.getByRole('link', { name: 'Ask for a new one' }).click()
  await elsewhere.waitForURL('**/forgot-password')
})

journey('S-PUB-04 an invited user opens the link, registers, and is in the team', async () => {
  const link = await invite('cleo@example.org')
  const page = await browser.newPage()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Join your team' }).waitFor()
  await becomes(() => emails(page).inputValue(), 'cleo@example.org')
  await becomes(() => emails(page).isEditable(), false, 'the address is fixed')
  await fillSignUp(page, null)
  await page.getByText('Account created. You can sign in now.').waitFor()
  await trySignIn(page, 'cleo@example.org')
  await waitForGreeting(page)
  const teams = await page.evaluate(async () => {
    const reply = await fetch('/api/v1/user/teams/', { headers: { authorization: `Bearer ${localStorage.getItem('access_token')}` } })
    return ((await reply.json()) as { is_owner: boolean }[]).map(({ is_owner }) => is_owner)
  })
  assert.ok(teams.includes(false), 'a member of a team of another user')

  const later = await browser.newPage()
  await later.goto(link)
  await later.getByText('Failed to verify invitation code').waitFor()
  await later.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
  assert.is(new URL(later.url()).pathname, '/')
  assert.is(new URL(later.url()).search, '')
})

journey('S-PUB-04 an invitation of a user with an account leads to the login', async () => {
  const link = await invite('ben@example.org')
  const page = await browser.newPage()
  await page.goto(link)
  await page.getByText('You have an account already: sign in and accept the invitation in the dashboard.').waitFor()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
})

journey('T31 no page with a token in its URL sends it to another host', async () => {
  for (const path of ['/reset-password/x', '/verify-email/x', '/register?invitation_code=x']) {
    const reply = await fetch(app.url + path, { headers: { accept: 'text/html' } })
    assert.is(reply.status, 200)
    assert.is(reply.headers.get('referrer-policy'), 'no-referrer', path)
    assert.is(reply.headers.get('cache-control'), 'no-store', path)
    assert.match(reply.headers.get('content-security-policy') ?? '', /script-src 'self'(;|$)/, 'and no script of others runs there')
  }
})

/** The owner invites by the API; returns the link of the mail. */
async function invite(email: string): Promise<string> {
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  const { access } = (await (await post(login.path, OWNER)).json()) as { access: string }
  const reply = await post(inviteMember.path, { email }, { authorization: `Bearer ${access}` })
  assert.is(reply.status, 200)
  return nextLink(email, /join|invit/i)
}

journey.run()
