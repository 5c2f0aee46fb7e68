/**
 * One exchange without a network, whose answer does not end. The first exchange of a process compiles the code that reads answers, and
 * until a connection is left its receiver goes on sending: over a fast network megabytes, in the milliseconds that compiling takes.
 */
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { Exchange } from './exchange.ts'
import type { ExchangeNeeds } from './exchange.ts'
import { loadPool } from './pool.ts'
import { putWireOn } from './wire.ts'

const ORIGIN = 'http://rehearsal.invalid'
const PIECE = Buffer.alloc(64 * 1024, 97)
const HEAD = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n${PIECE.length.toString(16)}\r\n`

/** Resolves when the exchange was left; never rejects. */
export async function rehearse(needs: Omit<ExchangeNeeds, 'settle'>): Promise<void> {
  const Pool = await loadPool()
  const pool = new Pool(ORIGIN, {
    connect: (_options, callback) => {
      const [near, far] = duplexPair()
      for (const end of [near, far]) end.on('error', () => undefined)
      far.once('data', () => {
        far.write(HEAD)
        far.write(PIECE)
      })
      const socket = Object.assign(near, { bytesRead: 0, ref: () => socket, unref: () => socket }) as unknown as Socket
      putWireOn(socket, socket)
      // Never in the turn of the dispatch: undici goes on with a connection in a turn of its own.
      setImmediate(() => callback(null, socket))
    },
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  const exchange = new Exchange({ ...needs, settle: () => resolve() })
  pool.dispatch({ path: '/', method: 'POST', headers: [], body: Buffer.from('{}'), reset: true }, exchange)
  await promise
  await pool.destroy()
}
