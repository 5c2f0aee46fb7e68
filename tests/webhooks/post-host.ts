/** The thread that sends webhooks. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPostHost } from '#backend/webhooks/post-host.ts'

const host = suite('the thread that sends webhooks')

const received: string[] = []
const PIECE = Buffer.alloc(64 * 1024, 'x')
function* endless() {
  for (;;) yield PIECE
}
let asked: () => void = () => undefined
const server = createServer((request, reply) => {
  request.setEncoding('utf8')
  let body = ''
  request.on('data', (part: string) => (body += part))
  request.on('end', () => {
    received.push(`${String(request.headers['x-own'])} ${body}`)
    asked()
    if (request.url === '/endless') void pipeline(Readable.from(endless()), reply).catch(() => undefined)
    if (request.url === '/ok') reply.writeHead(201, { 'x-answer': 'yes' }).end('x'.repeat(5000))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
host.after(() => {
  server.closeAllConnections()
  server.close()
})

const warned: string[] = []
const open = (options: { allow?: string; program?: URL; idleMs?: number } = {}) =>
  createPostHost({
    data: { allow: options.allow ?? new URL(base).host, resolver: null, userAgent: 'test' },
    program: options.program ?? new URL('../../backend/post-thread.ts', import.meta.url),
    warn: (_facts, message) => void warned.push(message),
    ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
  })
const message = (path: string, signal = new AbortController().signal) => ({
  url: base + path,
  headers: { 'x-own': 'mine' },
  body: Buffer.from(`{"to":"${path}"}`),
  timeoutMs: 60_000,
  maxBytes: 2048,
  signal,
})

host('the thread sends the message and returns the first bytes of the answer; it works again after it has ended', async () => {
  const { close, post } = open({ idleMs: 0 })
  for (let time = 0; time < 2; time += 1) {
    const posted = await post(message('/ok'))
    assert.equal([posted.status, posted.headers['x-answer'], posted.body.length, posted.isCut], [201, 'yes', 2048, true])
    assert.is(received.pop(), 'mine {"to":"/ok"}')
  }
  await close()
})

host('an endless answer counts by its status, and is cut', async () => {
  const { close, post } = open()
  const posted = await post(message('/endless'))
  assert.equal([posted.status, posted.failure, posted.isCut, Buffer.from(posted.body).toString()], [200, null, true, 'x'.repeat(2048)])
  assert.is(received.pop(), 'mine {"to":"/endless"}')
  await close()
})

host('the thread refuses a forbidden address too', async () => {
  const { close, post } = open({ allow: '' })
  const posted = await post(message('/ok'))
  assert.is(posted.status, null)
  assert.match(posted.failure ?? '', /refused/)
  assert.equal(received, [])
  await close()
})

host('a message is canceled if its caller gives up, or if it is in progress when the host closes', async () => {
  const { close, post } = open()
  const given = new AbortController()
  const arrived = new Promise<void>((resolve) => (asked = resolve))
  const posting = post(message('/silent', given.signal))
  await arrived
  given.abort()
  assert.is((await posting).isCanceled, true)
  const again = new Promise<void>((resolve) => (asked = resolve))
  const left = post(message('/silent'))
  await again
  await close()
  assert.is((await left).isCanceled, true)
  assert.is((await post(message('/ok'))).isCanceled, true)
  assert.equal(warned, [])
})

host('every caller gets an answer when the thread fails', async () => {
  const { close, post } = open({ program: new URL('data:text/javascript,throw new Error("broken")') })
  assert.is((await post(message('/ok'))).isCanceled, true)
  assert.is(warned.length, 1)
  await close()
})

host.run()
