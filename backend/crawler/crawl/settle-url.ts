/** Settles a leased URL: kept as a page, redirected, refused, failed or retried. The last URL ends the crawl. */
import { urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import type { Ending } from './committer.ts'
import type { Rendering } from './crawl-rendering.ts'
import { pages, words } from './crawl-texts.ts'
import type { Crawl } from './crawl.ts'
import { documentType, isWanted } from '#backend/crawler/documents/document-types.ts'
import type { DocumentType } from '#contract/document-types.ts'
import type { Fetched } from '#backend/crawler/fetch/fetcher.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import { FAILURES } from '#backend/crawler/outcomes.ts'
import type { Outcome } from '#backend/crawler/outcomes.ts'
import type { ParsedPage } from '#backend/crawler/page/page-rules.ts'
import { retryPolicy } from '#backend/crawler/frontier/politeness.ts'
import type { RetryReason } from '#backend/crawler/frontier/politeness.ts'
import type { KeptAttachment } from '#backend/store/run-store.ts'
import type { OutOfScope } from '#backend/crawler/url/scope.ts'
import type { Trail } from '#backend/crawler/fetch/trail.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'

const MOST_HOPS = 10
const MOST_DETAIL = 500
/** Most redirect targets whose cookies are kept; a trail takes a few KiB, and up to 50. */
const MOST_TRAILS = 1000

/** Facts about the answer to a settled URL: status, bytes, duration. */
export type Answer = { status?: number | null; bytes?: number | null; tookMs?: number | null }

const answerOf = ({ status, tookMs }: Fetched, bytes: number): Answer => ({ status, bytes, tookMs })

/**
 * Keeps a parsed page.
 *
 * @param size         bytes of its body on the wire
 * @param rendering    how a browser rendered it; null without one
 * @param attachments  its captured files, already stored
 */
export function keepPage(
  crawl: Crawl,
  leased: UrlLease,
  fetched: Fetched,
  page: ParsedPage,
  size: number,
  rendering: Rendering | null = null,
  attachments: KeptAttachment[] = [],
) {
  const { frontier, open, pool } = crawl
  const answer = answerOf(fetched, size)
  if (isCopy(crawl, leased, page)) return passCopy(crawl, leased, fetched, page, size)
  const place = frontier.keepAs(leased, page.keyHi, page.keyLo)
  if (place === 'duplicate') return settle(crawl, leased, 'duplicate', fetched.url, answer)
  const { changes } = open
  const startedAt = performance.now()
  frontier.addLinks(page.links, frontier.depthOf(leased.seq), changes)
  pool.charge(open.share, performance.now() - startedAt)
  frontier.sawContent(leased.url, page.contentHash)
  if (page.copyKey !== null) crawl.copies.add(page.copyKey)
  if (typeof place === 'object') {
    // The page belongs to the row of its final URL, which was still waiting; the leased URL only redirects to it.
    changes.settled.push({
      seq: place.seq,
      outcome: 'kept',
      detail: null,
      httpStatus: fetched.status,
      bytes: size,
      tookMs: Math.round(fetched.tookMs),
      tries: leased.tries + 1,
    })
    if (place.wasListed) changes.reopened += 1
  }
  changes.pages.push({
    hi: page.keyHi,
    lo: page.keyLo,
    url: fetched.url,
    title: page.title,
    httpStatus: fetched.status,
    contentType: page.mediaType,
    language: page.language,
    contentHash: page.contentHash,
    encoding: page.encoding,
    rawBytes: page.rawBytes,
    body: page.body,
    ...(attachments.length === 0 ? null : { attachments }),
  })
  crawl.kept += 1
  // The byte limit guards against sites without end; submitted URLs are few.
  if (!leased.isSeed) crawl.decodedBytes += page.decodedBytes
  tellOfPage(crawl, fetched, page, size, rendering)
  const isOwn = typeof place !== 'object'
  const how = rendering === null ? (crawl.unrendered.get(leased.seq) ?? null) : `rendered: ${rendering.reason}`
  const detail = fetched.hops.length > 0 ? [fetched.url, how].filter(Boolean).join(' · ') : how
  settle(crawl, leased, isOwn ? 'kept' : 'redirected', detail, answer, page.body.length)
}

/** The document type of a page when the crawl does not keep that type; else null. */
export function unwantedType({ spec }: Crawl, { mediaType }: Pick<ParsedPage, 'mediaType'>): DocumentType | null {
  const { keepTypes, skipTypes } = spec.page
  if (keepTypes === undefined && skipTypes === undefined) return null
  const type = documentType(mediaType)
  return isWanted({ keep: keepTypes, skip: skipTypes }, type) ? null : type
}

/** Follows the links of a page whose type is not kept. Its bytes count, so that endless sites of such pages end too. */
export function passPage(crawl: Crawl, leased: UrlLease, fetched: Fetched, page: ParsedPage, size: number, type: DocumentType) {
  const { frontier, open } = crawl
  frontier.addLinks(page.links, frontier.depthOf(leased.seq), open.changes)
  crawl.decodedBytes += page.decodedBytes
  settle(crawl, leased, 'document_type', type, answerOf(fetched, size))
}

/** Is it a copy of a stored page? A submitted URL is never a copy. */
export const isCopy = ({ copies }: Crawl, { isSeed }: UrlLease, { copyKey }: ParsedPage): boolean =>
  !isSeed && copyKey !== null && copies.has(copyKey)

/** Follows the links of a copy: they may lead further than those of the page. */
function passCopy(crawl: Crawl, leased: UrlLease, fetched: Fetched, page: ParsedPage, size: number) {
  const { frontier, open } = crawl
  frontier.addLinks(page.links, frontier.depthOf(leased.seq), open.changes)
  frontier.sawContent(leased.url, page.contentHash)
  crawl.decodedBytes += page.decodedBytes
  settle(crawl, leased, 'duplicate', page.canonicalUrl ?? fetched.url, answerOf(fetched, size))
}

/** Extracts data from the page with a model, if the crawl asks for that and the page is not kept already. */
export async function readByModel(crawl: Crawl, leased: UrlLease, page: ParsedPage, url: string): Promise<ParsedPage> {
  const { extraction, frontier } = crawl
  return extraction === null || frontier.isKept(page.keyHi, page.keyLo) || isCopy(crawl, leased, page) ? page : extraction.read(page, url)
}

function tellOfPage({ feed }: Crawl, { status, truncated, url }: Fetched, page: ParsedPage, size: number, rendering: Rendering | null) {
  for (const note of rendering?.notes ?? []) feed('warning', `${url}: ${note}`, { url })
  feed('info', `${rendering === null ? 'Fetched' : 'Rendered'} ${url}`, { url, status_code: status })
  for (const { plugin, detail } of page.pluginFaults ?? [])
    feed('error', `The plugin ${plugin} failed on ${url}: ${detail}`, { url, plugin })
  if (truncated) feed('warning', `${url} exceeds the size limit of a page: its first ${size} bytes were kept`, { url })
  const dropped = page.linksDropped
  if (dropped > 0)
    feed(
      'warning',
      `${url} has ${dropped} ${dropped === 1 ? 'link' : 'links'} beyond the limit of one page, which ${dropped === 1 ? 'is' : 'are'} not followed`,
      { url },
    )
}

/** Settles a page that the parser refused. */
export function refusePage(crawl: Crawl, leased: UrlLease, fetched: Fetched, refusal: { outcome: Outcome; detail: string }, size: number) {
  crawl.feed('error', `Could not read ${leased.url}: ${words(refusal.outcome)} (${refusal.detail})`, { url: leased.url })
  settle(crawl, leased, refusal.outcome, refusal.detail, answerOf(fetched, size))
}

/** Follows a redirect to another host: adds the target as a URL of its own, in the place of this one. */
export function followRedirect(crawl: Crawl, leased: UrlLease, to: string, status: number, trail?: Trail) {
  const { feed, frontier, open, row, rules, trails } = crawl
  if (leased.hops >= MOST_HOPS) return failUrl(crawl, leased, 'redirect_limit', `more than ${MOST_HOPS} redirects`, { status })
  // Many sites have moved at some time.
  if (leased.isSeed && crawl.joinHostOf(to))
    feed('info', `${leased.url} has moved to ${new URL(to).hostname}, which joins the crawl`, { url: leased.url })
  const outside = leased.isSeed ? null : rules.judge(to)
  if (outside !== null) return settleOutOfScope(crawl, leased, to, outside, { status })
  const { hi, lo } = urlKey(row.urlSalt, urlIdentity(to))
  const target = { hi, lo, url: to, depth: leased.depth, hops: leased.hops + 1, isSeed: leased.isSeed }
  // With a cookie that it did not have, a URL of the chain may answer with its page.
  const hasCookies = trail?.hasCookies === true
  const isNew = frontier.addTarget({ ...target, isAgain: hasCookies && trail.wasAt(to) }, open.changes)
  if (isNew && hasCookies) {
    trails.set(to, trail)
    // Targets that are only listed, or that another part of the crawl fetches, never end here.
    if (trails.size > MOST_TRAILS) trails.delete(trails.keys().next().value!)
  }
  // The chain has come back to a known URL without a page: a loop.
  if (!isNew && leased.hops > 0 && !frontier.hasPage(hi, lo))
    return failUrl(crawl, leased, 'redirect_loop', `redirected in a loop to ${to}`, { status })
  settle(crawl, leased, 'redirected', to, { status })
}

/** Settles a URL that redirects out of the crawl's scope. */
export function settleOutOfScope(crawl: Crawl, leased: UrlLease, to: string, { detail, rule }: OutOfScope, answer: Answer) {
  settle(crawl, leased, 'out_of_scope', `redirected to ${to} (${rule}: ${detail})`, answer)
}

/** Schedules a retry of a failed URL, or settles it. */
export function failUrl(
  crawl: Crawl,
  leased: UrlLease,
  reason: RetryReason,
  detail: string,
  { retryAfterMs = null, status = null, tookMs = null }: Answer & { retryAfterMs?: number | null } = {},
) {
  const { clock, feed, frontier, open, random } = crawl
  if (reason === 'canceled') return frontier.giveBack(leased)
  const kind = reason === 'timeout' && frontier.hasAnswered(leased) ? 'silent' : reason
  const next = retryPolicy(kind, leased.tries + 1, retryAfterMs, random())
  if ('retryInMs' in next) {
    frontier.retryAt(leased, clock.steady() + next.retryInMs, open.changes)
    crawl.touch()
    return
  }
  const isRobots = next.giveUp === 'robots'
  feed(isRobots ? 'warning' : 'error', `Could not fetch ${leased.url}: ${words(next.giveUp)}${detail === '' ? '' : ` (${detail})`}`, {
    url: leased.url,
    ...(status === null ? {} : { status_code: status }),
  })
  settle(crawl, leased, next.giveUp, detail, { status, tookMs })
}

/** The only place where a URL ends. @param pageBytes  of the document that is kept */
export function settle(
  crawl: Crawl,
  leased: UrlLease,
  outcome: Outcome,
  detail: string | null,
  { bytes = null, status = null, tookMs = null }: Answer = {},
  pageBytes = 0,
) {
  const { feed, frontier, open } = crawl
  frontier.settle(leased, outcome === 'kept')
  crawl.trails.delete(leased.url)
  const { changes } = open
  changes.settled.push({
    seq: leased.seq,
    outcome,
    detail: detail?.slice(0, MOST_DETAIL) ?? null,
    httpStatus: status,
    bytes,
    tookMs: tookMs === null ? null : Math.round(tookMs),
    tries: leased.tries + 1,
  })
  if (FAILURES.has(outcome)) changes.failed += 1
  if (frontier.dropped > 0 && !crawl.isFull) {
    crawl.isFull = true
    feed('warning', 'The crawl reached its limit of known URLs: further links are counted, not stored')
  }
  if (crawl.decodedBytes > crawl.byteBudget)
    endWith(crawl, {
      status: 'finished',
      reason: 'byte_limit',
      type: 'warning',
      message: (kept) => `The crawl reached its limit of bytes with ${pages(kept)}`,
    })
  else checkEnd(crawl)
  crawl.touch(pageBytes > 0 ? 1 : 0, pageBytes)
}

/** Ends the crawl when it has its pages, or no URL is left. */
export function checkEnd(crawl: Crawl) {
  if (crawl.part !== null) return crawl.part.checkEnd()
  const { frontier, kept: keptNow, open, row } = crawl
  if (crawl.isGone || open.ending !== null || frontier.inProgress > 0) return
  // The sitemap files may list more URLs.
  if (crawl.isReadingSitemaps && keptNow < row.pageLimit) return
  if (keptNow >= row.pageLimit && !frontier.isDrained())
    endWith(crawl, {
      status: 'finished',
      reason: 'page_limit',
      type: 'warning',
      message: (kept) => `The crawl reached its page limit with ${pages(kept)}`,
    })
  else if (frontier.isDrained())
    endWith(crawl, {
      status: 'finished',
      reason: keptNow >= row.pageLimit ? 'page_limit' : 'drained',
      type: 'success',
      message: (kept) => (kept === 0 ? 'The crawl ended without a page' : `The crawl ended with ${pages(kept)}`),
    })
}

/** Ends the crawl with what it has. Work in progress is discarded: its URLs stay pending, and the last commit settles them. */
export function endWith(crawl: Crawl, ending: Ending) {
  if (crawl.isGone || crawl.open.ending !== null) return
  crawl.stop.abort()
  crawl.open.ending = ending
  crawl.touch()
}
