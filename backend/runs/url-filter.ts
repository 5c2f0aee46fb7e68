/** Filters by URL: any spelling finds the page that it would find as a submitted URL. */
import { canonicalUrlWithTracking, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { readTextFilter } from '#backend/http/query-filters.ts'
import type { TextFilter } from '#backend/http/query-filters.ts'
import type { Query } from '#backend/http/pagination.ts'

/** Like `readTextFilter`, but the exact value matches every stored spelling of the same page. */
export function readUrlFilter(query: Query, name: string): TextFilter {
  const { oneOf, ...parts } = readTextFilter(query, name)
  return oneOf === undefined ? parts : { ...parts, oneOf: [...new Set(oneOf.flatMap(spellings))] }
}

/** The URL as written, its canonical spelling, and both with and without a slash at the end of the path. */
function spellings(url: string): string[] {
  const canonical = canonicalUrlWithTracking(url.trim())
  if (canonical === null) return [url]
  const identity = urlIdentity(canonical)
  const query = identity.indexOf('?')
  const [path, rest] = query < 0 ? [identity, ''] : [identity.slice(0, query), identity.slice(query)]
  const bare = path.replace(/\/$/, '')
  return [url, canonical, bare + rest, `${bare}/${rest}`]
}
