/**
 * Which pages of one crawl are rendered in a browser, and why.
 *
 * A crawl with options that need a browser has all its pages rendered. Any other crawl fetches a page plainly first, and renders it when
 * the answer is a shell (`shell.ts`). Each host is remembered: once its pages were all shells, the next ones are rendered at once; once its
 * last rendered URLs were files, the next ones are fetched plainly first.
 */
import type { BrowserSpec } from '#backend/crawler/crawl-spec.ts'
import type { FailureReason, FetchOutcome, HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import type { Host } from '#backend/crawler/frontier/hosts.ts'
import { fetchedFrom } from './render-queue.ts'
import type { RenderQueue } from './render-queue.ts'
import type { KeptAttachment } from '#backend/store/run-store.ts'
import type { Capture, RenderOutcome } from './renderer.ts'

/** What a crawl needs for rendering. */
export type RunRendering = {
  queue: RenderQueue
  /** Stores a capture of a page. */
  keep: (capture: Capture, runNo: number, pageUrl: string) => Promise<KeptAttachment>
  /** Deletes the file of a capture that is not stored. */
  drop: (capture: Capture) => void
}

/** After so many shells in a row, a host's pages are rendered without a plain fetch. */
const SHELLS_IN_ROW = 2
/** After so many files in a row, a host's URLs are fetched plainly first: a place in the browser and a second request cost more. */
const FILES_IN_ROW = 2
const MOST_HOSTS = 10_000

/** How a page was rendered. */
export type Rendering = { reason: string; captures: Capture[]; actions: string[]; notes: string[] }

export type FailedRendering = {
  kind: 'failure'
  reason: FailureReason | 'render_failed'
  detail: string
  status?: number
  retryAfterMs?: number | null
  tookMs: number
}
/** The outcome of a page, fetched or rendered. */
export type PageOutcome = FetchOutcome | FailedRendering

/** A rendering that succeeded or failed; `plain` asks for a plain fetch instead. */
export type RenderAttempt =
  { kind: 'outcome'; outcome: PageOutcome; rendering: Rendering | null } | { kind: 'plain'; why: string; isUnavailable: boolean }

export function createCrawlRendering(needs: {
  browser: BrowserSpec
  locale: string
  timeoutMs: number
  maxBytes: number
  proxy: Proxy | null
  queue: RenderQueue
  share: string
  signal: AbortSignal
  /** Headers for a host key, without the one for the locale. */
  headersFor: (hostKey: string) => Record<string, string>
  beforeHop: (leased: UrlLease, url: string) => Promise<HopVerdict>
}) {
  const { browser, queue, share, signal } = needs
  const asked = wantedOf(browser)
  const hosts = new Map<string, { shells: number; texts: number; files: number }>()
  let inProgress = 0
  return { atOnce, judge, render, hasRoom: () => inProgress < 2 * queue.slots + 2 }

  /** Why a page is rendered without a plain fetch; null when it is fetched first. */
  function atOnce(host: Host): string | null {
    const known = hosts.get(host.key)
    if (asked !== null) return known !== undefined && known.files >= FILES_IN_ROW ? null : asked
    return known !== undefined && known.texts === 0 && known.shells >= SHELLS_IN_ROW
      ? 'all pages of its host so far were made by scripts'
      : null
  }

  /** Notes whether a fetched page was a shell; returns the reason when it is to be rendered. */
  function judge(host: Host, shell: string | undefined): string | null {
    const known = recall(host)
    known.files = 0
    if (shell === undefined) known.texts += 1
    else known.shells += 1
    return asked ?? shell ?? null
  }

  function recall({ key }: Host) {
    const known = hosts.get(key) ?? { shells: 0, texts: 0, files: 0 }
    if (hosts.size < MOST_HOSTS) hosts.set(key, known)
    return known
  }

  /** Renders a page when its turn comes. */
  async function render(url: string, leased: UrlLease, reason: string): Promise<RenderAttempt> {
    const { host } = leased
    inProgress += 1
    try {
      const job = {
        url,
        locale: needs.locale,
        headers: needs.headersFor(host.key),
        proxy: needs.proxy,
        timeoutMs: needs.timeoutMs,
        waitMs: browser.waitMs ?? 0,
        consentSelector: browser.consentSelector,
        actions: browser.actions ?? browser.captures,
        viewport: browser.viewport ?? 'desktop',
        blocks: browser.blocks ?? [],
        maxBytes: needs.maxBytes,
      }
      const outcome = await queue.request(share, host, job, { signal, beforeHop: (hop) => needs.beforeHop(leased, hop) })
      if (outcome.kind === 'no_page') recall(host).files += 1
      else if (outcome.kind === 'rendered') recall(host).files = 0
      return present(outcome, reason)
    } finally {
      inProgress -= 1
    }
  }

  function present(outcome: RenderOutcome, reason: string): RenderAttempt {
    switch (outcome.kind) {
      case 'rendered': {
        const { actions, captures, notes } = outcome
        return { kind: 'outcome', outcome: fetchedFrom(outcome), rendering: { reason, captures, actions, notes } }
      }
      case 'unavailable':
        return { kind: 'plain', why: outcome.detail, isUnavailable: true }
      case 'no_page':
        return { kind: 'plain', why: outcome.detail, isUnavailable: false }
      default:
        return { kind: 'outcome', outcome, rendering: null }
    }
  }
}

/** Which of the crawl's options need a browser; null when none does. A wait alone does not: it applies only to pages that are rendered. */
function wantedOf({ actions, captures, consentSelector, mode, viewport }: BrowserSpec): string | null {
  if ((actions ?? captures).length > 0) return 'the crawl asks for actions'
  if (consentSelector !== null) return 'the crawl asks for a click on a cookie banner'
  if (viewport === 'mobile') return 'the crawl asks for a mobile view'
  return mode === 'always' ? 'the crawl asks for rendering' : null
}
