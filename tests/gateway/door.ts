/** Requests before they reach a route, with a hosted API and in front of a backend. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import * as assert from 'uvu/assert'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { DEADLINES, isTooSlow } from '#gateway/slow-callers.ts'
import { startApp } from '#tests/support/app.ts'
import { startMockBackend } from '#tests/support/stubs/mock-backend.ts'
import { suite } from '#tests/support/suite.ts'

const mock = await startMockBackend()
const hosted = await startApp()
const common = { log: createLog({ level: 'silent' }), publicDir: import.meta.dirname }
/** Deadlines that a test can wait for. */
const SHORT = { headMs: 100, requestMs: 60_000, graceMs: 100, bytesPerSecond: 1_000_000, lookMs: 20, unreadMs: 1000 }
const open = (role: string, deadlines = DEADLINES) =>
  role === 'hosted'
    ? createApp({ ...common, deadlines, backend: hosted.backend, config: readConfig({}) })
    : createApp({ ...common, deadlines, config: readConfig({ BACKEND_URL: mock.url }) })

const ROLES = ['hosted', 'before a backend']
const apps = new Map<string, FastifyInstance>()
for (const role of ROLES) {
  const app = await open(role)
  await app.listen({ host: '127.0.0.1', port: 0 })
  apps.set(role, app)
}
const portOf = (app: FastifyInstance) => (app.server.address() as AddressInfo).port
const portIn = (role: string) => portOf(apps.get(role)!)

const door = suite('requests at the gateway')
door.after(async () => {
  for (const app of apps.values()) await app.close()
})

/** Sends bytes and returns the whole answer until the connection ends; `then` may send more after the first answer. */
async function exchange(port: number, bytes: string | Buffer, then?: (answer: string, send: (more: string | Buffer) => void) => void) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes)
  let answer = ''
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text
    then?.(answer, (more) => socket.write(more))
  })
  await once(socket, 'close')
  return answer
}

const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const SETTINGS = '/api/v1/common/settings'
const LOGIN = '/api/v1/user/auth/login/'

