/** A job that is followed over a WebSocket, without a server: what is sent to a reader who takes long. */
import { EventEmitter } from 'node:events'
import { Duplex } from 'node:stream'
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { watchJobs } from '#backend/firecrawl/watch.ts'
import { until } from '#tests/support/until.ts'

const watch = suite('a followed job')
watch.after.each(() => mock.reset())

/** Follows a finished job of so many documents; returns all that was sent, once it matches. */
async function follow(count: number, document: (ordinal: number) => string, { ends, mayRead }: { ends: RegExp; mayRead: boolean }) {
  const server = new EventEmitter()
  async function* documents(_parts: unknown, from: number, to: number) {
    for (let ordinal = from + 1; ordinal <= to; ordinal += 1) yield { ordinal, text: Buffer.from(document(ordinal)) }
  }
  const needs = {
    bus: { subscribe: () => () => undefined },
    actorOf: async () => ({ teamId: 'team', share: 'team', userId: null, sessionId: null, apiKeyId: 'key' }),
    enter: () => undefined,
    leave: () => undefined,
    mayRead: async () => mayRead,
    jobs: { readParts: async () => [{ run: { no: 1, status: 'finished' } }] },
    publicBase: null,
    statuses: { readable: () => count, documents, head: () => ({ status: 'completed' }) },
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
  await until(() => ends.test(sent))
  end()
  return sent
}

watch(
  'T25 a reader whose key has ended gets no more of what is stored already, also if the clock of the machine was set back',
  async () => {
    let lateMs = 0
    const [wall, steady] = [Date.now(), performance.now()]
    mock.method(Date, 'now', () => wall - lateMs)
    mock.method(performance, 'now', () => steady + lateMs)
    const document = (ordinal: number) => {
      lateMs += 11_000
      return `{"page":${ordinal}}`
    }
    const sent = await follow(200, document, { ends: /Unauthorized|"done"/, mayRead: false })
    assert.match(sent, /Unauthorized/)
    assert.equal(sent.match(/"type":"document"/g)?.length, 1)
  },
)

watch('T37 large documents do not wait in memory for the first message: they follow one by one', async () => {
  const text = 'x'.repeat(100_000)
  const sent = await follow(100, (ordinal) => `{"page":${ordinal},"text":"${text}"}`, { ends: /"done"/, mayRead: true })
  const [first = '', ...others] = sent.split('"type":"document"')
  assert.ok(first.length < 1_500_000, `${first.length} bytes in the first message`)
  assert.is((first.match(/"page":/g)?.length ?? 0) + others.length, 100)
  assert.equal(
    [...sent.matchAll(/"page":(\d+)/g)].map(([, page]) => Number(page)),
    Array.from({ length: 100 }, (_, at) => at + 1),
  )
})

watch('the first message calls a job ended only if it has all documents: clients stop reading there', async () => {
  const statusAfter = async (count: number) => {
    const sent = await follow(count, (ordinal) => `{"page":${ordinal}}`, { ends: /"done"/, mayRead: true })
    assert.match(sent, /"type":"done","data":\{"status":"completed"/)
    return /"type":"catchup","data":\{"status":"(\w+)"/.exec(sent)?.[1]
  }
  assert.is(await statusAfter(100), 'completed')
  assert.is(await statusAfter(101), 'scraping')
})

watch.run()
