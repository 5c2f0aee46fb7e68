import { chromium } from 'playwright'
import type { Locator, Page } from 'playwright'
import * as assert from 'uvu/assert'
import { getProfile } from '#contract/accounts.ts'
import { getCurrentSubscription, listPlans, startSubscription } from '#contract/plans.ts'
import type { Plan } from '#contract/plans.ts'
import { getSettings } from '#contract/settings.ts'
import { becomes, becomesLike } from '#tests/support/browser/becomes.ts'
import { PLANS, startEnterprise } from '#tests/support/enterprise.ts'
import { OWNER } from '#tests/support/product.ts'
import { decideCookies, defaultTeam, newTeam, takePlan } from '#tests/support/browser/enterprise-page.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, assertAccessible, enter, openBrowser, openSignedIn, startPage, waitForCount } from './support.ts'

const product = await startEnterprise({ ENTERPRISE_CONTACT: 'sales@example.org' })
const browser = await openBrowser(chromium, product.url, { reaches: [product.stripe.url] })
const shoal = await newTeam(product, 'Shoal')

const plans = suite('plans')

plans('S-PLN-01 outside enterprise mode there are no plans: the page is the 404 page, and no subscription is requested', async () => {
  const plain = await startPage()
  const visitor = await openBrowser(chromium, plain.url)
  try {
    const page = await visitor.newPage()
    await openSignedIn(page, '/dashboard/usage')
    await page.getByText('Total crawl requests').waitFor()
    await page.goto('/dashboard/settings#billing')
    await page.getByRole('tab', { name: 'Team' }).waitFor()
    await becomes(() => page.getByRole('tab', { name: 'Billing' }).count(), 0)
    await page.goto('/dashboard/plans')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor()
    await becomes(() => page.getByRole('region', { name: 'Cookies' }).count(), 0)
    assert.equal(
      plain.backend.requests.filter(({ path }) => path.startsWith('/api/v1/plan/')),
      [],
    )
  } finally {
    await visitor.close()
    await plain.close()
  }
})

plans('S-PLN-06 S-PLN-10 plans are offered over the dashboard to a team without one, without the Enterprise block', async () => {
  const page = await openPage()
  await page.goto('/dashboard')
  const dialog = chooserOf(page)
  await dialog.waitFor()
  await waitForCount(dialog.getByRole('article'), 3)
  await becomes(() => dialog.getByText('Enterprise').count(), 0)
  await assertAccessible(page, 'the offer of plans')
  await page.setViewportSize(DESKTOP)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Usage' }).click()
  await page.getByText('No active plan', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Choose a Plan' }).click()
  await page.getByRole('heading', { name: 'Find your plan' }).waitFor()
  await becomes(() => dialog.count(), 0, 'put off is put off while one goes on')
  await page.reload()
  await dialog.waitFor()
})

plans(
  'S-PLN-06 S-PRV-01 S-PLN-01 plans are offered only after privacy policy and terms are confirmed, and only in enterprise mode',
  async () => {
    const page = await openPage()
    await page.route(`**${getProfile.path}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), privacy_confirmed_at: null } })
    })
    const asked = page.waitForResponse(`**${getCurrentSubscription.path}`)
    await page.goto('/dashboard')
    const privacy = page.getByRole('dialog', { name: 'Privacy and Terms Update' })
    await privacy.waitFor()
    assert.is((await asked).status(), 403, 'two of the three conditions hold')
    await privacy.getByRole('switch', { name: 'Newsletter' }).waitFor()
    await becomes(() => chooserOf(page).count(), 0)
    await page.unroute(`**${getProfile.path}`)
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    await chooserOf(page).waitFor()
    await becomes(() => privacy.count(), 0)

    await page.route(`**${getSettings.path}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), is_enterprise_mode_active: false } })
    })
    await page.reload()
    await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
    await page.waitForLoadState('networkidle')
    await becomes(() => chooserOf(page).count(), 0)
  },
)

