import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import type { PluginSchema } from '#contract/plugins.ts'
import { becomes } from '#tests/support/browser/becomes.ts'
import { EVERYTHING } from '#tests/support/plugin-of-everything.ts'
import { MARKED_SHOP } from '#tests/support/sites/marked-shop.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'
import { assertAccessible, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const site = await startSite(MARKED_SHOP)
const product = await startProduct()
const browser = await openBrowser(chromium, product.url)

const plugins = suite('plugins on the crawl screen')

/** @param forms  the plugin schema that the server answers with, instead of its own */
async function open(forms?: Record<string, PluginSchema>) {
  const page = await browser.newPage()
  if (forms)
    await page.route('**/core/plugins/schema', (route) =>
      route.fulfill({ json: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: forms } }),
    )
  await openSignedIn(page, '/dashboard/crawl', OWNER)
  await tab(page).click()
  return page
}

const tab = (page: OpenedPage) => page.getByRole('tab', { name: /Plugin Options/ })
const urlField = (page: OpenedPage) => page.getByLabel('URL to crawl')
const start = (page: OpenedPage) => page.getByRole('button', { name: 'Start Crawling' })
const section = (page: OpenedPage, title: string) => page.getByRole('group', { name: title, exact: true })
const sample = (page: OpenedPage) => page.getByRole('tabpanel').locator('pre').first()

plugins(
  'a crawl extracts structured data: its options, code sample and pages show it, and it can be started again from its details',
  async () => {
    const page = await open()
    const form = section(page, 'Structured data')
    await form.getByRole('switch').first().waitFor()
    await becomes(() => form.getByRole('switch').count(), 1, 'options are shown when they matter')
    await form.getByRole('switch', { name: 'Active' }).click()
    await form.getByRole('switch', { name: 'Open Graph and Twitter cards' }).click()
    await form.getByRole('button', { name: 'Add type' }).click()
    const type = form.getByRole('textbox', { name: 'Type 1', exact: true })
    await type.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Product')
    await assertAccessible(page, 'options of a plugin')
    await page.getByText('Structured data', { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: 'Plugin Options 1' }).waitFor()

    await urlField(page).fill(site.url('/'))
    await page.getByRole('tab', { name: 'Spider Options' }).click()
    await page.getByLabel('Page limit').fill('10')
    await page.getByRole('tab', { name: 'API Documentation' }).click()
    await sample(page).getByText('"structured_data"').waitFor()
    for (const word of ['"is_active": true', '"json_ld": true', '"open_graph": false', '"Product"'])
      await sample(page).filter({ hasText: word }).waitFor()

    await start(page).click()
    await page.getByRole('main').getByText('Finished', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Sencha', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Extraction' }).click()
    await dialog.getByText('"Sencha </td>"').waitFor()
    await dialog.getByText('"json_ld"').waitFor()
    await assertAccessible(page, 'an extraction')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Kettle', exact: true }).click()
    await dialog.getByRole('tab', { name: 'Extraction' }).click()
    await dialog.getByText('"Copper kettle"').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'About', exact: true }).click()
    await dialog.getByRole('tab', { name: 'Metadata' }).waitFor()
    await becomes(() => dialog.getByRole('tab', { name: 'Extraction' }).count(), 0, 'none where there is nothing')
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Details' }).click()
    await page.getByRole('button', { name: 'Try in Crawl Playground' }).click()
    await tab(page).click()
    await becomes(() => form.getByRole('switch', { name: 'Active' }).getAttribute('aria-checked'), 'true')
    await becomes(() => form.getByRole('switch', { name: 'Open Graph and Twitter cards' }).getAttribute('aria-checked'), 'false')
    await becomes(() => type.inputValue(), 'Product')
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await becomes(() => form.getByRole('switch', { name: 'Active' }).getAttribute('aria-checked'), 'false')
    assert.equal(page.complaints, [])
  },
)

