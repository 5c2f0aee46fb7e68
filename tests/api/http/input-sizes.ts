/** Every body has a size limit, which is checked before anything is built from the body. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { install, login, logout, refreshToken } from '#contract/accounts.ts'
import { createBatchCrawl, createCrawl, FORBIDDEN_HEADERS, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { createSearch } from '#contract/searches.ts'
import { createSitemap } from '#contract/sitemaps.ts'
import {
  bodySizeOf,
  FORM_BODY,
  MAX_BATCH_URLS,
  MAX_EXTRA_HEADERS,
  MAX_OPTIONS_BYTES,
  MAX_SELECTORS,
  MAX_TARGET_LENGTH,
  OPTIONS_BODY,
} from '#contract/sizes.ts'
import { createTeam, listTeams } from '#contract/teams.ts'
import { SIGN_IN_LIMITS } from '#backend/http/rate-limits.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const app = await startApp()
const owner = await app.signIn()
const base = await app.listen()
const SITE = 'http://127.0.0.1:8080/'
const tooLarge = (most: string) => ({ code: 413, errors: null, message: `Request body has more than ${most}.` })

const sizes = suite('input has sizes')

const withBody = [...ENDPOINTS.values()].filter(({ body }) => body !== undefined)

/** A JSON object of exactly this many bytes. */
const bodyOfSize = (bytes: number) => `{"x":"${'y'.repeat(bytes - 8)}"}`

/** Sends the head only and returns the answer, which must not wait for the body. */
const announce = (path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const outgoing = httpRequest(base + path, { method: 'POST', agent: false, headers: { 'content-type': 'application/json', ...headers } })
    outgoing.on('error', reject)
    outgoing.on('response', (reply) => {
      resolve(reply.statusCode)
      outgoing.destroy()
    })
    outgoing.flushHeaders()
  })

sizes('A1: the body of a public endpoint has at most 16 KiB, with or without Content-Length', async () => {
  const open = withBody.filter(({ access, isUncounted }) => access === 'public' && !isUncounted)
  assert.ok(open.length >= 10)
  for (const endpoint of open) {
    assert.ok(bodySizeOf(endpoint).bytes <= 16 * 1024, endpoint.path)
    const path = endpoint.path.replace(/\{\w+\}/, 'x')
    assert.is(await announce(path, { 'content-length': String(16 * 1024 + 1) }), 413, path)
    const headers = { 'content-type': 'application/json' }
    const streamed = new Blob([bodyOfSize(16 * 1024 + 1)]).stream()
    const reply = await fetch(base + path, { method: 'POST', headers, body: streamed, duplex: 'half' } as RequestInit)
    assert.equal(await reply.json(), tooLarge('16 KiB'), path)
    const { status } = await app.request('POST', path, { body: bodyOfSize(16 * 1024) })
    assert.is.not(status, 413, `${path} takes 16 KiB`)
  }
})

sizes('A1: millions of small values are refused without being built', async () => {
  const { parse } = JSON
  let parsed = 0
  JSON.parse = (...given: Parameters<typeof parse>) => {
    parsed = Math.max(parsed, given[0].length)
    return parse(...given) as unknown
  }
  try {
    const flood = `{"z":[${'{},'.repeat(3_300_000)}{}]}`
    for (const endpoint of [login, logout, refreshToken, install, createTeam, createCrawl, createSearch])
      assert.is((await app.http.inject({ ...posted(endpoint, flood) })).statusCode, 413, endpoint.path)
    // Small enough in bytes, but too many values.
    const crowd = (values: number) => `{"z":[${'1,'.repeat(values - 3)}1]}`
    for (const [endpoint, { values }] of [
      [logout, FORM_BODY],
      [createTeam, FORM_BODY],
      [createCrawl, OPTIONS_BODY],
      [createSitemap, OPTIONS_BODY],
    ] as const) {
      const reply = await app.http.inject(posted(endpoint, crowd(values + 1)))
      assert.equal(reply.json(), tooLarge(`${values} values`), endpoint.path)
    }
    assert.ok(parsed < 1024, `a text of ${parsed} characters was parsed`)
    for (const [endpoint, { values }] of [
      [createTeam, FORM_BODY],
      [createCrawl, OPTIONS_BODY],
    ] as const)
      assert.is((await app.http.inject(posted(endpoint, crowd(values)))).statusCode, 400, `${endpoint.path} takes ${values}`)
  } finally {
    JSON.parse = parse
  }
})

