/** Turns at the browser: teams share its places, and a page waits for its host. */
import { getEventListeners } from 'node:events'
import { mock } from 'node:test'
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
  assert.equal(await waiting, { kind: 'failure', reason: 'canceled', detail: 'canceled', tookMs: 0 })
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

/** A queue before one host that opens at a time, and what is reported to the host. */
function queueBefore({
  opensAt = 0,
  outcome = { kind: 'unavailable', detail: 'a double' },
}: {
  opensAt?: number
  outcome?: RenderOutcome
}) {
  const reported: [what: string, signal?: unknown][] = []
  const listeners = new Set<(host: Host) => void>()
  let now = 1000
  const queue = createRenderQueue({
    hosts: {
      isOpen: (_host, at) => at >= opensAt,
      waitsUntil: () => opensAt,
      start: () => void reported.push(['start']),
      end: (_host, signal) => void reported.push(['end', signal]),
      watch: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    now: () => now,
    renderer: { slots: 1, render: async () => outcome, close: async () => undefined },
  })
  const host = { key: 'h' } as Host
  const rendered = queue.request('a', host, { url: '/' } as RenderJob, {
    signal: new AbortController().signal,
    beforeHop: async () => 'go',
  })
  const open = () => {
    opensAt = 0
    for (const listener of listeners) listener(host)
  }
  const pass = (ms: number) => {
    now += ms
    mock.timers.tick(ms)
  }
  return { listeners, open, pass, queue, rendered, reported }
}

const answer = (status: number, retryAfter: string | null = null) =>
  ({ kind: 'rendered', status, retryAfter, hops: [], firstByteMs: 20, tookMs: 90 }) as unknown as RenderOutcome

const LESSONS: [what: string, outcome: RenderOutcome, signal: unknown][] = [
  ['a rendered page', answer(200), { kind: 'good', firstByteMs: 20 }],
  ['a request for fewer requests', answer(429, '7'), { kind: 'busy', retryAfterMs: 7000 }],
  ['a redirect', { kind: 'redirected', tookMs: 9 } as RenderOutcome, { kind: 'good', firstByteMs: 9 }],
  ['a refused connection', { kind: 'failure', reason: 'connect', detail: '', tookMs: 1 }, { kind: 'connect' }],
  ['a page that the browser could not render', { kind: 'failure', reason: 'render_failed', detail: '', tookMs: 1 }, null],
  ['a page that the browser did not finish', { kind: 'failure', reason: 'timeout', detail: '', tookMs: 1 }, null],
  ['a browser that is not there', { kind: 'unavailable', detail: '' }, null],
]
for (const [what, outcome, signal] of LESSONS)
  turns(`the start and the end of a request are reported to the host: ${what}`, async () => {
    const { queue, rendered, reported } = queueBefore({ outcome })
    assert.is(await rendered, outcome)
    assert.equal(reported, [['start'], ['end', signal]])
    queue.close()
  })

turns('a page is rendered when its host opens, by itself or because the host has changed', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const byItself = queueBefore({ opensAt: 6000 })
    byItself.pass(4999)
    assert.equal(byItself.reported, [])
    byItself.pass(1)
    await byItself.rendered
    const closed = queueBefore({ opensAt: 6000 })
    closed.queue.close()
    closed.pass(5000)
    assert.equal(closed.reported, [])
    const changed = queueBefore({ opensAt: Infinity })
    changed.open()
    await changed.rendered
    changed.queue.close()
    assert.is(changed.listeners.size, 0)
  } finally {
    mock.timers.reset()
  }
})

turns('a script that leads to another URL at once is a refresh, and a whole page is not truncated', () => {
  const { headers, truncated } = fetchedFrom({ status: 200, retryAfter: null, hops: [], leadsTo: '/b' } as unknown as Rendered & {
    kind: 'rendered'
  })
  assert.equal([headers.refresh, truncated], ['0; url=/b', false])
  assert.is(
    'refresh' in fetchedFrom({ status: 200, retryAfter: null, hops: [] } as unknown as Rendered & { kind: 'rendered' }).headers,
    false,
  )
})

turns('a rendered page may say until when its host must wait, in seconds or as a date', () => {
  const waitOf = (retryAfter: string | null) =>
    fetchedFrom({ status: 429, retryAfter, hops: [] } as unknown as Rendered & { kind: 'rendered' }).headers.retryAfterMs
  assert.equal([waitOf('7'), waitOf(null), waitOf('soon')], [7000, null, null])
  const wait = waitOf(new Date(Date.now() + 60_000).toUTCString())!
  assert.ok(wait > 50_000 && wait <= 60_000, String(wait))
})

turns.run()