for (const role of ROLES) {
  // Some caches keep a response for minutes if it says nothing, and these name the host of the first request.
  for (const path of ['/api/schema/firecrawl/', '/llms.txt', '/assets/none.js', '/metrics', '/health/live'])
    door(`${role}: no cache keeps ${path}`, async () => {
      const reply = await fetch(`http://127.0.0.1:${portIn(role)}${path}`)
      assert.is(reply.headers.get('cache-control'), 'no-store')
    })

  door(`A15: a request with two Host fields, or with one that names no host, is refused, ${role}`, async () => {
    for (const hosts of [
      'Host: a.test\r\nHost: b.test\r\n',
      'Host: a.test\r\nhOsT: a.test\r\n',
      'Host: a.test/x\r\n',
      'Host: a b\r\n',
      '',
    ]) {
      const answer = await exchange(portIn(role), `GET ${SETTINGS} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
      assert.equal(statuses(answer), [400], hosts)
    }
    for (const host of ['a.test', 'a.test:80', '127.0.0.1:3000', '[::1]:80', 'xn--a.test', 'under_score.test']) {
      const answer = await exchange(portIn(role), `GET ${SETTINGS} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      assert.equal(statuses(answer), [200], host)
    }
  })

  door(`A15: a target in absolute form is served, and its host counts, ${role}`, async () => {
    for (const target of [`http://real.test:8080${SETTINGS}`, `HTTP://real.test:8080${SETTINGS}?a=1`]) {
      const answer = await exchange(portIn(role), `GET ${target} HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n`)
      assert.equal(statuses(answer), [200], target)
      assert.match(answer, /"is_installed"/)
      if (role !== 'hosted') assert.is(mock.requests.at(-1)?.headers['x-forwarded-host'], 'real.test:8080')
    }
    const page = await exchange(portIn(role), 'GET http://real.test HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n')
    assert.is.not(statuses(page)[0], 400)
    for (const target of ['ftp://real.test/', 'x:y', 'real.test:80'])
      assert.ok(
        [400, 404].includes(
          statuses(await exchange(portIn(role), `GET ${target} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`))[0]!,
        ),
        target,
      )
  })

  door(`several slashes at the start of a path count as one, as a base URL with a slash at its end makes them, ${role}`, async () => {
    for (const target of [`/${SETTINGS}`, `///${SETTINGS}?a=1`, `http://real.test//${SETTINGS}`]) {
      const answer = await exchange(portIn(role), `GET ${target} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`)
      assert.equal(statuses(answer), [200], target)
      assert.match(answer, /"is_installed"/)
    }
  })

  door(`A6: Expect: 100-continue is answered before the body is sent, and only if the body will be read, ${role}`, async () => {
    const body = JSON.stringify({ email: 'a@example.org', password: 'x'.repeat(1000) })
    const head = (length: number) =>
      `POST ${LOGIN} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
    mock.set(`POST ${LOGIN}`, { status: 401, json: { code: 401, errors: null, message: 'no' } })
    let asked = 0
    const answer = await exchange(portIn(role), head(body.length), (text, send) => {
      if (asked === 0 && text.includes(' 100 ')) send(body)
      asked += 1
    })
    assert.equal(statuses(answer), [100, role === 'hosted' ? 400 : 401])
    const large = await exchange(portIn(role), head(20_000_000))
    assert.equal(statuses(large), [413], 'nothing is asked for that would not be read')
  })

  door(`A6: a body that is refused is read to its end, so that the answer arrives, ${role}`, async () => {
    const body = JSON.stringify({ z: 'y'.repeat(role === 'hosted' ? 1_500_000 : 12_000_000) })
    for (const connection of ['close', 'keep-alive'])
      for (const framing of [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']) {
        const head = `POST ${LOGIN} HTTP/1.1\r\nHost: a.test\r\nConnection: ${connection}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
        const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
        const last = connection === 'close' ? '' : `GET ${SETTINGS} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`
        const answer = await exchange(portIn(role), head + (framing.startsWith('C') ? body : chunks) + last)
        assert.equal(statuses(answer).slice(0, 1), [413], `${connection}, ${framing}`)
        // Before a backend a body without a length has been passed on in part: its connection ends.
        if (last !== '' && (role === 'hosted' || framing.startsWith('C')))
          assert.equal(statuses(answer), [413, 200], `${framing}: the connection goes on`)
      }
  })

  door(`A9: a body that arrives too slowly is cut off, a fast enough body is not, ${role}`, async () => {
    const app = await open(role, SHORT)
    await app.listen({ host: '127.0.0.1', port: 0 })
    mock.set(`POST ${LOGIN}`, { status: 401, json: { code: 401, errors: null, message: 'no' } })
    for (const framing of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const head = `POST ${LOGIN} HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`
      const slow = await exchange(portOf(app), framing.startsWith('C') ? `${head}{` : `${head}1\r\n{\r\n`)
      assert.equal(statuses(slow), [408], framing)
      assert.match(slow, /\{"code":408,"errors":null,"message":"The request took too long to arrive\."\}/)
    }
    const quick = await exchange(
      portOf(app),
      `POST ${LOGIN} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    )
    assert.is.not(statuses(quick)[0], 408)
    await app.close()
  })

  door(`A9: a request head that arrives too slowly is cut off, ${role}`, async () => {
    const app = await open(role, SHORT)
    await app.listen({ host: '127.0.0.1', port: 0 })
    assert.equal(statuses(await exchange(portOf(app), `GET ${SETTINGS} HTTP/1.1\r\nHost: a`)), [408])
    assert.equal(statuses(await exchange(portOf(app), '')), [408])
    await app.close()
  })
}

for (const role of ROLES) {
  const pipelined = (count: number) => `GET ${SETTINGS} HTTP/1.1\r\nHost: a.test\r\n\r\n`.repeat(count)

  door(`A16: of requests that are sent without waiting, the first sixteen are answered, and the last answer says so, ${role}`, async () => {
    const few = `GET ${SETTINGS} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`
    assert.equal(statuses(await exchange(portIn(role), pipelined(14) + few)), Array(15).fill(200))
    const answer = await exchange(portIn(role), pipelined(40) + few)
    assert.equal(statuses(answer), Array(16).fill(200))
    assert.is(answer.match(/^connection: close/gim)?.length, 1)
  })
}

door('A16: one packet of a thousand requests does not start a thousand answers: its connection is closed', async () => {
  let started = 0
  const api: FastifyPluginAsync = async (app) => {
    app.get('/api/v1/waits', (request) => {
      started += 1
      if (started > 16) request.raw.socket.destroy()
      return new Promise(() => undefined)
    })
  }
  const app = await createApp({ ...common, backend: { api }, config: readConfig({}) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const answer = await exchange(portOf(app), 'GET /api/v1/waits HTTP/1.1\r\nHost: a.test\r\n\r\n'.repeat(1000))
    assert.equal([answer, started], ['', 16])
  } finally {
    await app.close()
  }
})

door('T37 a reader who takes nothing of a whole response is disconnected, a slow reader is not', async () => {
  const bytes = 32 * 1024 * 1024
  const api: FastifyPluginAsync = async (inner) => {
    inner.get('/api/v1/large/', (_request, reply) => reply.send(Buffer.alloc(bytes)))
    inner.get('/api/v1/late/', async (_request, reply) => {
      await new Promise((resolve) => setTimeout(resolve, 1.5 * SHORT.unreadMs))
      return reply.send('late')
    })
  }
  const app = await createApp({ ...common, deadlines: SHORT, backend: { api }, config: readConfig({}) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const gone = new Promise<void>((resolve) => app.server.once('connection', (socket: Socket) => socket.once('close', () => resolve())))
  const stuck = connect(portOf(app), '127.0.0.1')
  stuck.on('error', () => undefined).pause()
  stuck.write('GET /api/v1/large/ HTTP/1.1\r\nHost: a.test\r\n\r\n')
  await gone
  stuck.destroy()

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`
  const slow = connect(portOf(app), '127.0.0.1')
  slow.write(get('/api/v1/large/'))
  let received = 0
  for await (const chunk of slow) {
    received += (chunk as Buffer).length
    // The whole takes longer than a reader may take nothing.
    if (received < bytes / 2) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.ok(received > bytes)
  let isAsked = false
  const both = await exchange(portOf(app), 'GET /api/v1/none/ HTTP/1.1\r\nHost: a.test\r\n\r\n', (_answer, more) => {
    if (!isAsked) more(get('/api/v1/late/'))
    isAsked = true
  })
  assert.equal(statuses(both), [404, 200])
  assert.match(both, /late$/)
  await app.close()
})

door('requests that are refused before their body has been read leave no listeners at their connection', async () => {
  const app = apps.get('hosted')!
  const opened = once(app.server, 'connection') as Promise<[Socket]>
  const counts: number[] = []
  const refused = `POST /api/v1/nowhere/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`
  const client = connect(portOf(app), '127.0.0.1')
  const [socket] = await opened
  for (let times = 0; times < 3; times += 1) {
    client.write(refused)
    await once(client, 'data')
    client.write('{}')
    // The next request is answered after the rest of this one was read.
    client.write(`GET ${SETTINGS} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await once(client, 'data')
    counts.push(socket.listenerCount('close'))
  }
  client.destroy()
  assert.equal(counts, [counts[0], counts[0], counts[0]])
})

door('A9: a body must arrive at 1 KB a second after its first 10 s, and no request may take longer than five minutes', () => {
  assert.not.ok(isTooSlow(0, 10_000, DEADLINES))
  assert.ok(isTooSlow(0, 10_001, DEADLINES))
  assert.ok(isTooSlow(10_239, 20_000, DEADLINES))
  assert.not.ok(isTooSlow(10_240, 20_000, DEADLINES))
  for (const app of apps.values()) {
    assert.is(app.server.requestTimeout, 300_000)
    assert.is(app.server.headersTimeout, 20_000)
  }
})

door('A6: hop-by-hop headers are not forwarded, in either direction', async () => {
  mock.set('GET /api/v1/thing/', {
    headers: { 'content-type': 'application/json', 'keep-alive': 'timeout=99', connection: 'close, x-own', 'x-own': '1', 'x-kept': '1' },
    body: Buffer.from('{}'),
  })
  const answer = await exchange(
    portIn('before a backend'),
    'GET /api/v1/thing/ HTTP/1.1\r\nHost: a.test\r\nKeep-Alive: timeout=5, max=100\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\n' +
      'Trailer: x-t\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: Basic eDp5\r\nUpgrade: h2c\r\nX-Other: 1\r\n\r\n',
  )
  assert.equal(statuses(answer), [200])
  assert.match(answer, /^x-kept: 1\r$/im)
  assert.not.match(answer, /timeout=99|x-own/i)
  const { headers } = mock.requests.at(-1)!
  assert.is(headers['x-other'], '1')
  for (const name of ['keep-alive', 'x-mine', 'te', 'trailer', 'proxy-connection', 'proxy-authorization', 'upgrade', 'expect'])
    assert.is(headers[name], undefined, name)
})

door('A6: a body without a length is forwarded whole, up to MAX_BODY_BYTES', async () => {
  const small = await createApp({ ...common, config: readConfig({ BACKEND_URL: mock.url, MAX_BODY_BYTES: '100000' }) })
  await small.listen({ host: '127.0.0.1', port: 0 })
  const send = async (bytes: number) => {
    mock.set('POST /api/v1/upload/', { status: 201, json: { ok: true } })
    const reply = await fetch(`http://127.0.0.1:${portOf(small)}/api/v1/upload/`, {
      method: 'POST',
      body: new Blob([Buffer.alloc(bytes, 'x')]).stream(),
      duplex: 'half',
    } as RequestInit)
    return { status: reply.status, body: (await reply.json()) as unknown }
  }
  assert.is((await send(100_000)).status, 201)
  assert.is(mock.requests.at(-1)?.body.length, 100_000)
  assert.equal(await send(100_001), { status: 413, body: { code: 413, errors: null, message: 'Request body is too large.' } })
  await small.close()
})

door.run()
