/** A search of ours, waited for, and its hits scraped as a batch when that is asked. */
import type { SearchBody } from '#contract/firecrawl/shapes.ts'
import type { FastifyReply } from 'fastify'
import { MAX_QUERY, MAX_RESULT_LIMIT } from '#contract/searches.ts'
import type { SearchItem, TimeRange } from '#contract/searches.ts'
import { isTerminal } from '#contract/runs.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { SearchResults } from '#backend/searches/search-results.ts'
import type { StartSearch } from '#backend/searches/start-search.ts'
import { seedUrl } from '#backend/crawler/url/canonical-url.ts'
import { awaitRun } from '#backend/runs/await-run.ts'
import { badRequest, Refused } from './errors.ts'
import type { Jobs } from './jobs.ts'
import { patienceOf } from './patience.ts'
import type { Patience } from './patience.ts'
import type { Asked, PageWish } from './scrape-spec.ts'
import type { Statuses } from './status.ts'

const DEFAULT_LIMIT = 10
const DEFAULT_TIMEOUT_MS = 60_000
/** Of Google's `tbs`. */
const TIME_RANGES: Readonly<Record<string, TimeRange>> = {
  'qdr:h': 'hour',
  'qdr:d': 'day',
  'qdr:w': 'week',
  'qdr:m': 'month',
  'qdr:y': 'year',
}

/** `hits` null: nothing was searched, since the web was not among the sources. */
export type Found = { id: string; hits: Record<string, unknown>[] | null; creditsUsed: number; warning: string | undefined }

export function createSearchWeb({
  bus,
  jobs,
  newId,
  results,
  runs,
  startSearch,
  statuses,
}: {
  bus: EventBus
  jobs: Jobs
  newId: () => string
  results: SearchResults
  runs: Runs
  startSearch: StartSearch
  statuses: Statuses
}) {
  return async function searchWeb(
    teamId: string,
    body: SearchBody,
    version: Asked['version'],
    { base, reply }: { base: string; reply: FastifyReply },
  ): Promise<Found> {
    const { limit = DEFAULT_LIMIT } = body
    const query = queryOf(body)
    const page = await jobs.wishOf(teamId, body.scrapeOptions ?? {}, version, [])
    // What was not asked for is not answered, and takes no credits.
    if (body.sources !== undefined && !namesOf(body.sources).includes('web'))
      return { id: newId(), hits: null, creditsUsed: 0, warning: warningsOf(body, limit).join(' ') }
    const waiting = patienceOf(reply, body.timeout ?? DEFAULT_TIMEOUT_MS)
    try {
      const run = await startSearch(teamId, {
        query,
        search_options: {
          language: body.lang || null,
          country: body.country || null,
          ...timeRange(body.tbs),
          search_type: 'web',
          depth: 'basic',
        },
        result_limit: Math.min(limit, MAX_RESULT_LIMIT),
      })
      const ended = await awaitRun({ bus, runs }, 'search', run, waiting.signal)
      if (!isTerminal(ended.status)) {
        await runs.stop(teamId, 'search', run.id)
        throw new Refused(408, 'The search took too long.', { code: 'SEARCH_TIMEOUT' })
      }
      if (ended.status === 'failed')
        throw new Refused(500, `The search failed: ${WORDS[ended.reason ?? ''] ?? ended.reason ?? 'unknown reason'}.`)
      const items = JSON.parse((await results.read(run.no)) ?? '[]') as SearchItem[]
      const plain = items.map(({ description, title, url }, at) => ({
        url,
        title,
        description,
        ...(version === 'v2' && { position: at + 1 }),
      }))
      const hits = page.formats.length === 0 || items.length === 0 ? plain : await withPages(teamId, plain, page, { base, waiting })
      const warnings = [...page.warnings, ...warningsOf(body, limit)]
      return { id: run.id, hits, creditsUsed: items.length, warning: warnings.length > 0 ? warnings.join(' ') : undefined }
    } finally {
      waiting.end()
    }
  }

  /** Hits with what was read of their pages; one whose page could not be read in time stays as it was. */
  async function withPages(
    teamId: string,
    hits: { url: string; title: string; description: string }[],
    page: PageWish,
    { base, waiting }: { base: string; waiting: Patience },
  ): Promise<Record<string, unknown>[]> {
    const urls = hits.map(({ url }) => url).filter((url) => seedUrl(url) !== null)
    const run = await jobs.startPages(teamId, urls, page)
    const ended = await awaitRun({ bus, runs }, 'crawl', run, waiting.signal)
    if (!isTerminal(ended.status)) await runs.stop(teamId, 'crawl', run.id)
    const documents = new Map<string, Record<string, unknown>>()
    for await (const { text } of statuses.documents(ended, page, 0, ended.kept, base)) {
      const document = JSON.parse(text.toString()) as { metadata: { sourceURL: string } }
      documents.set(document.metadata.sourceURL, document)
    }
    return hits.map((hit) => ({ ...hit, ...documents.get(hit.url) }))
  }
}

const WORDS: Readonly<Record<string, string>> = { no_provider: 'no search provider has answered' }

/** Domains are said in the query, as search engines read them. */
function queryOf({ excludeDomains = [], includeDomains = [], query }: SearchBody): string {
  if (includeDomains.length > 0 && excludeDomains.length > 0)
    throw badRequest('Only one of includeDomains and excludeDomains may be given.')
  const included = includeDomains.map((domain) => `site:${domain}`).join(' OR ')
  const parts = [query, includeDomains.length > 1 ? `(${included})` : included, ...excludeDomains.map((domain) => `-site:${domain}`)]
  const whole = parts.filter((part) => part !== '').join(' ')
  if (whole.length > MAX_QUERY) throw badRequest(`The query may have at most ${MAX_QUERY} characters, its domains included.`)
  return whole
}

function timeRange(tbs: string | null | undefined): { time_range: TimeRange; time_renge: TimeRange } {
  const range = TIME_RANGES[tbs ?? ''] ?? 'any'
  return { time_range: range, time_renge: range }
}

const namesOf = (list: SearchBody['sources']) => (list ?? []).map((one) => (typeof one === 'string' ? one : one.type))

function warningsOf(body: SearchBody, limit: number): string[] {
  const others = namesOf(body.sources).filter((source) => source !== 'web')
  return [
    ...(limit > MAX_RESULT_LIMIT ? [`At most ${MAX_RESULT_LIMIT} results are answered.`] : []),
    ...(others.length > 0 ? [`Only the web is searched here, not ${others.join(' and ')}.`] : []),
    ...(namesOf(body.categories).length > 0 ? ['categories have no effect on this server.'] : []),
    ...(body.tbs && !(body.tbs in TIME_RANGES) ? ['tbs is understood as qdr:h, qdr:d, qdr:w, qdr:m or qdr:y only.'] : []),
    ...(body.location ? ['location has no effect: country and lang have.'] : []),
    ...(body.filter ? ['filter has no effect on this server.'] : []),
  ]
}
