import { chromium } from 'playwright'
import * as assert from 'uvu/assert'
import { becomes } from '#tests/support/browser/becomes.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startModelStub } from '#tests/support/stubs/model-stub.ts'
import { suite } from '#tests/support/suite.ts'
import { PHONE, assertAccessible, openBrowser, openSignedIn } from './support.ts'

let isRefusing = false
const model = await startModelStub(() =>
  isRefusing ? { status: 401, raw: '{}' } : { content: { ok: true }, usage: { prompt_tokens: 20, completion_tokens: 5 } },
)
const product = await startProduct({ EGRESS_ALLOW: '127.0.0.1' })
const browser = await openBrowser(chromium, product.url)

const models = suite('the model server of a team, in the browser')

models('the form names missing values, tests its values, hides the key, and removes the server', async () => {
  const page = await browser.newPage()
  await openSignedIn(page, '/dashboard/settings#models', OWNER)
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.getByText('No model was used in the last 30 days').waitFor()
  await click('Save')
  await page.getByText('Enter a URL that begins with http:// or https://').waitFor()
  await page.getByText('Name at least one model').waitFor()
  await assertAccessible(page, 'the form of a model server, with errors')

  await field('URL').fill('http://10.0.0.1/v1')
  await field('Models').fill('ours\nlarge')
  await click('Test model')
  await page.getByText('This address is not allowed.').waitFor()
  await field('URL').fill(model.url)
  await page.getByLabel('Key', { exact: true }).fill('sk-own')
  await click('Test model')
  await page.getByText('and used 25 tokens.').waitFor()
  assert.is(model.requests.at(-1)?.authorization, 'Bearer sk-own')
  await click('Save')
  await page.getByText('Leave it empty to keep the stored key.').waitFor()
  await becomes(() => page.getByLabel('New key', { exact: true }).inputValue(), '')
  await becomes(() => field('Models').inputValue(), 'ours\nlarge')

  // The stored key is used without being shown.
  isRefusing = true
  await click('Test model')
  await page.getByText('The model did not answer: it does not accept the key.').waitFor()
  assert.equal([model.requests.at(-1)?.authorization, model.requests.at(-1)?.body.model], ['Bearer sk-own', 'ours'])
  assert.not.match(await page.content(), /sk-own/)
  await page.setViewportSize(PHONE)
  await assertAccessible(page, 'a model server on a phone')

  await click('Remove')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await becomes(() => field('URL').inputValue(), '')
})

models.run()
