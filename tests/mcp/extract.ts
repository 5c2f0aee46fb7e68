/** The tool `extract` with a language model: a stub stands in the place of its server. */
import * as assert from 'uvu/assert'
import { startApp } from '#tests/support/app.ts'
import { callTool } from '#tests/support/mcp.ts'
import { startModelStub } from '#tests/support/stubs/model-stub.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const extract = suite('extract, with a language model')
const model = await startModelStub(() => ({ content: { price: 4.5, other: 1 } }))
const site = await startSite({ '/tea': pageOf('Tea') })
const app = await startApp({
  engine: true,
  config: { openaiApiKey: 'sk-operator', openaiBaseUrl: model.url, openaiModels: [{ name: 'small', price: null }] },
})
const base = await app.listen()
const { apiKey } = await app.signIn()

extract('extract with a schema returns data that the model of the server found', async () => {
  const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] }
  const { structuredContent } = await callTool(base, apiKey, 'extract', { url: site.url('/tea'), schema, prompt: 'The price.' })
  assert.equal([structuredContent.has_data, structuredContent.data], [true, { price: 4.5 }])
  const [request] = model.requests
  assert.equal([request?.body.model, model.requests.length], ['small', 1])
  assert.match(request?.asked ?? '', 'The price.')
})

extract('extract without a schema calls no model', async () => {
  model.requests.length = 0
  const { structuredContent } = await callTool(base, apiKey, 'extract', { url: site.url('/tea') })
  assert.is(structuredContent.has_data, false)
  const { isError, text } = await callTool(base, apiKey, 'extract', { url: site.url('/tea'), prompt: 'The price.' })
  assert.equal([isError, /schema: A prompt needs a schema/.test(text)], [true, true])
  const wrong = await callTool(base, apiKey, 'extract', { url: site.url('/tea'), schema: { type: 'nothing' } })
  assert.is(wrong.isError, true)
  assert.match(wrong.text, /^Invalid input data\. schema: type: "nothing" is not a type\n/)
  assert.equal(model.requests, [])
})

extract.run()
