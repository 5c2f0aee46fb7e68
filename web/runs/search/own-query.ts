/** What is asked of the team's own pages: its values, how they stand in the address and on the wire. Pure. */
import * as t from '#texts/own-search.ts'
import { codeOf, oneOf } from './search-form.ts'

export const STORED_RANGES = ['any', 'day', 'week', 'month', 'year'] as const
export type StoredRange = (typeof STORED_RANGES)[number]

export type OwnQuery = {
  query: string
  /** A host, with its subdomains, and perhaps the beginning of a path; '' is any. */
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

/** The query on the wire. The last word may still be in the making. */
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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function readOwnQuery(given: URLSearchParams): OwnQuery {
  const crawl = given.get('crawl') ?? ''
  return {
    query: given.get('q') ?? '',
    site: siteOf(given.get('site') ?? '') ?? '',
    crawl: UUID.test(crawl) ? crawl.toLowerCase() : '',
    language: codeOf(given.get('language')),
    stored: oneOf(STORED_RANGES, given.get('stored')) ?? 'any',
  }
}

/** A site as a user types it, `https://www.docs.example/guide/` too: host and path, without scheme, `www.` and slash at the end; null when it is no site. */
export function siteOf(written: string): string | null {
  const text = written.trim()
  if (text === '' || /\s/.test(text)) return null
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  // One word without a dot is rather the beginning of a name than a host.
  if (url === null || !/\.|^localhost$|^\[/.test(url.hostname)) return null
  return url.hostname.replace(/^(\*\.|www\.)/, '') + url.pathname.replace(/\/$/, '')
}

/** The hosts of addresses, each once, in their order. */
export const hostsOf = (urls: readonly string[]): string[] => [...new Set(urls.flatMap((url) => hostOf(url) ?? []))]

const hostOf = (url: string): string | null => URL.parse(url)?.hostname.replace(/^www\./, '') || null
