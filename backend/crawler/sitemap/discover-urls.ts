/**
 * Discovers a site's URLs from the first source that has any: its sitemap files, else its pages, else a search provider.
 *
 * The caller decides which URLs are kept. Robots rules are not checked, but hosts keep their limits: every request goes through the given
 * fetch.
 */
import { crawlForUrls } from '#backend/crawler/crawl/crawl-for-urls.ts'
import { namedInRobots, readSitemapFiles } from './sitemap-files.ts'
import type { SitemapFiles } from './sitemap-files.ts'
import type { Discovery, DiscoveryNeeds, FileNeeds, SearchSite } from '#backend/crawler/url/url-sources.ts'

/** The first is the usual one; plugins of WordPress write the second, Astro and Gatsby the third. */
const STANDARD_PLACES = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml']
const LOOKS_LIKE_SITEMAP = /\.xml(?:\.gz)?$|sitemap[^/]*\.(?:txt|php|aspx?|ashx|axd)$/i

/**
 * @param addsStartPage  also takes the links of the start page if there are sitemap files, which may be incomplete
 * @param followsLinks  false: only sitemap files are read
 * @param startUrl    any canonical URL of the site; the URL of a sitemap file is read as such
 * @param searchSite  absent without a search provider
 */
export async function discoverUrls({
  addsStartPage = false,
  followsLinks,
  ignoresSitemaps,
  needs,
  searchSite,
  startUrl,
  words,
}: {
  addsStartPage?: boolean
  followsLinks: boolean
  ignoresSitemaps: boolean
  needs: DiscoveryNeeds
  searchSite?: SearchSite | undefined
  startUrl: string
  words: string | null
}): Promise<Discovery> {
  const { isOfSite, signal, take, tell } = needs
  let isPartial = false
  if (!ignoresSitemaps) {
    const files = await readSiteFiles(startUrl, needs)
    isPartial = files.isPartial
    if (addsStartPage && files.ofSite > 0 && !LOOKS_LIKE_SITEMAP.test(new URL(startUrl).pathname)) await crawlForUrls(startUrl, needs, 1)
    if (files.ofSite > 0 || signal.aborted || !followsLinks) return { source: 'sitemap', isPartial, fault: null }
    tell('warning', files.read > 0 ? 'The sitemap files list no URL of this site; following links instead' : NO_FILES)
  } else tell('info', 'Sitemap files are ignored; following links instead')

  const { fault, pages } = await crawlForUrls(startUrl, needs)
  if (pages > 0 || fault === null || signal.aborted) return { source: 'crawl', isPartial, fault: null }

  tell('warning', 'The start page cannot be reached; using site search')
  const found = (await searchSite?.(new URL(startUrl).hostname, words, { signal, tell })) ?? null
  if (found === null) return { source: null, isPartial, fault }
  // Some providers ignore `site:`.
  const ofSite = found.filter((url) => isOfSite(url))
  for (const url of ofSite) take(url, null, 'provider')
  return { source: ofSite.length > 0 ? 'provider' : null, isPartial, fault }
}

/**
 * Reads the sitemap files of a site: the start URL if it is one, else those in its robots file, else those at the standard places. Many
 * robots files name sitemap files of an earlier system, so those count only if they list a URL of the site.
 */
export async function readSiteFiles(startUrl: string, needs: FileNeeds): Promise<SitemapFiles> {
  const { signal, tell } = needs
  const url = new URL(startUrl)
  const given = LOOKS_LIKE_SITEMAP.test(url.pathname) ? await readSitemapFiles([startUrl], needs) : null
  if (given !== null && given.ofSite > 0) return given
  tell('info', `Reading ${url.origin}/robots.txt`)
  const named = signal.aborted ? [] : ((await namedInRobots(url.origin, needs)) ?? [])
  let ofRobots: SitemapFiles = { read: 0, ofSite: 0, isPartial: false }
  if (named.length > 0) {
    tell('info', `The robots file names ${named.length === 1 ? 'a sitemap file' : `${named.length} sitemap files`}`, {
      files: named.length,
    })
    ofRobots = await readSitemapFiles(named, needs)
    if (ofRobots.ofSite > 0 || signal.aborted) return ofRobots
    tell('info', 'The sitemap files of the robots file list no URL of this site; trying the standard locations')
  } else tell('info', 'The robots file names no sitemap file; trying the standard locations')
  for (const place of STANDARD_PLACES) {
    if (named.includes(url.origin + place)) continue
    const files = await readSitemapFiles([url.origin + place], needs, { isExpected: false })
    if (files.read > 0 || signal.aborted) return files
  }
  return ofRobots
}

const NO_FILES = 'There is no sitemap file; following links instead'
