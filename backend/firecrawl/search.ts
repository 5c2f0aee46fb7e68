/** Starts a search for each source, waits for them, and scrapes their hits as a batch if the caller asks for that. */
import type { SearchBody } from '#contract/firecrawl/shapes.ts'
import type { FastifyReply } from 'fastify'
import { SEARCH_SOURCES } from '#contract/searches.ts'
import type { SearchItem, SearchSource, TimeRange } from '#contract/searches.ts'
import { isTerminal } from '#contract/runs.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { priceOf } from '#backend/searches/search-credits.ts'
import type { SearchResults } from '#backend/searches/search-results.ts'
import type { StartSearch } from '#backend/searches/start-search.ts'
import { canonicalUrlWithTracking } from '#backend/crawler/url/canonical-url.ts'
import { awaitRun } from '#backend/runs/await-run.ts'
import { badRequest, Refused } from './errors.ts'
import { refuseForJobs } from './jobs.ts'
import type { Jobs } from './jobs.ts'
import { patienceOf } from '#backend/http/patience.ts'
import type { Patience } from '#backend/http/patience.ts'
import { categoryOf, queryOf } from './search-query.ts'
import { withoutEffect } from './scrape-spec.ts'
import type { Asked, PageWish } from './scrape-spec.ts'
import type { Statuses } from './status.ts'

const DEFAULT_LIMIT = 10
const DEFAULT_TIMEOUT_MS = 60_000
/** Sources of the hosted service that no provider here has. */
const OTHER_SOURCES: readonly string[] = ['alexandria', 'exchange']
/** Values of Google's `tbs`. */
const TIME_RANGES: ReadonlyMap<string, TimeRange> = new Map([
  ['qdr:h', 'hour'],
  ['qdr:d', 'day'],
  ['qdr:w', 'week'],
  ['qdr:m', 'month'],
  ['qdr:y', 'year'],
])

type Hits = Record<string, unknown>[]

/** `data` has the requested sources that could be searched; the others were not. */
export type Found = { id: string; data: Partial<Record<SearchSource, Hits>>; creditsUsed: number; warning: string | undefined }

export function createSearchWeb({
  bus,
  hasWebSearch,
  jobs,
  newId,
  offered,
  results,
  runs,
  startSearch,
  statuses,
}: {
  bus: EventBus
  /** Without a provider that searches the web, only the team's own pages are searched. */
  hasWebSearch: boolean
  jobs: Jobs
  newId: () => string
  /** Sources that the configured providers offer. */
  offered: readonly SearchSource[]
  results: SearchResults
  runs: Runs
  startSearch: StartSearch
  statuses: Statuses
}) {
  return async function searchWeb(
    teamId: string,
    given: SearchBody,
    version: Asked['version'],
    { base, reply }: { base: string; reply: FastifyReply },
  ): Promise<Found> {
    const body = hasWebSearch ? given : { ...given, categories: undefined }
    const query = queryOf(body)
    if (asksNoRetention(body)) throw badRequest('enterprise must be default: what a search finds is stored until it is deleted.')
    refuseForJobs(body.scrapeOptions)
    const page = await jobs.wishOf(teamId, body.scrapeOptions ?? {}, version, [])
    const sources = sourcesOf(body)
    const possible = sources.filter((source) => offered.includes(source))
    const waiting = patienceOf(reply, body.timeout ?? DEFAULT_TIMEOUT_MS)
    try {
      const started = await Promise.all(possible.map(async (source) => ({ source, run: await start(teamId, body, query, source) })))
      const ended = await Promise.all(started.map(async ({ run, source }) => ({ source, run: await end(teamId, run, waiting) })))
      const found = ended.filter(({ run, source }) => isFound(run, source))
      const lists = await Promise.all(
        found.map(async ({ run, source }) => ({ source, items: JSON.parse((await results.read(run.no)) ?? '[]') as SearchItem[] })),
      )
      const plain = lists.map(({ items, source }) => ({ source, hits: items.map((item, at) => SAYS[source](item, at + 1, version)) }))
      const urls = plain.flatMap(({ hits }) => hits.map(({ url }) => url))
      const documents =
        page.formats.length === 0 || urls.length === 0 ? NO_DOCUMENTS : await documentsOf(teamId, urls, page, { base, waiting })
      // Clients add the other sources to each search, so only a search for nothing else gets a warning.
      const asked = sources.length > 0 ? sources : namesOf(body.sources)
      const unanswered = asked.filter((source) => !found.some((one) => one.source === source))
      const warnings = [
        ...page.warnings,
        ...warningsOf(body, unanswered),
        ...(given.categories?.length && !hasWebSearch ? [NO_CATEGORIES] : []),
      ]
      return {
        id: started[0]?.run.id ?? newId(),
        data: Object.fromEntries(
          plain.map(({ hits, source }) => [
            source,
            hits.map((hit) => ({ ...hit, ...(source === 'web' && categoryOf(body, hit.url)), ...documents.get(hit.url) })),
          ]),
        ),
        creditsUsed: lists.reduce((sum, { items }) => sum + priceOf('basic', items.length), 0),
        warning: warnings.length > 0 ? warnings.join(' ') : undefined,
      }
    } finally {
      waiting.end()
    }
  }

  function start(teamId: string, body: SearchBody, query: string, source: SearchSource): Promise<Run> {
    return startSearch(teamId, {
      query,
      search_options: {
        language: body.lang || null,
        country: body.country || null,
        ...timeRange(rangeOf(body, source)),
        search_type: source,
        depth: 'basic',
      },
      result_limit: body.limit ?? DEFAULT_LIMIT,
    })
  }

  async function end(teamId: string, run: Run, waiting: Patience): Promise<Run> {
    const ended = await awaitRun({ bus, runs }, 'search', run, waiting.signal)
    if (isTerminal(ended.status)) return ended
    await runs.stop(teamId, 'search', run.id)
    throw new Refused(408, 'The search took too long.', { code: 'SEARCH_TIMEOUT' })
  }

  /** The web search must succeed; for news and images, a warning is enough when no provider has answered. */
  function isFound({ reason, status }: Run, source: SearchSource): boolean {
    if (status !== 'failed') return true
    if (source !== 'web' && reason === NO_PROVIDER) return false
    throw new Refused(500, `The search failed: ${WORDS[reason ?? ''] ?? reason ?? 'unknown reason'}.`)
  }

  /** Documents of these pages by URL; pages that were not read in time are missing. */
  async function documentsOf(
    teamId: string,
    found: readonly string[],
    page: PageWish,
    { base, waiting }: { base: string; waiting: Patience },
  ): Promise<Map<string, Record<string, unknown>>> {
    const documents = new Map<string, Record<string, unknown>>()
    const urls = [...new Set(found)].filter((url) => canonicalUrlWithTracking(url) !== null)
    if (urls.length === 0) return documents
    const run = await jobs.startPages(teamId, urls, page)
    const ended = await awaitRun({ bus, runs }, 'crawl', run, waiting.signal)
    if (!isTerminal(ended.status)) await runs.stop(teamId, 'crawl', run.id)
    for await (const { text } of statuses.documents(ended, page, 0, ended.kept, base)) {
      const document = JSON.parse(text.toString()) as { metadata: { sourceURL: string } }
      documents.set(document.metadata.sourceURL, document)
    }
    return documents
  }
}

