import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import SQLite from 'better-sqlite3'
import { sql } from 'kysely'
import { getProfile, install, login, register, startOidcSignIn, updateProfile } from '#contract/accounts.ts'
import { createBatchCrawl, createCrawl, getCrawl, listCrawls, stopCrawl } from '#contract/crawls.ts'
import { createSearch, listSearches } from '#contract/searches.ts'
import { listSitemaps } from '#contract/sitemaps.ts'
import { createApiKey, createTeam, deleteApiKey, getTeam, listTeams } from '#contract/teams.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { cancelSubscription, startSubscription } from '#contract/plans.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import { aboutFiles } from '#tests/support/test-state.ts'
import { suite } from '#tests/support/suite.ts'

const conventions = suite('conventions of every endpoint')

const SITE = 'http://127.0.0.1:8080/'
const NOT_FOUND = { code: 404, errors: null, message: 'Not found.' }

/** Header lines and body as they go over the wire. */
async function raw(base: string, text: string): Promise<string> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.write(text)
  let answer = ''
  for await (const chunk of socket.setEncoding('latin1')) answer += String(chunk)
  return answer
}

conventions('checklist 1: JSON is exactly application/json, byte for byte, on success and on every refusal', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const base = await app.listen()
  const calls: [line: string, status: number, headers?: string, body?: string][] = [
    ['GET /api/v1/common/settings', 200],
    ['GET /api/v1/user/profile/', 200, `Authorization: Bearer ${me.access}\r\n`],
    ['GET /api/v1/core/crawl-requests/', 200, `X-API-Key: ${me.apiKey}\r\nAccept: text/html\r\n`],
    ['GET /api/v1/user/profile/', 401],
    ['GET /api/v1/nothing/', 404],
    ['PUT /api/v1/user/profile/', 405],
    ['POST /api/v1/user/auth/login/', 400, 'Content-Type: application/json\r\n', '{'],
    ['POST /api/v1/user/auth/login/', 415, 'Content-Type: text/plain\r\n', 'x'],
  ]
  for (const [line, status, headers = '', body = ''] of calls) {
    const answer = await raw(
      base,
      `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), line)
    assert.equal(answer.match(/^content-type:.*$/gim), ['content-type: application/json'], line)
  }
  const empty = await raw(base, 'POST /api/v1/user/auth/logout/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  assert.match(empty, /^HTTP\/1\.1 204 /)
  assert.not.match(empty, /content-type/i)
  assert.match(empty, /\r\n\r\n$/)
})

conventions('checklist 2: DELETE with a JSON type and no body answers 204 without a body, and so does DELETE with a body', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const base = await app.listen()
  const newKey = async () => (await app.call(createApiKey, { as: me, body: { name: 'x' } })).body.uuid
  const headers = { authorization: `Bearer ${me.access}`, 'content-type': 'application/json' }
  // Set by hand: for a DELETE, Node does not announce a body.
  const lengthOf = (body = '') => ({ 'content-length': String(body.length) })
  const remove = (id: string, body?: string) =>
    new Promise<{ status: number | undefined; body: string; type: string | undefined }>((resolve, reject) => {
      const request = httpRequest(
        base + fillPath(deleteApiKey.path, { id }),
        { method: 'DELETE', headers: { ...headers, ...(body && lengthOf(body)) } },
        (reply) => {
          let text = ''
          reply.on('data', (chunk) => void (text += String(chunk)))
          reply.on('end', () => resolve({ status: reply.statusCode, body: text, type: reply.headers['content-type'] }))
        },
      )
      request.on('error', reject).end(body)
    })
  assert.equal(await remove(await newKey()), { status: 204, body: '', type: undefined })
  assert.equal(await remove(await newKey(), '{"immediately":true}'), { status: 204, body: '', type: undefined })
  const run = await app.call(createCrawl, { key: me.apiKey, body: { url: SITE } })
  const stopped = await app.call(stopCrawl, {
    key: me.apiKey,
    params: { id: run.body.uuid },
    headers: { 'content-type': 'application/json' },
  })
  assert.equal([stopped.status, stopped.text, stopped.headers['content-type']], [204, '', undefined])
})

conventions('an empty body of JSON type counts as no body, on every method', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const headers = { 'content-type': 'application/json' }
  assert.is((await app.request('GET', getProfile.path, { as: me, headers })).status, 200)
  assert.is((await app.request('PATCH', updateProfile.path, { as: me, headers })).status, 200)
  assert.is((await app.request('POST', '/api/v1/user/auth/logout/', { headers })).status, 204)
  const missed = await app.request('POST', login.path, { headers, body: ' ' })
  assert.equal(missed.body, {
    code: 400,
    errors: { email: ['This field is required.'], password: ['This field is required.'] },
    message: 'Invalid input data.',
  })
})

conventions('both spellings of the last slash are served directly, for every method', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const cases: [method: string, path: string, status: number, body?: unknown][] = [
    ['GET', '/api/v1/user/profile', 200],
    ['PATCH', '/api/v1/user/profile', 200, { first_name: 'Ana' }],
    ['POST', '/api/v1/user/teams', 201, { name: 'Docs' }],
    ['GET', '/api/v1/common/settings/', 200],
    ['GET', '/api/v1/core/crawl-requests?page_size=1', 200],
    ['POST', '/api/v1/core/crawl-requests', 201, { url: SITE }],
    ['POST', '/api/v1/core/crawl-requests/batch', 201, { urls: [SITE] }],
  ]
  for (const [method, path, status, body] of cases) {
    const reply = await app.request(method, path, { as: me, body })
    assert.is(reply.status, status, path)
    assert.is(reply.headers['location'], undefined)
  }
})

conventions('ids match in any letter case; an invalid id is a plain 404; literal path segments are matched before ids', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body: run } = await app.call(createCrawl, { as: me, body: { url: SITE } })
  assert.is((await app.call(getCrawl, { as: me, params: { id: run.uuid.toUpperCase() } })).body.uuid, run.uuid)
  assert.is((await app.call(getTeam, { as: me, params: { id: me.teamId.toUpperCase() } })).body.uuid, me.teamId)
  const malformed = ['1', 'x', `${run.uuid}0`, run.uuid.slice(1), `{${run.uuid}}`, '..%2f..', '%00', "' or 1=1 --", '🌊', 'a'.repeat(500)]
  for (const id of malformed)
    for (const endpoint of [getCrawl, getTeam, deleteApiKey, stopCrawl]) {
      const reply = await app.call(endpoint, { as: me, params: { id } })
      assert.equal(reply.body as unknown, NOT_FOUND, `${endpoint.method} ${endpoint.path} ${id}`)
    }
  assert.is((await app.request('GET', '/api/v1/user/teams/current/', { as: me })).status, 200)
})

conventions('unknown query parameters and unknown fields are ignored, and not stored', async () => {
  const app = await startApp()
  const me = await app.signIn()
  assert.is((await app.request('GET', `${listTeams.path}?a=1&b[]=2&__proto__=3&constructor=4`, { as: me })).status, 200)
  const power = { extra_args: ['--x'], hooks: {}, js_code: 'x', output_path: '/etc/x', user_data_dir: '/', proxy_config: { server: 'x' } }
  const options = { spider_options: { ...power }, page_options: { ...power }, plugin_options: {}, ...power }
  const { status, text } = await app.call(createCrawl, { as: me, body: { url: SITE, options, ...power } })
  assert.is(status, 201)
  for (const name of Object.keys(power)) assert.not.match(text, name)
})

conventions('filters that only crawls have are unknown parameters to searches and sitemaps', async () => {
  const app = await startApp()
  const me = await app.signIn()
  assert.is((await app.call(createSearch, { as: me, body: { query: 'nets' } })).status, 201)
  for (const filter of ['crawl_type=single', 'crawl_type=x', 'schedule=x', 'schedule=00000000-0000-4000-8000-000000000000']) {
    const { body, status } = await app.request('GET', `${listSearches.path}?${filter}`, { as: me })
    assert.equal([status, (body as { count?: number }).count], [200, 1], filter)
    assert.is((await app.request('GET', `${listSitemaps.path}?${filter}`, { as: me })).status, 200, filter)
  }
  await app.close()
})

conventions('T36 only JSON is read, and its media type must match exactly', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const name = (type: string) => app.request('POST', createTeam.path, { as: me, body: '{"name":"x"}', headers: { 'content-type': type } })
  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8', 'APPLICATION/JSON'])
    assert.is((await name(type)).status, 201, type)
  const others = [
    'application/json\t;x',
    ' application/json',
    'application/jsonx',
    'application/json;x',
    'application/json, text/plain',
    'application/ld+json',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '*/*',
  ]
  for (const type of others) {
    const reply = await name(type)
    assert.equal([reply.status, (reply.body as { code: number; errors: null }).errors], [415, null], type)
  }
  const plain = await name('text/plain')
  assert.is((plain.body as { message: string }).message, 'Unsupported media type "text/plain" in request.')
  assert.is((await app.call(listTeams, { as: me })).body.length, 5)
})

conventions('a compressed body is refused by the name of its encoding, not as bad JSON', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const name = (coding: string) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding }
    return app.request('POST', createTeam.path, { as: me, body: '{"name":"x"}', headers })
  }
  for (const coding of ['gzip', 'br', 'identity, gzip']) {
    const { body, status } = await name(coding)
    assert.equal([status, (body as { message: string }).message], [415, `Unsupported content encoding "${coding}" in request.`])
  }
  assert.is((await name('identity')).status, 201)
})

conventions('a body that is not JSON gets 400 without fields', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const texts = ['{', '{"name":}', "{'name':'x'}", 'name=x', '{"name":"x"}x', '{"name":NaN}', '\u0000', '[1,]']
  for (const body of texts)
    assert.equal(
      (await app.request('POST', createTeam.path, { as: me, body })).body,
      { code: 400, errors: null, message: 'JSON parse error' },
      body.slice(0, 20),
    )
  const base = await app.listen()
  const invalid = await fetch(base + createTeam.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${me.access}`, 'content-type': 'application/json' },
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  })
  assert.equal(await invalid.json(), { code: 400, errors: null, message: 'JSON parse error: the body is not encoded in UTF-8' })
  for (const body of ['['.repeat(5000), `${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`])
    assert.equal(
      (await app.request('POST', createTeam.path, { as: me, body })).body,
      { code: 400, errors: null, message: 'JSON parse error: more than 8 lists and objects inside one another' },
      body.slice(0, 20),
    )
})

