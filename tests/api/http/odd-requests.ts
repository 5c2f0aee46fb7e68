/** For any request to any endpoint, the answer is one of the contract's: no 500, nothing in the log. */
import * as assert from 'uvu/assert'
import { ENDPOINTS } from '#contract/index.ts'
import { startApp } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const failures: unknown[] = []
const note = (facts: object, message: string) => void failures.push({ ...facts, message })
const app = await startApp({ log: { info: () => undefined, warn: () => undefined, error: note } })
const owner = await app.signIn()

const odd = suite('odd requests')

const ID = '01955f2a-7c31-7e08-9d53-1f2b6a40c8e1'
const DEEP = (open: string, middle: string, close: string, depth: number) => open.repeat(depth) + middle + close.repeat(depth)

const VALUES = [
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '1'.repeat(5000),
  '0.1e1',
  '""',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\u2028\u202e\ufeff"',
  '"%00%ff"',
  '"__proto__"',
  '"http://127.0.0.1:8080/\\ud800"',
  '"http://[::1"',
  '"http://a b/"',
  `"http://${'a'.repeat(2000)}/"`,
  `"http://${'a.'.repeat(900)}test/"`,
  '"http://127.0.0.1:99999/"',
  '"http://user:pass@127.0.0.1:8080/"',
  `"${'é'.repeat(3000)}"`,
  '[]',
  '[[]]',
  '[null]',
  '{}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":null,"valueOf":1,"toJSON":2,"then":3,"length":-1}',
  '{"a":1,"a":2,"a":{}}',
  '{"":""}',
  '{"\\ud800":"\\ud800"}',
  '{"is_active":true}',
  DEEP('[', '1', ']', 6),
  DEEP('{"a":', '1', '}', 6),
]

/** Field names of bodies, on two levels. */
const FIELDS = [
  'url',
  'urls',
  'options',
  'query',
  'search_options',
  'name',
  'email',
  'password',
  'refresh',
  'token',
  'plan_uuid',
  'host',
  'port',
]
const OPTION_FIELDS = ['spider_options', 'page_options', 'plugin_options', 'include_paths', 'search', 'proxy_server', 'depth', 'language']
const PAGE_FIELDS = [
  'extra_headers',
  'actions',
  'locale',
  'timeout',
  'include_tags',
  'accept_cookies_selector',
  'max_depth',
  'allowed_domains',
  'structured_data',
]

const GOOD =
  '"url":"http://127.0.0.1:8080/","urls":["http://127.0.0.1:8080/"],"query":"q","email":"x@example.org","password":"Correct-Horse-7!","name":"n","timeout":1000'

function* bodies(): Generator<string> {
  yield* VALUES
  for (const value of VALUES) {
    yield `{${FIELDS.map((field) => `"${field}":${value}`).join()}}`
    yield `{${GOOD},"options":{${OPTION_FIELDS.map((field) => `"${field}":${value}`).join()}},"search_options":{${OPTION_FIELDS.map((field) => `"${field}":${value}`).join()}}}`
    const inner = `{${PAGE_FIELDS.map((field) => `"${field}":${value}`).join()}}`
    yield `{${GOOD},"options":{"spider_options":${inner},"page_options":${inner},"plugin_options":{"structured_data":${value}}}}`
    yield `{${GOOD},"options":{"page_options":{"extra_headers":{"x":${value}}}}}`
  }
}

const asked = [...ENDPOINTS.entries()]
// Choosing a plan, leaving a team or installing would change the state for the other requests. For these, reads are enough.
const changing = asked.filter(([, { method, isUncounted }]) => method !== 'GET' && !isUncounted)

let from = 0
/** Makes each call from another address, so that no rate limit applies. */
const nextAddress = () => {
  from += 1
  return `198.18.${Math.floor(from / 250) % 250}.${from % 250}`
}