plans('S-PLN-02 a card shows name, description, price per month, the price before, the billing and the features', async () => {
  const page = await plansPage()
  const studio = card(page, 'Studio')
  await studio.getByRole('heading', { name: 'Studio' }).waitFor()
  await studio.getByText(PLANS.studio.description, { exact: true }).waitFor()
  await studio.getByText('€40.83', { exact: true }).waitFor()
  await becomes(() => studio.locator('s').innerText(), '€49.00', '588.00 by the year, crossed out')
  await becomes(() => studio.locator('s').evaluate((element) => getComputedStyle(element).textDecorationLine), 'line-through')
  await studio.getByText('billed yearly', { exact: true }).waitFor()
  await becomes(
    () => studio.locator('li').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-mark'))),
    ['check', 'check', 'info', 'neutral'],
  )
  await becomes(
    () =>
      card(page, 'Free')
        .locator('li')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-mark'))),
    ['check', 'cross'],
  )
  await becomes(() => studio.locator('li svg').count(), 5, 'an icon each, and one question mark')
  const help = studio.getByRole('tooltip', { includeHidden: true })
  await becomes(() => help.isHidden(), true)
  await studio.getByRole('button', { name: 'About Premium proxies' }).hover()
  await help.waitFor()
  await becomesLike(() => help.innerText(), /only paid plans may use/)

  await page.getByRole('radio', { name: 'Monthly' }).check()
  await studio.getByText('€49.00', { exact: true }).waitFor()
  await becomes(() => studio.locator('s').count(), 0)
  await becomes(() => studio.getByText('billed yearly').count(), 0)
  await becomes(() => card(page, 'Free').getByText('€0.00', { exact: true }).count(), 1)
  await assertAccessible(page, 'the plans')
})

plans('S-PLN-03 the toggle starts at yearly, the free plan is in every group, and a single group has no toggle', async () => {
  const page = await plansPage()
  const toggle = page.getByRole('radiogroup', { name: 'Billing period' })
  await becomes(() => toggle.getByRole('radio', { name: 'Yearly' }).isChecked(), true)
  await becomes(() => namesOf(page), ['Free', 'Studio', 'Fleet'])
  await toggle.getByRole('radio', { name: 'Monthly' }).check()
  await becomes(() => namesOf(page), ['Free', 'Studio', 'Fleet'])
  await card(page, 'Fleet').getByText('€199.00', { exact: true }).waitFor()

  await page.route(`**${listPlans.path}`, async (route) => {
    const response = await route.fetch()
    const all = (await response.json()) as Plan[]
    await route.fulfill({ response, json: all.filter((plan) => plan.is_default || plan.group === 'yearly') })
  })
  await page.reload()
  await dismiss(page)
  await waitForCount(page.getByRole('main').getByRole('article'), 3)
  await becomes(() => toggle.count(), 0)
})

