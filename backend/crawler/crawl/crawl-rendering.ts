/**
 * Which pages of one crawl a browser draws, and why.
 *
 * A crawl that asks for what only a browser can do has all its pages drawn. Any other is fetched plainly first, and a page is drawn when its
 * answer is a shell (`shell.ts`). What was learned is remembered for each host: where every page so far was a shell, the next ones go to
 * the browser at once; where the last addresses that a browser was given were files, the next ones are fetched plainly first.
 */
import type { BrowserSpec } from '#backend/crawler/crawl-spec.ts'
import type { FailureReason, FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import type { Host } from '#backend/crawler/frontier/hosts.ts'
import { fetchedFrom } from './render-queue.ts'
import type { RenderQueue } from './render-queue.ts'
import type { KeptAttachment } from '#backend/store/run-store.ts'
import type { Capture, RenderOutcome } from './renderer.ts'

/** What a crawl is given where there is a browser. */
export type RunRendering = {
  queue: RenderQueue
  /** Stores a capture of a page. */
  keep: (capture: Capture, runNo: number, pageUrl: string) => Promise<KeptAttachment>
  /** Removes the file of one that is not stored. */
  drop: (capture: Capture) => void
}

/** After so many shells in a row a host's pages are not fetched plainly any more. */
const SHELLS_IN_ROW = 2
/** After so many files in a row a host's addresses are fetched plainly first: a browser's place and a second request are dearer. */
const FILES_IN_ROW = 2
const MOST_HOSTS = 10_000

/** How a page came that a browser drew. */
export type Drawing = { reason: string; captures: Capture[]; actions: string[]; notes: string[] }

export type FailedDrawing = {
  kind: 'failure'
  reason: FailureReason | 'render_failed'
  detail: string
  status?: number
  retryAfterMs?: number | null
  tookMs: number
}
/** What came of a page, fetched or drawn. */
export type DrawnOutcome = FetchOutcome | FailedDrawing

/** A drawing that came about or failed; `plain` asks for a plain fetch instead. */
export type Drawn =
  { kind: 'outcome'; outcome: DrawnOutcome; drawing: Drawing | null } | { kind: 'plain'; why: string; isUnavailable: boolean }

export type CrawlRendering = ReturnType<typeof createCrawlRendering>

export function createCrawlRendering(needs: {
  browser: BrowserSpec
  locale: string
  timeoutMs: number
  maxBytes: number
  proxy: Proxy | null
  queue: RenderQueue
  share: string
  signal: AbortSignal
  /** Headers for a host key, the one for the locale left out. */
  headersFor: (hostKey: string) => Record<string, string>
  beforeHop: (host: Host, url: string) => Promise<'go' | FailureReason>
}) {
  const { browser, queue, share, signal } = needs
  const asked = wantedOf(browser)
  const hosts = new Map<string, { shells: number; texts: number; files: number }>()
  let inHand = 0
  return { atOnce, judge, draw, hasRoom: () => inHand < 2 * queue.slots + 2 }

  /** Why a page is drawn without being fetched plainly; null when it is not. */
  function atOnce(host: Host): string | null {
    const known = hosts.get(host.key)
    if (asked !== null) return known !== undefined && known.files >= FILES_IN_ROW ? null : asked
    return known !== undefined && known.texts === 0 && known.shells >= SHELLS_IN_ROW
      ? 'all pages of its host so far were made by scripts'
      : null
  }

  /** Remembers what a plain answer with a page was; gives back the reason when it is to be drawn. */
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

  /** Draws a page when its turn has come. */
  async function draw(url: string, host: Host, reason: string): Promise<Drawn> {
    inHand += 1
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
      const outcome = await queue.request(share, host, job, { signal, beforeHop: (hop) => needs.beforeHop(host, hop) })
      if (outcome.kind === 'no_page') recall(host).files += 1
      else if (outcome.kind === 'rendered') recall(host).files = 0
      return present(outcome, reason)
    } finally {
      inHand -= 1
    }
  }

  function present(outcome: RenderOutcome, reason: string): Drawn {
    switch (outcome.kind) {
      case 'rendered': {
        const { actions, captures, notes } = outcome
        return { kind: 'outcome', outcome: fetchedFrom(outcome), drawing: { reason, captures, actions, notes } }
      }
      case 'unavailable':
        return { kind: 'plain', why: outcome.detail, isUnavailable: true }
      case 'no_page':
        return { kind: 'plain', why: outcome.detail, isUnavailable: false }
      default:
        return { kind: 'outcome', outcome, drawing: null }
    }
  }
}

/** What is asked of a crawl that only a browser can do; null when nothing is. A pause alone is none: it is kept where a page is drawn. */
function wantedOf({ actions, captures, consentSelector, mode, viewport }: BrowserSpec): string | null {
  if ((actions ?? captures).length > 0) return 'the crawl asks for actions'
  if (consentSelector !== null) return 'the crawl asks for a click on a cookie banner'
  if (viewport === 'mobile') return 'the crawl asks for a mobile view'
  return mode === 'always' ? 'the crawl asks for rendering' : null
}