conventions('keys with a special meaning in JavaScript are read like any other key', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const bodies = [
    '{"name":"x","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
    '{"name":"x","\\u005f_proto__":{"isAdmin":true}}',
    '{"name":"x","__proto__":null,"toString":7,"hasOwnProperty":1}',
  ]
  for (const body of bodies) assert.is((await app.request('POST', createTeam.path, { as: me, body })).status, 201, body)
  const proto = '{"__proto__":{"name":"x"}}'
  assert.is((await app.request('POST', createTeam.path, { as: me, body: proto })).status, 400, 'a prototype fills no field')
  const crawl = `{"url":"${SITE}","options":{"plugin_options":{"__proto__":{"a":1},"structured_data":{"__proto__":{"b":1}}},"page_options":{"extra_headers":{"__proto__":"x"}}}}`
  assert.is((await app.request('POST', createCrawl.path, { as: me, body: crawl })).status, 201)
  assert.is(({} as Record<string, unknown>)['isAdmin'], undefined)
})

conventions('a body that is too large gets 413, with or without Content-Length', async () => {
  const app = await startApp({ config: { maxBodyBytes: 2000 } })
  const base = await app.listen()
  const body = JSON.stringify({ email: 'x'.repeat(3000), password: 'x' })
  const headers = { 'content-type': 'application/json' }
  for (const sent of [body, new Blob([body]).stream()]) {
    const reply = await fetch(base + login.path, { method: 'POST', headers, body: sent, duplex: 'half' } as RequestInit)
    assert.equal(await reply.json(), { code: 413, errors: null, message: 'Request body has more than 2000 bytes.' })
  }
})