const posted = ({ path }: EndpointSpec, payload: string) => ({
  method: 'POST' as const,
  url: path,
  payload,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.access}` },
})

sizes('each endpoint limits size and depth of its body, even an endpoint that expects no body', async () => {
  const token = { authorization: `Bearer ${owner.access}` }
  for (const endpoint of ENDPOINTS.values()) {
    if (endpoint.method === 'GET') continue
    const { bytes, depth } = bodySizeOf(endpoint)
    const url = endpoint.path.replaceAll(/\{\w+\}/g, '01955f2a-7c31-7e08-9d53-1f2b6a40c8e1')
    const send = (payload: string) =>
      app.http.inject({ method: endpoint.method, url, payload, headers: { ...token, 'content-type': 'application/json' } })
    assert.equal(
      (await send(bodyOfSize(bytes + 1))).json(),
      tooLarge(bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`),
      `${endpoint.method} ${url}`,
    )
    if (endpoint.isUncounted) continue
    const nested = await send(`${'['.repeat(depth + 1)}${']'.repeat(depth + 1)}`)
    assert.equal(
      nested.json(),
      { code: 400, errors: null, message: `JSON parse error: more than ${depth} lists and objects inside one another` },
      `${endpoint.method} ${url}`,
    )
  }
})

sizes('a lower limit of the operator applies', async () => {
  const strict = await startApp({ config: { maxBodyBytes: 2000 } })
  const { status, body } = await strict.request('POST', createCrawl.path, { body: bodyOfSize(2001), key: 'x' })
  assert.is(status, 401, 'the caller comes first')
  assert.equal(body, { code: 401, errors: null, message: 'Unknown API key.' })
  const me = await strict.signIn()
  assert.equal((await strict.request('POST', createCrawl.path, { as: me, body: bodyOfSize(2001) })).body, tooLarge('2000 bytes'))
})

sizes('A1: a caller is counted before the body is read', async () => {
  const clock = createClock()
  const counting = await startApp({ clock })
  const ask = (body: string, from = '192.0.2.1') => counting.request('POST', logout.path, { body, from })
  for (let n = 0; n < SIGN_IN_LIMITS.bodyFromAddress.calls; n++) await ask('{')
  const refused = await ask(bodyOfSize(100_000))
  assert.is(refused.status, 429, 'not 413: nothing of it was read')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.is((await ask('{"refresh":"x"}', '192.0.2.2')).status, 204, 'another address')
  clock.advance(SIGN_IN_LIMITS.bodyFromAddress.seconds * 1000)
  assert.is((await ask('{"refresh":"x"}')).status, 204, 'later')
})

