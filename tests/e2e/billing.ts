import { chromium } from 'playwright'
import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { cancelSubscription, getCurrentSubscription, manageSubscription, renewSubscription } from '#contract/plans.ts'
import type { Team } from '#contract/teams.ts'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { PLANS, startEnterprise } from '#tests/support/enterprise.ts'
import { OWNER } from '#tests/support/product.ts'
import { decideCookies, newTeam, takePlan } from '#tests/support/browser/enterprise-page.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, assertAccessible, enter, openBrowser, waitForCount } from './support.ts'

const product = await startEnterprise()
const { stripe } = product
const browser = await openBrowser(chromium, product.url, { reaches: [stripe.url] })

const billing = suite('billing')

billing('S-PLN-11 the current subscription shows plan, validity, usage, limits and the next bill', async () => {
  const { page } = await teamOn('Sturgeon', PLANS.studio.uuid)
  const card = section(page, 'Subscription')
  await card.getByText('Studio', { exact: true }).waitFor()
  await card.getByText('Active', { exact: true }).waitFor()
  await card.getByText(/^Valid until \w{3} \d+, \d{4}$/).waitFor()
  await card.getByText('0 / 20,000', { exact: true }).waitFor()
  await card.getByText('0 / 1,500', { exact: true }).waitFor()
  await card.getByText('1 / 3', { exact: true }).waitFor()
  await waitForCount(card.getByRole('progressbar'), 3)
  await becomes(() => card.locator('dl > div').allInnerTexts().then(words), ['Max depth 10', 'Max concurrent crawls 4'])

  const bill = section(page, 'Billing')
  const facts = () => bill.locator('dl > div').allInnerTexts().then(words)
  await becomes(async () => (await facts()).slice(0, 3), ['Plan Studio', 'Kind Paid', 'State Active'])
  await becomesLike(async () => (await facts())[3], /^Next billing date \w{3} \d+, \d{4}$/)
  const history = page.getByRole('list', { name: 'Subscription history' }).getByRole('listitem')
  await waitForCount(history, 1)
  await becomesLike(async () => words(await history.allInnerTexts())[0], /^Studio \w{3} \d+, \d{4} – \w{3} \d+, \d{4} Active$/)
  await assertAccessible(page, 'billing on a paid plan')
  assert.equal(page.complaints, [])
})

billing('S-PLN-11 the payment method is managed on the provider’s page, which leads back to billing', async () => {
  const { page } = await teamOn('Perch', PLANS.studio.uuid)
  await page.getByRole('button', { name: 'Manage Subscription' }).click()
  await page.waitForURL(`${stripe.url}/portal/**`)
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.waitForURL('**/dashboard/settings#billing')
  await section(page, 'Subscription').getByText('Studio', { exact: true }).waitFor()
})

billing('a page that the browser kept while the provider’s page was open can be used again', async () => {
  const { page } = await teamOn('Tench', PLANS.studio.uuid)
  // After this answer the browser stays on the page, as if it had kept it.
  await page.route(`${stripe.url}/portal/**`, (route) => route.fulfill({ status: 204 }))
  const left = page.waitForResponse(`${stripe.url}/portal/**`)
  const opening = page.getByRole('button', { name: 'Opening' })
  await page.getByRole('button', { name: 'Manage Subscription' }).click()
  await left
  await waitForCount(opening, 1)
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await waitForCount(opening, 0)
  await page.getByRole('button', { name: 'Manage Subscription' }).waitFor()
})

