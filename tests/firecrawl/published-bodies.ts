/** Bodies as published programs send them: the MCP server, n8n and newer versions of the SDK. */
import * as assert from 'uvu/assert'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { startModelStub } from '#tests/support/stubs/model-stub.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const bodies = suite('bodies of published programs')
const model = await startModelStub(() => ({ content: { name: 'Net' } }))
const f = await startFirecrawl({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-operator', OPENAI_MODELS: 'small' })
const url = (path: string) => f.site.url(path)

bodies('the search tool of firecrawl-mcp 3.26 is answered, with a warning only if there is nothing else to search', async () => {
  const body = { query: 'boats', limit: 2, sources: ['web', 'alexandria'], domainTools: true, toolDetail: 'compact', origin: 'mcp' }
  const { json, status } = await f.call('/v2/search', { body })
  assert.is(status, 200)
  assert.equal(Object.keys(json.data), ['web'])
  assert.is(json.warning, undefined)
  const plain = await f.call('/v2/search', { body: { ...body, sources: ['web'], domainTools: false } })
  assert.equal([plain.status, plain.json.warning], [200, undefined])
  const other = await f.call('/v2/search', { body: { ...body, sources: ['exchange'] } })
  assert.equal([other.status, other.json.data], [200, {}])
  assert.is(other.json.warning, 'No search provider of this server has answered for exchange.')
})

bodies('options of the SDK 4.42 that have no effect here cause a warning, not a refusal', async () => {
  const threatProtection = { mode: 'normal' }
  const map = await f.call('/v2/map', { body: { url: url('/'), threatProtection, auditMetadata: { username: 'ana' } } })
  assert.is(map.json.warning, 'threatProtection has no effect on this server. auditMetadata has no effect on this server.')
  const search = await f.call('/v2/search', { body: { query: 'boats', threatProtection } })
  assert.is(search.json.warning, 'threatProtection has no effect on this server.')
  const extract = await f.call('/v2/extract', { body: { urls: [url('/boats')], prompt: 'name', threatProtection } })
  assert.is(extract.json.warning, 'threatProtection has no effect on this server.')
  const formats = [{ type: 'json', prompt: 'name', checkPromptInjection: true }]
  const page = await f.call('/v2/scrape', { body: { url: url('/boats'), formats, domainTools: true, toolDetail: 'full' } })
  assert.equal(
    [page.json.data.json, page.json.warning],
    [{ name: 'Net' }, 'checkPromptInjection has no effect on this server. domainTools has no effect on this server.'],
  )
})

bodies('the Python client sends null for options of a format without a value', async () => {
  const formats = [
    { type: 'json', prompt: null, schema: { type: 'object', properties: { name: { type: 'string' } } } },
    { type: 'changeTracking', modes: ['git-diff'], schema: null, prompt: null, tag: null },
  ]
  const page = await f.call('/v2/scrape', { body: { url: url('/boats'), formats } })
  assert.is(page.status, 200, page.text)
  assert.equal(page.json.data.json, { name: 'Net' })
  const wordy = await f.call('/v2/scrape', { body: { url: url('/boats'), formats: [{ type: 'json', prompt: 'name', schema: null }] } })
  assert.equal([wordy.status, wordy.json.data.json], [200, { name: 'Net' }])
})

bodies('clients may name themselves in scrapeOptions too', async () => {
  const scrapeOptions = { formats: ['markdown'], integration: 'n8n', origin: 'n8n' }
  for (const version of ['v1', 'v2']) {
    assert.is((await f.call(`/${version}/crawl`, { body: { url: url('/boats'), limit: 1, scrapeOptions } })).status, 200)
    assert.is((await f.call(`/${version}/search`, { body: { query: 'boats', limit: 1, scrapeOptions } })).status, 200)
  }
})

bodies('a crawl of the n8n node leaves out the sitemap by the name that v1 has for it', async () => {
  const pagesOf = async (more: object) => {
    const body = { url: url('/blog/draft/three'), limit: 10, crawlEntireDomain: true, prompt: '', integration: 'n8n', ...more }
    const { json, status, text } = await f.call('/v2/crawl', { body })
    assert.is(status, 200, text)
    const read = async () => (await f.call(`/v2/crawl/${json.id}`)).json
    await until(async () => (await read()).status === 'completed')
    return (await read()).data.length as number
  }
  assert.is(await pagesOf({ ignoreSitemap: true }), 1)
  assert.ok((await pagesOf({ ignoreSitemap: false })) > 1)
  assert.ok((await pagesOf({ ignoreSitemap: true, sitemap: 'include' })) > 1)
})

bodies('a scrape and a batch of the n8n node with its options are answered', async () => {
  const options = {
    formats: ['markdown'],
    includeTags: [],
    excludeTags: [],
    headers: {},
    waitFor: 0,
    timeout: 30000,
    actions: {},
    location: { settings: { country: 'US', languages: { language: [{ code: 'en' }] } }, country: 'US', languages: ['en'] },
    integration: 'n8n',
  }
  const page = await f.call('/v2/scrape', { body: { url: url('/boats'), ...options } })
  assert.is(page.status, 200, page.text)
  assert.match(page.json.data.markdown, /^# Boats/)
  assert.not.match(page.json.warning, /action|browser/i)
  const batch = await f.call('/v2/batch/scrape', { body: { urls: [url('/boats')], ...options, location: {} } })
  assert.is(batch.status, 200, batch.text)
  const wrong = await f.call('/v2/scrape', { body: { url: url('/boats'), actions: { type: 'wait' } } })
  assert.equal([wrong.status, /actions/.test(wrong.json.error)], [400, true])
})

bodies('extract takes scrapeOptions in the form of its version', async () => {
  const body = { urls: [url('/boats')], prompt: 'name' }
  const ofV1 = { formats: ['markdown', 'extract'], extract: { prompt: 'x' }, parsePDF: true, onlyMainContent: true }
  const started = await f.call('/v1/extract', { body: { ...body, scrapeOptions: ofV1 } })
  assert.is(started.status, 200, started.text)
  const read = async () => (await f.call(`/v1/extract/${started.json.id}`)).json
  await until(async () => (await read()).status === 'completed')
  assert.equal((await read()).data, { name: 'Net' })
  const ofV2 = { formats: ['markdown', { type: 'json', prompt: 'x' }], parsers: ['pdf'] }
  assert.is((await f.call('/v2/extract', { body: { ...body, scrapeOptions: ofV2 } })).status, 200)
})

bodies('a search stores pages, so one that asks for none to be kept is refused', async () => {
  const scrapeOptions = { formats: ['markdown'], zeroDataRetention: true }
  for (const version of ['v1', 'v2']) {
    const { json, status } = await f.call(`/${version}/search`, { body: { query: 'boats', scrapeOptions } })
    assert.is(status, 400)
    assert.match(json.error, /zeroDataRetention is available for single scrapes only/)
  }
})

bodies.run()
