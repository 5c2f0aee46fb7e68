/** Rules against endless URLs that need the URL alone. Rules that count over a run are in `frontier/run-traps.ts`. */

type TrapRule = 'facets' | 'repeat' | 'length'

const MAX_QUERY_NAMES = 8
const MAX_SAME_SEGMENT = 3
const MAX_SEGMENTS = 20
const MAX_URL_BYTES = 2048

/** The rule that a canonical URL breaks: too long, repeated segments, too many filters at once. */
export function trapOf(canonical: string): null | TrapRule {
  // a canonical URL is ASCII: characters are bytes
  if (canonical.length > MAX_URL_BYTES) return 'length'
  const pathStart = canonical.indexOf('/', canonical.indexOf('://') + 3)
  const query = canonical.indexOf('?', pathStart)
  const segments = canonical.slice(pathStart + 1, query < 0 ? canonical.length : query).split('/')
  if (segments.length > MAX_SEGMENTS) return 'length'
  if (segments.length > 3 && repeats(segments)) return 'repeat'
  if (query >= 0 && queryNames(canonical.slice(query + 1)).size > MAX_QUERY_NAMES) return 'facets'
  return null
}

/**
 * Groups URLs of one kind: host, path with numbers, hexadecimal ids and dates replaced by `#`, and the sorted parameter names of the query.
 * A large site has few patterns, and so does an endless one.
 */
export function urlPattern(canonical: string): string {
  const hostStart = canonical.indexOf('://') + 3
  const pathStart = canonical.indexOf('/', hostStart)
  const query = canonical.indexOf('?', pathStart)
  const path = canonical.slice(pathStart, query < 0 ? canonical.length : query)
  const pattern = canonical.slice(hostStart, pathStart) + path.split('/').map(segmentPattern).join('/')
  if (query < 0) return pattern
  return `${pattern}?${[...queryNames(canonical.slice(query + 1))].toSorted().join('&')}`
}

function repeats(segments: string[]): boolean {
  const counts = new Map<string, number>()
  const last = segments.at(-1) === '' ? segments.length - 1 : segments.length
  for (let i = 0; i < last; i += 1) {
    const segment = segments[i]!
    const count = (counts.get(segment) ?? 0) + 1
    if (count > MAX_SAME_SEGMENT) return true
    counts.set(segment, count)
    if (i >= 3 && segment === segments[i - 2] && segments[i - 1] === segments[i - 3]) return true
  }
  return false
}

function queryNames(query: string): Set<string> {
  const names = new Set<string>()
  for (const parameter of query.split('&')) {
    if (parameter === '') continue
    const equals = parameter.indexOf('=')
    names.add(equals < 0 ? parameter : parameter.slice(0, equals))
  }
  return names
}

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi
const TOKEN = /^(?=.*\d)[0-9a-z_-]{16,}$/i
const HEX = /\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b/gi
const NUMBERS = /\d+(?:[-_.]\d+)*/g

function segmentPattern(segment: string): string {
  const plain = segment.replace(UUID, '#').replace(HEX, '#').replace(NUMBERS, '#')
  // words with a number at their end are a title; a long mix of letters and digits is an id
  return TOKEN.test(segment) && !/[a-z]{4,}[-_][a-z]{2,}/i.test(segment) ? '#' : plain
}