odd('no odd body causes a server error', async () => {
  const all = [...bodies()]
  for (const [name, { method, path }] of changing) {
    // Each endpoint gets a fifth of them, all endpoints together get all. Endpoints that start jobs get every one.
    const some = name.startsWith('create') && /core/.test(path) ? all : all.filter((_, at) => at % 5 === name.length % 5)
    for (const payload of some) {
      const url = path.replaceAll(/\{\w+\}/g, ID)
      const reply = await app.http.inject({
        method,
        url,
        payload,
        remoteAddress: nextAddress(),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${owner.access}` },
      })
      // No engine runs here: a call that waits for a page times out.
      const isLate = name === 'scrapePage' && reply.statusCode === 504
      assert.ok(reply.statusCode < 500 || isLate, `${name} answered ${reply.statusCode} to ${payload.slice(0, 200)}`)
      // A refusal of the Model Context Protocol has a shape of its own.
      const isOfProtocol = name === 'sendMcpMessage' && 'jsonrpc' in reply.json<object>()
      if (reply.statusCode >= 400 && !isOfProtocol) assert.equal(Object.keys(reply.json()), ['code', 'errors', 'message'], name)
    }
  }
  assert.equal(failures, [])
  assert.is(({} as Record<string, unknown>)['x'], undefined)
})

odd('no odd query, path or header causes a server error', async () => {
  const queries = [
    'a&'.repeat(4000),
    'page=1&'.repeat(1000),
    'page=-1&page_size=1e9',
    'page=99999999999999999999',
    'page=%00&page_size=%ff',
    'url=%ff%fe&url__contains=%00&query=%ed%a0%80',
    'status=__proto__&status__in=,,,&uuid=x',
    'created_at=9999999-01-01&created_at__gt=2026-02-30',
    'created_at__gte=2026-13-01T25:61:61Z&created_at__lt=0000-00-00',
    'params[page]=2&params[__proto__]=1&params[params[page]]=3',
    '__proto__[x]=1&constructor=2&toString=3&hasOwnProperty=4',
    'prefetched=&prefetched[]=1&after=1e3',
    'q=%22&site=%5B&crawl=x&since=x&language=%F0%9F%8C%8A',
    'q=("*^:-&typing=1',
    'expires=NaN&signature=%00',
    'output_format=__proto__&part=1e9',
    '%',
    '&&&=&=&',
  ]
  for (const [name, { method, path }] of asked) {
    if (method !== 'GET') continue
    for (const query of queries) {
      const url = `${path.replaceAll(/\{\w+\}/g, ID).replace(/\*$/, 'x')}?${query}`
      const reply = await app.http.inject({
        method,
        url,
        remoteAddress: nextAddress(),
        headers: { authorization: `Bearer ${owner.access}` },
      })
      assert.ok(reply.statusCode < 500, `${name} answered ${reply.statusCode} to ?${query.slice(0, 100)}`)
    }
    for (const part of ['%00', '%ff', '..%2f..', '%E0%A4%A', '__proto__', 'a'.repeat(3000), '{}', "'--", '%F0%9F%8C%8A']) {
      const url = path.replaceAll(/\{\w+\}/g, part).replace(/\*$/, part)
      const reply = await app.http.inject({
        method,
        url,
        remoteAddress: nextAddress(),
        headers: { authorization: `Bearer ${owner.access}` },
      })
      assert.ok(reply.statusCode < 500, `${name} answered ${reply.statusCode} to ${part}`)
    }
  }
  for (const headers of [
    { authorization: '\u00a0' },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${'.'.repeat(5000)}` },
    { authorization: 'Bearer a.b.c' },
    { authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` },
    { 'x-api-key': 'sn-\u00ff' },
    { 'x-api-key': 'x'.repeat(10_000) },
    { authorization: `Bearer ${owner.access}`, 'x-team-id': '\u00ff'.repeat(100) },
    { authorization: `Bearer ${owner.access}`, host: '\u00ff' },
    { authorization: `Bearer ${owner.access}`, 'idempotency-key': '\u00ff\u0001'.repeat(100) },
    { authorization: `Bearer ${owner.access}`, 'last-event-id': '1e3' },
  ])
    for (const [name, { method, path, access }] of asked) {
      if (access === 'signed') continue
      const url = path.replaceAll(/\{\w+\}/g, ID).replace(/\*$/, 'x')
      if (method !== 'GET' && !name.startsWith('create')) continue
      const payload = method === 'GET' ? {} : { payload: `{${GOOD}}` }
      const reply = await app.http.inject({
        method,
        url,
        ...payload,
        remoteAddress: nextAddress(),
        headers: { ...headers, 'content-type': 'application/json' },
      })
      assert.ok(reply.statusCode < 500, `${name} answered ${reply.statusCode} to ${JSON.stringify(headers).slice(0, 80)}`)
    }
  assert.equal(failures, [])
})

odd.run()
