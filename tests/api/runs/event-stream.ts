import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import fastify from 'fastify'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventFrame, openEventStream } from '#backend/http/event-stream.ts'
import type { EventSink } from '#backend/http/event-stream.ts'

const answered: string[] = []
const opened: EventSink[] = []
const taken: Socket[] = []
const warned: string[] = []
let onOpened = () => {}

const app = fastify()
app.addHook('onRequest', async (_request, reply) => void reply.header('x-request-id', 'one').header('vary', ['origin', 'accept']))
app.addHook('onResponse', async ({ url }, reply) => void answered.push(`${url} ${reply.statusCode}`))
app.get('/stream', async (incoming, reply) => {
  taken.push(incoming.raw.socket)
  opened.push(await openEventStream(incoming, reply))
  onOpened()
  return reply
})
// Simulates a Node whose server cannot detach a connection.
app.get('/kept', async (incoming, reply) => {
  Object.defineProperty(reply.raw, 'detachSocket', { configurable: true, value: undefined })
  incoming.log.warn = (_: unknown, message?: string) => void warned.push(String(message))
  opened.push(await openEventStream(incoming, reply))
  // This Node calls it when the reply has ended.
  Reflect.deleteProperty(reply.raw, 'detachSocket')
  onOpened()
  return reply
})
app.get('/other', async () => 'other')
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const stream = suite('a stream of events')
stream.before.each(() => {
  answered.length = 0
})
stream.after(() => app.close())

stream('a stream has the exact response head, the headers of the hooks, and chunks that a client can join', async () => {
  const { sink, reply } = await read()
  assert.is(reply.statusCode, 200)
  assert.is(reply.headers['content-type'], 'text/event-stream')
  assert.is(reply.headers['cache-control'], 'no-cache')
  assert.is(reply.headers['x-accel-buffering'], 'no')
  assert.is(reply.headers['x-request-id'], 'one')
  assert.is(reply.headers['vary'], 'origin, accept')
  assert.is(reply.headers['transfer-encoding'], 'chunked')
  assert.ok(Math.abs(Date.parse(reply.headers.date ?? '') - Date.now()) < 10_000)
  sink.write([eventFrame('{"a":"ä"}'), eventFrame('{}')])
  sink.write([])
  sink.write([eventFrame('{"b":1}')])
  sink.end()
  sink.write([eventFrame('{"late":1}')])
  assert.is(await textOf(reply), 'data: {"a":"ä"}\n\ndata: {}\n\ndata: {"b":1}\n\n')
})

stream('a stream to an HTTP/1.0 client ends with its connection', async () => {
  const { socket, sink } = await dial('GET /stream HTTP/1.0\r\n\r\n')
  sink.write([eventFrame('{}')])
  sink.end()
  const [head, body] = (await textOf(socket)).split('\r\n\r\n')
  assert.not.match(head ?? '', /transfer-encoding/i)
  assert.match(head ?? '', /^connection: close$/m)
  assert.is(body, 'data: {}\n\n')
})

stream('the HTTP server sees one finished reply for a stream, and no longer owns its connection', async () => {
  const { sink, reply } = await read()
  const socket = taken.at(-1)!
  assert.equal(answered, ['/stream 200'])
  assert.is((socket as Socket & { parser: unknown }).parser, null, 'the parser is free')
  assert.is((socket as Socket & { _httpMessage: unknown })._httpMessage, null, 'the reply is free')
  assert.equal(socket.listenerCount('data'), 0)
  app.server.closeAllConnections()
  sink.write([eventFrame('{}')])
  sink.end()
  assert.is(await textOf(reply), 'data: {}\n\n', 'it is not cut with the others')
  assert.equal(answered, ['/stream 200'])
})

