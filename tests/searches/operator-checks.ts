/** What an operator learns about the search providers: at the start, and when one fails. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { askSearxng } from '#backend/searches/providers/ask-searxng.ts'
import { searchSetup } from '#backend/searches/providers/configured.ts'
import type { SearchOptions } from '#backend/searches/providers/configured.ts'
import { logFailures } from '#backend/searches/providers/log-failures.ts'
import type { ProviderPage, SearchProvider, SearchQuestion } from '#backend/searches/providers/index.ts'
import { freePort } from '#tests/support/stubs/path-proxy.ts'
import { hasSearx, startSearx } from '#tests/support/stubs/searx.ts'

const checks = suite('checks of search providers')
const setupOf = (options: Partial<SearchOptions>) =>
  searchSetup({ braveApiBase: 'http://127.0.0.1:9', googleSearchApiBase: 'http://127.0.0.1:9', crawlerUserAgent: 'test', ...options })

checks('an instance is asked without a query, and what it answers is explained', async () => {
  let status = 400
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ask = askSearxng(setupOf({ searxngUrl: `http://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}` }))!
  for (const [answer, says] of [
    [400, null],
    [200, null],
    [403, /it refuses JSON: `json` must be among its `search\.formats`/],
    [401, /it does not accept the key/],
    [404, /no search at the configured address/],
    [429, /its limiter refuses this server/],
    [502, /it is out of order/],
  ] as const) {
    status = answer
    const wrong = await ask()
    if (says === null) assert.is(wrong, null)
    else assert.match(wrong ?? '', says)
    assert.not.match(wrong ?? '', /secret/)
  }
  assert.equal([...new Set(asked)], ['/search?format=json'])
  server.close()
  const searxngUrl = `http://127.0.0.1:${await freePort()}`
  const unreachable = /^SEARXNG_URL names the instance at 127\.0\.0\.1:\d+, but it cannot be reached\. Until it can be used, (.+)$/
  for (const [options, effect] of [
    [{}, 'searches find only the own pages of a team'],
    [{ braveApiKey: 'key' }, 'another provider answers searches of the web'],
    [{ braveApiKey: 'key', searchProviders: ['searxng'] }, 'searches fail'],
  ] as const)
    assert.is(unreachable.exec((await askSearxng(setupOf({ searxngUrl, ...options }))!()) ?? '')?.[1], effect)
})

checks('an instance that no search asks is not asked, nor are providers that charge for calls', () => {
  assert.is(askSearxng(setupOf({ searxngUrl: 'http://127.0.0.1:9', searchProviders: ['own'] })), null)
  assert.is(askSearxng(setupOf({ braveApiKey: 'key' })), null)
})

if (hasSearx())
  checks('a real instance can be used, and searches for nothing meanwhile', async () => {
    const searx = await startSearx([])
    assert.is(await askSearxng(setupOf({ searxngUrl: searx.url }))!(), null)
    assert.equal(searx.asked, [])
    await searx.close()
  })

checks('a provider that fails is logged once for each reason, and when it answers again', async () => {
  const failure = (detail: string): ProviderPage => ({ kind: 'failure', detail })
  const answers = [
    failure('its quota is used up'),
    failure('its quota is used up'),
    failure('no answer'),
    EMPTY,
    EMPTY,
    failure('no answer'),
  ]
  const lines: unknown[] = []
  const log = {
    info: (facts: object, message: string) => void lines.push([message, facts]),
    warn: (facts: object, message: string) => void lines.push([message, facts]),
  }
  const [provider] = logFailures([providerOf('brave', () => answers.shift()!)], log)
  while (answers.length > 1) await provider!.page(QUESTION, 0, new AbortController().signal)
  await provider!.page(QUESTION, 0, AbortSignal.abort())
  assert.equal(lines, [
    ['search provider failed', { provider: 'brave', detail: 'its quota is used up' }],
    ['search provider failed', { provider: 'brave', detail: 'no answer' }],
    ['search provider answers again', { provider: 'brave' }],
  ])
})

const EMPTY: ProviderPage = { kind: 'page', hits: [], hasMore: false }
const QUESTION: SearchQuestion = { query: 'a', language: null, country: null, timeRange: 'any', source: 'web', teamId: 't', limit: 1 }
const providerOf = (name: SearchProvider['name'], answer: () => ProviderPage): SearchProvider => ({
  name,
  label: name,
  sources: ['web'],
  page: async () => answer(),
})

checks.run()
