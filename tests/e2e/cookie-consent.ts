import { chromium } from 'playwright'
import type { Page } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { startEnterprise } from '#tests/support/enterprise.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, startPage, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const ID = 'G-ABC123DEF4'
const POLICY = 'https://texts.example/privacy'
const KEY = 'cookie_consent'

const product = await startEnterprise({ GOOGLE_ANALYTICS_ID: ID, POLICY_URL: POLICY })
const browser = await openBrowser(chromium, product.url)

const opened: Page[] = []

const consent = suite('cookie consent')
consent.after.each(async () => {
  for (const page of opened.splice(0)) await page.context().close()
})

consent('S-COO-01 a banner at the bottom asks, and a dialog has a toggle for each category that can be refused', async () => {
  const { page } = await visit()
  const banner = bannerOf(page)
  await banner.getByText('This website uses cookies to enhance your experience.', { exact: true }).waitFor()
  await banner.getByRole('button', { name: 'Accept All', exact: true }).waitFor()
  const bottom = async () => {
    const box = await banner.boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0))
  }
  await becomes(bottom, page.viewportSize()?.height, 'it stands at the bottom of the window')
  await banner.getByRole('button', { name: 'Manage Cookies', exact: true }).click()

  const dialog = dialogOf(page)
  await dialog.waitFor()
  const toggles = dialog.getByRole('switch')
  await waitForCount(toggles, 2)
  for (const name of ['Analytics', 'Marketing'])
    await becomes(() => dialog.getByRole('switch', { name }).getAttribute('aria-checked'), 'false', `${name} is off until it is chosen`)
  const link = dialog.getByRole('link', { name: 'Read Our Full Privacy Policy' })
  await becomes(() => link.getAttribute('href'), POLICY)
  for (const name of ['Save Preferences', 'Reject', 'Accept All']) await dialog.getByRole('button', { name, exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await banner.waitFor()
  await becomes(() => stored(page), null, 'closing the dialog decides nothing')
  assert.equal(page.complaints, [])
})

consent('S-COO-01 the banner and the dialog are accessible', async () => {
  const { page } = await visit()
  await bannerOf(page).waitFor()
  await assertAccessible(page, 'the cookie banner')
  await page.getByRole('button', { name: 'Manage Cookies' }).press('Enter')
  await dialogOf(page).waitFor()
  await assertAccessible(page, 'the cookie dialog')
  await page.getByRole('switch', { name: 'Analytics' }).press('Space')
  await becomes(() => page.getByRole('switch', { name: 'Analytics' }).getAttribute('aria-checked'), 'true')
})

consent('S-COO-01 S-COO-03 S-PLN-01 outside enterprise mode there is no banner, and no request to other hosts', async () => {
  const plain = await startPage({ environment: { GOOGLE_ANALYTICS_ID: ID } })
  const visitor = await openBrowser(chromium, plain.url)
  try {
    const { page, asked } = await visit({ to: await visitor.newPage(), kept: { given: true, categories: ['analytics'] } })
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    await page.waitForLoadState('networkidle')
    await becomes(() => bannerOf(page).count(), 0)
    assert.is(asked.length, 0)
    assert.equal((await stored(page))?.categories, ['analytics'], 'what lies in the storage is left alone')
  } finally {
    await visitor.close()
    await plain.close()
  }
})

const CHOICES: [how: string, categories: string[], choose: (page: Page) => Promise<void>][] = [
  ['Accept All', ['necessary', 'analytics', 'marketing'], (page) => bannerOf(page).getByRole('button', { name: 'Accept All' }).click()],
  ['Accept All in the dialog', ['necessary', 'analytics', 'marketing'], (page) => inDialog(page, 'Accept All')],
  ['Save Preferences', ['necessary', 'marketing'], (page) => inDialog(page, 'Save Preferences', 'Marketing')],
  ['Save Preferences without a choice', ['necessary'], (page) => inDialog(page, 'Save Preferences')],
  ['Reject', ['necessary'], (page) => inDialog(page, 'Reject', 'Analytics')],
]
for (const [how, categories, choose] of CHOICES)
  consent(`S-COO-02 S-COO-04 ${how} keeps ${categories.join(', ')}, and the banner does not come back`, async () => {
    const { page } = await visit()
    const before = Date.now()
    await choose(page)
    await bannerOf(page).waitFor({ state: 'detached' })
    await becomes(() => dialogOf(page).count(), 0)
    const record = await stored(page)
    assert.equal(Object.keys(record ?? {}), ['given', 'categories', 'timestamp'])
    assert.is(record?.given, true)
    assert.equal(record?.categories, categories)
    assert.is(new Date(record?.timestamp ?? '').toISOString(), record?.timestamp, 'an ISO time')
    assert.ok(Date.parse(record?.timestamp ?? '') >= before)
    await page.reload()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    await page.waitForLoadState('networkidle')
    await becomes(() => bannerOf(page).count(), 0)
    await becomes(() => stored(page), record)
    assert.equal(page.complaints, [])
  })