plans('no plan can be chosen until it is known which one the team has', async () => {
  const page = await plansPage()
  let answer = () => {}
  const held = new Promise<void>((done) => (answer = done))
  await page.route(`**${getCurrentSubscription.path}`, async (route) => {
    await held
    await route.fallback()
  })
  const plansLoaded = page.waitForResponse((response) => response.url().endsWith(listPlans.path))
  await page.reload()
  await (await plansLoaded).finished()
  await page.getByRole('status', { name: 'Loading the plans' }).waitFor()
  await becomes(() => page.getByRole('main').getByRole('article').count(), 0)
  answer()
  await card(page, 'Free').waitFor()

  await page.unroute(`**${getCurrentSubscription.path}`)
  await page.route(`**${getCurrentSubscription.path}`, (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
  await page.getByRole('main').getByRole('heading', { name: 'The subscription could not be loaded' }).waitFor()
  await becomes(() => page.getByRole('main').getByRole('article').count(), 0)
  await page.unroute(`**${getCurrentSubscription.path}`)
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await card(page, 'Free').waitFor()
})

plans('S-PLN-04 a label is the badge, an empty one reads "Most popular", and without a label there is none', async () => {
  const page = await plansPage()
  await card(page, 'Studio').getByText('Two months free', { exact: true }).waitFor()
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await card(page, 'Studio').getByText('Most popular', { exact: true }).waitFor()
  await waitForCount(page.getByText('Most popular'), 1)
  await becomes(() => page.getByText('Two months free').count(), 0)
})

plans('S-PLN-05 the Enterprise block has its six items and a mail link', async () => {
  const page = await plansPage()
  const block = page.getByRole('region', { name: 'Enterprise' })
  await becomes(
    () => block.getByRole('listitem').allInnerTexts(),
    [
      'Unlimited team members',
      'Unlimited pages credit',
      'Custom crawling rules',
      'Priority support',
      'Custom integrations',
      'Dedicated account manager',
    ],
  )
  await block.getByText('Contact us', { exact: true }).waitFor()
  await becomes(() => block.getByRole('link', { name: 'Get in touch' }).getAttribute('href'), 'mailto:sales@example.org')
})

plans('S-PLN-07 in a team that is not the default one the free plan is dimmed and covered by a notice', async () => {
  const page = await openPage(shoal.uuid)
  await page.goto('/dashboard/plans')
  await chooserOf(page).waitFor()
  for (const place of [chooserOf(page), page.getByRole('main')]) {
    const free = place.getByRole('article', { name: 'Free' })
    const notice = free.getByRole('note')
    await notice.getByText('Team Restriction', { exact: true }).waitFor()
    await notice
      .getByText('The Free plan is only available for default teams. Please switch to your default team to activate this plan.', {
        exact: true,
      })
      .waitFor()
    await notice.getByText('You can change your team in the navigation menu.', { exact: true }).waitFor()
    await becomes(() => free.getByRole('button').count(), 0, 'nothing to press')
    const dimmed = free.locator('[aria-disabled="true"]')
    await becomes(() => dimmed.evaluate((element) => Number(getComputedStyle(element).opacity) < 0.6), true)
    await becomes(() => place.getByRole('article', { name: 'Studio' }).getByRole('note').count(), 0)
    if ((await chooserOf(page).count()) > 0) await dismiss(page)
  }
  await assertAccessible(page, 'the plans of a team that is not the default one')
})

plans('S-PLN-09 a refusal is shown, loading stops, and the user can try again', async () => {
  const page = await plansPage()
  const studio = card(page, 'Studio')
  const button = studio.getByRole('button', { name: 'Activate plan' })
  const refusals: [status: number, body: string, toast: string][] = [
    [
      403,
      JSON.stringify({ code: 403, errors: null, message: 'Switching to a cheaper plan is not possible.' }),
      'Switching to a cheaper plan is not possible.',
    ],
    [403, '', 'You do not have permission to create a subscription'],
    [500, JSON.stringify({ code: 500, errors: null, message: 'Out of order.' }), 'Failed to create subscription'],
    [400, JSON.stringify({ code: 400, errors: null, message: 'Invalid.' }), 'Failed to create subscription'],
  ]
  for (const [status, body, toast] of refusals) {
    let answer = () => undefined as void
    const isWaiting = new Promise<void>((arrived) => {
      void page.route(`**${startSubscription.path}`, (route) => {
        answer = () => void route.fulfill({ status, body, contentType: 'application/json' })
        arrived()
      })
    })
    await button.click()
    await isWaiting
    await studio.getByRole('button', { name: 'Activating…' }).waitFor()
    await becomes(() => card(page, 'Fleet').getByRole('button', { name: 'Activate plan' }).isDisabled(), true, 'one at a time')
    answer()
    await page.locator('[data-toast="error"]').getByText(toast, { exact: true }).last().waitFor()
    await button.waitFor()
    await becomes(() => button.isEnabled(), true)
    await page.unroute(`**${startSubscription.path}`)
  }
  await page.route(`**${startSubscription.path}`, (route) => route.abort())
  await button.click()
  await waitForCount(page.getByText('Failed to create subscription', { exact: true }), 3)
  await becomes(() => button.isEnabled(), true, 'also when the server cannot be reached')
})

plans('plans can be chosen again on a page that the browser kept while the payment page was open', async () => {
  const page = await openPage(shoal.uuid)
  await page.goto('/dashboard')
  // After this answer the browser stays on the page, as if it had kept it.
  await page.route(`${product.stripe.url}/pay/**`, (route) => route.fulfill({ status: 204 }))
  const left = page.waitForResponse(`${product.stripe.url}/pay/**`)
  const buttonOf = (plan: string) => chooserOf(page).getByRole('article', { name: plan }).getByRole('button', { name: 'Activate plan' })
  await buttonOf('Studio').click()
  await left
  await becomes(() => buttonOf('Fleet').isEnabled(), false)
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await becomes(() => buttonOf('Fleet').isEnabled(), true)
})

plans('S-PLN-08 S-PLN-12 a paid plan leads to the payment page, and is active after the return if the provider confirms it', async () => {
  const page = await openPage(shoal.uuid)
  await page.goto('/dashboard')
  const dialog = chooserOf(page)
  await dialog.getByRole('article', { name: 'Studio' }).getByRole('button', { name: 'Activate plan' }).click()
  await page.waitForURL(`${product.stripe.url}/pay/**`)

  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: 'Subscription Process Canceled' }).waitFor()
  await page.getByRole('link', { name: 'View Plans' }).click()
  await chooserOf(page).waitFor()
  await becomes(() => page.getByRole('link', { name: 'Manage subscription' }).count(), 0, 'nothing was bought')
  await page.goto('/stripe-callback/?state=payment-success')
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await chooserOf(page).waitFor() // T32: opening the URL of a successful payment gives nothing

  await dialog.getByRole('article', { name: 'Studio' }).getByRole('button', { name: 'Activate plan' }).click()
  await page.waitForURL(`${product.stripe.url}/pay/**`)
  await page.getByRole('link', { name: 'Pay' }).click()
  await page.getByRole('heading', { name: 'Subscription Activated' }).waitFor()
  await page.getByText('New subscription activated successfully!', { exact: true }).waitFor()
  const loaded = page.waitForResponse(`**${getCurrentSubscription.path}`)
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await loaded
  await becomes(() => chooserOf(page).count(), 0)
  await page.goto('/dashboard/plans')
  const manage = card(page, 'Studio').getByRole('link', { name: 'Manage subscription' })
  await manage.click()
  await page.waitForURL('**/dashboard/settings#billing')
})

