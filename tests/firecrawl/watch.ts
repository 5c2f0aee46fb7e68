/** A job that is followed over a WebSocket, without a server: what is sent to a reader who takes long. */
import { EventEmitter } from 'node:events'
import { Duplex } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { watchJobs } from '#backend/firecrawl/watch.ts'
import { until } from '#tests/support/until.ts'

const watch = suite('a followed job')
const realNow = Date.now
watch.after.each(() => {
  Date.now = realNow
})

watch('T25 a reader whose key has ended gets no more of what is stored already', async () => {
  const server = new EventEmitter()
  let lateMs = 0
  Date.now = () => realNow() + lateMs
  async function* documents(_parts: unknown, from: number, to: number) {
    for (let ordinal = from + 1; ordinal <= to; ordinal += 1) {
      lateMs += 11_000
      yield { ordinal, text: Buffer.from(`{"page":${ordinal}}`) }
    }
  }
  const needs = {
    bus: { subscribe: () => () => undefined },
    actorOf: async () => ({ teamId: 'team', userId: null, sessionId: null, apiKeyId: 'key' }),
    enter: () => undefined,
    leave: () => undefined,
    mayRead: async () => false,
    jobs: { readParts: async () => [{ run: { no: 1, status: 'finished' } }] },
    publicBase: null,
    statuses: { readable: () => 200, documents, head: () => ({}) },
    warn: (facts: object) => assert.unreachable(JSON.stringify(facts)),
  }
  const end = watchJobs(server as unknown as Parameters<typeof watchJobs>[0], needs as unknown as Parameters<typeof watchJobs>[1])
  let sent = ''
  const connection = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      sent += chunk.toString('latin1')
      done()
    },
  })
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-version': '13',
    authorization: 'Bearer sn-key',
  }
  const request = { method: 'GET', url: `/v2/crawl/${crypto.randomUUID()}`, headers, socket: connection }
  server.emit('upgrade', request, connection)
  await until(() => /Unauthorized|"done"/.test(sent))
  assert.match(sent, /Unauthorized/)
  assert.equal(sent.match(/"type":"document"/g)?.length, 1)
  end()
})

watch.run()
