import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { getCurrentSubscription } from '#contract/plans.ts'
import { listAllProxies, listProxies, testProxy } from '#contract/proxies.ts'
import { getSettings } from '#contract/settings.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startProxy } from '#tests/support/stubs/proxies.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { PHONE, assertAccessible, enter, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const KNOWN = { username: 'wanda', password: 'pässword:with colon' }

const site = await startSite({
  '/': pageOf('home'),
  '/ip': { headers: { 'content-type': 'application/json' }, body: '{"origin": "203.0.113.7"}' },
})
const proxy = await startProxy('socks5', { only: KNOWN })
const product = await startProduct({ PROXY_ECHO_URL: site.url('/ip') })
const browser = await openBrowser(chromium, product.url)

const proxies = suite('proxy servers in the browser')

async function open(path = '/dashboard/settings#proxy') {
  const page = await browser.newPage()
  await openSignedIn(page, path, OWNER)
  return page
}

const dialog = (page: OpenedPage) => page.getByRole('dialog')
const row = (page: OpenedPage, name: string) =>
  page.getByRole('table', { name: 'Proxy servers' }).getByRole('row').filter({ hasText: name })
const button = (page: OpenedPage, name: string) => dialog(page).getByRole('button', { name, exact: true })
const select = (page: OpenedPage) => page.getByRole('combobox', { name: 'Proxy server' })

proxies('the tab is in the URL; without proxies it explains them; the form names missing values', async () => {
  const page = await open('/dashboard/settings')
  await page.getByRole('tab', { name: 'Proxy Settings' }).click()
  await page.waitForURL('**/dashboard/settings#proxy')
  await page.getByRole('heading', { name: 'No proxy servers' }).waitFor()
  await assertAccessible(page, 'no proxies')
  await page.getByRole('button', { name: 'Add Proxy' }).click()
  await button(page, 'Create').click()
  for (const words of ['Name is required', 'Slug is required', 'Host is required', 'Port must be greater than 0'])
    await dialog(page).getByText(words, { exact: true }).waitFor()
  await becomes(
    () => page.evaluate(() => document.activeElement?.closest('div')?.parentElement?.querySelector('label')?.textContent),
    'Name',
  )
  await assertAccessible(page, 'the form of a proxy, with errors')
  await dialog(page).getByLabel('Name', { exact: true }).fill('EU pool (2)')
  await becomes(() => dialog(page).getByLabel('Slug').inputValue(), 'eu-pool-2', 'suggested')
  await dialog(page).getByLabel('Slug').fill('own')
  await dialog(page).getByLabel('Name', { exact: true }).fill('Other')
  await becomes(() => dialog(page).getByLabel('Slug').inputValue(), 'own', 'what was typed stays')
  await page.keyboard.press('Escape')
  await waitForCount(dialog(page), 0)
  assert.equal(page.complaints, [])
})