const NO_DOCUMENTS: ReadonlyMap<string, Record<string, unknown>> = new Map()
const NO_PROVIDER = 'no_provider'
const NO_CATEGORIES = 'categories have no effect, because this server does not search the web.'

type Hit = { url: string } & Record<string, unknown>
type Says = (item: SearchItem, position: number, version: Asked['version']) => Hit

/** How each source formats a hit. */
const SAYS: Readonly<Record<SearchSource, Says>> = {
  web: ({ description, title, url }, position, version) => ({ url, title, description, ...(version === 'v2' && { position }) }),
  news: ({ description, image_url, published_at, title, url }, position) => ({
    title,
    url,
    snippet: description,
    ...(published_at !== undefined && { date: published_at }),
    ...(image_url !== undefined && { imageUrl: image_url }),
    position,
  }),
  images: ({ image_height, image_url, image_width, title, url }, position) => ({
    title,
    imageUrl: image_url,
    ...(image_width !== undefined && { imageWidth: image_width, imageHeight: image_height }),
    url,
    position,
  }),
}

const WORDS: Readonly<Record<string, string>> = { [NO_PROVIDER]: 'no search provider has answered' }

function timeRange(tbs: string | null | undefined): { time_range: TimeRange; time_renge: TimeRange } {
  const range = TIME_RANGES.get(tbs ?? '') ?? 'any'
  return { time_range: range, time_renge: range }
}

/** The time range of a source; one of its own takes precedence. */
function rangeOf({ sources = [], tbs }: SearchBody, source: SearchSource): string | null | undefined {
  const own = sources.find((one): one is SourceObject => typeof one !== 'string' && one.type === source)
  return own?.tbs ?? tbs
}

type SourceObject = Exclude<NonNullable<SearchBody['sources']>[number], string>

const asksNoRetention = ({ enterprise }: SearchBody) => enterprise?.some((mode) => mode !== 'default') === true

const namesOf = (list: SearchBody['sources']) => (list ?? []).map((one) => (typeof one === 'string' ? one : one.type))

/** Sources in the order of the answer, each once; by default the web. */
function sourcesOf({ sources }: SearchBody): SearchSource[] {
  if (sources === undefined) return ['web']
  const names = namesOf(sources)
  const unknown = names.filter((name) => !(SEARCH_SOURCES as readonly string[]).includes(name) && !OTHER_SOURCES.includes(name))
  if (unknown.length > 0) throw badRequest(`sources: ${unknown.join(', ')} is not one of ${SEARCH_SOURCES.join(', ')}.`)
  return SEARCH_SOURCES.filter((source) => names.includes(source))
}

function warningsOf(body: SearchBody, unanswered: readonly string[]): string[] {
  const ofSources = (body.sources ?? []).filter((one) => typeof one !== 'string')
  const ranges = [body.tbs, ...ofSources.map(({ tbs }) => tbs)]
  return [
    ...(unanswered.length > 0 ? [`No search provider of this server has answered for ${unanswered.join(' and ')}.`] : []),
    ...(ranges.some((tbs) => tbs && !TIME_RANGES.has(tbs)) ? ['tbs supports qdr:h, qdr:d, qdr:w, qdr:m and qdr:y only.'] : []),
    ...(body.location || ofSources.some(({ location }) => location) ? ['location has no effect: country and lang have.'] : []),
    ...withoutEffect(body, ['filter', 'safe', 'asyncScraping', 'threatProtection']),
  ]
}
