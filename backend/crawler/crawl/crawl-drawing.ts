/** Renders pages of one crawl in the browser: decides when, handles the result, and falls back when the browser fails. */
import { wholeRun } from '#backend/store/run-parts.ts'
import type { KeptAttachment } from '#backend/store/run-store.ts'
import { createCrawlRendering } from './crawl-rendering.ts'
import type { Drawing, Drawn, DrawnOutcome } from './crawl-rendering.ts'
import type { Crawl } from './crawl.ts'
import type { Fetched, HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import type { ParseReply, ParsedPage } from '#backend/crawler/page/page-rules.ts'
import { followRedirect, isCopy, keepPage, passPage, readByModel, refusePage, unwantedType } from './settle-url.ts'

/**
 * Null when there is no browser, or the crawl wants none.
 *
 * @param arrived    handles the outcome of a URL that was fetched or rendered
 * @param beforeHop  applies scope, robots rules and pause to a redirect within a host
 */
export function createCrawlDrawing(
  crawl: Crawl,
  {
    arrived,
    beforeHop,
  }: {
    arrived: (leased: UrlLease, outcome: DrawnOutcome, drawing: Drawing | null) => Promise<void>
    beforeHop: (leased: UrlLease, url: string) => Promise<HopVerdict>
  },
) {
  const { feed, frontier, rendering: means, row, spec, unrendered } = crawl
  const { browser } = spec
  if (means === null || browser === null) return null
  const rendering = createCrawlRendering({
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
  return { hasRoom: rendering.hasRoom, atOnce, shell, keep, drop, metadataOf }

  /** Renders a leased URL without a plain fetch before; null when it needs one. */
  function atOnce(leased: UrlLease): Promise<void> | null {
    const reason = unrendered.has(leased.seq) ? null : rendering.atOnce(leased.host)
    return reason === null ? null : workInBrowser(leased, reason)
  }

  async function workInBrowser(leased: UrlLease, reason: string): Promise<void> {
    const drawn = await draw(leased, leased.url, reason)
    if (drawn === null) return
    const failure = failureOf(drawn)
    if (drawn.kind === 'outcome' && failure === null) return arrived(leased, drawn.outcome, drawn.drawing)
    const why = drawn.kind === 'plain' ? drawn.why : failure!
    if (failure !== null)
      feed('warning', `${leased.url} could not be rendered (${why}): it is fetched over plain HTTP`, { url: leased.url })
    else if (drawn.kind === 'plain' && !drawn.isUnavailable)
      feed('info', `A browser cannot render ${leased.url} (${why}): it is fetched over plain HTTP`, { url: leased.url })
    unrendered.set(leased.seq, `not rendered: ${why}`)
    frontier.giveBack(leased)
  }

  /** Renders a fetched page that is a shell; null when it is none. */
  function shell(leased: UrlLease, fetched: Fetched, page: ParsedPage, size: number): Promise<void> | null {
    if (unrendered.has(leased.seq) || !/html/.test(page.mediaType)) return null
    const reason = rendering.judge(leased.host, page.shell)
    return reason === null ? null : drawShell(leased, fetched, page, size, reason)
  }

  /** Replaces a shell by the rendered page, if that works. */
  async function drawShell(leased: UrlLease, fetched: Fetched, page: ParsedPage, size: number, reason: string): Promise<void> {
    const drawn = await draw(leased, fetched.url, reason)
    if (drawn === null) return
    if (drawn.kind === 'outcome') {
      const { drawing, outcome } = drawn
      if (outcome.kind === 'redirected') return followRedirect(crawl, leased, outcome.to, outcome.status)
      if (outcome.kind === 'fetched' && outcome.status < 300)
        return arrived(leased, { ...outcome, hops: [...fetched.hops, ...outcome.hops] }, drawing)
      drop(drawing)
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
  async function draw(leased: UrlLease, url: string, reason: string): Promise<Drawn | null> {
    crawl.fetching += 1
    const drawn = await rendering.draw(url, leased, reason).finally(() => {
      crawl.fetching -= 1
    })
    if (crawl.isOver()) {
      if (drawn.kind === 'outcome') drop(drawn.drawing)
      return null
    }
    if (drawn.kind === 'plain' && drawn.isUnavailable && !hasSaidUnavailable) {
      hasSaidUnavailable = true
      feed('warning', `The browser cannot be started: pages are fetched over plain HTTP (${drawn.why})`)
    }
    return drawn
  }

  /** Keeps a page that was rendered and parsed, with its captured files. */
  async function keep(leased: UrlLease, fetched: Fetched, reply: ParseReply, size: number, drawing: Drawing): Promise<void> {
    if (crawl.isOver()) return drop(drawing)
    if (reply.kind === 'refusal') {
      drop(drawing)
      return refusePage(crawl, leased, fetched, reply, size)
    }
    const unwanted = unwantedType(crawl, reply)
    if (unwanted !== null) {
      drop(drawing)
      return passPage(crawl, leased, fetched, reply, size, unwanted)
    }
    const page = await readByModel(crawl, leased, reply, fetched.url)
    if (crawl.isOver()) return drop(drawing)
    const isWanted = !isCopy(crawl, leased, page)
    if (!isWanted) drop(drawing)
    const attachments = isWanted ? await store(drawing, fetched.url) : []
    if (!crawl.isOver()) keepPage(crawl, leased, fetched, page, size, drawing, attachments)
  }

  async function store(drawing: Drawing, url: string): Promise<KeptAttachment[]> {
    const kept: KeptAttachment[] = []
    for (const capture of drawing.captures)
      try {
        kept.push(await means!.keep(capture, wholeRun(row.runNo), url))
      } catch (fault) {
        crawl.report('a file that was captured of a page could not be stored', fault)
        feed('error', `A ${capture.type} of ${url} could not be stored`, { url })
      }
    return kept
  }

  function drop(drawing: Drawing | null) {
    for (const capture of drawing?.captures ?? []) means!.drop(capture)
  }

  /** Metadata of a result about its rendering. */
  function metadataOf({ actions, reason }: Drawing): Record<string, string> {
    const asked = browser!.actions ?? browser!.captures
    const said = actions.map((what, at) => [`action_${at + 1}`, `${asked[at]?.type ?? 'action'}: ${what}`])
    return { rendered: reason, ...Object.fromEntries(said) }
  }
}

/** Why the browser itself failed to render a page; null when it succeeded, or the site is to blame. */
const failureOf = (drawn: Drawn): string | null =>
  drawn.kind === 'outcome' && drawn.outcome.kind === 'failure' && drawn.outcome.reason === 'render_failed' ? drawn.outcome.detail : null
