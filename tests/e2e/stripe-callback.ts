import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, drawn, openBrowser, openSignedIn, startPage } from './support.ts'

const BILLING = '/dashboard/settings#billing'

const app = await startPage()
const browser = await openBrowser(chromium, app.url)

const callback = suite('the way back from the payment provider')

const OUTCOMES: [row: string, state: string, title: string, target: string, toast: string][] = [
  ['S-CBK-01', 'payment-success', 'Subscription Activated', '/dashboard', 'New subscription activated successfully!'],
  ['S-CBK-02', 'payment-cancel', 'Subscription Process Canceled', '/dashboard/plans', 'Subscription process canceled.'],
  ['S-CBK-03', 'subscription-cancel', 'Subscription Continues', '/dashboard', 'Subscription will continue as planned.'],
  [
    'S-CBK-04',
    'subscription-cancel-success',
    'Subscription Cancellation Confirmed',
    BILLING,
    'Subscription will be deactivated at the end of the current period.',
  ],
  ['S-CBK-05', 'payment-method-update-cancel', 'Payment Method Update Canceled', BILLING, 'Payment method update canceled.'],
  ['S-CBK-06', 'payment-method-update-success', 'Payment Method Updated', BILLING, 'Payment method updated successfully!'],
]
for (const [row, state, title, target, toast] of OUTCOMES)
  callback(`${row} ${state} is "${title}", leads to ${target}, and says so in a toast`, async () => {
    const page = await browser.newPage()
    await page.goto(`/stripe-callback/?state=${state}`)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.locator('[data-toast]').getByText(toast, { exact: true }).waitFor()
    await becomes(() => page.locator('[data-toast]').count(), 1)
    const button = page.getByRole('main').getByRole('link')
    await becomes(() => button.count(), 1)
    await becomes(() => button.getAttribute('href'), target)
    if (state === 'payment-cancel') await becomes(() => button.innerText(), 'View Plans')
    const calls = app.backend.requests.filter(({ path }) => path.startsWith('/api/v1/plan/'))
    assert.equal(calls, [], 'the page asks and changes nothing')
    assert.equal(page.complaints, [])
  })

for (const query of ['?state=anything', '?state=', '', '?state=Payment-Success', '?status=payment-success'])
  callback(`S-CBK-07 "${query}" is an unknown state, without a button`, async () => {
    const page = await browser.newPage()
    await page.goto(`/stripe-callback/${query}`)
    await page.getByRole('heading', { level: 1, name: 'Unknown State', exact: true }).waitFor()
    await page.getByText('An unexpected error occurred. Please contact support.', { exact: true }).waitFor()
    await page.locator('[data-toast="error"]').getByText('Unknown callback state', { exact: true }).waitFor()
    await becomes(() => page.getByRole('main').getByRole('link').count(), 0)
    await becomes(() => page.getByRole('main').getByRole('button').count(), 0)
  })

callback('S-CBK-01 S-CBK-07 the state is read from the URL once: a later change of the URL has no effect', async () => {
  const page = await browser.newPage()
  await page.goto('/stripe-callback/?state=payment-success')
  const title = page.getByRole('heading', { level: 1, name: 'Subscription Activated' })
  await title.waitFor()
  await page.evaluate(() => history.replaceState(null, '', '/stripe-callback/?state=payment-cancel'))
  await page.evaluate(() => history.replaceState(null, '', '/stripe-callback/'))
  await drawn(page)
  await becomes(() => title.isVisible(), true)
  await becomes(() => page.locator('[data-toast]').getByText('Unknown callback state').count(), 0)
  await becomes(() => page.locator('[data-toast]').count(), 1)
})

callback('S-CBK-01 S-CBK-04 the buttons lead to the dashboard if there is a session', async () => {
  const page = await browser.newPage()
  await openSignedIn(page, '/stripe-callback/?state=subscription-cancel-success')
  await page.getByRole('main').getByRole('link').click()
  await page.waitForURL(`**${BILLING}`)
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await page.goto('/stripe-callback?state=payment-success')
  await page.getByRole('main').getByRole('link').click()
  await page.waitForURL('**/dashboard')
})

callback('S-CBK-01 S-CBK-07 the screen is accessible', async () => {
  const page = await browser.newPage()
  await page.goto('/stripe-callback/?state=payment-success')
  await page.getByRole('heading', { name: 'Subscription Activated' }).waitFor()
  await assertAccessible(page, 'a payment that went through')
  await page.goto('/stripe-callback/')
  await page.getByRole('heading', { name: 'Unknown State' }).waitFor()
  await assertAccessible(page, 'a payment that came to nothing known')
})

callback.run()
