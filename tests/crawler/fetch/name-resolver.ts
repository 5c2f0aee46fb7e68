/** Names to addresses, by a name server that answers only one kind of question, or none. */
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { createNameResolver } from '#backend/crawler/fetch/name-resolver.ts'

const names = suite('the name resolver')

const A = 1
const AAAA = 28
const ADDRESSES = new Map([
  [A, Buffer.from([192, 0, 2, 1])],
  [AAAA, Buffer.from('20010db8000000000000000000000001', 'hex')],
])

/** Resolves a name with a server that answers these kinds of questions; it says of the others that there are none, or nothing at all. */
async function resolved(answered: number[], others: 'none' | 'silent') {
  const asked: number[] = []
  const server = createSocket('udp4').on('message', (query, peer) => {
    const end = query.indexOf(0, 12)
    const type = query.readUInt16BE(end + 1)
    asked.push(type)
    const isKnown = answered.includes(type)
    if (!isKnown && others === 'silent') return
    const data = ADDRESSES.get(type)!
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0])
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data])
    server.send(Buffer.concat([head, query.subarray(12, end + 5), ...(isKnown ? [record] : [])]), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const resolver = createNameResolver({ server: `127.0.0.1:${server.address().port}`, otherMs: 20, timeoutMs: 2500 })
  const answer = await resolver.resolve('site.test')
  resolver.cancel()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return { answer, asked }
}

names('has addresses of both kinds, IPv4 first', async () => {
  assert.equal((await resolved([A, AAAA], 'none')).answer, { addresses: ['192.0.2.1', '2001:db8::1'] })
  assert.equal((await resolved([AAAA], 'none')).answer, { addresses: ['2001:db8::1'] })
  assert.equal((await resolved([], 'none')).answer, { failure: 'ENODATA' })
})

names('does not wait for a kind of address that the server never answers', async () => {
  for (const [kind, address] of [
    [A, '192.0.2.1'],
    [AAAA, '2001:db8::1'],
  ] as const) {
    const { answer, asked } = await resolved([kind], 'silent')
    assert.equal(answer, { addresses: [address] })
    assert.equal(asked.length, 2, 'no question was repeated')
  }
})

/** The reason of a connection to a name that the name server answers with this code. */
async function reasonAfter(responseCode: number): Promise<unknown> {
  const server = createSocket('udp4').on('message', (query, peer) => {
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | responseCode, 0, 1, 0, 0, 0, 0, 0, 0])
    server.send(Buffer.concat([head, query.subarray(12, query.indexOf(0, 12) + 5)]), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const egress = createEgress({ allow: '127.0.0.1', resolver: `127.0.0.1:${server.address().port}`, userAgent: 'x' })
  const reason = await egress.open('site.test', 80, null).catch((fault: { reason?: unknown }) => fault.reason)
  await egress.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return reason
}

names('tells a name that does not exist from a name server that fails, which may answer later', async () => {
  const [noError, serverFailure, noSuchName, refused] = [0, 2, 3, 5]
  assert.equal(await Promise.all([noError, noSuchName].map(reasonAfter)), ['dns', 'dns'])
  assert.equal(await Promise.all([serverFailure, refused].map(reasonAfter)), ['name_server', 'name_server'])
})

names.run()
