/**
 * Asks a SearXNG instance, or the older searx, over its JSON API (https://docs.searxng.org/dev/search_api.html).
 *
 * The instance must list `json` under `search.formats` of its settings; otherwise it answers 403.
 */
import { SEARCH_SOURCES } from '#contract/searches.ts'
import type { SearchSource, TimeRange } from '#contract/searches.ts'
import { failure, field, listOf, textOf } from './ask-provider.ts'
import type { AskProvider, Json } from './ask-provider.ts'
import { isFresh, NO_HOURS } from './freshness.ts'
import type { ProviderHit, ProviderPage, SearchProvider, SearchQuestion } from './index.ts'
import { localeOf } from './locales.ts'

/** Its shortest time range is a day. */
const TIME_RANGES: Record<TimeRange, string | null> = { any: null, hour: 'day', day: 'day', week: 'week', month: 'month', year: 'year' }
const MAX_PAGES = 10
const CATEGORIES: Record<SearchSource, string> = { web: 'general', news: 'news', images: 'images' }

/** Texts for statuses that have a special meaning at an instance. */
export const SEARXNG_STATUSES: Record<number, string> = {
  403: 'it refuses JSON: `json` must be among its `search.formats`',
  429: 'its limiter refuses this server: set `server.limiter` to false in its settings',
}

/**
 * @param ask  sends the requests
 * @param url  base URL of the instance, without a trailing slash
 */
export function searxng({ ask, now, url }: { ask: AskProvider; now: () => number; url: string }): SearchProvider {
  return { name: 'searxng', label: 'SearXNG', sources: SEARCH_SOURCES, page }

  async function page(question: SearchQuestion, page: number, signal: AbortSignal): Promise<ProviderPage> {
    const answer = await ask(addressOf(question, page), { signal, statuses: SEARXNG_STATUSES })
    if (answer.kind === 'failure') return answer
    const found = listOf(field(answer.json, 'results'))
    const silent = silentEngines(answer.json)
    if (found.length === 0 && page === 0 && silent.length > 0) return failure(`none of its engines answered: ${silent.join(', ')}`)
    const isHour = question.timeRange === 'hour'
    const hits = found.filter((result) => !isHour || isFresh(textOf(field(result, 'publishedDate')), now()))
    return {
      kind: 'page',
      hits: hits.map((result) => toHit(result, question.source)),
      // It never returns the number of results; a page without results is the last one.
      hasMore: found.length > 0 && page + 1 < MAX_PAGES,
      ...(isHour && page === 0 && { notes: [NO_HOURS] }),
    }
  }

  function addressOf({ query, language, country, source, timeRange }: SearchQuestion, page: number): URL {
    const address = new URL(`${url}/search`)
    const locale = localeOf(language, country)
    const range = TIME_RANGES[timeRange]
    address.search = new URLSearchParams({
      q: query,
      format: 'json',
      categories: CATEGORIES[source],
      pageno: String(page + 1),
      ...(locale !== null && { language: locale }),
      ...(range !== null && { time_range: range }),
    }).toString()
    return address
  }
}

/** Engines return the URL of a picture in three fields; `img_src` is the full-size one. */
const IMAGE_FIELDS = ['img_src', 'thumbnail_src', 'thumbnail'] as const

function toHit(result: Json, source: SearchSource): ProviderHit {
  const hit = {
    url: textOf(field(result, 'url')),
    title: textOf(field(result, 'title')),
    description: textOf(field(result, 'content')),
  }
  if (source === 'web') return hit
  const image = IMAGE_FIELDS.map((name) => textOf(field(result, name))).find((url) => url !== '')
  return {
    ...hit,
    publishedAt: textOf(field(result, 'publishedDate')),
    ...(image !== undefined && { image: { url: image, resolution: textOf(field(result, 'resolution')) } }),
  }
}

/** `[["bing", "timeout"], …]`, at most five of them. */
const silentEngines = (json: Json) =>
  listOf(field(json, 'unresponsive_engines'))
    .map((entry) => listOf(entry).map(textOf).filter(Boolean).slice(0, 2).join(': '))
    .filter(Boolean)
    .slice(0, 5)