billing('S-PLN-11 S-PLN-12 cancelling at the end of the period and renewing take effect when the provider confirms them', async () => {
  const { page } = await teamOn('Lamprey', PLANS.studio.uuid)
  await page.getByRole('button', { name: 'Cancel Next Billing' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel Next Billing' })
  await question.getByText(/^The plan stays until \w{3} \d+, \d{4} and is not billed again\./).waitFor()
  await assertAccessible(page, 'the question before cancelling')
  await page.setViewportSize(DESKTOP)
  const asked = page.waitForRequest((request) => request.method() === 'DELETE')
  await question.getByRole('button', { name: 'Cancel Next Billing' }).click()
  assert.equal((await asked).postDataJSON(), { immediately: false })
  await page.waitForURL(`${stripe.url}/portal/**`)

  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: 'Subscription Continues' }).waitFor()
  await page.goto('/dashboard/settings#billing')
  await section(page, 'Billing').getByText('Active', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Cancel Next Billing' }).click()
  await question.getByRole('button', { name: 'Cancel Next Billing' }).click()
  await page.getByRole('link', { name: 'Cancel subscription' }).click()
  await page.getByRole('heading', { name: 'Subscription Cancellation Confirmed' }).waitFor()
  await page.getByRole('main').getByRole('link').click()
  const bill = section(page, 'Billing')
  await bill.getByText(/^Cancels on \w{3} \d+, \d{4}$/).waitFor()
  await becomes(() => bill.getByText('Next billing date').count(), 0)
  await becomes(() => bill.getByRole('button', { name: 'Cancel Next Billing' }).count(), 0)

  await bill.getByRole('button', { name: 'Renew' }).click()
  await page.getByRole('dialog', { name: 'Renew the subscription' }).getByRole('button', { name: 'Renew', exact: true }).click()
  await page.getByText('The subscription continues.', { exact: true }).waitFor()
  await bill.getByText('Active', { exact: true }).waitFor()
  await bill.getByText('Next billing date').waitFor()
  await becomes(() => bill.getByRole('button', { name: 'Renew' }).count(), 0)
})

billing('S-PLN-11 cancelling immediately asks for the name of the team, and ends the plan', async () => {
  const { page } = await teamOn('Salmon', PLANS.studio.uuid)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the subscription' })
  const act = dialog.getByRole('button', { name: 'Delete', exact: true })
  await becomes(() => act.isDisabled(), true)
  const field = dialog.getByRole('textbox', { name: /Salmon/ })
  await field.fill('Trout')
  await becomes(() => act.isDisabled(), true)
  await field.press('Enter')
  await becomes(() => dialog.isVisible(), true, 'nothing is sent with another name')
  await field.fill('Salmon')
  const asked = page.waitForRequest((request) => request.method() === 'DELETE')
  await act.click()
  assert.equal((await asked).postDataJSON(), { immediately: true })
  await page.getByText('The subscription was deleted.', { exact: true }).waitFor()
  await page.getByRole('dialog', { name: 'Choose Your Plan to continue' }).waitFor()
  await page.keyboard.press('Escape')
  await section(page, 'Subscription').getByText('No active plan', { exact: true }).waitFor()
  await section(page, 'Billing').getByText('This team has no active plan', { exact: true }).waitFor()
  const history = page.getByRole('list', { name: 'Subscription history' }).getByRole('listitem')
  await history.getByText('Canceled', { exact: true }).waitFor()
  assert.is([...stripe.subscriptions.values()].at(-1)?.status, 'canceled', 'the provider bills no more')
  await assertAccessible(page, 'billing without a plan')
})

billing('S-PLN-11 the free plan has nothing to cancel and can be upgraded; a list without subscriptions says so', async () => {
  const page = await openPage()
  await page.goto('/dashboard/settings#billing')
  await page.getByRole('dialog', { name: 'Choose Your Plan to continue' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('No subscriptions found.', { exact: true }).waitFor()

  await takePlan(product, PLANS.free.uuid)
  await page.reload()
  const card = section(page, 'Subscription')
  await card.getByText('Valid forever', { exact: true }).waitFor()
  const bill = section(page, 'Billing')
  await becomes(() => bill.locator('dl > div').allInnerTexts().then(words), ['Plan Free', 'Kind Free', 'State Active'])
  await becomes(() => bill.getByRole('button').count(), 0)
  await becomes(() => card.getByRole('link', { name: 'Upgrade Plan' }).getAttribute('href'), '/dashboard/plans')
  await bill.getByRole('link', { name: 'Upgrade Plan' }).click()
  await page.waitForURL('**/dashboard/plans')
})

billing('S-PLN-11 a plan without limits has no bars, and its card is shown on the usage page too', async () => {
  const { page } = await teamOn('Whale', PLANS.fleetYearly.uuid)
  await waitForCount(section(page, 'Subscription').getByText('Unlimited', { exact: true }), 5)
  await becomes(() => section(page, 'Subscription').getByRole('progressbar').count(), 0)
  await page.goto('/dashboard/usage')
  await section(page, 'Subscription').getByText('Fleet', { exact: true }).waitFor()
})

billing('S-PLN-11 each playground shows the remaining credits and the cost of the job', async () => {
  const { page } = await teamOn('Herring', PLANS.studio.uuid)
  await page.goto('/dashboard')
  await page.getByText('20,000 of 20,000 in this period', { exact: true }).waitFor()
  await page.getByText('1,500 of 1,500 today', { exact: true }).waitFor()
  await page.goto('/dashboard/settings')
  await page.getByText('1 of 3 seats are taken').waitFor()
  await page.goto('/dashboard/sitemap')
  await page.getByText('This sitemap costs 5 credits', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'Ignore sitemap.xml' }).click()
  await page.getByText('This sitemap costs 15 credits', { exact: true }).waitFor()
})

billing('S-PLN-11 S-PLN-12 a failed payment is shown, and paid on the provider’s page', async () => {
  const { page, subscription } = await teamOn('Pike', PLANS.studio.uuid)
  await stripe.change(subscription, { status: 'past_due' })
  await page.reload()
  const offer = page.getByRole('dialog', { name: 'Choose Your Plan to continue' })
  await offer.getByText('The last payment for Studio failed').waitFor()
  await page.keyboard.press('Escape')
  await section(page, 'Billing').getByRole('button', { name: 'Update payment method' }).click()
  await page.waitForURL(`${stripe.url}/portal/**`)
  await page.getByRole('link', { name: 'Save payment method' }).click()
  await page.getByRole('heading', { name: 'Payment Method Updated' }).waitFor()
  await page.getByRole('main').getByRole('link').click()
  await section(page, 'Subscription').getByText('Active', { exact: true }).waitFor()
  await becomes(() => offer.count(), 0)
})

billing('S-PLN-11 a refused action is reported, and the dialog closes', async () => {
  const { page } = await teamOn('Eel', PLANS.studio.uuid)
  const refusal = { code: 403, errors: null, message: 'No cancellation is scheduled.' }
  for (const { path } of [manageSubscription, cancelSubscription, renewSubscription])
    await page.route(`**${path}`, (route) => route.fulfill({ status: 403, json: refusal }))
  const said = page.locator('[data-toast="error"]').getByText('No cancellation is scheduled.', { exact: true })
  await page.getByRole('button', { name: 'Manage Subscription' }).click()
  await waitForCount(said, 1)
  await page.getByRole('button', { name: 'Cancel Next Billing' }).click()
  const reloaded = page.waitForResponse(`**${getCurrentSubscription.path}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Next Billing' }).click()
  await waitForCount(said, 2)
  await reloaded
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await becomes(() => page.getByRole('button', { name: 'Manage Subscription' }).isEnabled(), true)
})

const section = (page: Page, title: string) =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })

const words = (texts: string[]) => texts.map((text) => text.replace(/\s+/g, ' ').trim())

async function openPage(team?: Team) {
  const page = await browser.newPage()
  await decideCookies(page)
  await enter(page, OWNER)
  await page.evaluate((id) => (id ? localStorage.setItem('current_team', id) : undefined), team?.uuid)
  return page
}

/** A new team on a paid plan, with the billing screen open; `subscription` is its id at the provider. */
async function teamOn(name: string, planId: string) {
  const team = await newTeam(product, name)
  await takePlan(product, planId, team.uuid)
  const subscription = [...stripe.subscriptions.keys()].at(-1) ?? ''
  const page = await openPage(team)
  await page.goto('/dashboard/settings#billing')
  await page.getByRole('tab', { name: 'Billing', selected: true }).waitFor()
  return { page, subscription, team }
}

billing.run()
