/** Filters by URL: any spelling finds the page that it would find as a submitted URL. */
import { domainToASCII } from 'node:url'
import { canonicalUrlWithTracking, normalEscapes, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { readTextFilter } from '#backend/http/query-filters.ts'
import type { TextFilter } from '#backend/http/query-filters.ts'
import type { Query } from '#backend/http/pagination.ts'

/**
 * Conditions on `url`, like `readTextFilter`. But the value matches every stored spelling of the same page, and a part in any script its
 * escapes.
 */
export function readUrlFilter(query: Query): TextFilter {
  const { contains, oneOf, startsWith } = readTextFilter(query, 'url')
  return {
    ...(contains && { contains: contains.flatMap(partSpellings) }),
    ...(startsWith && { startsWith: startsWith.flatMap(partSpellings) }),
    ...(oneOf && { oneOf: [...new Set(oneOf.flatMap(spellings))] }),
  }
}

/** A part of a URL as written, and as crawls store it: with escapes, or beginning with a host in Punycode. `über.html` may be both. */
export function partSpellings(part: string): string[] {
  const withHost = part.replace(HOST, (host) => domainToASCII(host) || host)
  return [...new Set([part, escaped(part), escaped(withHost)])]
}

/** What may be a host, or the end of one, with letters of another script. */
const HOST = /(?<=^(?:https?:\/\/)?)[^\0-\x20/?#:%]*[^\0-\x7f][^\0-\x20/?#:%]*(?=[/:]|$)/i

const escaped = (part: string) => normalEscapes(part.replace(/[^\0-\x7f]+| /g, (run) => encodeURIComponent(run.toWellFormed())))

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
