// The end of a team and of an account, and how long jobs are kept: the screen says first what will be deleted, and then it is deleted.
import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createCrawl, getCrawl } from '#contract/crawls.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'
import { assertAccessible, enter, openBrowser, signIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)
const BEN = { email: 'ben@example.org', password: 'Another-Horse-8!' }

const ends = suite('the end of a team and of an account')

/** Calls the API as the page does, for the team that is chosen there. */
const send = (page: OpenedPage, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([verb, url, sent]) => {
      const team = localStorage.getItem('current_team')
      const headers = {
        authorization: `Bearer ${localStorage.getItem('access_token')}`,
        'content-type': 'application/json',
        ...(team !== null && { 'x-team-id': team }),
      }
      const reply = await fetch(url as string, {
        method: verb as string,
        headers,
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      })
      const text = await reply.text()
      return {
        status: reply.status,
        body: (text === '' ? null : JSON.parse(text)) as { uuid: string; status: string; count: number } | null,
      }
    },
    [method, path, body] as const,
  )

async function crawled(page: OpenedPage): Promise<void> {
  const { body } = await send(page, 'POST', createCrawl.path, { url: `${site.url}guide/1` })
  await until(async () => (await send(page, 'GET', getCrawl.path.replace('{id}', body!.uuid))).body?.status === 'finished')
}

async function newTeam(page: OpenedPage, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Team:/ }).click()
  await page.getByRole('menuitem', { name: 'Create Team' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Team' })
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: /create/i }).click()
  await page.getByRole('button', { name: `Team: ${name}` }).waitFor()
}

ends('retention: the screen shows what a number of days would delete before saving, and the number can be removed', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  await crawled(page)
  await page.goto('/dashboard/settings#team')
  const form = page.getByRole('radiogroup', { name: 'Ended jobs' })
  await form.getByRole('radio', { name: 'Keep' }).waitFor()
  await page.getByText('Delete when old').click()
  const days = page.getByLabel('Days after the end of a job')
  await days.fill('0')
  await page.getByText('Enter a whole number from 1 to 36500').waitFor()
  await days.fill('30')
  await page.getByText('No job is older than 30 days at the moment.').waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Jobs are deleted after 30 days').waitFor()
  await assertAccessible(page, 'retention')
  await page.reload()
  await page.getByText('No job is older than 30 days at the moment.').waitFor()
  await page.getByText('Keep', { exact: true }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Jobs are kept').waitFor()
})

ends('the owner sees what a deletion of the team removes, types its name, and then works for another team', async () => {
  const page = await browser.newPage()
  await signIn(page, OWNER)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await newTeam(page, 'Herring')
  await crawled(page)
  await page.goto('/dashboard/settings#team')
  await page.getByRole('button', { name: 'Delete team' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Herring?' })
  await dialog.getByText('1 job with 1 stored page; what still runs is canceled').waitFor()
  await dialog.getByText('1 API key: programs').waitFor()
  await assertAccessible(page, 'the end of a team')
  const act = dialog.getByRole('button', { name: 'Delete team' })
  await becomes(() => act.isDisabled(), true)
  await dialog.getByLabel("Type the team's name, Herring, to confirm").fill('herring')
  await becomes(() => act.isDisabled(), true)
  await page.keyboard.press('Enter')
  await dialog.getByLabel("Type the team's name, Herring, to confirm").fill('Herring')
  await page.keyboard.press('Enter')
  await page.getByText('The team Herring was deleted').waitFor()
  await page.getByRole('button', { name: 'Team: Default' }).waitFor()
  await page.getByRole('button', { name: /^Team:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Default' }).waitFor()
  await waitForCount(page.getByRole('menuitem', { name: /Herring/ }).or(page.getByRole('menuitemradio', { name: /Herring/ })), 0)
})

ends('the screen leaves a deleted team even where the other teams cannot be read', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  await page.goto('/dashboard')
  await newTeam(page, 'Mackerel')
  await page.goto('/dashboard/settings#team')
  await page.getByRole('button', { name: 'Delete team' }).click()
  await page.getByLabel("Type the team's name, Mackerel, to confirm").fill('Mackerel')
  await page.route('**/api/v1/user/teams/', (route) => route.abort())
  await page.keyboard.press('Enter')
  await page.getByText('The team Mackerel was deleted').waitFor()
  await page.getByRole('button', { name: 'Team: Default' }).waitFor()
  await page.waitForURL('**/dashboard')
})

ends('an account is deleted with its teams once its password is typed; its user is signed out and cannot sign in again', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  const { status } = await send(page, 'POST', '/api/v1/user/auth/register/', BEN)
  assert.ok(status < 300, String(status))
  // The administrator is told why their own account has to stay.
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByText('You are the only administrator of this installation').waitFor()
  await becomes(() => page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).isDisabled(), true)
  await page.close()

  const bens = await browser.newPage()
  await signIn(bens, BEN)
  await bens.getByRole('heading', { level: 1 }).waitFor()
  await bens.goto('/dashboard/profile')
  await bens.getByRole('button', { name: 'Delete account' }).click()
  const dialog = bens.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByText('The team \u2068Default\u2069: 0 jobs, 0 stored pages').waitFor()
  await assertAccessible(bens, 'the end of an account')
  await dialog.getByLabel('Current password').fill('wrong')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('Wrong password').waitFor()
  await dialog.getByLabel('Current password').fill(BEN.password)
  await bens.keyboard.press('Enter')
  await bens.getByText('Your account was deleted').waitFor()
  await bens.getByLabel('Email').waitFor()
  const { status: again } = await send(bens, 'POST', '/api/v1/user/auth/login/', BEN)
  assert.is(again, 400)
})

ends.run()
