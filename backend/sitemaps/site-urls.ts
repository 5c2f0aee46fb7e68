/** Which URLs a sitemap keeps, and in which spelling. Pure, apart from the URLs that it remembers. */
import { randomBytes } from 'node:crypto'
import { canonicalUrl } from '#backend/crawler/url/canonical-url.ts'
import type { Taken, UrlSource } from '#backend/crawler/url/url-sources.ts'
import { createHotSet } from '#backend/crawler/frontier/hot-set.ts'
import { compilePath, mayBePage } from '#backend/crawler/url/scope.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import { relevance, wordsOf } from './relevance.ts'
import type { SitemapSpec } from './sitemap-spec.ts'

/** The protocol's limit (sitemaps.org, "loc"). */
const MAX_LENGTH = 2047

/**
 * The URLs of one site: on its host, with or without `www.`, over http or https, and on its subdomains if wanted. Each is kept once,
 * without query, fragment and final slash. Takes 25 bytes of memory per URL.
 *
 * @param startUrl  canonical
 * @param keep      receives each new URL, in order
 */
export function createSiteUrls({
  keep,
  limit,
  spec,
  startUrl,
}: {
  keep: (url: string, lastmod: string | null) => void
  limit: number
  spec: Pick<SitemapSpec, 'includesSubdomains' | 'includePaths' | 'excludePaths' | 'words'>
  startUrl: string
}) {
  const sites = new Set([siteOf(startUrl)])
  const verdicts = new Map<string, boolean>()
  const includes = spec.includePaths.map(compilePath)
  const excludes = spec.excludePaths.map(compilePath)
  const words = wordsOf(spec.words)
  const known = createHotSet()
  // Secret, so that no site can craft URLs with colliding hashes.
  const salt = randomBytes(16)
  return {
    follows,
    isFull: () => known.size >= limit,
    isOfSite,
    moveTo,
    remember,
    take,
    get size() {
      return known.size
    },
  }

  /** Judges a discovered URL, and keeps it if it is new. */
  function take(found: string, lastmod: string | null, source: UrlSource): Taken {
    const url = canonicalUrl(found)
    if (url === null || !isOfSite(url)) return 'foreign'
    const kept = shortUrl(url)
    if (kept.length > MAX_LENGTH || !isWanted(url)) return 'left_out'
    // A provider has already searched for these words.
    if (words.length > 0 && source !== 'provider' && relevance(kept, words) === 0) return 'left_out'
    if (known.size >= limit) return 'left_out'
    if (!remember(kept)) return 'known'
    keep(kept, lastmod)
    return 'kept'
  }

  /** False when the URL, in the spelling in which it is kept, is known already. */
  function remember(kept: string): boolean {
    const { hi, lo } = urlKey(salt, kept)
    if (known.find(hi, lo) >= 0) return false
    known.add(hi, lo, known.size)
    return true
  }

  function follows(link: string): boolean {
    return isOfSite(link) && mayBePage(pathOf(link)) && isWanted(link)
  }

  function isWanted(url: string): boolean {
    if (excludes.length === 0 && includes.length === 0) return true
    const path = pathOf(url)
    if (excludes.some((matches) => matches(path))) return false
    return includes.length === 0 || includes.some((matches) => matches(path))
  }

  /** Checks each host once, however many URLs it has. */
  function isOfSite(url: string): boolean {
    const start = url.indexOf('://') + 3
    const end = url.indexOf('/', start)
    const authority = url.slice(start, end < 0 ? url.length : end)
    let verdict = verdicts.get(authority)
    if (verdict === undefined) {
      if (verdicts.size >= 10_000) verdicts.clear()
      verdict = judgeSite(url)
      verdicts.set(authority, verdict)
    }
    return verdict
  }

  function judgeSite(url: string): boolean {
    const site = siteOf(url)
    if (sites.has(site)) return true
    if (!spec.includesSubdomains) return false
    for (const own of sites) if (site.endsWith(`.${own}`)) return true
    return false
  }

  function moveTo(url: string): void {
    sites.add(siteOf(url))
    verdicts.clear()
  }
}

/** A site's name: its host without `www.`, and its port unless that is the default one. */
function siteOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? '' : parsed.host.replace(/^www\.(?=[^.]+\.)/, '')
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return url.slice(start, query < 0 ? url.length : query)
}

/** Drops query, fragment and final slash. */
function shortUrl(canonical: string): string {
  const query = canonical.indexOf('?')
  const bare = query < 0 ? canonical : canonical.slice(0, query)
  return bare.endsWith('/') ? bare.slice(0, -1) : bare
}
