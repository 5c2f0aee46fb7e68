/**
 * Which page is rendered next. A renderer has few slots: the share with the fewest pages in progress goes first, and a page takes a slot
 * only when its host may be asked at that moment. A rendered page counts at its host like a plain request.
 */
import { createFairQueue } from '#backend/crawler/engine/fair-queue.ts'
import { readRetryAfter } from '#backend/crawler/fetch/answer-headers.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { Host, Hosts } from '#backend/crawler/frontier/hosts.ts'
import type { HostSignal } from '#backend/crawler/frontier/politeness.ts'
import { signalOf } from '#backend/crawler/frontier/politeness.ts'
import type { RenderJob, RenderOutcome, Renderer } from './renderer.ts'

type Watch = Parameters<Renderer['render']>[1]
type Waiting = { share: string; host: Host; job: RenderJob; watch: Watch; resolve: (outcome: RenderOutcome) => void }

export type RenderQueue = ReturnType<typeof createRenderQueue>

export function createRenderQueue({
  hosts,
  now,
  renderer,
}: {
  hosts: Pick<Hosts, 'isOpen' | 'waitsUntil' | 'start' | 'end' | 'watch'>
  now: () => number
  renderer: Renderer
}) {
  const line = createFairQueue<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let isPumping = false
  const unwatch = hosts.watch(() => !line.isEmpty && pump())
  return {
    request,
    slots: renderer.slots,
    close() {
      unwatch()
      clearTimeout(timer)
    },
  }

  /** Resolves when the page has been rendered; if its signal aborts before, the outcome is `canceled`. */
  function request(share: string, host: Host, job: RenderJob, watch: Watch): Promise<RenderOutcome> {
    return new Promise((resolve) => {
      const cancel = () => line.remove(one) && resolve(CANCELED)
      const one: Waiting = {
        share,
        host,
        job,
        watch,
        resolve(outcome) {
          // A crawl has one signal for all its pages: each listener would hold its page until the crawl ends.
          watch.signal.removeEventListener('abort', cancel)
          resolve(outcome)
        },
      }
      line.push(one)
      watch.signal.addEventListener('abort', cancel, { once: true })
      pump()
    })
  }

  function pump() {
    // Starting a page notifies the hosts' listeners, which call this again.
    if (isPumping) return
    isPumping = true
    clearTimeout(timer)
    try {
      while (line.working < renderer.slots) {
        const at = now()
        const next = line.next(({ host, share }) => (hosts.isOpen(host, at, share) ? null : hosts.waitsUntil(host, share)))
        if (next === null) return
        if ('opensAt' in next) {
          if (next.opensAt < Infinity) timer = setTimeout(pump, Math.max(1, next.opensAt - at)).unref()
          return
        }
        void work(next)
      }
    } finally {
      isPumping = false
    }
  }

  async function work(one: Waiting): Promise<void> {
    const { host, job, share, watch } = one
    line.begin(one)
    hosts.start(host, false, share)
    let outcome: RenderOutcome = CANCELED
    try {
      outcome = await renderer.render(job, watch)
    } finally {
      line.end(one)
      hosts.end(host, lessonOf(outcome), false, share)
      one.resolve(outcome)
      pump()
    }
  }
}

const CANCELED: RenderOutcome = { kind: 'failure', reason: 'canceled', detail: 'canceled', tookMs: 0 }

/** What a rendered page says about the pace of its host. A failure of the browser says nothing. */
function lessonOf(outcome: RenderOutcome): HostSignal | null {
  if (outcome.kind === 'rendered') return signalOf(fetchedFrom(outcome))
  if (outcome.kind === 'redirected') return signalOf(outcome)
  return outcome.kind === 'failure' && outcome.reason !== 'render_failed' && outcome.reason !== 'timeout'
    ? signalOf({ ...outcome, reason: outcome.reason })
    : null
}

/** Converts a rendered page to the shape of a fetched one. */
export function fetchedFrom(outcome: Extract<RenderOutcome, { kind: 'rendered' }>): Extract<FetchOutcome, { kind: 'fetched' }> {
  const { firstByteMs, hops, html, leadsTo, retryAfter, status, tookMs, url } = outcome
  return {
    kind: 'fetched',
    url,
    status,
    headers: {
      contentType: 'text/html; charset=utf-8',
      contentEncoding: '',
      retryAfterMs: retryAfter === null ? null : readRetryAfter(retryAfter, Date.now()),
      cacheControl: null,
      // What a script does at once is a link like a refresh.
      ...(leadsTo !== undefined && { refresh: `0; url=${leadsTo}` }),
    },
    body: html,
    truncated: false,
    hops,
    firstByteMs,
    tookMs,
  }
}
