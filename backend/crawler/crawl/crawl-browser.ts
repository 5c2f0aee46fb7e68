/** Renders pages of one crawl in the browser: decides when, handles the result, and falls back when the browser fails. */
import { wholeRun } from '#backend/store/run-parts.ts'
import type { KeptAttachment } from '#backend/store/run-store.ts'
import { createCrawlRendering } from './crawl-rendering.ts'
import type { PageOutcome, RenderAttempt, Rendering } from './crawl-rendering.ts'
import type { Crawl } from './crawl.ts'
import type { Fetched, HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import type { ParseReply, ParsedPage } from '#backend/crawler/page/page-rules.ts'
import { followRedirect, isCopy, keepPage, passPage, readByModel, refusePage, unwantedType } from './settle-url.ts'

const CAPTURED = { screenshot: 'The screenshot', pdf: 'The PDF', scrape: 'The document' } as const

/**
 * Null when there is no browser, or the crawl wants none.
 *
 * @param arrived    handles the outcome of a URL that was fetched or rendered
 * @param beforeHop  applies scope, robots rules and pause to a redirect within a host
 */
export function createCrawlBrowser(
  crawl: Crawl,
  {
    arrived,
    beforeHop,
  }: {
    arrived: (leased: UrlLease, outcome: PageOutcome, rendering: Rendering | null) => Promise<void>
    beforeHop: (leased: UrlLease, url: string) => Promise<HopVerdict>
  },
) {
  const { feed, frontier, rendering: means, row, spec, unrendered } = crawl
  const { browser } = spec
  if (means === null || browser === null) return null
  const crawlRendering = createCrawlRendering({
    browser,
    locale: spec.page.locale,
    timeoutMs: spec.page.timeoutMs,
    maxBytes: crawl.maxPageBytes,
    proxy: crawl.proxy,
    queue: means.queue,
    share: row.share,
    signal: crawl.stop.signal,
    headersFor(key) {
      const { 'accept-language': _locale, ...own } = crawl.headersFor(key)
      return own
    },
    beforeHop,
  })
  let hasSaidUnavailable = false
  return { hasRoom: crawlRendering.hasRoom, atOnce, shell, keep, drop, metadataOf }

  /** Renders a leased URL without a plain fetch before; null when it needs one. */
  function atOnce(leased: UrlLease): Promise<void> | null {
    const reason = unrendered.has(leased.seq) ? null : crawlRendering.atOnce(leased.host)
    return reason === null ? null : workInBrowser(leased, reason)
  }

  async function workInBrowser(leased: UrlLease, reason: string): Promise<void> {
    const attempt = await render(leased, leased.url, reason)
    if (attempt === null) return
    const failure = failureOf(attempt)
    if (attempt.kind === 'outcome' && failure === null) return arrived(leased, attempt.outcome, attempt.rendering)
    const why = attempt.kind === 'plain' ? attempt.why : failure!
    if (failure !== null)
      feed('warning', `${leased.url} could not be rendered (${why}): it is fetched over plain HTTP`, { url: leased.url })
    else if (attempt.kind === 'plain' && !attempt.isUnavailable)
      feed('info', `A browser cannot render ${leased.url} (${why}): it is fetched over plain HTTP`, { url: leased.url })
    unrendered.set(leased.seq, `not rendered: ${why}`)
    frontier.giveBack(leased)
  }

  /** Renders a fetched page that is a shell; null when it is none. */
  function shell(leased: UrlLease, fetched: Fetched, page: ParsedPage, size: number): Promise<void> | null {
    if (unrendered.has(leased.seq) || !/html/.test(page.mediaType)) return null
    const reason = crawlRendering.judge(leased.host, page.shell)
    return reason === null ? null : renderShell(leased, fetched, page, size, reason)
  }

  /** Replaces a shell by the rendered page, if that works. */
  async function renderShell(leased: UrlLease, fetched: Fetched, page: ParsedPage, size: number, reason: string): Promise<void> {
    const attempt = await render(leased, fetched.url, reason)
    if (attempt === null) return
    if (attempt.kind === 'outcome') {
      const { rendering, outcome } = attempt
      if (outcome.kind === 'redirected') return followRedirect(crawl, leased, outcome.to, outcome.status)
      if (outcome.kind === 'fetched' && outcome.status < 300)
        return arrived(leased, { ...outcome, hops: [...fetched.hops, ...outcome.hops] }, rendering)
      drop(rendering)
      const why = outcome.kind === 'failure' ? outcome.detail : `HTTP ${outcome.status}`
      unrendered.set(leased.seq, `not rendered: ${why}`)
      feed('warning', `${fetched.url} could not be rendered (${why}): it is kept as the site sent it`, { url: fetched.url })
    }
    const unwanted = unwantedType(crawl, page)
    if (unwanted !== null) return passPage(crawl, leased, fetched, page, size, unwanted)
    const read = await readByModel(crawl, leased, page, fetched.url)
    if (!crawl.isOver()) keepPage(crawl, leased, fetched, read, size)
  }

  /** Null when the crawl ended before the page was rendered. */
  async function render(leased: UrlLease, url: string, reason: string): Promise<RenderAttempt | null> {
    crawl.fetching += 1
    const attempt = await crawlRendering.render(url, leased, reason).finally(() => {
      crawl.fetching -= 1
    })
    if (crawl.isOver()) {
      if (attempt.kind === 'outcome') drop(attempt.rendering)
      return null
    }
    if (attempt.kind === 'plain' && attempt.isUnavailable && !hasSaidUnavailable) {
      hasSaidUnavailable = true
      feed('warning', `The browser cannot be started: pages are fetched over plain HTTP (${attempt.why})`)
    }
    return attempt
  }

  /** Keeps a page that was rendered and parsed, with its captured files. */
  async function keep(leased: UrlLease, fetched: Fetched, reply: ParseReply, size: number, rendering: Rendering): Promise<void> {
    if (crawl.isOver()) return drop(rendering)
    if (reply.kind === 'refusal') {
      drop(rendering)
      return refusePage(crawl, leased, fetched, reply, size)
    }
    const unwanted = unwantedType(crawl, reply)
    if (unwanted !== null) {
      drop(rendering)
      return passPage(crawl, leased, fetched, reply, size, unwanted)
    }
    const page = await readByModel(crawl, leased, reply, fetched.url)
    if (crawl.isOver()) return drop(rendering)
    const isWanted = !isCopy(crawl, leased, page)
    if (!isWanted) drop(rendering)
    const attachments = isWanted ? await store(rendering, fetched.url) : []
    if (!crawl.isOver()) keepPage(crawl, leased, fetched, page, size, rendering, attachments)
  }

  async function store(rendering: Rendering, url: string): Promise<KeptAttachment[]> {
    const kept: KeptAttachment[] = []
    for (const capture of rendering.captures)
      try {
        kept.push(await means!.keep(capture, wholeRun(row.runNo), url))
      } catch (fault) {
        crawl.report('a file that was captured of a page could not be stored', fault)
        feed('error', `${CAPTURED[capture.type]} of ${url} could not be stored`, { url })
      }
    return kept
  }

  function drop(rendering: Rendering | null) {
    for (const capture of rendering?.captures ?? []) means!.drop(capture)
  }

  /** Metadata of a result about its rendering. */
  function metadataOf({ actions, reason }: Rendering): Record<string, string> {
    const asked = browser!.actions ?? browser!.captures
    const said = actions.map((what, at) => [`action_${at + 1}`, `${asked[at]?.type ?? 'action'}: ${what}`])
    return { rendered: reason, ...Object.fromEntries(said) }
  }
}

/** Why the browser itself failed to render a page; null when it succeeded, or the site is to blame. */
const failureOf = (attempt: RenderAttempt): string | null =>
  attempt.kind === 'outcome' && attempt.outcome.kind === 'failure' && attempt.outcome.reason === 'render_failed'
    ? attempt.outcome.detail
    : null
