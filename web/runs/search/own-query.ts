/** The query over the team's own pages: its values, in the URL and in the request. Pure. */
import { uuidOf } from '#web/ui/form/query-texts.ts'
import * as t from '#texts/own-search.ts'
import { codeOf, oneOf } from './search-form.ts'

export const STORED_RANGES = ['any', 'day', 'week', 'month', 'year'] as const
export type StoredRange = (typeof STORED_RANGES)[number]

export type OwnQuery = {
  query: string
  /** A host, including its subdomains, optionally with a path prefix; '' is any. */
  site: string
  /** A crawl's id; '' is any. */
  crawl: string
  language: string
  stored: StoredRange
}

export const EMPTY_OWN_QUERY: OwnQuery = { query: '', site: '', crawl: '', language: '', stored: 'any' }

export const STORED_WORDS: Record<StoredRange, string> = {
  any: t.storedAnyTime,
  day: t.past24Hours,
  week: t.pastWeek,
  month: t.pastMonth,
  year: t.pastYear,
}

const DAY_MS = 86_400_000
const DAYS: Record<StoredRange, number> = { any: 0, day: 1, week: 7, month: 30, year: 365 }

/** The request's parameters. The last word may still be incomplete. */
export const ownParameters = ({ query, site, crawl, language, stored }: OwnQuery, nowMs: number) => ({
  q: query,
  site: site || undefined,
  crawl: crawl || undefined,
  language: language || undefined,
  since: stored === 'any' ? undefined : new Date(nowMs - DAYS[stored] * DAY_MS).toISOString(),
  typing: true,
})

export const isFiltered = ({ site, crawl, language, stored }: OwnQuery): boolean =>
  site !== '' || crawl !== '' || language !== '' || stored !== 'any'

export const writeOwnQuery = ({ query, site, crawl, language, stored }: OwnQuery): [name: string, value: string][] => [
  ['q', query],
  ['site', site],
  ['crawl', crawl],
  ['language', language],
  ['stored', stored === 'any' ? '' : stored],
]

export function readOwnQuery(given: URLSearchParams): OwnQuery {
  return {
    query: given.get('q') ?? '',
    site: siteOf(given.get('site') ?? '') ?? '',
    crawl: uuidOf(given.get('crawl')),
    language: codeOf(given.get('language')),
    stored: oneOf(STORED_RANGES, given.get('stored')) ?? 'any',
  }
}

/**
 * Normalises a typed site, such as `https://www.docs.example/guide/`: host and path, without scheme, `www.` and final slash; null when it
 * is no site.
 */
export function siteOf(written: string): string | null {
  const text = written.trim()
  if (text === '' || /\s/.test(text)) return null
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  // A single word without a dot is probably the beginning of a name.
  if (url === null || !/\.|^localhost$|^\[/.test(url.hostname)) return null
  return url.hostname.replace(/^(\*\.|www\.)/, '') + url.pathname.replace(/\/$/, '')
}

/** The distinct hosts of URLs, in order. */
export const hostsOf = (urls: readonly string[]): string[] => [...new Set(urls.flatMap((url) => hostOf(url) ?? []))]

const hostOf = (url: string): string | null => URL.parse(url)?.hostname.replace(/^www\./, '') || null
