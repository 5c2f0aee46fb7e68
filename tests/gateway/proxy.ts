import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { MOCK_ACCOUNT, MOCK_CRAWL, startMockBackend } from '#tests/support/stubs/mock-backend.ts'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { suite } from '#tests/support/suite.ts'

const mock = await startMockBackend()
const app = await open({ BACKEND_URL: mock.url })
const base = await app.listen({ host: '127.0.0.1', port: 0 })

/** The calls that were passed on. The gateway itself asks whether the backend answers, without such a header. */
const passedOn = () => mock.requests.filter(({ headers }) => headers['x-forwarded-for'] !== undefined)

const proxy = suite('proxy to BACKEND_URL')
proxy.after(async () => {
  await app.close()
})

proxy('answers are those of the backend, and content types are equal byte for byte', async () => {
  for (const type of ['application/json', 'text/event-stream', 'application/zip', 'application/json; charset=UTF-8', 'image/png']) {
    const bytes = randomBytes(5000)
    mock.set('GET /api/v1/thing/', {
      headers: { 'content-type': type, 'x-own': 'kept', etag: '"e"', 'cache-control': 'no-store' },
      body: bytes,
    })
    const reply = await call('GET', '/api/v1/thing/', { accept: 'application/json' })
    assert.is(reply.status, 200)
    assert.is(reply.headers['content-type'], type)
    assert.is(reply.headers['x-own'], 'kept')
    assert.is(reply.headers['etag'], '"e"')
    assert.is(reply.headers['cache-control'], 'no-store')
    assert.is(reply.headers['content-security-policy'], undefined, 'nothing is added to what a browser obeys')
    assert.ok(reply.body.equals(bytes))
  }
})

