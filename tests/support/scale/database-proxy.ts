/** A connection to a database that a test can break: refused, stalled, or cut at the moment of a COMMIT. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** `refuse`: nothing is connected. `stall`: bytes are held back in both directions. */
export type ProxyMode = 'pass' | 'refuse' | 'stall'

const COMMIT = Buffer.from('COMMIT\0')

/** @param url  of the database; `url` of the result leads to it through the proxy */
export async function startDatabaseProxy(url: string) {
  const target = new URL(url)
  const open = new Set<Socket>()
  let mode: ProxyMode = 'pass'
  let cuts = 0
  let refused = 0
  let commitsCut = 0
  const server = createServer((caller) => {
    caller.on('error', () => undefined)
    if (mode === 'refuse') {
      refused += 1
      return void caller.destroy()
    }
    const database = connect(Number(target.port || 5432), target.hostname)
    database.on('error', () => caller.destroy())
    for (const socket of [caller, database]) {
      open.add(socket)
      socket.on('close', () => (open.delete(socket), caller.destroy(), database.destroy()))
    }
    caller.on('data', (bytes) => {
      database.write(bytes)
      if (cuts === 0 || !bytes.includes(COMMIT)) return
      cuts -= 1
      commitsCut += 1
      // The server gets the COMMIT, but the client never gets its answer.
      caller.destroy()
      database.end()
    })
    database.on('data', (bytes) => caller.write(bytes))
    if (mode === 'stall') hold()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    set(next: ProxyMode) {
      mode = next
      if (mode === 'stall') hold()
      else for (const socket of open) socket.resume()
    },
    /** Cuts the connections of the next COMMITs, after the server got them. */
    cutCommits: (count: number) => void (cuts = count),
    get refused() {
      return refused
    },
    get commitsCut() {
      return commitsCut
    },
    close() {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }

  function hold() {
    for (const socket of open) socket.pause()
  }
}