conventions('an unsupported method gets 405 with the supported ones; an unknown path gets 404', async () => {
  const app = await startApp()
  for (const [method, path, allow] of [
    ['PUT', '/api/v1/user/profile/', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', '/api/v1/user/profile', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['GET', '/api/v1/user/auth/login/', 'POST, OPTIONS'],
    ['POST', '/api/v1/common/settings', 'GET, HEAD, OPTIONS'],
    ['PUT', '/health/live', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/health/ready/', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const bare = await app.request(method, path, { body: 'no JSON', headers: { 'content-type': 'text/plain' } })
    assert.equal(bare.body, { code: 405, errors: null, message: `Method "${method}" not allowed.` })
    assert.is(bare.headers['allow'], allow)
  }
  for (const path of ['/api', '/api/', '/api/v1/', '/api/v2/user/profile/', '/api/v1/user/profile/x/', '/api/v1/user/teams/a/b/c'])
    for (const method of ['GET', 'POST', 'DELETE']) assert.equal((await app.request(method, path)).body, NOT_FOUND, path)
  const options = await app.request('OPTIONS', '/api/v1/user/profile/')
  assert.equal([options.status, options.text, options.headers['allow']], [204, '', 'GET, HEAD, PATCH, DELETE, OPTIONS'])
})

conventions('a 401 says how to authenticate', async () => {
  const app = await startApp()
  for (const headers of [{}, { authorization: 'Bearer expired' }, { 'x-api-key': 'unknown' }] as Record<string, string>[]) {
    const { headers: got, status } = await app.request('GET', '/api/v1/core/crawl-requests/', { headers })
    assert.equal([status, got['www-authenticate']], [401, 'Bearer realm="API key"'])
  }
  assert.is((await app.request('GET', '/api/v1/nothing/')).headers['www-authenticate'], undefined)
})

conventions('HEAD works where GET returns JSON, a page or a text, and sends no body', async () => {
  const app = await startApp()
  for (const path of ['/api/v1/common/settings', '/llms.txt', '/api/schema/redoc/']) {
    const [got, head] = [await app.request('GET', path), await app.request('HEAD', path)]
    assert.equal([head.status, head.text, head.headers['content-type']], [200, '', got.headers['content-type']], path)
  }
})

conventions('errors nest as the input does: fields, items by index, objects in a list', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const cases: [endpoint: typeof createCrawl | typeof createBatchCrawl, body: unknown, errors: unknown][] = [
    [createCrawl, { url: 'nope' }, { url: ['Enter a valid URL.'] }],
    [createCrawl, { url: [SITE, SITE] }, { url: ['Send several URLs as a batch.'] }],
    [createBatchCrawl, { urls: [SITE, 'nope', 7] }, { urls: { 1: ['Enter a valid URL.'], 2: ['Not a valid string.'] } }],
    [createBatchCrawl, { urls: [] }, { urls: ['This list may not be empty.'] }],
    [createBatchCrawl, { urls: 'nope' }, { urls: ['Expected a list of items but got type "str".'] }],
    [createBatchCrawl, { urls: 'x'.repeat(1001) }, { urls: ['Expected a list of items but got type "str".'] }],
    [
      createCrawl,
      { url: SITE, options: { spider_options: { page_limit: 0, max_depth: 'deep' } } },
      {
        options: {
          spider_options: { page_limit: ['Ensure this value is greater than or equal to 1.'], max_depth: ['A valid integer is required.'] },
        },
      },
    ],
    [
      createCrawl,
      { url: SITE, options: { page_options: { actions: [{ type: 'screenshot' }, { type: 'dance' }, 7, {}] } } },
      {
        options: {
          page_options: {
            actions: [
              {},
              { type: ['"dance" is not a valid choice.'] },
              { non_field_errors: ['Invalid data. Expected a dictionary, but got number.'] },
              { type: ['This field is required.'] },
            ],
          },
        },
      },
    ],
    [
      createCrawl,
      { url: SITE, options: { spider_options: 'far' } },
      { options: { spider_options: { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] } } },
    ],
    [createCrawl, { url: SITE, options: null }, { options: ['This field may not be null.'] }],
    [
      createCrawl,
      { url: SITE, options: { page_options: { exclude_tags: ['a', 3] } } },
      { options: { page_options: { exclude_tags: { 1: ['Not a valid string.'] } } } },
    ],
    [
      createCrawl,
      { url: SITE, options: { page_options: { extra_headers: { 'a b': 'x' } } } },
      { options: { page_options: { extra_headers: { 'a b': ['Enter a valid name.'] } } } },
    ],
    [createCrawl, 'text', { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] }],
  ]
  for (const [endpoint, body, errors] of cases) {
    const sent = JSON.stringify(body)
    const reply = await app.call(endpoint, { as: me, body: sent })
    assert.equal(reply.body as unknown, { code: 400, errors, message: 'Invalid input data.' }, sent)
  }
  assert.is((await app.call(listCrawls, { as: me })).body.count, 0)
})

