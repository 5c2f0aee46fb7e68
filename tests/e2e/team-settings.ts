import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, openBrowser, openSignedIn, startPage, waitForCount } from './support.ts'

const AT = '2026-03-04T09:12:33.481920Z'
const team = (number: number, name: string) => ({
  uuid: `01890000-0000-7000-8000-0000000000a${number}`,
  name,
  is_default: number === 1,
  is_owner: true,
  members_count: 1,
  created_at: AT,
  updated_at: AT,
})

const member = (number: number, name: string, isOwner = false) => ({
  uuid: `01890000-0000-7000-8000-0000000000d${number}`,
  is_owner: isOwner,
  user: {
    uuid: number === 1 ? '01890000-0000-7000-8000-0000000000b1' : `01890000-0000-7000-8000-0000000000e${number}`,
    email: `${name.toLowerCase()}@example.org`,
    first_name: name,
    last_name: 'Ruiz',
    full_name: `${name} Ruiz`,
    privacy_confirmed_at: null,
    terms_confirmed_at: null,
    newsletter_confirmed: false,
  },
})
const invited = (number: number, email: string) => ({ uuid: `i${number}`, email, created_at: AT })

const app = await startPage()
const browser = await openBrowser(chromium, app.url)
const TWO = [team(1, 'Sturgeon'), team(2, 'Lamprey')]

const MEMBERS = 'GET /api/v1/user/teams/current/members/'
const INVITATIONS = 'GET /api/v1/user/teams/current/invitations/'
const INVITE = 'POST /api/v1/user/teams/current/invite/'
const paged = (results: unknown[], count = results.length) => ({ count, next: null, previous: null, results })
const sent = (method: string, path: string) => app.backend.requests.filter((one) => one.method === method && one.path === path)

const settings = suite('settings of a team')
settings.before.each(() => {
  app.backend.requests.length = 0
  app.backend.set('GET /api/v1/user/teams/', { json: TWO })
  app.backend.set('GET /api/v1/user/teams/current/', { json: TWO[0] })
  app.backend.set(MEMBERS, { json: paged([member(1, 'Ana', true), member(2, 'Ben')]) })
  app.backend.set(INVITATIONS, { json: [] })
})

async function openSettings(hash = '', viewport = DESKTOP) {
  const page = await browser.newPage({ viewport })
  await openSignedIn(page, `/dashboard/settings${hash}`)
  await page.getByRole('table', { name: 'Team members' }).waitFor()
  return page
}

settings('S-TEA-03 the name is edited in place; Esc restores the old one, Save updates the switcher', async () => {
  const page = await openSettings('#no-such-tab')
  await becomes(() => page.getByRole('tab', { name: 'Team' }).getAttribute('aria-selected'), 'true', 'an unknown hash is the team')
  await page.getByRole('button', { name: 'Rename Sturgeon' }).click()
  await page.getByLabel('Team name').fill('Salmon')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Rename Sturgeon' }).waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Rename Sturgeon')
  assert.is(sent('PATCH', '/api/v1/user/teams/current/').length, 0)

  await page.getByRole('button', { name: 'Rename Sturgeon' }).click()
  await page.getByLabel('Team name').fill('')
  app.backend.set('PATCH /api/v1/user/teams/current/', {
    status: 400,
    json: { code: 400, errors: { name: ['This field may not be blank.'] }, message: 'Invalid input data.' },
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This field may not be blank.').waitFor()
  await page.getByLabel('Team name').fill('Salmon')
  app.backend.set('PATCH /api/v1/user/teams/current/', (_, response) => {
    app.backend.set('GET /api/v1/user/teams/', { json: [team(1, 'Salmon'), TWO[1]] })
    app.backend.set('GET /api/v1/user/teams/current/', { json: team(1, 'Salmon') })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(team(1, 'Salmon')))
  })
  await page.keyboard.press('Enter')
  await page.getByText('Team name saved').waitFor()
  await page.getByRole('button', { name: 'Team: Salmon' }).waitFor()
  app.backend.set('PATCH /api/v1/user/teams/current/', undefined)
})

settings('V3 the tab in the URL is visible on a phone', async () => {
  const page = await browser.newPage({ viewport: { width: 280, height: 700 } })
  await openSignedIn(page, '/dashboard/settings#models')
  const models = page.getByRole('tab', { name: 'Models' })
  await becomes(() => models.getAttribute('aria-selected'), 'true')
  await becomes(
    () => models.evaluate((tab) => tab.getBoundingClientRect().right <= tab.parentElement!.getBoundingClientRect().right + 1),
    true,
  )
})

