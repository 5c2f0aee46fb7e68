/**
 * Discovers a site's URLs by reading some of its pages: at most 100, at most five links deep, and from each page ten links whose path form
 * is new. All ten thousand products of a shop have one form, so the crawl gets to its other sections too.
 */
import { canonicalUrlWithTracking, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import type { PageAnswer } from '#backend/crawler/tasks/task.ts'
import type { DiscoveryNeeds } from '#backend/crawler/url/url-sources.ts'
import { words } from './crawl-texts.ts'

const MAX_PAGES = 100
const MAX_DEPTH = 5
const LINKS_PER_PAGE = 10
const PAGES_AT_ONCE = 4
const PAGE_TIMEOUT_MS = 20_000

/**
 * @param most  most pages to read; 1: only the start page
 * @returns  how many pages were read, and why the start page could not be read, if so
 */
export async function crawlForUrls(
  startUrl: string,
  needs: DiscoveryNeeds,
  most = MAX_PAGES,
): Promise<{ pages: number; fault: string | null }> {
  const { follows, isFull, moveTo, readPage, signal, take, tell } = needs
  const start = canonicalUrlWithTracking(startUrl)!
  const seen = new Set([urlIdentity(start)])
  const forms = new Set([pathForm(start)])
  const waiting = [{ url: start, depth: 0 }]
  let asked = 0
  let pages = 0
  let fault: string | null = null
  while (waiting.length > 0 && asked < most && !isFull() && !signal.aborted) {
    const some = waiting.splice(0, Math.min(PAGES_AT_ONCE, most - asked))
    asked += some.length
    const answers = await Promise.all(some.map(({ url }) => readPage(url, { timeoutMs: PAGE_TIMEOUT_MS, tries: url === start ? 2 : 1 })))
    if (signal.aborted) break
    // In the order of the requests, so that the same site gives the same list.
    answers.forEach((answer, at) => learn(some[at]!, answer))
  }
  if (waiting.length > 0 && asked >= MAX_PAGES && !signal.aborted) tell('warning', `Read ${MAX_PAGES} pages; further pages are left out`)
  return { pages, fault }

  function learn({ url, depth }: { url: string; depth: number }, { outcome, page, unread }: PageAnswer): void {
    const isStart = url === start
    if (page === null) {
      const isThere = outcome.kind === 'fetched' && outcome.status < 300
      if (isStart && isThere) take(url, null, 'crawl')
      if (isStart && !isThere) fault = faultOf(outcome, unread)
      return tell(isStart && most > 1 ? 'error' : 'warning', `Could not read ${url}: ${faultOf(outcome, unread)}`, { url })
    }
    pages += 1
    if (isStart) moveTo(page.url)
    take(page.url, null, 'crawl')
    let followed = 0
    for (const link of page.links) {
      if (isFull()) return
      if (!follows(link.url)) continue
      take(link.url, null, 'crawl')
      const identity = urlIdentity(link.url)
      if (depth >= MAX_DEPTH || followed >= LINKS_PER_PAGE || seen.has(identity)) continue
      const form = pathForm(link.url)
      if (forms.has(form)) continue
      forms.add(form)
      seen.add(identity)
      followed += 1
      waiting.push({ url: link.url, depth: depth + 1 })
    }
    tell('info', `Read ${page.url}: ${page.links.length} ${page.links.length === 1 ? 'link' : 'links'}`, { url: page.url })
  }
}

function faultOf(outcome: PageAnswer['outcome'], unread: string | undefined): string {
  if (outcome.kind === 'failure') return words(outcome.reason)
  if (outcome.kind === 'redirected') return 'it redirects elsewhere'
  return outcome.status >= 300 ? `status ${outcome.status}` : (unread ?? 'it is not a page')
}

const HASH_LIKE = /^(?=[^/]*\d)[0-9a-f]{8,}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The form of a URL's path, with numbers and hashes replaced: `/tea/12/pot-7` is `/tea/#/pot-#`. The query is ignored. */
export function pathForm(url: string): string {
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', pathStart)
  const segments = url
    .slice(pathStart, query < 0 ? url.length : query)
    .replace(/\/$/, '')
    .split('/')
  return url.slice(0, pathStart) + segments.map((segment) => (HASH_LIKE.test(segment) ? '#' : segment.replace(/\d+/g, '#'))).join('/')
}