conventions('checklist 4: empty option groups are filled with their defaults', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const options = { spider_options: {}, page_options: {}, plugin_options: {} }
  const { status, body } = await app.call(createCrawl, { key: me.apiKey, body: { url: SITE, options } })
  assert.is(status, 201)
  assert.equal([body.options.spider_options['page_limit'], body.options.page_options['timeout']], [1, 15_000])
})

conventions('pages of other origins may call only when they are on the list', async () => {
  const app = await startApp({ config: { corsOrigins: ['https://app.example.org'] } })
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  const asked = await app.request('OPTIONS', login.path, { headers: { origin: 'https://app.example.org', ...preflight } })
  assert.is(asked.status, 204)
  assert.is(asked.headers['access-control-allow-origin'], 'https://app.example.org')
  assert.is(asked.headers['access-control-allow-methods'], 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
  const headers = String(asked.headers['access-control-allow-headers'])
  assert.ok(headers.startsWith('authorization, content-type, x-team-id, x-api-key, accept, idempotency-key, last-event-id, '), headers)
  const tooLong = `/api/v1/core/crawl-requests/?url=${'a'.repeat(9000)}`
  for (const path of ['/api/v1/common/settings', '/api/v1/common/settings/', '/api/v1/user/profile/', '/api/v1/nothing/', tooLong]) {
    const reply = await app.request('GET', path, { headers: { origin: 'https://app.example.org' } })
    assert.is(reply.headers['access-control-allow-origin'], 'https://app.example.org', path)
    assert.is(reply.headers['vary'], 'Origin')
  }
  for (const origin of ['https://evil.example.org', 'https://app.example.org.evil.test', 'null', 'http://app.example.org']) {
    const reply = await app.request('OPTIONS', login.path, { headers: { origin, ...preflight } })
    assert.is(reply.headers['access-control-allow-origin'], undefined, origin)
  }
  await app.close()
  const closed = await startApp()
  const reply = await closed.request('GET', '/api/v1/common/settings', { headers: { origin: 'https://app.example.org' } })
  assert.is(reply.headers['access-control-allow-origin'], undefined)
})

aboutFiles(conventions)('O7: while another process locks the database, writes wait and then get 503; reads do not wait', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const other = new SQLite(join(app.dataDir, 'seine.db'))
  other.exec('BEGIN IMMEDIATE')
  let isWaiting = true
  const writing = app.call(createTeam, { as: me, body: { name: 'Docs' } }).finally(() => (isWaiting = false))
  for (let calls = 0; calls < 20; calls += 1) assert.is((await app.call(listTeams, { as: me })).status, 200)
  assert.is((await app.request('GET', '/health/ready')).status, 200)
  assert.ok(isWaiting, 'all of these were answered before it')
  const reply = await writing
  assert.is(reply.status, 503)
  assert.is(reply.headers['retry-after'], '1')
  assert.equal(Object.keys(reply.body), ['code', 'errors', 'message'])
  const patient = app.call(createTeam, { as: me, body: { name: 'Docs' } })
  assert.is((await app.call(listTeams, { as: me })).status, 200)
  other.exec('ROLLBACK')
  other.close()
  assert.is((await patient).status, 201, 'it was waiting for the lock')
  assert.is((await app.call(install, { body: ADMINISTRATOR })).status, 403)
})