settings('S-TEA-03 an invitation by e-mail is listed as pending until it is withdrawn', async () => {
  const page = await openSettings()
  await page.getByText('No pending invitations').waitFor()
  const invite = page.getByRole('form', { name: 'Invite member' })
  await invite.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Email is required').waitFor()
  await invite.getByLabel('Email').fill('noor@')
  await invite.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Please enter a valid email').waitFor()
  assert.is(sent('POST', '/api/v1/user/teams/current/invite/').length, 0)

  const words = 'This person already belongs to the team.'
  app.backend.set(INVITE, { status: 400, json: { code: 400, errors: { non_field_errors: [words] }, message: words } })
  await invite.getByLabel('Email').fill('ben@example.org')
  await page.keyboard.press('Enter')
  await page.locator('[data-toast=error]').getByText(words).waitFor()
  await invite.getByText(words).waitFor()

  app.backend.set(INVITE, (_, response) => {
    app.backend.set(INVITATIONS, { json: [invited(1, 'noor@example.org')] })
    // As in the contract: 200 and no body.
    response.writeHead(200).end()
  })
  await invite.getByLabel('Email').fill(' noor@example.org ')
  await page.keyboard.press('Enter')
  await page.getByText('Invitation sent to noor@example.org').waitFor()
  assert.equal(JSON.parse(String(sent('POST', '/api/v1/user/teams/current/invite/').at(-1)?.body)), { email: 'noor@example.org' })
  await becomes(() => invite.getByLabel('Email').inputValue(), '', 'ready for the next one')
  const row = page.getByRole('table', { name: 'Pending invitations' }).getByRole('row').filter({ hasText: 'noor@example.org' })
  await row.getByText('Pending', { exact: true }).waitFor()
  await row.getByText('Mar 4, 2026').waitFor()

  await row.getByRole('button', { name: 'Withdraw the invitation of noor@example.org' }).click()
  const question = page.getByRole('dialog', { name: 'Withdraw this invitation?' })
  await question.waitFor()
  assert.is(sent('DELETE', '/api/v1/user/teams/current/invitations/i1/').length, 0, 'nothing happens before one says so')
  app.backend.set('DELETE /api/v1/user/teams/current/invitations/i1/', (_, response) => {
    app.backend.set(INVITATIONS, { json: [] })
    response.writeHead(204).end()
  })
  await question.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('Invitation withdrawn').waitFor()
  await page.getByText('No pending invitations').waitFor()
  app.backend.set(INVITE, undefined)
})

settings('on a phone, the address of an invitation has all the room beside its status', async () => {
  app.backend.set(INVITATIONS, { json: [invited(1, 'a.person.with.a.very.long.address@a-company.example.org')] })
  const page = await openSettings('', PHONE)
  const row = page.getByRole('table', { name: 'Pending invitations' }).getByRole('row').nth(1)
  const status = await row.getByRole('cell', { name: 'Pending' }).boundingBox()
  const address = await row.getByRole('cell').first().boundingBox()
  const gap = status!.x - (address!.x + address!.width)
  assert.ok(gap <= 12, `there are ${gap} px between them`)
  app.backend.set(INVITATIONS, undefined)
})

settings('S-TEA-03 members are shown page by page, and everyone but the owner can be removed', async () => {
  const first = [member(1, 'Ana', true), ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => member(number, `Number${number}`))]
  const tenth = { ...member(2, 'Tenth'), uuid: 'd10' }
  const eleventh = { ...member(2, 'Eleventh'), uuid: 'd11' }
  const list = { count: 11 }
  app.backend.set(MEMBERS, ({ query }, response) => {
    const results = query.get('page') === '2' ? [eleventh] : [...first, tenth]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(paged(results, list.count)))
  })
  const page = await openSettings()
  const table = page.getByRole('table', { name: 'Team members' })
  await waitForCount(table.getByRole('row'), 11)
  const ana = table.getByRole('row').filter({ hasText: 'Ana Ruiz' })
  await ana.getByText('ana@example.org').waitFor()
  await ana.getByText('Owner', { exact: true }).waitFor()
  await ana.getByText('You', { exact: true }).waitFor()
  await becomes(() => ana.getByRole('button').count(), 0, 'the owner cannot be removed')
  await page.getByText('Showing 1 to 10 of 11 results').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Showing 11 to 11 of 11 results').waitFor()
  const row = table.getByRole('row').filter({ hasText: 'Eleventh' })
  await row.getByText('Member', { exact: true }).waitFor()

  await row.getByRole('button', { name: 'Remove Eleventh Ruiz' }).click()
  const question = page.getByRole('dialog', { name: 'Remove Eleventh Ruiz?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.is(sent('DELETE', '/api/v1/user/teams/current/members/d11/').length, 0)
  app.backend.set('DELETE /api/v1/user/teams/current/members/d11/', (_, response) => {
    list.count = 10
    response.writeHead(204).end()
  })
  await row.getByRole('button', { name: 'Remove Eleventh Ruiz' }).click()
  await question.getByRole('button', { name: 'Remove member' }).click()
  await page.getByText('Eleventh Ruiz was removed from the team').waitFor()
  await page.getByText('Showing 1 to 10 of 10 results').waitFor()
  await table.getByText('Tenth Ruiz').waitFor()
  await becomes(() => table.getByText('Eleventh Ruiz').count(), 0)

  app.backend.set('DELETE /api/v1/user/teams/current/members/d10/', {
    status: 403,
    json: { code: 403, errors: null, message: 'The owner cannot be removed.' },
  })
  await page.getByRole('button', { name: 'Remove Tenth Ruiz' }).click()
  await page.getByRole('button', { name: 'Remove member' }).click()
  await page.locator('[data-toast=error]').getByText('The owner cannot be removed.').waitFor()
})

