import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js'

/** ASCII characters that are escaped in the query of a web URL, in their order (URL, 1.3). */
const ESCAPED = ' "#\'<>'
const OTHERS = /[^\0-\x7f]+/g

/**
 * Escapes the characters of a link's query that are not ASCII by the encoding of its page: servers of old sites expect their own (URL, 4.4,
 * query state). All other parts of a URL are UTF-8 always, and so is the query on pages in UTF-8 or UTF-16.
 */
export function encodeQuery(href: string, encoding: string): string {
  if (encoding === 'UTF-8' || encoding === 'replacement' || encoding.startsWith('UTF-16')) return href
  const start = href.indexOf('?')
  const hash = href.indexOf('#')
  const end = hash < 0 ? href.length : hash
  if (start < 0 || start > end) return href
  const query = href.slice(start, end).replace(OTHERS, (run) => percentEncodeAfterEncoding(encoding, run, ESCAPED))
  return href.slice(0, start) + query + href.slice(end)
}