sizes('a caller who disconnects in the middle of a body is not logged as a server error', async () => {
  const failures: object[] = []
  const note = (facts: object) => void failures.push(facts)
  const left = await startApp({ log: { info: () => undefined, warn: () => undefined, error: note } })
  const url = new URL(await left.listen())
  const ended = new Promise<void>((resolve) =>
    left.http.server.once('request', (_request, response) => response.once('close', () => setImmediate(resolve))),
  )
  const socket = connect(Number(url.port), url.hostname)
  socket.write(`POST ${login.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
  await once(left.http.server, 'request')
  socket.destroy()
  await ended
  await left.close()
  assert.equal(failures, [])
})

sizes('headers of blanks are checked in linear time', async () => {
  // A regular expression that backtracks over these blanks would take hours.
  const blanks = ' '.repeat(2_000_000)
  const typed = await app.http.inject({
    method: 'POST',
    url: logout.path,
    payload: '{}',
    headers: { 'content-type': `application/json${blanks}x` },
  })
  assert.is(typed.statusCode, 415)
  const wide = '\u00a0'.repeat(2_000_000)
  for (const authorization of [`Bearer${wide}`, `Bearer x${blanks}x`, wide]) {
    const reply = await app.http.inject({ method: 'GET', url: listTeams.path, headers: { authorization } })
    assert.is(reply.statusCode, 401)
  }
})

sizes('the URL of a request has at most 8,192 characters', async () => {
  const asked = (length: number) => `${listCrawls.path}?x=`.padEnd(length, 'y')
  assert.is((await app.request('GET', asked(MAX_TARGET_LENGTH), { as: owner })).status, 200)
  const { status, body } = await app.request('GET', asked(MAX_TARGET_LENGTH + 1), { as: owner })
  assert.equal([status, body], [414, { code: 414, errors: null, message: 'The URL of the request has more than 8192 characters.' }])
})

const crawl = (options: unknown) => app.call(createCrawl, { as: owner, body: { url: SITE, options } })
const errorsOf = ({ body }: { body: unknown }) => (body as { errors: unknown }).errors

sizes('A5: the options of a job take at most 64 KiB together', async () => {
  const before = (await app.call(listCrawls, { as: owner })).body.count
  const paths = (bytes: number) => Array.from({ length: Math.floor(bytes / 1003) }, () => 'y'.repeat(1000))
  const errors = { options: ['All options together may take 64 KiB as JSON.'] }
  const half = paths(40_000)
  const heavy = await crawl({ spider_options: { include_paths: half, exclude_paths: half } })
  assert.equal([heavy.status, errorsOf(heavy)], [400, errors])
  const wide = await crawl({ page_options: { accept_cookies_selector: null, include_tags: ['€'.repeat(1000), ...paths(63_000)] } })
  assert.equal([wide.status, errorsOf(wide)], [400, errors], 'bytes, not characters')
  const sitemap = await app.call(createSitemap, { as: owner, body: { url: SITE, options: { include_paths: half, exclude_paths: half } } })
  assert.equal([sitemap.status, errorsOf(sitemap)], [400, errors])
  const plugin = await crawl({ plugin_options: { structured_data: { is_active: false, x: 'y'.repeat(MAX_OPTIONS_BYTES) } } })
  assert.equal([plugin.status, errorsOf(plugin)], [400, errors])
  assert.is((await crawl({ plugin_options: { x: 'y'.repeat(9_500_000) } })).status, 413)
  assert.is((await app.call(listCrawls, { as: owner })).body.count, before, 'nothing was started')
  assert.is((await crawl({ spider_options: { include_paths: paths(60_000) } })).status, 201)
})

sizes('A5, C5: a job has at most 64 headers of 8 KiB; a forbidden header is refused by name', async () => {
  const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 'y']))
  const sent = async (extra_headers: Record<string, string>) => {
    const reply = await crawl({ page_options: { extra_headers } })
    if (reply.status === 201) return 201
    return (errorsOf(reply) as { options: { page_options: { extra_headers: unknown } } }).options.page_options.extra_headers
  }
  assert.is(await sent(headers(MAX_EXTRA_HEADERS)), 201)
  assert.equal(await sent(headers(MAX_EXTRA_HEADERS + 1)), ['Ensure this field has no more than 64 elements.'])
  assert.is(await sent({ 'x-long': 'y'.repeat(8192) }), 201)
  assert.equal(await sent({ 'x-long': 'y'.repeat(8193) }), { 'x-long': ['Ensure this field has no more than 8192 characters.'] })
  for (const name of ['Host', 'Connection', 'Content-Length', 'Transfer-Encoding', 'Accept-Encoding', ...FORBIDDEN_HEADERS])
    assert.equal(await sent({ 'x-a': '1', [name]: '1' }), { [name]: [`The header ${name} is set by the crawler itself.`] }, name)
  assert.is(await sent({ Authorization: 'Bearer x', Cookie: 'a=b', Referer: SITE, 'Accept-Language': 'fr' }), 201)
})

sizes('C5: null option groups count as absent', async () => {
  const options = { spider_options: null, page_options: null, plugin_options: null }
  const { status, body } = await crawl(options)
  assert.is(status, 201)
  const { body: filled } = await crawl({})
  assert.equal(body.options, filled.options)
  const batch = await app.call(createBatchCrawl, { as: owner, body: { urls: [SITE], options } })
  assert.is(batch.status, 201)
  assert.equal((await app.call(getCrawl, { as: owner, params: { id: body.uuid } })).body.options, filled.options)
})

sizes('a full batch of long URLs is accepted; one more URL gets an error at its field', async () => {
  const urls = Array.from({ length: MAX_BATCH_URLS }, (_, n) => `${SITE}${n}/`.padEnd(2048, 'y'))
  const { status, body } = await app.call(createBatchCrawl, { as: owner, body: { urls } })
  assert.equal([status, body.urls.length], [201, MAX_BATCH_URLS])
  const more = await app.call(createBatchCrawl, { as: owner, body: { urls: Array.from({ length: MAX_BATCH_URLS + 1 }, () => SITE) } })
  assert.equal([more.status, errorsOf(more)], [400, { urls: ['Ensure this field has no more than 1000 elements.'] }])
  const long = await app.call(createBatchCrawl, { as: owner, body: { urls: [SITE, SITE.padEnd(2049, 'y')] } })
  assert.equal(errorsOf(long), { urls: { 1: ['Ensure this field has no more than 2048 characters.'] } })
})

sizes('a list of 200 selectors is accepted; one more selector gets an error at its field', async () => {
  const tags = (count: number) => ({ page_options: { exclude_tags: Array.from({ length: count }, (_, n) => `.x${n}`) } })
  assert.is((await crawl(tags(MAX_SELECTORS))).status, 201)
  const more = await crawl(tags(MAX_SELECTORS + 1))
  assert.equal(errorsOf(more), { options: { page_options: { exclude_tags: ['Ensure this field has no more than 200 elements.'] } } })
})

sizes('A5: a list of the largest jobs is sent in pieces, and other calls are served between the pieces', async () => {
  const heavy = await startApp()
  const me = await heavy.signIn()
  const { uuid } = (await heavy.call(createCrawl, { as: me, body: { url: SITE } })).body
  const { database } = heavy.backend
  const run = await database.selectFrom('run').where('id', '=', uuid).selectAll().executeTakeFirstOrThrow()
  const urls = Array.from({ length: MAX_BATCH_URLS }, (_, n) => `${SITE}${n}/`.padEnd(2048, 'y'))
  const options = await database.selectFrom('runOptions').where('runNo', '=', run.no).select('options').executeTakeFirstOrThrow()
  const { no: _no, idempotencyKey: _key, ...columns } = run
  for (let n = 1; n < 60; n++) {
    const { no } = await database
      .insertInto('run')
      .values({ ...columns, id: `01955f2a-7c31-7e08-9d53-${String(n).padStart(12, '0')}`, idempotencyKey: null, variant: 'batch' })
      .returning('no')
      .executeTakeFirstOrThrow()
    await database
      .insertInto('runOptions')
      .values({ runNo: no, options: options.options, seeds: JSON.stringify(urls) })
      .execute()
  }
  let turns = 0
  let isDone = false
  const turn = () => {
    turns += 1
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const { status, body, headers } = await heavy.call(listCrawls, { as: me, query: { page_size: 100 } })
  isDone = true
  assert.equal([status, headers['content-type'], body.count, body.results.length], [200, 'application/json', 60, 60])
  assert.ok(turns >= 50, `the event loop turned ${turns} times`)
  const { results: _results, ...head } = body
  assert.equal(head, { count: 60, next: null, previous: null })
  assert.equal(body.results[0]?.urls, urls, 'nothing is cut')
  assert.is(new Set(body.results.map((item) => item.uuid)).size, 60)
  assert.is(body.results.at(-1)?.uuid, uuid, 'newest first')
  const few = await heavy.call(listCrawls, { as: me, query: { page_size: 1, page: 'last' } })
  assert.ok(Number(few.headers['content-length']) > 0, 'a small page goes with its length')
})

sizes.run()
