import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startReceiver } from '#tests/support/stubs/receiver.ts'
import { suite } from '#tests/support/suite.ts'
import { PHONE, assertAccessible, openBrowser, openSignedIn, waitForCount } from './support.ts'
import type { OpenedPage } from './support.ts'

const receiver = await startReceiver((_received, response, times) => void response.writeHead(times === 1 ? 500 : 200).end('noted'))
const product = await startProduct({ EGRESS_ALLOW: '127.0.0.1' })
const browser = await openBrowser(chromium, product.url)

const webhooks = suite('webhooks in the browser')

async function open() {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard/settings#webhooks', OWNER)
  return page
}

const dialog = (page: OpenedPage) => page.getByRole('dialog')
const button = (page: OpenedPage, name: string) => dialog(page).getByRole('button', { name, exact: true })
const row = (page: OpenedPage) => page.getByRole('table', { name: 'Webhooks' }).getByRole('row').filter({ hasText: 'Build server' })

webhooks('the tab explains webhooks if there are none; the form names missing values and keeps the input', async () => {
  const page = await open()
  await page.getByRole('heading', { name: 'No webhooks' }).waitFor()
  await assertAccessible(page, 'no webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await dialog(page).getByLabel('A job ends').uncheck()
  await dialog(page).getByLabel('Headers').fill('nonsense')
  await button(page, 'Create').click()
  for (const words of ['URL is required', 'Choose at least one event', 'Write one header per line, as Name: value'])
    await dialog(page).getByText(words, { exact: true }).waitFor()
  await assertAccessible(page, 'the form of a webhook, with errors')
  await dialog(page).getByLabel('URL').fill('http://10.0.0.1/')
  await dialog(page).getByLabel('A job ends').check()
  await dialog(page).getByLabel('Headers').fill('X-Token: very secret')
  await button(page, 'Create').click()
  await dialog(page).getByText('This address is not allowed.').waitFor()
  await becomes(() => dialog(page).getByLabel('Headers').inputValue(), 'X-Token: very secret')
  await page.keyboard.press('Escape')
  await waitForCount(dialog(page), 0)
})

webhooks(
  'an endpoint is created, its secret is shown and replaced; a test is sent, and each attempt can be read and sent again',
  async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await dialog(page).getByLabel('URL').fill(receiver.url())
    await dialog(page).getByLabel('Name').fill('Build server')
    await dialog(page).getByLabel('Headers').fill('X-Token: very secret')
    await button(page, 'Create').click()
    const secret = dialog(page).getByRole('region', { name: 'Signing secret' })
    await secret.filter({ hasText: 'whsec_' }).waitFor()
    const before = (await secret.textContent()) ?? ''
    await assertAccessible(page, 'the secret of a webhook')
    await button(page, 'Rotate secret').click()
    await dialog(page).getByText('Events are also signed with the previous secret until').waitFor()
    await waitForCount(secret.filter({ hasText: before }), 0)
    await button(page, 'Done').click()
    // The button in the empty list, which opened the form, is gone.
    await becomes(() => page.evaluate(() => document.activeElement?.id), 'content')

    await row(page).getByText('On', { exact: true }).waitFor()
    await row(page).getByRole('button', { name: 'Deliveries' }).click()
    await dialog(page).getByRole('heading', { name: 'No deliveries' }).waitFor()
    await button(page, 'Send test event').click()
    await dialog(page).getByRole('heading', { name: '1 attempt' }).waitFor()
    await dialog(page).getByText('HTTP 500').first().click()
    const answer = dialog(page).getByRole('region', { name: /^Answer of/ })
    await answer.getByText('noted').waitFor()
    await dialog(page)
      .getByRole('region', { name: /^Request of/ })
      .getByText('X-Token: •••')
      .waitFor()
    await dialog(page).getByRole('region', { name: 'Body' }).getByText('webhook.test').first().waitFor()
    await assertAccessible(page, 'a delivery with its attempt')
    await button(page, 'Send test event').click()
    await dialog(page).getByText('HTTP 200').first().waitFor()
    await button(page, 'All deliveries').click()
    const table = dialog(page).getByRole('table', { name: 'Deliveries' })
    await waitForCount(table.getByRole('button', { name: 'webhook.test' }), 2)
    await dialog(page).getByText('Delivered', { exact: true }).first().click()
    await waitForCount(table.getByRole('button', { name: 'webhook.test' }), 1)
    await assertAccessible(page, 'the deliveries of a webhook')
    await page.keyboard.press('Escape')
    await waitForCount(dialog(page), 0)
    assert.equal(receiver.types(), ['webhook.test', 'webhook.test'])
  },
)

webhooks('an endpoint is edited without showing its headers, switched off and deleted, on a phone too', async () => {
  const page = await open()
  await page.setViewportSize(PHONE)
  await row(page).getByRole('button', { name: 'Edit Build server' }).click()
  await dialog(page).getByText('Stored: X-Token. What you enter here replaces them.').waitFor()
  await becomes(() => dialog(page).getByLabel('New headers').inputValue(), '')
  await dialog(page).getByRole('switch', { name: 'Enabled' }).click()
  await button(page, 'Update').click()
  await row(page).getByText('Off', { exact: true }).waitFor()
  await assertAccessible(page, 'webhooks on a phone')
  await row(page).getByRole('button', { name: 'Delete Build server' }).click()
  await button(page, 'Delete webhook').click()
  await page.getByRole('heading', { name: 'No webhooks' }).waitFor()
  assert.equal(page.complaints, [])
})

webhooks('a refusal says why, and only a secret that is lost asks for another one', async () => {
  const page = await open()
  const refuse = (method: string, json: { code: number; errors: object | null; message: string }) =>
    page.route('**/api/v1/core/webhooks/**', (route) =>
      route.request().method() === method ? route.fulfill({ status: json.code, json }) : route.fallback(),
    )
  const busy = { code: 429, errors: null, message: 'Too many requests.' }
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await dialog(page).getByLabel('URL').fill(receiver.url())
  await dialog(page).getByLabel('Name').fill('Refused')
  await refuse('POST', busy)
  await button(page, 'Create').click()
  await page.getByText('Failed to add the webhook. Too many requests.', { exact: true }).waitFor()
  await page.unrouteAll()
  await button(page, 'Create').click()
  await dialog(page).getByText('whsec_').waitFor()
  await button(page, 'Done').click()

  await page.reload()
  await refuse('DELETE', busy)
  await page.getByRole('button', { name: 'Delete Refused' }).click()
  await button(page, 'Delete webhook').click()
  await page.getByText('Failed to delete the webhook. Too many requests.', { exact: true }).waitFor()

  const advice = dialog(page).getByText('Rotate it to get a new one.')
  await page.route('**/secret/', (route) => route.fulfill({ status: 403, json: { ...busy, code: 403 } }))
  await page.getByRole('button', { name: 'Secret of Refused' }).click()
  await dialog(page).getByRole('heading', { name: 'The secret cannot be shown' }).waitFor()
  await waitForCount(advice, 0)
  await page.unroute('**/secret/')
  await page.route('**/secret/', (route) =>
    route.fulfill({ status: 400, json: { code: 400, errors: { secret: ['Please rotate it.'] }, message: 'Invalid input data.' } }),
  )
  await button(page, 'Try again').click()
  await advice.waitFor()
})

webhooks.run()