plugins('any schema becomes a form that reports errors at once, and sends nothing until they are fixed', async () => {
  const page = await open({ openai_extract: EVERYTHING, idle: { ...EVERYTHING, title: 'Idle' } })
  const posted: { options: { plugin_options: Record<string, unknown> } }[] = []
  await page.route('**/core/crawl-requests/', (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    posted.push(route.request().postDataJSON() as (typeof posted)[number])
    return route.fulfill({
      status: 400,
      json: {
        code: 400,
        message: 'Invalid input data.',
        errors: { options: { plugin_options: { openai_extract: { retry: { times: ['Not today.'] } } } } },
      },
    })
  })
  const form = section(page, 'LLM extraction')
  await form.getByRole('switch', { name: 'Active' }).click()
  await becomes(() => form.getByText('This field is required.').count(), 0, 'nothing is asked of who has just come')
  const wrong = async (label: string, value: string, message: string, right: string) => {
    const control = form.getByLabel(label, { exact: true })
    await control.fill(value)
    await form.getByText(message).waitFor()
    await becomes(() => control.getAttribute('aria-invalid'), 'true', label)
    await tab(page).getByText(/wrong/).waitFor({ state: 'attached' })
    await control.fill(right)
    await form.getByText(message).waitFor({ state: 'detached' })
  }
  await wrong('Prompt', 'Hi', 'at least 5 characters', '')
  await form.getByText('This field is required.').waitFor()
  await wrong('Contact', 'nobody', 'valid email', 'a@example.org')
  await wrong('Endpoint', 'nowhere', 'valid URL', 'https://models.example/v1')
  await wrong('Code', 'abc', 'Enter a valid value.', 'ABC')
  await wrong('Temperature', '2.5', 'less than or equal to 2', '1.5')
  await wrong('Extractor Schema', '{', 'Enter valid JSON.', '{"type":"object"}')
  await form.getByRole('button', { name: 'Format' }).click()
  await form.getByLabel('Since').fill('2026-03-04')
  await form.getByLabel('LLM Model').selectOption('large-model')
  await form.getByRole('radio', { name: 'warm' }).check()
  await form.getByRole('radio', { name: '3' }).check()
  await form.getByRole('checkbox', { name: 'Cheap' }).check()
  await form.getByRole('button', { name: 'Add field' }).click()
  await form.getByRole('button', { name: 'Add field' }).click()
  await becomes(() => form.getByRole('button', { name: 'Add field' }).isDisabled(), true)
  await form.getByRole('button', { name: 'Remove field 2' }).click()

  await urlField(page).fill(site.url('/'))
  await page.getByRole('tab', { name: 'Page Options' }).click()
  await start(page).click()
  // The form is not sent: it shows the tab, and every missing value.
  await form.getByLabel('Prompt').waitFor()
  await waitForCount(form.getByText('This field is required.'), 2)
  await tab(page).getByText('2 fields are wrong').waitFor({ state: 'attached' })
  await becomes(() => form.getByLabel('Prompt').evaluate((element) => element === document.activeElement), true)
  assert.equal(posted, [])
  await assertAccessible(page, 'a form of everything')

  await form.getByLabel('Prompt').fill('Find the price')
  await form.getByLabel('Name').fill('price')
  await start(page).click()
  await form.getByText('Not today.').waitFor()
  await becomes(() => form.getByLabel('Times').getAttribute('aria-invalid'), 'true', 'the group opened for it')
  assert.equal(posted[0]?.options.plugin_options, {
    openai_extract: {
      is_active: true,
      llm_model: 'large-model',
      prompt: 'Find the price',
      contact: 'a@example.org',
      endpoint: 'https://models.example/v1',
      since: '2026-03-04',
      code: 'ABC',
      temperature: 1.5,
      tone: 'warm',
      detail: 3,
      strict: true,
      cheap: true,
      fields: [{ name: 'price' }],
      extractor_schema: { type: 'object' },
    },
  })
  await form.getByLabel('Times').fill('2')
  await form.getByText('Not today.').waitFor({ state: 'detached' })
  await form.getByRole('switch', { name: 'Active' }).click()
  await form.getByLabel('Prompt').waitFor({ state: 'detached' })
  await form.getByRole('switch', { name: 'Active' }).click()
  await becomes(() => form.getByLabel('Prompt').inputValue(), 'Find the price', 'what was typed is kept')
})

plugins('without plugins the screen explains them; a failed request can be retried', async () => {
  const page = await open({})
  await page.getByText('No plugins installed').waitFor()
  await assertAccessible(page, 'no plugins')

  const failing = await browser.newPage()
  let isDown = true
  await failing.route('**/core/plugins/schema', (route) =>
    isDown ? route.fulfill({ status: 403, json: { code: 403, errors: null, message: 'Plugins are closed.' } }) : route.fallback(),
  )
  await openSignedIn(failing, '/dashboard/crawl', OWNER)
  await tab(failing).click()
  await failing.getByText('The plugins could not be loaded').waitFor()
  await failing.getByRole('region', { name: 'Notifications' }).getByText('Plugins are closed.').waitFor()
  isDown = false
  await failing.getByRole('button', { name: 'Try again' }).click()
  await section(failing, 'Structured data').waitFor()
})

plugins.run()