proxies('a proxy is tested before it is saved, created, and listed with its badge', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Add Proxy' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('EU pool')
  await dialog(page).getByLabel('Type').selectOption('SOCKS5')
  await dialog(page).getByLabel('Host').fill('127.0.0.1')
  await dialog(page).getByLabel('Port').fill(String(proxy.port))
  await button(page, 'Test Proxy').click()
  await dialog(page).getByText('The proxy failed: it wants credentials.').waitFor()
  await dialog(page).getByLabel('Username').fill(KNOWN.username)
  await waitForCount(dialog(page).getByText('The proxy failed: it wants credentials.'), 0)
  await dialog(page).getByLabel('Password', { exact: true }).fill(KNOWN.password)
  await button(page, 'Test Proxy').click()
  await dialog(page).getByText('Requests leave from 203.0.113.7').waitFor()
  await assertAccessible(page, 'a proxy that works')
  await dialog(page).getByLabel('Set as default').check()
  await button(page, 'Create').click()
  await page.getByText('Proxy server added', { exact: true }).waitFor()
  await row(page, 'EU pool').getByText('Default', { exact: true }).waitFor()
  for (const words of ['eu-pool', 'SOCKS5', '127.0.0.1', String(proxy.port)]) await row(page, 'EU pool').getByText(words).first().waitFor()

  // A second one of the same slug is refused at its field, and nothing typed is lost.
  await page.getByRole('button', { name: 'Add Proxy' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('EU pool')
  await dialog(page).getByLabel('Host').fill('127.0.0.1')
  await dialog(page).getByLabel('Port').fill('3128')
  await button(page, 'Create').click()
  await dialog(page).getByText('This slug is already in use.').waitFor()
  await dialog(page).getByLabel('Slug').fill('second')
  await dialog(page).getByLabel('Host').fill('10.0.0.1')
  await button(page, 'Create').click()
  await dialog(page).getByText('This address is not allowed.').waitFor()
  await dialog(page).getByLabel('Host').fill('127.0.0.1')
  await button(page, 'Create').click()
  await row(page, 'second').waitFor()
  await assertAccessible(page, 'proxies')
})

proxies('an edit sends only changes; a password is kept, changed and removed; a test with the stored password works', async () => {
  const page = await open()
  const sent: unknown[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postDataJSON()))
  const edit = () => row(page, 'eu-pool').getByRole('button', { name: 'Edit EU pool' }).click()
  await edit()
  await becomes(() => dialog(page).getByLabel('Keep existing').isChecked(), true)
  await button(page, 'Test Proxy').click()
  await dialog(page).getByText('Requests leave from 203.0.113.7').waitFor()
  await button(page, 'Update').click()
  await page.getByText('Nothing has changed', { exact: true }).waitFor()
  assert.equal(sent, [])
  await dialog(page).getByLabel('Set or change').check()
  await button(page, 'Update').click()
  await dialog(page).getByText('Password is required, or keep the existing one').waitFor()
  await dialog(page).getByLabel('New password').fill(KNOWN.password)
  await button(page, 'Update').click()
  await page.getByText('Proxy server updated', { exact: true }).waitFor()
  await edit()
  await dialog(page).getByLabel('Remove').check()
  await button(page, 'Test Proxy').click()
  await dialog(page).getByText('The proxy failed: it rejects the credentials.').waitFor()
  await assertAccessible(page, 'a proxy that fails')
  await dialog(page).getByLabel('Keep existing').check()
  await dialog(page).getByLabel('Name', { exact: true }).fill('EU')
  await button(page, 'Update').click()
  await row(page, 'eu-pool').getByRole('button', { name: 'Edit EU', exact: true }).waitFor()
  assert.equal(sent, [{ password: KNOWN.password }, { name: 'EU' }])
})

proxies('a crawl uses the proxy that is chosen by typing, and says so', async () => {
  const page = await open('/dashboard/crawl')
  await select(page).click()
  await select(page).pressSequentially('eu-p')
  await waitForCount(page.getByRole('option'), 1)
  await page.getByRole('option', { name: /^EU\s*Team$/ }).waitFor()
  await page.keyboard.press('Enter')
  await becomes(() => select(page).inputValue(), 'EU')
  await assertAccessible(page, 'the proxy of a crawl')
  const before = proxy.targets.length
  await page.getByLabel('URL to crawl').fill(site.url('/'))
  await page.getByRole('button', { name: 'Start Crawling' }).click()
  await page.getByText('Requests go through the proxy server “EU”').first().waitFor()
  await page
    .getByText(/^Finished/)
    .first()
    .waitFor()
  assert.ok(proxy.targets.length > before)
  assert.equal([...new Set(proxy.targets)], [`127.0.0.1:${site.port}`])

  await page.goto('/dashboard/sitemap')
  await select(page).click()
  await page
    .getByRole('option', { name: /second|EU pool/ })
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Proxy settings' }).click()
  await page.getByRole('tab', { name: 'Proxy Settings', selected: true }).waitFor()
})

