import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { startMailServer } from '#tests/support/stubs/mail-server.ts'
import { startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { openBrowser, signInByForm } from './support.ts'
import type { OpenedPage } from './support.ts'

const ANA = { email: 'ana@example.org', password: 'Kettle-4?' }
const BEN = { email: 'ben@example.org', password: 'Sieve-77!' }
const STREAM_LIMIT_MS = 30_000

const mailServer = await startMailServer()
const product = await startProduct({ POLICY_URL: 'https://texts.example/privacy', SMTP_URL: mailServer.url }, { installed: false })
const site = await startSmallSite({ held: true })
const browser = await openBrowser(chromium, product.url)

const story = suite('a story of two people', { seconds: 300 })

story(
  'S-INS-12 S-PRV-01 S-TEA-03 S-TEA-04 S-TEA-05 Ana installs and invites Ben, who joins, crawls, is removed, and is invited again',
  async () => {
    const ana = await browser.newPage()
    await install(ana)
    await acceptTexts(ana)
    await ana.goto('/dashboard/settings')
    await ana.getByRole('button', { name: /^Rename/ }).click()
    await ana.getByLabel('Team name').fill('Blue Kettle')
    await ana.getByRole('button', { name: 'Save' }).click()
    await ana.getByRole('button', { name: 'Team: Blue Kettle' }).waitFor()
    await invite(ana)

    const mail = await mailServer.next()
    assert.equal(mail.to, [BEN.email])
    assert.match(mail.subject, 'Blue Kettle')
    assert.is(new URL(mail.link).origin, product.url)

    const ben = await browser.newPage()
    await ben.goto(mail.link)
    await ben.getByLabel('First name').fill('Ben')
    await ben.getByLabel('Last name').fill('Ruiz')
    const address = ben.getByLabel('Email')
    await becomes(() => address.inputValue(), BEN.email)
    await becomes(() => address.getAttribute('readonly'), '')
    await ben.getByLabel('Password', { exact: true }).fill(BEN.password)
    await ben.getByRole('button', { name: 'Create account' }).click()
    await ben.getByText('Account created. You can sign in now.').waitFor()
    await signInByForm(ben, BEN)
    await acceptTexts(ben)
    await ben.getByRole('button', { name: 'Team: Blue Kettle' }).waitFor()
    assert.is((await fetch(`${product.url}/api/v1/user/auth/invitation/${codeOf(mail.link)}/`)).status, 404, 'the link works once')

    await ben.goto('/dashboard/crawl')
    await ben.getByLabel('URL to crawl').fill(site.url)
    await ben.getByLabel('Max depth').fill('2')
    await ben.getByLabel('Page limit').fill('50')
    await ben.getByRole('button', { name: 'Start Crawling' }).click()
    await ben.getByRole('list', { name: 'Pages' }).getByRole('listitem').filter({ hasText: 'Guide 3' }).waitFor()

    await ana.goto('/dashboard/logs/crawls')
    await ana.getByRole('table').getByText('Running').waitFor()
    const run = await firstRunOf(ana)
    const { access, teamId } = await tokensOf(ben)
    const headers = { authorization: `Bearer ${access}`, 'x-team-id': teamId }
    const status = await fetch(`${product.url}/api/v1/core/crawl-requests/${run}/status/`, { headers })
    assert.is(status.status, 200)
    const stream = { hasEnded: false }
    const streamEnd = endOf(status).then(() => (stream.hasEnded = true))

    await ana.goto('/dashboard/settings')
    await ana.getByRole('button', { name: 'Remove Ben Ruiz' }).click()
    await ana.getByRole('button', { name: 'Remove member' }).click()
    await ana.getByText('Ben Ruiz was removed from the team').waitFor()
    const removedAt = performance.now()
    assert.not(stream.hasEnded, 'the run goes on')

    const answer = await fetch(`${product.url}/api/v1/core/crawl-requests/${run}/`, { headers })
    assert.is(answer.status, 404, 'the next request no longer reaches the run')
    const current = (await (await fetch(`${product.url}/api/v1/user/teams/current/`, { headers })).json()) as { name: string; uuid: string }
    assert.equal([current.name, current.uuid === teamId], ['Default', false], 'and is answered for a team of his own')
    await streamEnd
    const tookMs = performance.now() - removedAt
    assert.ok(tookMs < STREAM_LIMIT_MS, `the stream ended after ${Math.round(tookMs)} ms`)

    await ben.reload()
    await ben.getByRole('button', { name: 'Team: Default' }).waitFor()
    await ben.goto('/dashboard/logs/crawls')
    await ben.getByText('No crawl requests yet').waitFor()

    site.release()
    await ana.goto(`/dashboard/logs/crawls/${run}`)
    await ana.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()

    // Invited again, he has an account already and answers in the dashboard.
    await ana.goto('/dashboard/settings')
    await invite(ana)
    assert.equal((await mailServer.next()).to, [BEN.email])
    await ben.goto('/dashboard/profile')
    await ben.getByRole('button', { name: 'Accept Blue Kettle' }).click()
    await ben.getByText('You joined Blue Kettle.').waitFor()
    await ben.getByRole('button', { name: 'Team: Default' }).click()
    await ben.getByRole('menuitemradio', { name: 'Blue Kettle' }).click()
    await ben.getByRole('button', { name: 'Team: Blue Kettle' }).waitFor()
    await ben.goto('/dashboard/logs/crawls')
    await ben.getByRole('table').getByText('Finished').waitFor()
    assert.equal(ana.complaints, [])
  },
)

async function install(page: OpenedPage) {
  await page.goto('/')
  await page.getByLabel('Email').fill(ANA.email)
  await page.getByLabel('Password', { exact: true }).fill(ANA.password)
  await page.getByLabel('Confirm password').fill(ANA.password)
  await page.getByLabel('I accept the license agreement').check()
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByRole('button', { name: /^Log in and start using/ }).click()
  await signInByForm(page, ANA)
}

async function acceptTexts(page: OpenedPage) {
  await page.getByRole('button', { name: 'Accept and Continue' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function invite(page: OpenedPage) {
  const form = page.getByRole('form', { name: 'Invite member' })
  await form.getByLabel('Email').fill(BEN.email)
  await form.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('table', { name: 'Pending invitations' }).getByText(BEN.email).waitFor()
}

const codeOf = (link: string) => new URL(link).searchParams.get('invitation_code') ?? ''

async function tokensOf(page: OpenedPage) {
  const access = await page.evaluate(() => localStorage.getItem('access_token') ?? '')
  const headers = { authorization: `Bearer ${access}` }
  const { uuid } = (await (await fetch(`${product.url}/api/v1/user/teams/current/`, { headers })).json()) as { uuid: string }
  return { access, teamId: uuid }
}

async function firstRunOf(page: OpenedPage): Promise<string> {
  const { access, teamId } = await tokensOf(page)
  const headers = { authorization: `Bearer ${access}`, 'x-team-id': teamId }
  const list = (await (await fetch(`${product.url}/api/v1/core/crawl-requests/`, { headers })).json()) as { results: { uuid: string }[] }
  return list.results[0]?.uuid ?? ''
}

/** Resolves when the server has closed the stream. */
async function endOf(response: Response): Promise<void> {
  for await (const _ of response.body ?? []) continue
}

story.run()