plans('S-PLN-10 S-TEA-02 choosing another team resets the flag and reloads the subscription', async () => {
  const page = await openPage(shoal.uuid)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await choose(page, 'Shoal', 'Default')
  await chooserOf(page).waitFor()
  await dismiss(page)
  const loads: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === getCurrentSubscription.path) loads.push(request.headers()['x-team-id'] ?? '')
  })
  const loaded = page.waitForResponse((response) => response.url().endsWith(getCurrentSubscription.path) && response.ok())
  await choose(page, 'Default', 'Shoal')
  await loaded
  await becomes(() => chooserOf(page).count(), 0)
  assert.ok(loads.every((team) => team === shoal.uuid) && loads.length > 0)
  await choose(page, 'Shoal', 'Default')
  await chooserOf(page).waitFor()
})

plans('S-PLN-10 any other failure of the request does not count as a team without a plan', async () => {
  const page = await openPage()
  await page.route(`**${getCurrentSubscription.path}`, (route) => route.fulfill({ status: 500, body: '' }))
  const failed = page.waitForResponse(`**${getCurrentSubscription.path}`)
  await page.goto('/dashboard')
  await failed
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await becomes(() => chooserOf(page).count(), 0)
  await page.unroute(`**${getCurrentSubscription.path}`)
  await page.route(`**${getCurrentSubscription.path}`, (route) => route.fulfill({ status: 404, body: '' }))
  await page.reload()
  await chooserOf(page).waitFor()
})

plans('S-PLN-08 the free plan is active at once: the subscription is loaded again, and the dashboard can be used', async () => {
  const page = await openPage((await defaultTeam(product)).uuid)
  await page.goto('/dashboard')
  const dialog = chooserOf(page)
  const button = dialog.getByRole('article', { name: 'Free' }).getByRole('button', { name: 'Activate Free plan' })
  await button.waitFor()
  const reloaded = page.waitForResponse((response) => response.url().endsWith(getCurrentSubscription.path) && response.ok())
  await button.click()
  await reloaded
  await page.locator('[data-toast="success"]').getByText('Plan created successfully', { exact: true }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.goto('/dashboard/plans')
  await card(page, 'Free').getByRole('link', { name: 'Manage subscription' }).waitFor()
  await card(page, 'Studio').getByRole('button', { name: 'Activate plan' }).waitFor()
})

plans('S-PLN-12 T32 the offer disappears when the plan is paid for elsewhere', async () => {
  const minnow = await newTeam(product, 'Minnow')
  const page = await openPage(minnow.uuid)
  await page.goto('/dashboard')
  await chooserOf(page).waitFor()
  await takePlan(product, PLANS.fleet.uuid, minnow.uuid)
  await chooserOf(page).waitFor({ state: 'detached' })
})

const chooserOf = (page: Page) => page.getByRole('dialog', { name: 'Choose Your Plan to continue' })

/** A card of the page, not of the dialog. */
const card = (page: Page, name: string): Locator => page.getByRole('main').getByRole('article', { name, exact: true })

const namesOf = async (page: Page) => page.getByRole('main').getByRole('article').getByRole('heading').allInnerTexts()

async function dismiss(page: Page) {
  await chooserOf(page).waitFor()
  await page.keyboard.press('Escape')
  await chooserOf(page).waitFor({ state: 'detached' })
}

/** Signs in for a team, before any screen of the dashboard is open. */
async function openPage(teamId?: string) {
  const page = await browser.newPage()
  await decideCookies(page)
  await enter(page, OWNER)
  await page.evaluate((id) => (id ? localStorage.setItem('current_team', id) : undefined), teamId)
  return page
}

/** The plans screen of the default team, which has no plan, after the user dismissed the offer. */
async function plansPage() {
  const page = await openPage()
  await page.goto('/dashboard/plans')
  await dismiss(page)
  await waitForCount(page.getByRole('main').getByRole('article'), 3)
  return page
}

async function choose(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: `Team: ${from}` }).click()
  await page.getByRole('menuitemradio', { name: to }).click()
}

plans.run()
