/**
 * Which page is rendered next. A renderer has few slots: the team with the fewest pages in progress goes first, and a page takes a slot
 * only when its host may be asked at that moment. A rendered page counts at its host like a plain request.
 */
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
  const waiting = new Map<string, Waiting[]>()
  const atWork = new Map<string, number>()
  let inWork = 0
  let timer: NodeJS.Timeout | undefined
  let isPumping = false
  const unwatch = hosts.watch(() => waiting.size > 0 && pump())
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
      const cancel = () => remove(one) && resolve(CANCELED)
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
      waiting.set(share, [...(waiting.get(share) ?? []), one])
      watch.signal.addEventListener('abort', cancel, { once: true })
      pump()
    })
  }

  function remove(one: Waiting): boolean {
    const list = waiting.get(one.share) ?? []
    const rest = list.filter((each) => each !== one)
    if (rest.length === 0) waiting.delete(one.share)
    else waiting.set(one.share, rest)
    return rest.length < list.length
  }

  function pump() {
    // Starting a page notifies the hosts' listeners, which call this again.
    if (isPumping) return
    isPumping = true
    clearTimeout(timer)
    try {
      while (inWork < renderer.slots) {
        const next = pick()
        if (next === null) return
        if ('opensAt' in next) {
          if (next.opensAt < Infinity) timer = setTimeout(pump, Math.max(1, next.opensAt - now())).unref()
          return
        }
        void work(next)
      }
    } finally {
      isPumping = false
    }
  }

  /**
   * The next page: of the team with the fewest in progress (among equals, the one that has waited longest), the first whose host is open.
   */
  function pick(): Waiting | { opensAt: number } | null {
    if (waiting.size === 0) return null
    const at = now()
    let opensAt = Infinity
    for (const share of [...waiting.keys()].toSorted((one, other) => (atWork.get(one) ?? 0) - (atWork.get(other) ?? 0)))
      for (const one of waiting.get(share)!) {
        if (hosts.isOpen(one.host, at)) return one
        opensAt = Math.min(opensAt, hosts.waitsUntil(one.host))
      }
    return { opensAt }
  }

  async function work(one: Waiting): Promise<void> {
    const { host, job, share, watch } = one
    remove(one)
    // To the end of the map: the team goes behind the others.
    const rest = waiting.get(share)
    if (rest !== undefined) {
      waiting.delete(share)
      waiting.set(share, rest)
    }
    inWork += 1
    atWork.set(share, (atWork.get(share) ?? 0) + 1)
    hosts.start(host)
    let outcome: RenderOutcome = CANCELED
    try {
      outcome = await renderer.render(job, watch)
    } finally {
      inWork -= 1
      const left = atWork.get(share)! - 1
      if (left === 0) atWork.delete(share)
      else atWork.set(share, left)
      hosts.end(host, lessonOf(outcome))
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