settings('a member leaves a team after a confirmation and switches to another; an owner cannot leave', async () => {
  const page = await openSettings()
  await page.getByText('You own this team. The owner cannot leave it.').waitFor()
  await becomes(() => page.getByRole('button', { name: 'Leave team' }).isDisabled(), true)

  const lamprey = { ...team(2, 'Lamprey'), is_owner: false }
  app.backend.set(MEMBERS, { json: paged([member(2, 'Ben', true), member(1, 'Ana')]) })
  app.backend.set('GET /api/v1/user/teams/current/', (received, response) => {
    const asked = received.headers['x-team-id'] === lamprey.uuid ? lamprey : TWO[0]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(asked))
  })
  await page.getByRole('button', { name: 'Team: Sturgeon' }).click()
  await page.getByRole('menuitemradio', { name: 'Lamprey' }).click()
  await page.getByRole('button', { name: 'Team: Lamprey' }).waitFor()
  app.backend.set(`DELETE /api/v1/user/teams/current/members/${member(1, 'Ana').uuid}/`, (_, response) => {
    app.backend.set('GET /api/v1/user/teams/', { json: [TWO[0]] })
    response.writeHead(204).end()
  })
  await page.getByRole('button', { name: 'Leave team' }).click()
  await page.getByRole('dialog', { name: 'Leave Lamprey?' }).getByRole('button', { name: 'Leave team' }).click()
  await page.getByText('You left Lamprey').waitFor()
  await page.getByRole('button', { name: 'Team: Sturgeon' }).waitFor()
  await becomes(() => page.evaluate(() => localStorage.getItem('current_team')), TWO[0]?.uuid)
})

settings('settings that could not be loaded can be loaded again', async () => {
  app.backend.set(INVITATIONS, { status: 400, json: { code: 400, errors: null, message: 'Out of order.' } })
  const page = await openSettings()
  await page.getByText('Failed to load invitations').waitFor()
  app.backend.set(INVITATIONS, { json: [] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No pending invitations').waitFor()
})

settings('the settings of a team are accessible', async () => {
  app.backend.set(INVITATIONS, { json: [invited(1, 'an-address-that-is-rather-longer@than-most-addresses.of-people.example')] })
  const page = await openSettings()
  await page.getByRole('table', { name: 'Pending invitations' }).waitFor()
  await page.getByRole('button', { name: 'Invite' }).first().click()
  await page.getByText('Email is required').waitFor()
  await assertAccessible(page, 'team settings')
  await page.getByRole('button', { name: 'Remove Ben Ruiz' }).click()
  await page.getByRole('dialog').waitFor()
  await assertAccessible(page, 'removing a member')
})

settings('V2 without mails the screen says so, and the owner copies the invitation link from the toast and from the list', async () => {
  const SETTINGS = '/api/v1/common/settings'
  const { body } = await fetch(app.backend.url + SETTINGS).then(async (reply) => ({ body: (await reply.json()) as object }))
  const LINK = 'https://seine.example.org/register/?invitation_code=FRESH'
  app.backend.set(`GET ${SETTINGS}`, { json: { ...body, is_mail_configured: false } })
  app.backend.set(INVITE, { status: 200 })
  app.backend.set(INVITATIONS, { json: [invited(7, 'cara@example.org')] })
  app.backend.set('POST /api/v1/user/teams/current/invitations/i7/link/', { json: { link: LINK } })
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const clear = () => page.evaluate(() => navigator.clipboard.writeText(''))
  await openSignedIn(page, '/dashboard/settings')
  const form = page.getByRole('form', { name: 'Invite member' })
  await form.getByLabel('Email').fill('Cara@example.org')
  await form.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('Cara@example.org is invited. This server sends no mail.').waitFor()
  await becomes(() => page.getByText(/Invitation sent/).count(), 0)
  await page.getByRole('button', { name: 'Copy invitation link', exact: true }).click()
  await page.getByText('Invitation link copied').waitFor()
  await becomes(() => copied(), LINK)

  await clear()
  await page.getByRole('button', { name: 'Copy invitation link for cara@example.org' }).click()
  await page.waitForFunction(async (link) => (await navigator.clipboard.readText()) === link, LINK)

  // A member who does not own the team is told whom to ask.
  app.backend.set('GET /api/v1/user/teams/current/', { json: { ...TWO[0], is_owner: false } })
  await page.reload()
  await page.getByText('cara@example.org', { exact: true }).waitFor()
  await becomes(() => page.getByRole('button', { name: /^Copy invitation link/ }).count(), 0)
  await form.getByLabel('Email').fill('cara@example.org')
  await form.getByRole('button', { name: 'Invite' }).click()
  await page.getByText('The owner of the team can copy the invitation link.').waitFor()
  app.backend.set(`GET ${SETTINGS}`, undefined)
})

settings.run()