consent('S-COO-02 a corrupt value is removed and logged, and the user is asked again', async () => {
  const page = await browser.newPage()
  const logged = page.waitForEvent('console', (message) => message.text().includes('cookie consent cannot be read'))
  await visit({ to: page, text: '{"given":' })
  await logged
  await bannerOf(page).waitFor()
  await becomes(() => stored(page), null)
})

consent('S-COO-02 unknown categories of an older version are ignored, and the user is not asked again', async () => {
  const { page, asked } = await visit({ kept: { given: true, categories: ['telemetry', 'marketing'] } })
  await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
  await page.waitForLoadState('networkidle')
  await becomes(() => bannerOf(page).count(), 0)
  assert.is(asked.length, 0)
})

consent('S-COO-03 T28 no request goes to other hosts before consent, nor after a refusal', async () => {
  const { page, asked } = await visit()
  await bannerOf(page).waitFor()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('**/forgot-password')
  await page.waitForLoadState('networkidle')
  assert.equal(asked, [])
  await inDialog(page, 'Reject')
  await bannerOf(page).waitFor({ state: 'detached' })
  await page.reload()
  await page.waitForLoadState('networkidle')
  assert.equal(asked, [])
  assert.is(await page.evaluate(() => 'dataLayer' in window), false)
})

consent('S-COO-03 the script loads once after consent, with the id, shortened addresses and strict cookies', async () => {
  const { page, asked } = await visit()
  const script = page.waitForResponse((response) => response.url().startsWith('https://www.googletagmanager.com/'))
  await bannerOf(page).getByRole('button', { name: 'Accept All' }).click()
  assert.is((await script).url(), `https://www.googletagmanager.com/gtag/js?id=${ID}`)
  await page.waitForFunction(() => 'analyticsRuns' in window)
  assert.equal(
    await page.evaluate(() => (window as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer.map((words) => Array.from(words)[2])),
    [undefined, { anonymize_ip: true, cookie_flags: 'SameSite=Strict' }],
  )
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.waitForURL('**/forgot-password')
  await page.waitForLoadState('networkidle')
  assert.is(asked.length, 1, 'going on loads nothing more, and marketing nothing at all')

  await page.reload()
  await page.waitForFunction(() => 'analyticsRuns' in window)
  assert.is(asked.length, 2, 'once for each load of the page')
  assert.is(await page.evaluate(() => (window as unknown as { analyticsRuns: number }).analyticsRuns), 1)
  assert.equal(page.complaints, [], 'the content policy lets it in')
})

consent('S-COO-03 a page with a secret in its URL is not measured', async () => {
  const { page, asked } = await visit({ kept: { given: true, categories: ['analytics'] }, path: '/reset-password/a-secret' })
  await page.waitForURL((url) => url.pathname === '/')
  await page.waitForFunction(() => 'analyticsRuns' in window)
  assert.is(asked.length, 1, 'it waits until that page is left')
})

consent('S-COO-04 a decision in one tab applies in all tabs', async () => {
  const { page } = await visit()
  const other = await page.context().newPage()
  await other.goto('/')
  await bannerOf(other).waitFor()
  await page.bringToFront() // a tab in the background draws nothing and cannot be clicked
  await inDialog(page, 'Reject')
  await bannerOf(other).waitFor({ state: 'detached' })
})

const bannerOf = (page: Page) => page.getByRole('region', { name: 'Cookies' })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Cookie Preferences' })

type Record = { given: boolean; categories: string[]; timestamp: string }

const stored = (page: Page) => page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as Record | null, KEY)

/** Chooses in the dialog: these toggles, then the button. */
async function inDialog(page: Page, button: string, ...toggles: string[]) {
  await bannerOf(page).getByRole('button', { name: 'Manage Cookies' }).click()
  for (const name of toggles) await dialogOf(page).getByRole('switch', { name }).click()
  await dialogOf(page).getByRole('button', { name: button, exact: true }).click()
}

/** Opens the page with the consent `kept` from before; `asked` counts requests to hosts other than the page's own and the code host. */
async function visit({
  to,
  kept,
  text = kept ? JSON.stringify({ timestamp: new Date().toISOString(), ...kept }) : undefined,
  path = '/',
}: { to?: OpenedPage; kept?: object; text?: string | undefined; path?: string } = {}) {
  const page = to ?? (await browser.newPage())
  opened.push(page)
  const asked: string[] = []
  page.on('request', (request) => {
    const { hostname } = new URL(request.url())
    if (hostname !== '127.0.0.1' && hostname !== 'api.github.com') asked.push(request.url())
  })
  await page.route('https://www.googletagmanager.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'window.analyticsRuns = (window.analyticsRuns ?? 0) + 1' }),
  )
  if (text !== undefined)
    await page.addInitScript(
      ([key, value]) => {
        if (sessionStorage.getItem('kept') !== null) return
        sessionStorage.setItem('kept', '')
        localStorage.setItem(key, value)
      },
      [KEY, text] as const,
    )
  await page.goto(path)
  return { page, asked }
}

consent.run()
