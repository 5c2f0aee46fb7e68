/** A socket with a bound: closed before its excess bytes are parsed. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { boundSocket } from '#backend/crawler/fetch/bounded-socket.ts'

const MIB = 1024 * 1024
/** What libuv reads at once. */
const LONGEST_PIECE = 64 * 1024

const bounded = suite('sockets with a byte limit')

const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
bounded.after(() => void server.close())

/** Both ends of one connection; what the near one sends arrives at the far one. */
async function pair(): Promise<[near: Socket, far: Socket]> {
  const taken = once(server, 'connection') as Promise<[Socket]>
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [far] = await taken
  far.on('error', () => undefined)
  return [near, far]
}

bounded('the piece that exceeds the limit closes the connection first, is read afterwards, and then the socket fails', async () => {
  const [near, far] = await pair()
  const socket = boundSocket(near, 10)
  const left = once(far, 'close')
  near.emit('data', Buffer.from('twelve bytes'))
  assert.is(near.destroyed, true)
  assert.is(socket.read(), null, 'nothing is parsed in that turn')
  await once(socket, 'readable')
  assert.is(String(socket.read()), 'twelve bytes')
  const failed = once(socket, 'error') as Promise<[{ reason: string }]>
  assert.is(socket.read(), null)
  const [error] = await failed
  assert.is(error.reason, 'too_large')
  await left
})

bounded('of megabytes that have arrived before the first turn, one piece is read', async () => {
  const [near, far] = await pair()
  const socket = boundSocket(near, 10)
  socket.on('error', () => undefined)
  socket.resume()
  const ended = new Promise((resolve) => socket.once('close', resolve))
  far.write(Buffer.alloc(16 * MIB))
  await ended
  assert.ok(near.bytesRead <= LONGEST_PIECE, `${near.bytesRead} bytes`)
  far.destroy()
})

bounded('if several sockets exceed their limits in one turn, all are closed before the first piece is parsed', async () => {
  const [[first], [second]] = [await pair(), await pair()]
  const parsed: string[] = []
  const read = (name: string, bound: Socket) => {
    bound.on('error', () => undefined)
    bound.on('data', () => parsed.push(`${name}: the second is ${second.destroyed ? 'closed' : 'open'}`))
  }
  read('first', boundSocket(first, 10))
  const other = boundSocket(second, 10)
  read('second', other)
  const ended = new Promise((resolve) => other.once('close', resolve))
  first.emit('data', Buffer.from('short'))
  second.emit('data', Buffer.from('much too long'))
  assert.equal(parsed, [])
  await ended
  assert.equal(parsed, ['first: the second is closed', 'second: the second is closed'])
  first.destroy()
})

bounded('an exchange within the limit arrives whole, with its end', async () => {
  const [near, far] = await pair()
  const socket = boundSocket(near, 10)
  const got: Buffer[] = []
  socket.on('data', (piece: Buffer) => got.push(piece))
  const ended = once(socket, 'end')
  far.once('data', (piece: Buffer) => far.end(`${String(piece)} back`))
  socket.write('there')
  await ended
  assert.is(String(Buffer.concat(got)), 'there back')
  assert.is(socket.bytesRead, 10)
})

bounded.run()
