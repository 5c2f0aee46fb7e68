import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { createApiKey } from '#contract/teams.ts'
import { createCrawl } from '#contract/crawls.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, openBrowser, openSignedIn } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)

const palette = suite('the command palette and the way back')

const dialog = (page: OpenedPage) => page.getByRole('dialog', { name: 'Find or do anything' })
const field = (page: OpenedPage) => dialog(page).getByRole('combobox', { name: 'Find or do anything' })
const options = (page: OpenedPage) => dialog(page).getByRole('option')
const chosen = (page: OpenedPage) => dialog(page).getByRole('option', { selected: true })
const focused = (page: OpenedPage) => page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName)

async function open(path = '/dashboard', options = {}) {
  const page = await browser.newPage(options)
  await openSignedIn(page, path, OWNER)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Sends a request as the page itself does. */
const send = (page: OpenedPage, path: string, body: unknown) =>
  page.evaluate(
    async ([to, text]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}`, 'content-type': 'application/json' }
      const reply = await fetch(to, { method: 'POST', headers, body: text })
      return (await reply.json()) as { uuid: string }
    },
    [path, JSON.stringify(body)] as const,
  )

palette('the palette opens from any screen by the keyboard, and leads to any screen', async () => {
  const page = await open('/dashboard/profile')
  await page.getByLabel('First name').focus()
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await becomes(() => focused(page), 'combobox')
  const list = dialog(page).getByRole('listbox', { name: 'Results' })
  await becomes(async () => (await field(page).getAttribute('aria-controls')) === (await list.getAttribute('id')), true)
  await chosen(page).filter({ hasText: 'Dashboard' }).waitFor()
  const named = async () => (await field(page).getAttribute('aria-activedescendant')) === (await chosen(page).getAttribute('id'))
  await becomes(named, true)
  for (const name of [
    'Dashboard',
    'Crawl',
    'Search',
    'Sitemap',
    'Activity Logs: Searches',
    'Usage',
    'API Keys',
    'Settings',
    'API Reference',
  ])
    await options(page).getByText(name, { exact: true }).waitFor()

  await page.keyboard.press('ArrowUp')
  await chosen(page).filter({ hasText: 'Log out' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await chosen(page).filter({ hasText: 'Dashboard' }).waitFor()
  for (const _ of [1, 2, 3]) await page.keyboard.press('Tab')
  await becomes(
    () =>
      page.evaluate(
        () => document.querySelector('dialog:modal')?.contains(document.activeElement) || document.activeElement === document.body,
      ),
    true,
  )
  await field(page).focus()

  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await becomes(
    () => page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.tagName),
    await page.getByLabel('First name').evaluate((input) => input.getAttribute('name') ?? input.tagName),
    'the focus is back',
  )

  await page.keyboard.press('Meta+k')
  await field(page).fill('sett')
  await chosen(page).filter({ hasText: 'Settings' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/settings')
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()

  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await page.keyboard.press('Control+k')
  await dialog(page).waitFor({ state: 'detached' })
})

palette('the palette finds a job of any age, and a key, which is then shown', async () => {
  const page = await open()
  const { uuid } = await send(page, createCrawl.path, { url: `${site.url}guide/3` })
  const made = await send(page, createApiKey.path, { name: 'Nightly herring' })
  await page.reload()
  await page.getByRole('button', { name: 'Find or do anything' }).click()
  await field(page).fill('guide/3')
  await chosen(page).filter({ hasText: '/guide/3' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/dashboard/logs/crawls/${uuid}`)

  await page.keyboard.press('Control+k')
  await field(page).fill('herr')
  await chosen(page).filter({ hasText: 'Nightly herring' }).click()
  await page.waitForURL(`**/dashboard/api-keys?key=${made.uuid}`)
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Copy Nightly herring')
})

palette('the palette runs commands: crawl a URL, search for a word, switch the theme', async () => {
  const page = await open()
  await page.keyboard.press('Control+k')
  await field(page).fill('tea.example/leaves')
  await chosen(page).filter({ hasText: 'Crawl tea.example/leaves' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/crawl')
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'https://tea.example/leaves'))

  await page.keyboard.press('Control+k')
  await field(page).fill('white tea zzz')
  await options(page).getByText('Search own pages for “white tea zzz”').click()
  await page.waitForURL('**/dashboard/search?in=own&q=white+tea+zzz')

  await page.keyboard.press('Control+k')
  await field(page).fill('dark')
  await options(page).getByText('Switch to dark theme').click()
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  await page.keyboard.press('Control+k')
  await field(page).fill('qqqqqq qq')
  await options(page)
    .getByText(/^Search own pages/)
    .waitFor()
})

