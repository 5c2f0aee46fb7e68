/** Servers of tests on loopback. */
import { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { closedAtEnd } from '#tests/support/suite.ts'

/**
 * Lets a server listen on a free port.
 *
 * @returns its URL and port, and `close`, which also ends the connections of an HTTP server, and is called when the current test ends
 */
export async function serve(server: Server, host = '127.0.0.1') {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const close = closedAtEnd(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    if (server instanceof HttpServer) server.closeAllConnections()
    await closed
  })
  return { url: `http://${host}:${port}`, port, close }
}