stream('a stream ignores everything that its reader sends later', async () => {
  const { socket, sink } = await dial('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.write(Buffer.alloc(100_000))
  sink.write([eventFrame('{}')])
  sink.end()
  const text = await textOf(socket)
  assert.is(text.match(/HTTP\/1\.1 200/g)?.length, 1)
  assert.ok(text.endsWith('a\r\ndata: {}\n\n\r\n0\r\n\r\n'), text)
  assert.equal(answered, ['/stream 200'])
})

stream('a stream is cut if the client pipelined another request, since that request would never be answered', async () => {
  const { socket, sink } = await dial('GET /stream HTTP/1.1\r\nHost: x\r\n\r\nGET /other HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise<void>((resolve) => sink.onClose(resolve))
  sink.write([eventFrame('{}')])
  socket.on('error', () => {}).resume()
  if (!socket.closed) await once(socket, 'close')
})

stream('a stream reports that its reader has disconnected, by an end or a reset', async () => {
  for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
    const { socket, sink } = await dial('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
    const left = new Promise<void>((resolve) => sink.onClose(resolve))
    leave(socket)
    await left
    sink.write([eventFrame('{}')])
    sink.end()
    // A client that has left before the stream is opened.
    await new Promise<void>((resolve) => sink.onClose(resolve))
  }
})

stream('a stream counts the bytes that a slow reader has not read, and reports that the reader has disconnected', async () => {
  const { socket, sink } = await dial('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
  socket.pause()
  const frame = eventFrame(JSON.stringify('x'.repeat(1_000_000)))
  let sent = 0
  while (sink.unsentBytes() === 0 || sent < 8) {
    sink.write([frame])
    sent += 1
  }
  assert.ok(sink.unsentBytes() > 0)
  const drained = new Promise<void>((resolve) => sink.onDrain(resolve))
  socket.resume()
  await drained
  assert.is(sink.unsentBytes(), 0)
  sink.destroy()
  await once(socket, 'close')
})

stream('a stream is closed at once if its reader disconnected before the stream opened', async () => {
  const before = opened.length
  const here = new Promise<void>((resolve) => (onOpened = resolve))
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.resetAndDestroy()
  })
  socket.on('error', () => {})
  // The server may see the cut before the request; then there is no request.
  await Promise.race([here, once(socket, 'close').then(() => read())])
  for (const sink of opened.slice(before)) sink.end()
  assert.ok(true, 'nothing was thrown')
})

stream('a stream is written through the reply, with one warning, if Node does not release the connection', async () => {
  for (const again of [false, true]) {
    const { sink, reply } = await read('/kept')
    assert.is(reply.statusCode, 200)
    assert.equal(
      ['content-type', 'cache-control', 'transfer-encoding', 'x-request-id'].map((name) => reply.headers[name]),
      ['text/event-stream', 'no-cache', 'chunked', 'one'],
    )
    sink.write([eventFrame('{"a":"ä"}'), eventFrame('{}')])
    sink.write([])
    assert.type(sink.unsentBytes(), 'number')
    sink.end()
    sink.write([eventFrame('{"late":1}')])
    assert.is(await textOf(reply), 'data: {"a":"ä"}\n\ndata: {}\n\n')
    assert.is(warned.length, 1, again ? 'not again' : 'once')
  }
  const { sink, reply } = await read('/kept')
  const left = new Promise<void>((resolve) => sink.onClose(resolve))
  reply.destroy()
  await left
  sink.write([eventFrame('{}')])
  sink.end()
  sink.destroy()
})

stream.run()

async function read(path = '/stream') {
  const here = new Promise<void>((resolve) => (onOpened = resolve))
  const asked = request({ port, path, agent: false }).end()
  const [[reply]] = await Promise.all([once(asked, 'response'), here])
  return { reply, sink: opened.at(-1)! }
}

async function dial(text: string) {
  const here = new Promise<void>((resolve) => (onOpened = resolve))
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  await here
  return { socket, sink: opened.at(-1)! }
}

async function textOf(source: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts).toString()
}