palette('the palette does not open over another dialog', async () => {
  const page = await open('/dashboard/api-keys')
  await page.getByRole('button', { name: 'Create New API Key' }).click()
  await page.getByRole('dialog', { name: 'Create New API Key' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Kelp')
  await becomes(() => page.getByLabel('Key name').inputValue(), 'Kelp')
  await becomes(() => dialog(page).count(), 0)
})

palette('the palette is accessible, also when it is opened from the menu of a phone', async () => {
  const page = await open('/dashboard', { viewport: PHONE })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Main' }).getByRole('button', { name: 'Find or do anything' }).click()
  await field(page).waitFor()
  await becomes(() => focused(page), 'combobox')
  await page.getByRole('dialog', { name: 'Main' }).waitFor({ state: 'hidden' })
  await assertAccessible(page, 'the palette')
  await field(page).fill('api')
  await page.setViewportSize(PHONE)
  await options(page).getByText('API Keys', { exact: true }).click()
  await page.waitForURL('**/dashboard/api-keys')
  await page.getByRole('heading', { name: 'API Keys', level: 1 }).waitFor()
  assert.equal(page.complaints, [])
})

palette('Back restores the scroll position, and a new screen starts at its top', async () => {
  const page = await open('/dashboard', { viewport: { width: 1024, height: 500 } })
  await page.getByRole('link', { name: 'All activity' }).waitFor()
  await page.evaluate(() => window.scrollTo(0, 300))
  await page.waitForFunction(() => window.scrollY === 300)
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  assert.is(await page.evaluate(() => window.scrollY), 0)
  await page.goBack()
  await page.getByRole('link', { name: 'All activity' }).waitFor()
  await page.waitForFunction(() => window.scrollY === 300)
  await page.reload()
  await page.getByRole('link', { name: 'All activity' }).waitFor()
  await page.waitForFunction(() => window.scrollY === 300)
})

palette('Back and the arrow lead from the details to the log as it was', async () => {
  const page = await open()
  await page.setViewportSize(DESKTOP)
  await page.goto('/dashboard/logs/crawls?status=finished&text=guide')
  const details = page.getByRole('link', { name: 'View details' }).first()
  await details.click()
  await page.waitForURL(/logs\/crawls\/[\da-f-]{36}$/)
  await page.getByRole('tab', { name: /^All URLs/ }).click()
  await page.waitForURL('**?view=urls')
  await page.reload()
  await page.getByRole('tab', { name: /^All URLs/, selected: true }).waitFor()
  await page.getByRole('link', { name: 'Back to the crawl logs' }).click()
  await page.waitForURL('**/dashboard/logs/crawls?status=finished&text=guide')
  await details.click()
  await page.waitForURL(/logs\/crawls\/[\da-f-]{36}$/)
  await page.goBack()
  await page.waitForURL('**/dashboard/logs/crawls?status=finished&text=guide')
  await becomes(() => page.getByLabel('URL contains').inputValue(), 'guide')
})

palette('a log is filtered by day, and a list without matches differs from an empty log', async () => {
  const page = await open('/dashboard/logs/crawls')
  await details(page).first().waitFor()
  const today = await page.evaluate(() => new Intl.DateTimeFormat('sv').format(new Date()))
  await page.getByLabel('Created from').fill(today)
  await page.waitForURL(`**?from=${today}`)
  await details(page).first().waitFor()
  await page.getByLabel('Created from').fill('')
  await page.getByLabel('Created until').fill('2020-01-31')
  await page.waitForURL('**?to=2020-01-31')
  await page.getByText('Nothing matches the filter').waitFor()
  await assertAccessible(page, 'a log of days without jobs')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await details(page).first().waitFor()
  await page.goto('/dashboard/logs/sitemaps')
  await page.getByText('No sitemaps yet').waitFor()
})

const details = (page: OpenedPage) => page.getByRole('link', { name: 'View details' })

palette('a palette that cannot be loaded says so, leaves the screen as it is, and is tried again', async () => {
  const page = await browser.newPage()
  await page.route('**/assets/command-palette-*', (route) => route.abort())
  await openSignedIn(page, '/dashboard/profile', OWNER)
  await page.getByLabel('First name').fill('Wanda')
  await page.getByRole('button', { name: 'Find or do anything' }).hover()
  await page.getByRole('button', { name: 'Find or do anything' }).click()
  await page.getByText('This could not be loaded. Check the connection, or reload the page.').waitFor()
  await becomes(() => page.getByLabel('First name').inputValue(), 'Wanda')
  assert.equal(
    page.complaints.filter((complaint) => !complaint.startsWith('Failed to load resource')),
    [],
  )
  await page.unroute('**/assets/command-palette-*')
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
})

palette.run()
