/** Returns the URLs of a site: starts a sitemap and waits for its end. */
import type { MapBody } from '#contract/firecrawl/shapes.ts'
import type { FastifyReply } from 'fastify'
import { isTerminal } from '#contract/runs.ts'
import { AppError } from '#backend/errors.ts'
import { canonicalUrlWithTracking } from '#backend/crawler/url/canonical-url.ts'
import { compileRegexes } from '#backend/crawler/url/path-regexes.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { SitemapSpec } from '#backend/sitemaps/sitemap-spec.ts'
import type { SitemapUrls } from '#backend/sitemaps/sitemap-urls.ts'
import type { StartSitemap } from '#backend/sitemaps/start-sitemap.ts'
import { awaitRun } from '#backend/runs/await-run.ts'
import { checkRegex } from './crawl-spec.ts'
import { Refused } from './errors.ts'
import { readUrl } from './jobs.ts'
import { patienceOf } from '#backend/http/patience.ts'
import { withoutEffect } from './scrape-spec.ts'

const DEFAULT_LIMIT = 5000
/** Shorter than the shortest time limit of the clients. */
const PATIENCE_MS = 50_000

export type MapSite = ReturnType<typeof createMapSite>

export function createMapSite({
  bus,
  runs,
  startSitemap,
  urls,
}: {
  bus: EventBus
  runs: Runs
  startSitemap: StartSitemap['startSpec']
  urls: SitemapUrls
}) {
  /** Throws 408 when the caller's time limit is over. Without a limit, returns what was found so far, with a warning. */
  return async function mapSite(
    teamId: string,
    body: MapBody,
    reply: FastifyReply,
  ): Promise<{ id: string; links: string[]; warning: string | undefined }> {
    const { excludePaths = [], includePaths = [], limit = DEFAULT_LIMIT, sitemap = 'include' } = body
    for (const pattern of [...includePaths, ...excludePaths]) checkRegex(pattern)
    const url = readUrl(body.url)
    const spec: SitemapSpec = {
      version: SPEC_VERSION,
      proxySlug: null,
      includesSubdomains: body.includeSubdomains ?? true,
      ignoresSitemapFiles: sitemap === 'skip',
      ...(sitemap === 'only' && { followsNoLinks: true }),
      ...(sitemap === 'include' && { addsStartPage: true }),
      words: body.search || null,
      includePaths: [],
      excludePaths: [],
    }
    const run = await startSitemap(teamId, { url, spec })
    const waiting = patienceOf(reply, body.timeout ?? PATIENCE_MS)
    try {
      const wanted = body.search ? Infinity : limit * SPARE
      const ended = await awaitRun({ bus, runs }, 'sitemap', run, waiting.signal, ({ kept }) => kept >= wanted)
      const isLate = !isTerminal(ended.status) && ended.kept < wanted
      if (!isTerminal(ended.status)) await runs.stop(teamId, 'sitemap', run.id)
      if (isLate && body.timeout)
        throw new Refused(408, `The site was not mapped within ${body.timeout / 1000} s.`, { code: 'MAP_TIMEOUT' })
      if (ended.status === 'failed' && ended.kept === 0)
        throw new Refused(500, `The site cannot be mapped: ${ended.reason ?? 'nothing answered'}.`, { code: 'MAP_FAILED' })
      const links = await found(run.no, limit, linkFilter(body, url))
      const warnings = [
        ...(isLate ? ['The site could not be mapped completely in time: these are the URLs found so far.'] : []),
        ...(body.location?.country ? ['location.country has no effect.'] : []),
        ...(body.ignoreQueryParameters === false ? ['ignoreQueryParameters has no effect: URLs are listed without their query.'] : []),
        ...(body.headers ? ['headers have no effect on a map.'] : []),
        ...withoutEffect(body, ['threatProtection', 'auditMetadata']),
      ]
      return { id: run.id, links, warning: warnings.length > 0 ? warnings.join(' ') : undefined }
    } finally {
      waiting.end()
    }
  }

  async function found(runNo: number, limit: number, keeps: (url: string) => string | null): Promise<string[]> {
    const links = new Set<string>()
    for await (const some of urls.read(runNo)) {
      for (const { url } of some) {
        const link = keeps(url)
        if (link !== null) links.add(link)
        if (links.size >= limit) return [...links]
      }
    }
    return [...links]
  }
}

/** Finds more URLs than wanted, because some are filtered out and some are duplicates. */
const SPARE = 2

/** Returns the URL to answer; null for an unwanted one. */
function linkFilter(body: MapBody, start: string): (url: string) => string | null {
  const judge = compileRegexes({ include: body.includePaths ?? [], exclude: body.excludePaths ?? [] })
  const canonical = canonicalUrlWithTracking(start)
  if (canonical === null) throw new AppError('invalid_input')
  const below = body.filterByPath === false ? '/' : new URL(canonical).pathname
  return (url) => {
    const { pathname } = new URL(url)
    // A sitemap drops the final slash of URLs, which the start URL and expressions may require.
    const withSlash = pathname.endsWith('/') ? pathname : `${pathname}/`
    if (below !== '/' && !pathname.startsWith(below) && withSlash !== below) return null
    const refusal = judge(pathname)
    if (refusal?.rule === 'exclude_paths' || (refusal !== null && judge(withSlash) !== null)) return null
    return url.includes('?') ? url.slice(0, url.indexOf('?')) : url
  }
}
