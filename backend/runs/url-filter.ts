/** Filters by URL: any spelling finds the page that a submitted URL of that spelling would. */
import { normalizedUrl, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { readTextFilter } from '#backend/http/query-filters.ts'
import type { TextFilter } from '#backend/http/query-filters.ts'
import type { Query } from '#backend/http/pagination.ts'

/** As `readTextFilter`; the exact one matches every stored spelling of the same page. */
export function readUrlFilter(query: Query, name: string): TextFilter {
  const { oneOf, ...parts } = readTextFilter(query, name)
  return oneOf === undefined ? parts : { ...parts, oneOf: [...new Set(oneOf.flatMap(spellings))] }
}

/** The URL as it was written, its canonical spelling, and both with and without the slash that ends the path. */
function spellings(url: string): string[] {
  const canonical = normalizedUrl(url.trim())
  if (canonical === null) return [url]
  const identity = urlIdentity(canonical)
  const query = identity.indexOf('?')
  const [path, rest] = query < 0 ? [identity, ''] : [identity.slice(0, query), identity.slice(query)]
  const bare = path.replace(/\/$/, '')
  return [url, canonical, bare + rest, `${bare}/${rest}`]
}
