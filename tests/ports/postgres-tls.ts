/** Connections that TLS refuses while the product runs: a certificate that has expired, or a server that offers no TLS after a failover. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectTo, openPostgres, postgresFault } from '#backend/platform/database/postgres/postgres.ts'
import { isRefused, troubleOf } from '#backend/platform/database/trouble.ts'
import { postgresServer } from '#tests/support/stubs/postgres.ts'

const tls = suite('TLS to PostgreSQL')

/** What a pool throws; it counts as trouble that passes, and at the start as a wrong option. */
async function faultOf(url: string): Promise<unknown> {
  const pool = openPostgres(url, { answerMs: 9000, connections: 1, name: 'test' })
  const fault = await connectTo(pool).catch((thrown: unknown) => thrown)
  await pool.end()
  return fault
}

tls('a server without TLS is refused like a wrong password', async () => {
  const { url } = await postgresServer()
  const fault = await faultOf(`${url}?sslmode=verify-full`)
  assert.match(String(fault), /does not support SSL/)
  assert.equal([troubleOf(fault), isRefused(fault)], ['busy', true])
})

tls('a handshake that fails is refused in the same way', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    // It agrees to TLS, but has no certificate.
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true }).on('error', () => undefined)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const fault = await faultOf(`postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/database?sslmode=verify-full`)
  assert.equal([troubleOf(fault), isRefused(fault)], ['busy', true], String(fault))
  server.close()
})

tls('so is a certificate of the URL that does not exist: waiting does not create it', async () => {
  const fault = await faultOf('postgres://user@127.0.0.1:1/database?sslmode=verify-full&sslrootcert=/no/such/file')
  assert.match(String(fault), /no such file or directory, open '\/no\/such\/file'/)
  assert.equal([troubleOf(fault), isRefused(fault)], ['busy', true])
})

tls('so are certificates that Node does not accept; other errors stay as they are', () => {
  const of = (code: string) => postgresFault(Object.assign(new Error('refused'), { code }))
  for (const code of ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
    assert.equal([troubleOf(of(code)), isRefused(of(code))], ['busy', true], code)
  assert.is(troubleOf(of('ERR_INVALID_ARG_TYPE')), null)
})

tls.run()
