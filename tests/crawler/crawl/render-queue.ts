/** Turns at the browser: teams share its places, and a page waits for its host. */
import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Host } from '#backend/crawler/frontier/hosts.ts'
import { createRenderQueue, fetchedFrom } from '#backend/crawler/crawl/render-queue.ts'
import type { RenderJob, RenderOutcome, Rendered } from '#backend/crawler/crawl/renderer.ts'

const turns = suite('order of pages at the browser')

/** A browser that renders on command, and hosts that are always open except those in `shut`. */
function queueOf(slots: number, shut = new Set<string>()) {
  const begun: string[] = []
  const endings: (() => void)[] = []
  const queue = createRenderQueue({
    hosts: {
      isOpen: (host) => !shut.has(host.key),
      waitsUntil: () => Infinity,
      start: () => undefined,
      end: () => undefined,
      watch: () => () => undefined,
    },
    now: () => 0,
    renderer: {
      slots,
      render: ({ url }) =>
        new Promise<RenderOutcome>((resolve) => {
          begun.push(url)
          endings.push(() => resolve({ kind: 'unavailable', detail: 'a double' }))
        }),
      close: async () => undefined,
    },
  })
  const stop = new AbortController()
  const ask = (share: string, url: string, host = 'h', { signal } = stop) =>
    queue.request(share, { key: host } as Host, { url } as RenderJob, { signal, beforeHop: async () => 'go' })
  const end = async () => {
    endings.shift()!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ask, begun, end, queue }
}

turns('teams with many pages and teams with few get places in turn', async () => {
  const { ask, begun, end, queue } = queueOf(2)
  for (let at = 1; at <= 5; at += 1) void ask('many', `many ${at}`)
  void ask('few', 'few 1')
  void ask('few', 'few 2')
  assert.equal(begun, ['many 1', 'many 2'])
  for (let at = 0; at < 5; at += 1) await end()
  assert.equal(begun, ['many 1', 'many 2', 'few 1', 'many 3', 'few 2', 'many 4', 'many 5'])
  queue.close()
})
turns('a page whose host must wait gives its turn to another', () => {
  const { ask, begun, queue } = queueOf(1, new Set(['shut']))
  void ask('a', 'waits', 'shut')
  void ask('a', 'goes', 'open')
  assert.equal(begun, ['goes'])
  queue.close()
})
turns('a page that is canceled while it waits never reaches the browser', async () => {
  const { ask, begun, end, queue } = queueOf(1)
  const stop = new AbortController()
  void ask('a', 'first')
  const waiting = ask('a', 'second', 'h', stop)
  stop.abort()
  assert.is((await waiting).kind, 'failure')
  await end()
  assert.equal(begun, ['first'])
  queue.close()
})

turns('a page that has been rendered leaves nothing at the signal of its crawl, which would hold its text', async () => {
  const { ask, end, queue } = queueOf(1)
  const stop = new AbortController()
  const pages = ['first', 'second'].map((url) => ask('a', url, 'h', stop))
  await end()
  await end()
  await Promise.all(pages)
  assert.is(getEventListeners(stop.signal, 'abort').length, 0)
  queue.close()
})

turns('a rendered page may say until when its host must wait, in seconds or as a date', () => {
  const waitOf = (retryAfter: string | null) =>
    fetchedFrom({ status: 429, retryAfter, hops: [] } as unknown as Rendered & { kind: 'rendered' }).headers.retryAfterMs
  assert.equal([waitOf('7'), waitOf(null), waitOf('soon')], [7000, null, null])
  const wait = waitOf(new Date(Date.now() + 60_000).toUTCString())!
  assert.ok(wait > 50_000 && wait <= 60_000, String(wait))
})

turns.run()