aboutFiles(conventions)('O4: while the disk is full, writes get 507 and nothing is half written; afterwards everything works', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const [{ pages } = { pages: 0 }] = (
    await sql<{ pages: number }>`select page_count as pages from pragma_page_count`.execute(app.backend.database)
  ).rows
  await sql`pragma max_page_count = ${sql.lit(pages + 2)}`.execute(app.backend.database)
  const names: string[] = []
  let reply = await app.call(createTeam, { as: me, body: { name: 'Team 0' } })
  // Existing pages have room for some more rows.
  for (let at = 1; reply.status === 201 && at < 300; at += 1) {
    names.push(`Team ${at - 1}`)
    reply = await app.call(createTeam, { as: me, body: { name: `Team ${at}` } })
  }
  assert.is(reply.status, 507)
  assert.is(reply.headers['retry-after'], '30')
  assert.equal(reply.body as unknown, {
    code: 507,
    errors: null,
    message: 'The disk of the service is full: nothing can be stored until there is space again.',
  })
  await sql`pragma max_page_count = 1000000`.execute(app.backend.database)
  assert.is((await app.request('GET', '/health/ready')).status, 200, 'the check writes, and finds that there is space')
  const after = await app.call(createTeam, { as: me, body: { name: 'After' } })
  assert.is(after.status, 201)
  const stored = await app.backend.database.selectFrom('team').select('name').where('isDefault', '=', 0).orderBy('id').execute()
  assert.equal(
    stored.map(({ name }) => name),
    [...names, 'After'],
  )
})

