import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, openSignedIn, startPage } from './support.ts'

const AT = '2026-03-04T09:12:33.481920Z'
const PROFILE = '/api/v1/user/profile/'
const OWN = 'GET /api/v1/user/profile/invitations/'
const CURRENT = 'GET /api/v1/user/teams/current/'
const TEAMS = 'GET /api/v1/user/teams/'

const team = (number: number, name: string) => ({
  uuid: `01890000-0000-7000-8000-0000000000a${number}`,
  name,
  is_default: number === 1,
  is_owner: number === 1,
  members_count: 2,
  created_at: AT,
  updated_at: AT,
})
const invitation = (number: number, name: string) => ({ uuid: `i${number}`, team: team(number, name), created_at: AT })

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const profile = suite('profile')
profile.before.each(() => {
  app.backend.requests.length = 0
  app.backend.set(OWN, { json: [] })
})

const sent = (method: string, path: string) => app.backend.requests.filter((one) => one.method === method && one.path === path)

async function open() {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard/profile')
  await page.getByLabel('First name').waitFor()
  return page
}

profile('both names can be edited, the address is read-only, and saving sends the values', async () => {
  const page = await open()
  const address = page.getByLabel('Email')
  await becomes(() => address.inputValue(), 'owner@example.org')
  await becomes(() => address.getAttribute('readonly'), '')
  await page.getByText('The address cannot be changed.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('First name is required').waitFor()
  await page.getByText('Last name is required').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('autocomplete') === 'given-name')
  assert.is(sent('PATCH', PROFILE).length, 0)

  await page.getByLabel('First name').fill('Ana')
  await page.getByLabel('Last name').fill('Ruiz')
  await page.getByRole('switch', { name: 'Newsletter' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').waitFor()
  assert.equal(JSON.parse(String(sent('PATCH', PROFILE)[0]?.body)), {
    first_name: 'Ana',
    last_name: 'Ruiz',
    newsletter_confirmed: true,
  })
})

profile('S-TEA-04 an invitation is accepted by its id, the team switcher lists the new team, and the current team stays', async () => {
  app.backend.set(OWN, { json: [invitation(7, 'Leaf Letters'), invitation(8, 'Lamprey')] })
  const page = await open()
  const cards = page.getByRole('listitem').filter({ hasText: 'Invited on Mar 4, 2026' })
  await cards.nth(1).waitFor()
  app.backend.set('POST /api/v1/user/profile/invitations/i7/accept/', (_, response) => {
    app.backend.set(OWN, { json: [invitation(8, 'Lamprey')] })
    // An older team: from now on the server uses it for requests that name none.
    app.backend.set(TEAMS, { json: [team(7, 'Leaf Letters'), team(1, 'Default')] })
    app.backend.set(CURRENT, ({ headers }, current) => {
      const asked = headers['x-team-id'] === team(1, '').uuid ? team(1, 'Default') : team(7, 'Leaf Letters')
      current.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(asked))
    })
    response.writeHead(204).end()
  })
  await page.getByRole('button', { name: 'Accept Leaf Letters' }).click()
  await page.getByText('You joined Leaf Letters.').waitFor()
  await page.getByRole('button', { name: 'Accept Leaf Letters' }).waitFor({ state: 'detached' })
  await becomes(() => page.getByRole('button', { name: 'Accept Lamprey' }).isVisible(), true, 'the other one still waits')
  await page.waitForFunction((id) => localStorage.getItem('current_team') === id, team(1, '').uuid)
  await page.getByRole('button', { name: 'Team: Default' }).click()
  await page.getByRole('menuitemradio', { name: 'Leaf Letters' }).waitFor()
  await becomes(() => page.getByText('no longer a member').count(), 0)
  app.backend.set(TEAMS, undefined)
  app.backend.set(CURRENT, undefined)
})

profile('S-TEA-04 an invitation is declined after a confirmation, and a refusal is shown with its reason', async () => {
  app.backend.set(OWN, { json: [invitation(7, 'Leaf Letters')] })
  const page = await open()
  app.backend.set('POST /api/v1/user/profile/invitations/i7/accept/', {
    status: 403,
    json: { code: 403, errors: null, message: 'This team has no free seat left.' },
  })
  await page.getByRole('button', { name: 'Accept Leaf Letters' }).click()
  await page.getByText('This team has no free seat left.').waitFor()

  await page.getByRole('button', { name: 'Decline Leaf Letters' }).click()
  const question = page.getByRole('dialog', { name: 'Decline this invitation?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.is(sent('DELETE', '/api/v1/user/profile/invitations/i7/').length, 0, 'nothing happens before one says so')
  app.backend.set('DELETE /api/v1/user/profile/invitations/i7/', (_, response) => {
    app.backend.set(OWN, { json: [] })
    response.writeHead(204).end()
  })
  await page.getByRole('button', { name: 'Decline Leaf Letters' }).click()
  await question.getByRole('button', { name: 'Decline' }).click()
  await page.getByText('Invitation declined').waitFor()
  await page.getByText('No pending invitations').waitFor()
})

profile('a new password is rated while typing, and errors of the server are shown at its field', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Please confirm your password').waitFor()
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password', { exact: true }).fill('Kettle-4?')
  await page.getByText('Very strong').waitFor()
  await page.getByLabel('Confirm new password').fill('Kettle-5?')
  await page.getByText('Passwords must match').waitFor()
  assert.is(sent('PATCH', PROFILE).length, 0)
  await page.getByLabel('Confirm new password').fill('Kettle-4?')
  app.backend.set(`PATCH ${PROFILE}`, {
    status: 400,
    json: { code: 400, errors: { current_password: ['Wrong password'] }, message: 'Invalid input data.' },
  })
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Wrong password').waitFor()
  app.backend.set(`PATCH ${PROFILE}`, {
    status: 400,
    json: { code: 400, errors: { password: ['This password is too common.'] }, message: 'Invalid input data.' },
  })
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('This password is too common.').waitFor()
  app.backend.set(`PATCH ${PROFILE}`, undefined)
})

profile('a refused sign-in after a password change leads to the login', async () => {
  const page = await open()
  await page.getByLabel('Current password').fill('Correct-Horse-7!')
  await page.getByLabel('New password', { exact: true }).fill('Kettle-4?')
  await page.getByLabel('Confirm new password').fill('Kettle-4?')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed. Please sign in with the new one.').waitFor()
  await page.getByRole('heading', { name: 'Sign in to Seine' }).waitFor()
})

profile('a profile that could not be loaded can be loaded again', async () => {
  app.backend.set(OWN, { status: 400, json: { code: 400, errors: null, message: 'Out of order.' } })
  const page = await open()
  await page.getByText('Failed to load invitations').waitFor()
  app.backend.set(OWN, { json: [] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No pending invitations').waitFor()
})

profile('the profile is accessible', async () => {
  app.backend.set(OWN, { json: [invitation(7, 'A team whose name is rather longer than most of the names that teams have')] })
  const page = await open()
  await page.getByRole('button', { name: /^Accept/ }).waitFor()
  await page.getByLabel('New password', { exact: true }).fill('Kettle')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password must be at least 8 characters').waitFor()
  await assertAccessible(page, 'profile')
  await page.getByRole('button', { name: /^Decline/ }).click()
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'declining an invitation')
})

profile('with the real product the user stays signed in after changing the password, and the old password is refused', async () => {
  const product = await startProduct()
  const visitor = await openBrowser(chromium, product.url)
  try {
    const page = await visitor.newPage()
    await openSignedIn(page, '/dashboard/profile', OWNER)
    const before = await page.evaluate(() => localStorage.getItem('refresh_token'))
    const refresh = (token: string | null) =>
      fetch(`${product.url}/api/v1/user/auth/token/refresh/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh: token }),
      })
    assert.is((await refresh(before)).status, 200)
    await page.getByLabel('Current password').fill(OWNER.password)
    await page.getByLabel('New password', { exact: true }).fill('Kettle-4?')
    await page.getByLabel('Confirm new password').fill('Kettle-4?')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed', { exact: true }).waitFor()
    assert.is((await refresh(before)).status, 401, 'sessions of before are over')
    await page.reload()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await becomes(() => page.getByLabel('Current password').inputValue(), '')
    const login = (password: string) =>
      fetch(`${product.url}/api/v1/user/auth/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: OWNER.email, password }),
      })
    assert.is((await login(OWNER.password)).status, 400)
    assert.is((await login('Kettle-4?')).status, 200)
  } finally {
    await visitor.close()
    await product.close()
  }
})

profile.run()
