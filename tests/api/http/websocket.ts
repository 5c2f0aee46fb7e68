/** The server side of a WebSocket, over a connection whose other side does what it likes. */
import { getEventListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acceptWebSocket } from '#backend/http/websocket.ts'

const websocket = suite('the server side of a WebSocket')

const PING = 0x9
const CLOSE = 0x8
const MASK = Buffer.from([0, 0, 0, 0])

/** A frame of a client; its mask changes nothing. */
function frame(opcode: number, payload: Buffer): Buffer {
  const head = payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff]
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head]), MASK, payload])
}

/** An accepted connection. `isRead`: the other side reads what is sent. */
function accepted({ isRead = true, stuckMs }: { isRead?: boolean; stuckMs?: number } = {}) {
  const sent: Buffer[] = []
  const connection = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk)
      if (isRead) done()
    },
  })
  const channel = acceptWebSocket({ headers: { 'sec-websocket-key': 'x' } } as unknown as IncomingMessage, connection, null, stuckMs)
  return { channel, connection, sent }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

websocket('a ping is answered with its text, a close with a close', async () => {
  const { channel, connection, sent } = accepted()
  connection.push(frame(PING, Buffer.from('hello')))
  await turn()
  assert.equal(Buffer.concat(sent.slice(1)), Buffer.from('\u008a\u0005hello', 'latin1'))
  connection.push(frame(CLOSE, Buffer.from([0x03, 0xe8])))
  await turn()
  assert.ok(channel.signal.aborted)
})

websocket('T37 answers to pings are not queued for a client that does not read', async () => {
  const { channel, connection } = accepted({ isRead: false })
  const pings = Buffer.concat(Array.from({ length: 100 }, () => frame(PING, Buffer.alloc(125))))
  for (let times = 0; times < 100; times += 1) {
    connection.push(pings)
    await turn()
  }
  assert.ok(connection.writableLength < 128 * 1024, `${connection.writableLength} bytes wait`)
  assert.not.ok(channel.signal.aborted)
  connection.destroy()
})

websocket('T37 a client that takes nothing of a message is disconnected', async () => {
  const { channel, connection } = accepted({ isRead: false, stuckMs: 20 })
  // The second message waits behind the first. It is short, since the time for a message grows with its length.
  await channel.send('x'.repeat(connection.writableHighWaterMark - 1000))
  assert.not.ok(connection.destroyed)
  await channel.send('x'.repeat(2000))
  assert.equal([connection.destroyed, channel.signal.aborted], [true, true])
})

websocket('a message that had to wait for its reader leaves no listener behind, however long the stream lasts', async () => {
  const { channel, connection } = accepted()
  for (let message = 0; message < 20; message += 1) await channel.send('x'.repeat(100_000))
  assert.equal([getEventListeners(channel.signal, 'abort').length, connection.listenerCount('drain')], [0, 0])
  connection.destroy()
})

websocket('a ping that is longer than pings may be ends the connection', async () => {
  const { channel, connection } = accepted()
  connection.push(frame(PING, Buffer.alloc(126)))
  await turn()
  await turn()
  assert.equal([connection.destroyed, channel.signal.aborted], [true, true])
})

websocket.run()