conventions('a word in the place of an id is no id for any method: another method than its own is 405', async () => {
  const app = await startApp()
  const me = await app.signIn()
  for (const [method, path, allowed] of [
    ['GET', '/api/v1/core/crawl-requests/batch/', 'POST, OPTIONS'],
    ['DELETE', '/api/v1/core/crawl-requests/batch', 'POST, OPTIONS'],
    ['GET', '/api/v1/core/proxy-servers/test-proxy/', 'POST, OPTIONS'],
    ['PATCH', '/api/v1/core/proxy-servers/list-all/', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/v1/plan/subscriptions/start/', 'POST, OPTIONS'],
    ['HEAD', '/api/v1/plan/subscriptions/cancel/', 'DELETE, OPTIONS'],
    // Not an empty id.
    ['DELETE', '/api/v1/core/webhooks/', 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/api/v1/core/crawl-schedules/', 'GET, HEAD, POST, OPTIONS'],
  ] as const)
    for (const caller of [{ as: me }, {}]) {
      const { body, headers, status } = await app.request(method, path, caller)
      assert.equal([status, headers.allow?.split(', ').toSorted()], [405, allowed.split(', ').toSorted()], `${method} ${path}`)
      if (method !== 'HEAD') assert.equal(body, { code: 405, errors: null, message: `Method "${method}" not allowed.` })
    }
  assert.is((await app.request('OPTIONS', '/api/v1/core/crawl-requests/batch/')).headers.allow, 'POST, OPTIONS')
  assert.is((await app.request('GET', '/api/v1/plan/subscriptions/nothing/', { as: me })).status, 404)
})

conventions('what is switched off, or done once and for all, is refused with 403 whatever the body is', async () => {
  const app = await startApp()
  const closed = await startApp({ config: { loginEnabled: false, signupEnabled: false } })
  const me = await app.signIn()
  const calls: [to: typeof app, endpoint: EndpointSpec, as?: typeof me][] = [
    [app, install],
    [app, startOidcSignIn],
    [app, startSubscription, me],
    [app, cancelSubscription, me],
    [closed, login],
    [closed, register],
  ]
  for (const [to, { method, path }, as] of calls)
    for (const body of [{}, { email: 'x', password: 1, plan_uuid: 'x', immediately: 'x' }]) {
      const { status, body: answer } = await to.request(method, path, { ...(as && { as }), body })
      const forbidden = { code: 403, errors: null, message: 'You do not have permission to perform this action.' }
      assert.equal([status, answer], [403, forbidden], `${path} ${JSON.stringify(body)}`)
    }
})

conventions.run()