proxy('a refused WebSocket whose answer the backend breaks off ends the connection; the client does not wait for the rest', async () => {
  const backend = createServer().on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\npart', () => socket.destroy())
  })
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
  const gateway = await open({ BACKEND_URL: `http://127.0.0.1:${(backend.address() as AddressInfo).port}` })
  await gateway.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((gateway.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(
    `GET /v2/crawl/${crypto.randomUUID()} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  )
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => void (answer += text))
  await once(socket, 'close')
  assert.match(answer, /^HTTP\/1.1 403 Forbidden\r\n/)
  await gateway.close()
  backend.close()
})

proxy('compressed answers are forwarded as they are', async () => {
  const bytes = randomBytes(200)
  mock.set('GET /api/v1/thing/', { headers: { 'content-type': 'application/json', 'content-encoding': 'br' }, body: bytes })
  const reply = await call('GET', '/api/v1/thing/', { 'accept-encoding': 'br' })
  assert.is(reply.headers['content-encoding'], 'br')
  assert.ok(reply.body.equals(bytes))
})

proxy('calls arrive unchanged, with their query, headers and client address', async () => {
  await call('GET', `/api/v1/core/crawl-requests/?page=2&params%5Bprefetched%5D=true`, {
    'X-Api-Key': 'mock-1',
    'x-team-id': 't',
    authorization: 'Bearer b',
  })
  const received = passedOn().at(-1)
  assert.is(received?.path, '/api/v1/core/crawl-requests/')
  assert.is(received?.query.get('params[prefetched]'), 'true')
  assert.is(received?.headers['x-api-key'], 'mock-1')
  assert.is(received?.headers['x-team-id'], 't')
  assert.is(received?.headers.authorization, 'Bearer b')
  assert.is(received?.headers['x-forwarded-for'], '127.0.0.1')
  assert.is(received?.headers['x-forwarded-proto'], 'http')
  assert.is(received?.headers['x-forwarded-host'], new URL(base).host)
})

proxy('a caller cannot forge its IP address', async () => {
  await call('GET', '/api/v1/common/settings', {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
  })
  const { headers } = passedOn().at(-1) ?? {}
  assert.is(headers?.['x-forwarded-for'], '127.0.0.1')
  assert.is(headers?.['x-forwarded-host'], new URL(base).host)
  assert.is(headers?.['x-forwarded-proto'], 'http')
})

proxy(
  'behind a proxy of its own, the gateway tells the backend the address of the client alone, so that the backend trusts one hop',
  async () => {
    const chain = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' }
    for (const [trusted, client] of [
      ['1', '203.0.113.9'],
      ['127.0.0.1', '203.0.113.9'],
      ['2', '198.51.100.7'],
      ['127.0.0.1,203.0.113.9', '198.51.100.7'],
    ] as const) {
      const behind = await open({ BACKEND_URL: mock.url, TRUST_PROXY: trusted })
      await behind.inject({ url: '/api/v1/common/settings', headers: chain })
      assert.is(passedOn().at(-1)?.headers['x-forwarded-for'], client, trusted)
      await behind.close()
    }
  },
)

proxy('ports behind the IP addresses that proxies in front pass on do not make each connection another client', async () => {
  for (const [forwarded, trusted, client] of [
    ['203.0.113.9:51234', '1', '203.0.113.9'],
    ['[2001:db8::9]:51234', '1', '2001:db8::9'],
    ['198.51.100.7:51234, 203.0.113.9:443', '127.0.0.1,203.0.113.9', '198.51.100.7'],
    ['2001:db8::9', '1', '2001:db8::9'],
    ['[2001:db8::9]', '1', '2001:db8::9'],
    ['[::ffff:192.0.2.7]:51234', '1', '::ffff:192.0.2.7'],
  ] as const) {
    const behind = await open({ BACKEND_URL: mock.url, TRUST_PROXY: trusted })
    await behind.inject({ url: '/api/v1/common/settings', headers: { 'x-forwarded-for': forwarded } })
    assert.is(passedOn().at(-1)?.headers['x-forwarded-for'], client, forwarded)
    await behind.close()
  }
})

proxy('both spellings of a path are forwarded without a redirect', async () => {
  for (const path of ['/api/v1/common/settings', '/api/v1/common/settings/']) {
    const reply = await call('GET', path)
    assert.is(reply.status, 200)
    assert.is(passedOn().at(-1)?.path, path)
  }
  await call('GET', '/api/schema/team/')
  assert.is(passedOn().at(-1)?.path, '/api/schema/team/')
})

proxy('an upload of any media type arrives whole', async () => {
  const bytes = randomBytes(3_000_000)
  for (const type of ['application/json', 'application/octet-stream', 'text/plain', undefined]) {
    mock.set('POST /api/v1/upload/', { status: 201, json: { ok: true } })
    const reply = await call('POST', '/api/v1/upload/', type ? { 'content-type': type } : {}, bytes)
    assert.is(reply.status, 201, type)
    assert.ok(passedOn().at(-1)?.body.equals(bytes), `${type} is not touched`)
    assert.is(passedOn().at(-1)?.headers['content-type'], type)
  }
})

proxy('DELETE with a JSON type and no body answers 204 without a body', async () => {
  const path = `/api/v1/core/crawl-requests/${MOCK_CRAWL}/`
  const headers = { 'content-type': 'application/json', 'x-api-key': 'mock-1' }
  for (const withLength of [headers, { ...headers, 'content-length': '0' }]) {
    const reply = await call('DELETE', path, withLength)
    assert.is(reply.status, 204)
    assert.is(reply.body.length, 0)
    assert.is(reply.headers['content-type'], undefined)
  }
  const body = '{"reason":"x"}'
  await call('DELETE', path, { ...headers, 'content-length': String(body.length) }, Buffer.from(body))
  assert.is(passedOn().at(-1)?.body.toString(), body, 'a body is passed on')
})

proxy('errors of the backend are forwarded, and no request is sent twice', async () => {
  for (const status of [400, 401, 404, 429, 500, 503]) {
    const answer = { code: status, errors: { url: ['no'] }, message: 'As the backend says it.' }
    mock.set('GET /api/v1/thing/', { status, json: answer })
    const before = passedOn().length
    const reply = await call('GET', '/api/v1/thing/')
    assert.is(reply.status, status)
    assert.equal(JSON.parse(reply.body.toString()), answer)
    assert.is(passedOn().length, before + 1, `${status} is not asked for again`)
  }
})

proxy('events arrive one by one, as they are sent', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<ServerResponse>()
  mock.set('GET /api/v1/live/status/', (_received, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
    response.write('data: {"n":0}\n\n')
    open(response)
  })
  const reply = await start('GET', '/api/v1/live/status/', { accept: 'text/event-stream', 'accept-encoding': 'gzip, br' })
  const source = await opened
  assert.is(reply.headers['content-type'], 'text/event-stream')
  assert.is(reply.headers['x-accel-buffering'], 'no')
  assert.is(reply.headers['content-encoding'], undefined)
  const chunks = reply[Symbol.asyncIterator]()
  for (let n = 0; n < 4; n++) {
    // The next event is sent only when this one has arrived: a buffering gateway would wait for ever.
    assert.is(String((await chunks.next()).value), `data: {"n":${n}}\n\n`)
    if (n < 3) source.write(`data: {"n":${n + 1}}\n\n`)
  }
  source.end()
  assert.is((await chunks.next()).done, true)
})

proxy('a client that disconnects ends the stream at the backend', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  mock.set('GET /api/v1/live/status/', (_received, response) => {
    response.on('close', leave)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n')
  })
  const reply = await start('GET', '/api/v1/live/status/')
  reply.destroy()
  await left
})

proxy('A20 three hundred open streams hold up no other call', async () => {
  mock.set('GET /api/v1/live/status/', (_received, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n')
  })
  mock.set('GET /api/v1/thing/', { body: Buffer.from('{}') })
  const asked = Array.from({ length: 300 }, () => httpRequest(`${base}/api/v1/live/status/`, { agent: false }).end())
  const refused = asked.map((stream) => once(stream, 'response').then(() => null, String))
  try {
    const late = new Promise((resolve) => setTimeout(resolve, 30_000, 'late').unref())
    assert.equal(await Promise.race([Promise.all(refused).then((all) => all.filter(Boolean)), late]), [])
    assert.is((await call('GET', '/api/v1/thing/')).status, 200)
  } finally {
    for (const stream of asked) stream.destroy()
  }
})

proxy('a whole session works through the proxy', async () => {
  const login = await call(
    'POST',
    '/api/v1/user/auth/login/',
    { 'content-type': 'application/json' },
    Buffer.from(JSON.stringify(MOCK_ACCOUNT)),
  )
  const { access } = JSON.parse(login.body.toString())
  const stream = await call('GET', `/api/v1/core/crawl-requests/${MOCK_CRAWL}/status/`, { authorization: `Bearer ${access}` })
  assert.is(stream.body.toString().match(/^data: /gm)?.length, 4)
  assert.is((await call('GET', '/api/v1/user/teams/')).status, 401)
})

proxy('pages and health checks work without the backend', async () => {
  const before = passedOn().length
  assert.equal(JSON.parse((await call('GET', '/health/live')).body.toString()), { status: 'ok' })
  assert.is(JSON.parse((await call('GET', '/health/ready')).body.toString()).status, 'ok')
  assert.is((await call('GET', '/api/none')).status, 404)
  assert.is(passedOn().length, before)
})

proxy('a backend that is down is reported in the error format of the API', async () => {
  const { url } = await startMockBackend().then(async (gone) => (await gone.close(), gone))
  const lonely = await open({ BACKEND_URL: url })
  const reply = await lonely.inject('/api/v1/common/settings')
  assert.ok([502, 503].includes(reply.statusCode))
  assert.is(reply.headers['content-type'], 'application/json')
  assert.equal(reply.json(), { code: reply.statusCode, errors: null, message: 'The backend cannot be reached.' })
  assert.is((await lonely.inject('/health/ready')).statusCode, 200)
  await lonely.close()
})

proxy('a backend that disconnects in its response head is reported in the error format of the API', async () => {
  const rude = createServer((request) => request.socket.destroy())
  await once(rude.listen(0, '127.0.0.1'), 'listening')
  const lonely = await open({ BACKEND_URL: `http://127.0.0.1:${(rude.address() as AddressInfo).port}` })
  const reply = await lonely.inject('/api/v1/common/settings')
  assert.ok([502, 503].includes(reply.statusCode))
  assert.equal(reply.json().errors, null)
  await lonely.close()
  rude.close()
})

proxy('a backend URL with a path is kept in front of each path', async () => {
  mock.set('GET /base/api/v1/thing', { json: { deep: true } })
  const deep = await open({ BACKEND_URL: `${mock.url}/base/` })
  assert.equal((await deep.inject('/api/v1/thing')).json(), { deep: true })
  await deep.close()
})

proxy.run()

function open(environment: Record<string, string>) {
  return createApp({ config: readConfig(environment), log: createLog({ level: 'silent' }), publicDir: import.meta.dirname })
}

/** Begins a call by the bare client: fetch would decode the body and hide headers. */
async function start(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<IncomingMessage> {
  const outgoing = httpRequest(`${base}${path}`, { method, headers, agent: false }).end(body)
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  return reply
}

async function call(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) {
  const reply = await start(method, path, headers, body)
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) }
}