proxies('a premium proxy cannot be chosen on the free plan, and the screen says why', async () => {
  const page = await browser.newPage()
  await enter(page, OWNER)
  await page.route(`**${getSettings.path}`, async (route) => {
    const json = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...json, is_enterprise_mode_active: true } })
  })
  let isFree = true
  await page.route(`**${getCurrentSubscription.path}`, (route) => route.fulfill({ json: { is_default: isFree, plan_name: 'Plan' } }))
  const choices = [
    { name: 'World', slug: 'world', category: 'general' },
    { name: 'Best', slug: 'best', category: 'premium' },
  ]
  await page.route(`**${listAllProxies.path}`, (route) => route.fulfill({ json: choices }))
  await page.goto('/dashboard/sitemap')
  await page.getByText('Premium proxies need a paid plan', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'See plans' }).waitFor()
  await select(page).click()
  const best = page.getByRole('option', { name: /Best/ })
  await becomes(() => best.getAttribute('aria-disabled'), 'true')
  await best.click({ force: true })
  await becomes(() => select(page).inputValue(), '')
  await page.getByRole('option', { name: /World/ }).click()
  await becomes(() => select(page).inputValue(), 'World')
  isFree = false
  await page.goto('/dashboard/crawl')
  await select(page).click()
  await best.click()
  await becomes(() => select(page).inputValue(), 'Best')
  await becomes(() => page.getByText('Premium proxies need a paid plan').count(), 0)
})

proxies('a list that cannot be loaded offers a retry; a failed test is reported; a phone shows cards', async () => {
  const page = await browser.newPage({ viewport: PHONE })
  await enter(page, OWNER)
  await page.route(new RegExp(`${listProxies.path}\\?`), (route) =>
    route.fulfill({ status: 403, json: { code: 403, errors: null, message: 'No.' } }),
  )
  await page.goto('/dashboard/settings#proxy')
  await page.getByRole('heading', { name: 'Failed to load the proxy servers' }).waitFor()
  await page.unroute(new RegExp(`${listProxies.path}\\?`))
  await page.getByRole('button', { name: 'Try again' }).click()
  await row(page, 'eu-pool').getByText(`127.0.0.1:${proxy.port}`).waitFor()
  await row(page, 'eu-pool').getByText('wanda', { exact: true }).first().waitFor()
  await page.route(`**${testProxy.path}`, (route) => route.fulfill({ status: 503, json: { code: 503, errors: null, message: 'Busy.' } }))
  await row(page, 'eu-pool').getByRole('button', { name: 'Edit EU', exact: true }).click()
  await button(page, 'Test Proxy').click()
  await page.getByText('Busy.', { exact: true }).waitFor()
})

proxies('a deletion asks for confirmation, and removes the proxy from the list', async () => {
  const page = await open()
  const remove = row(page, 'second').getByRole('button', { name: 'Delete EU pool' })
  await remove.click()
  const question = page.getByRole('dialog', { name: 'Delete “EU pool”?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await waitForCount(question, 0)
  await becomes(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Delete EU pool')
  await remove.click()
  // As the API test "a run whose proxy no longer exists fails" shows.
  await question.getByText('Crawls and sitemaps that name it, and start or resume later, end without another request.').waitFor()
  await question.getByRole('button', { name: 'Delete proxy' }).click()
  await page.getByText('Proxy server deleted', { exact: true }).waitFor()
  await waitForCount(row(page, 'second'), 0)
  await row(page, 'eu-pool').waitFor()
  assert.equal(page.complaints, [])
})

proxies('a refusal that belongs to no field says why', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Add Proxy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Proxy' })
  await dialog.getByLabel('Name', { exact: true }).fill('Refused')
  await dialog.getByLabel('Host').fill('proxy.example.org')
  await dialog.getByLabel('Port').fill('3128')
  await page.route('**/api/v1/core/proxy-servers/', (route) =>
    route.fulfill({ status: 429, json: { code: 429, errors: null, message: 'Too many requests.' } }),
  )
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Failed to add the proxy server. Too many requests.', { exact: true }).waitFor()
})

proxies.run()
