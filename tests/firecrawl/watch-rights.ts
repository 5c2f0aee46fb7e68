/** The rights of a reader over a WebSocket, checked by a clock that nobody sets. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { watchJobs } from '#backend/firecrawl/watch.ts'
import type { WatchNeeds } from '#backend/firecrawl/watch.ts'
import { localBus } from '#backend/platform/events/event-bus.ts'

const rights = suite('rights of a reader over a WebSocket')
rights.after.each(() => mock.reset())

rights('a reader who has lost the right to read is disconnected, also if the clock of the machine was set back', async () => {
  const server = createServer()
  const end = watchJobs(server, {
    bus: localBus(),
    actorOf: async () => ({ teamId: 'team', userId: null, apiKeyId: 'key', sessionId: null }),
    enter: () => undefined,
    jobs: { readParts: async () => [{ run: { no: 1, status: 'running' } }] },
    leave: () => undefined,
    mayRead: async () => false,
    publicBase: 'http://127.0.0.1',
    statuses: { documents: async function* () {}, head: () => ({}), readable: () => 0 },
    warn: () => undefined,
  } as unknown as WatchNeeds)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/v2/crawl/${crypto.randomUUID()}`)
  await once(socket, 'message')
  const [wall, steady] = [Date.now(), performance.now()]
  mock.method(Date, 'now', () => wall - 3_600_000)
  mock.method(performance, 'now', () => steady + 11_000)
  const [closed] = (await once(socket, 'close')) as [CloseEvent]
  assert.equal([closed.code, closed.reason], [1008, 'Unauthorized: Invalid token'])
  end()
  server.close()
})

rights.run()
