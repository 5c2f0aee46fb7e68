import { chromium } from 'playwright'
import type { Locator } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'
import { suite } from '#tests/support/suite.ts'
import { DESKTOP, PHONE, assertAccessible, drawn, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const product = await startProduct()
const site = await startSmallSite()
const browser = await openBrowser(chromium, product.url)

const crawl = suite('the crawl screen')

async function open(options: Parameters<typeof browser.newPage>[0] = {}) {
  const page = await browser.newPage(options)
  await openSignedIn(page, '/dashboard/crawl', OWNER)
  await page.getByRole('heading', { name: 'Crawl Playground' }).waitFor()
  return page
}

const urlField = (page: OpenedPage) => page.getByLabel('URL to crawl')
const startButton = (page: OpenedPage) => page.getByRole('button', { name: 'Start Crawling' })
const rows = (page: OpenedPage) => page.getByRole('list', { name: 'Pages' }).getByRole('listitem')
const status = (page: OpenedPage, word: string) => page.getByRole('main').getByText(word, { exact: true }).first()

crawl('S-WRK-01 S-WRK-09 a crawl is started on the screen, and its pages arrive live until it ends', async () => {
  const page = await open()
  site.hold()
  await urlField(page).fill(site.url)
  await page.getByLabel('Max depth').fill('2')
  await page.getByLabel('Page limit').fill('50')
  await startButton(page).click()

  // Half-way: the site delays the remaining pages.
  await rows(page).filter({ hasText: 'Guide 3' }).waitFor()
  await becomes(() => page.getByRole('tab', { name: /Results/ }).getAttribute('aria-selected'), 'true')
  await status(page, 'Running').waitFor()
  await page.getByRole('button', { name: 'Cancel Crawling' }).waitFor()
  await waitForCount(rows(page), 5)
  await page
    .getByRole('log')
    .getByText(/guide\/3/)
    .waitFor()
  await assertAccessible(page, 'a running crawl')

  // Paused, the list does not move while pages arrive.
  await page.getByRole('button', { name: 'Pause updates' }).click()
  site.release()
  await page.getByRole('tab', { name: /Results 13/ }).waitFor()
  await status(page, 'Finished').waitFor()
  await waitForCount(rows(page), 5)
})

crawl('S-WRK-01 results are read in a dialog, with the keyboard, and run no scripts', async () => {
  const page = await open()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => dialogs.push(dialog.message()))
  await urlField(page).fill(`${site.url}mischief`)
  await startButton(page).click()
  await status(page, 'Finished').waitFor()
  const title = page.getByRole('button', { name: '<img src=x onerror=alert(1)>', exact: true })
  await title.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const text = dialog.locator('.rendered-markdown')
  await text.getByText('Mischief').waitFor()
  await becomes(() => text.locator('script, style, img, form, [onerror], [href^="javascript"]').count(), 0)
  assert.is(await page.evaluate(() => 'caught' in window), false)
  assert.equal(dialogs, [])
  await assertAccessible(page, 'the result viewer')
  for (const name of ['JSON', 'Metadata', 'Links']) await dialog.getByRole('tab', { name }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await becomes(() => title.evaluate((element) => element === document.activeElement), true, 'the focus is back where it was')
})

crawl('S-WRK-01 the form stays after a crawl, and changed options are named and can be reset', async () => {
  const page = await open()
  await urlField(page).fill(`${site.url}guide/1`)
  await page.getByRole('textbox', { name: 'Exclude paths' }).fill('/private/*')
  await page.keyboard.press('Enter')
  await page.getByText('1 excluded path').waitFor()
  await page.getByRole('tab', { name: 'Page Options' }).click()
  await page.getByRole('switch', { name: 'Include HTML' }).click()
  await page.getByRole('tab', { name: 'Page Options 1' }).waitFor()
  await urlField(page).press('Enter')
  await status(page, 'Finished').waitFor()
  await becomes(() => urlField(page).inputValue(), `${site.url}guide/1`)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByText('By default only this page is crawled.').waitFor()
  await becomes(() => urlField(page).inputValue(), `${site.url}guide/1`)
})

crawl(
  'starting points set the limits of a crawl; a preset of the team is saved, applied, found in the palette, renamed and deleted',
  async () => {
    const page = await open()
    const point = (name: string) => page.getByRole('radio', { name })
    await becomes(() => point('This page').isChecked(), true)
    await point('50 pages').check()
    await becomes(() => page.getByLabel('Page limit').inputValue(), '50')
    await page.getByLabel('Page limit').fill('51')
    await becomes(() => page.getByRole('radiogroup', { name: 'How far' }).getByRole('radio', { checked: true }).count(), 0)
    await point('Whole site').check()
    await becomes(() => page.getByLabel('Page limit').inputValue(), '10000')

    await page.getByRole('button', { name: 'Presets' }).click()
    await page.getByRole('menuitem', { name: 'Save options as preset' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save preset' }).click()
    await dialog.getByText('This field may not be blank.').waitFor()
    await dialog.getByLabel('Name').fill('Everything')
    await assertAccessible(page, 'the dialog of a preset')
    await dialog.getByRole('button', { name: 'Save preset' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.setViewportSize(DESKTOP)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Find or do anything' }).click()
    await page.getByRole('combobox', { name: 'Find or do anything' }).fill('everything')
    await page.getByRole('option', { name: 'Crawl with preset: Everything' }).click()
    await page.waitForURL('**/dashboard/crawl')
    await becomes(() => page.getByLabel('Page limit').inputValue(), '10000')
    await urlField(page).fill(`${site.url}guide/1`)
    await point('This page').check()
    await page.getByRole('button', { name: 'Presets' }).click()
    await page.getByRole('menuitem', { name: 'Everything' }).click()
    await page.getByRole('radio', { name: 'Whole site', checked: true }).waitFor()
    await becomes(() => urlField(page).inputValue(), `${site.url}guide/1`, 'the URL stays')

    await page.getByRole('button', { name: 'Presets' }).click()
    await page.getByRole('menuitem', { name: 'Manage presets' }).click()
    await dialog.getByRole('button', { name: 'Rename Everything' }).click()
    await dialog.getByLabel('New name of Everything').fill('All of it')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Delete All of it' }).click()
    await dialog.getByText('No presets yet').waitFor()
  },
)

crawl('S-WRK-01 a batch counts its lines and fetches each URL', async () => {
  const page = await open()
  await page.getByRole('radio', { name: 'Batch URLs' }).check()
  await page.getByLabel('One URL per line').fill(`${site.url}guide/0\n\n${site.url}guide/1\n`)
  await page.getByText('2 URLs').waitFor()
  await becomes(() => page.getByLabel('Max depth').isDisabled(), true)
  await becomes(() => page.getByLabel('Max depth').inputValue(), 'Auto')
  await startButton(page).click()
  await status(page, 'Finished').waitFor()
  await waitForCount(rows(page), 2)
})

crawl('S-WRK-01 a crawl that is canceled keeps the pages it had stored', async () => {
  const page = await open()
  site.hold()
  await urlField(page).fill(site.url)
  await page.getByLabel('Max depth').fill('2')
  await page.getByLabel('Page limit').fill('50')
  await startButton(page).click()
  await rows(page).filter({ hasText: 'Guide 3' }).waitFor()
  await page.getByRole('button', { name: 'Cancel Crawling' }).click()
  await status(page, 'Canceled').waitFor()
  await startButton(page).waitFor()
  await waitForCount(rows(page), 5)
  site.release()
})

crawl('a form without a URL is not sent, and errors are shown at their controls', async () => {
  const page = await open()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await startButton(page).click()
  await page.getByText('Please enter a URL or URLs').waitFor()
  await becomes(() => urlField(page).evaluate((field) => field === document.activeElement), true, 'the field has the focus')
  await urlField(page).fill(site.url)
  await page.getByLabel('Page limit').fill('many')
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await startButton(page).click()
  const limit = page.getByLabel('Page limit')
  await page.getByText('A valid integer is required.').waitFor()
  await becomes(
    () => page.getByRole('tab', { name: /Spider Options/ }).getAttribute('aria-selected'),
    'true',
    'the tab with the error is shown',
  )
  await becomes(() => limit.getAttribute('aria-invalid'), 'true')
  await becomes(() => limit.evaluate((element) => element === document.activeElement), true)
  await assertAccessible(page, 'a form with an error')
  assert.equal(sent, [])
})

crawl('an error of the server is shown at the URL field, and the form keeps its values', async () => {
  const page = await open()
  await urlField(page).fill('http://169.254.169.254/latest')
  await page.getByLabel('Max depth').fill('4')
  await startButton(page).click()
  await page.getByText('This address is not allowed.').first().waitFor()
  await becomes(() => urlField(page).getAttribute('aria-invalid'), 'true')
  await becomes(() => page.getByLabel('Max depth').inputValue(), '4')
})

crawl('the server’s refusal of options opens their tab, and each field keeps its error until it changes', async () => {
  const page = await open()
  const errors = { options: { spider_options: { proxy_server: ['Unknown proxy server.'], exclude_paths: { '0': ['Too long.'] } } } }
  await page.route('**/core/crawl-requests/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { code: 400, message: 'Invalid input data.', errors } })
      : route.fallback(),
  )
  await urlField(page).fill(site.url)
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await startButton(page).click()
  const paths = page.getByRole('textbox', { name: 'Exclude paths' })
  await paths.and(page.locator(':focus')).waitFor()
  await page.getByRole('tab', { name: 'Spider Options 2 fields are wrong' }).waitFor()
  await paths.fill('/a')
  await page.keyboard.press('Enter')
  await page.getByText('Entry 1: Too long.').waitFor({ state: 'detached' })
  await page.getByText('Unknown proxy server.').waitFor()
  await page.getByRole('radio', { name: 'Batch URLs' }).check()
  await page.getByText('Unknown proxy server.').waitFor({ state: 'detached' })
})

crawl('options that need rendering are disabled and say why; the API documentation shows the request', async () => {
  const page = await open()
  await page.getByRole('tab', { name: 'Page Options' }).click()
  await becomes(() => page.getByRole('switch', { name: 'Take screenshot' }).isDisabled(), true)
  await page.getByText('Rendering is not set up on this server').first().waitFor()
  await assertAccessible(page, 'page options')
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await page.getByText('Enter a URL and configure options to see the API request example.').waitFor()
  await urlField(page).fill("https://a.example/it's")
  const code = page.getByRole('region', { name: 'cURL example' })
  await code.getByText(String.raw`it'\''s`).waitFor()
  await code.getByText('YOUR_API_KEY').first().waitFor()
  await page.getByLabel('API key').selectOption({ index: 1 })
  await code.getByText('YOUR_API_KEY').first().waitFor({ state: 'detached' })
  for (const language of ['Python', 'Node.js', 'Go']) {
    await page.getByRole('radio', { name: language }).check()
    await page.getByRole('region', { name: `${language} example` }).waitFor()
  }
  await assertAccessible(page, 'the API documentation')
})

crawl('a header that was typed and not added is part of the crawl', async () => {
  const page = await open()
  await urlField(page).fill(site.url)
  await page.getByRole('tab', { name: 'Page Options' }).click()
  await page.getByLabel('Header name').fill('X-Visitor')
  await page.getByLabel('Header value').fill('tea')
  await page.getByRole('tab', { name: 'API Documentation' }).click()
  await page.getByRole('region', { name: 'cURL example' }).getByText('"X-Visitor": "tea"').waitFor()
})

crawl('a header that is half typed stays in its fields while the user is in another window', async () => {
  const page = await open()
  await page.getByRole('tab', { name: 'Page Options' }).click()
  await page.getByLabel('Header name').fill('Authorization')
  const value = page.getByLabel('Header value')
  await value.fill('Bearer ')
  // As the browser reports it: the field loses the focus, and is still the active element.
  await value.dispatchEvent('focusout')
  await drawn(page)
  await becomes(() => value.inputValue(), 'Bearer ')
  await becomes(() => page.getByRole('button', { name: 'Remove header Authorization' }).count(), 0)
})

crawl('the Enter that ends a word of an input method neither adds nor chooses anything', async () => {
  const page = await open()
  // Safari's: the composition has ended, and only the code tells.
  const endWord = (field: Locator) =>
    field.evaluate((element) => {
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }))
    })
  const paths = page.getByRole('textbox', { name: 'Exclude paths' })
  const header = page.getByLabel('Header name')
  const find = page.getByRole('combobox', { name: 'Find or do anything' })

  await paths.fill('/茶')
  await endWord(paths)
  await becomes(() => paths.inputValue(), '/茶')

  await page.getByRole('tab', { name: 'Page Options' }).click()
  await header.fill('X-茶')
  await endWord(header)
  await becomes(() => header.inputValue(), 'X-茶')

  await page.keyboard.press('Control+K')
  await find.fill('usage')
  await page.getByRole('option', { name: /Usage/ }).first().waitFor()
  await endWord(find)
  await becomes(() => find.inputValue(), 'usage')
  await find.press('Enter')
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
})

crawl('a tap shows an explanation also in Safari, where a tapped button does not get the focus', async () => {
  const page = await browser.newPage({ viewport: PHONE, hasTouch: true, isMobile: true })
  await page.addInitScript(() => {
    window.addEventListener(
      'mousedown',
      (event) => event.target instanceof Element && event.target.closest('button') && event.preventDefault(),
    )
  })
  await openSignedIn(page, '/dashboard/crawl', OWNER)
  await page.getByRole('button', { name: 'About Exclude paths' }).tap()
  await drawn(page)
  await becomes(() => page.getByRole('tooltip').first().isVisible(), true)
})

crawl('the screen fits a phone, in the dark theme', async () => {
  const page = await open({ viewport: PHONE, colorScheme: 'dark' })
  await assertAccessible(page, 'the idle screen on a phone')
  await urlField(page).fill(`${site.url}guide/2`)
  await startButton(page).click()
  await rows(page).first().waitFor()
  await assertAccessible(page, 'results on a phone')
  await page.setViewportSize({ width: 320, height: 640 })
  await assertAccessible(page, 'results at 320 pixels')
})

crawl.run()
