/**
 * A site's URLs as a tree, and as a Markdown list. Pure.
 *
 * The tree is written as text from sorted rows, never built as an object with untrusted keys: `__proto__` is a path like any other, and a
 * million URLs need no memory.
 */
import type { SitePage } from '#contract/sitemaps.ts'

/**
 * A URL's position in the tree: `path` sorts a node before its descendants, and these before its next sibling; `rank` sorts a node's own
 * page first.
 */
export type TreeRow = { path: string; rank: number; page: string }

const SELF = '__self__'
const QUERY = '__query__'
/** Ends each key of a path. It sorts before every character of a key, and never occurs in a parsed URL. */
const END = '\u0001'
const OWN = 0
const VARIANT = 1

/** Text is written in pieces of about this many characters. */
const PIECE = 64 * 1024

/**
 * The row of a page; null for an invalid URL.
 *
 * Hosts are on the first level, path segments below; a final slash is ignored. A URL with a query is a variant of its path.
 */
export function treeRow({ url, title }: SitePage): TreeRow | null {
  const parsed = URL.parse(url)
  if (!parsed) return null
  const keys = [keyOf(parsed.host), ...segmentsOf(parsed.pathname).map((segment) => keyOf(readable(segment, KEPT_IN_KEYS)))]
  const page = { url: readable(url, KEPT_IN_URLS), ...(title ? { title } : {}) }
  return { path: keys.map((key) => key + END).join(''), rank: parsed.search.length > 1 ? VARIANT : OWN, page: JSON.stringify(page) }
}

/** A page's line in the Markdown list: `- [Title](https://…)`, or the bare URL without a title. */
export function markdownLine({ url, title }: SitePage): string {
  const target = url.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  return title ? `- [${inLine(title)}](${target})\n` : `- ${target}\n`
}

function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '')
  return inner === '' ? [] : inner.split('/')
}

// A path equal to one of our two special keys stays percent-encoded; so does one that already looks like that encoding.
const ENCODED_WORD = /^%5F%5F(self|query)%5F%5F$/
const keyOf = (segment: string): string =>
  segment === SELF || segment === QUERY
    ? segment.replaceAll('_', '%5F')
    : ENCODED_WORD.test(segment)
      ? segment.replaceAll('%', '%25')
      : segment

// Control characters and bidirectional marks stay encoded: they could forge what people read.
const KEPT_IN_KEYS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
// In whole URLs also characters whose decoding would make another URL of it.
const KEPT_IN_URLS = /[\p{Cc}\p{Cf}\u2028\u2029\s%/?#&=+;:@$,"<>\\]/gu

/** Decodes percent-encoding for display, except the characters of `kept`; invalid UTF-8 stays encoded. */
function readable(text: string, kept: RegExp): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped).replace(kept, encodeURIComponent)
    } catch {
      // Not UTF-8: there are no characters to show.
      return escaped
    }
  })
}

function inLine(title: string): string {
  const text = title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\[\]<`]/g, '\\$&')
  const bracket = text.indexOf('\\[')
  // The parser `marked` removes the backslashes before brackets in a link's text before it looks for links inside.
  return bracket < 0 ? text : text.slice(0, bracket) + text.slice(bracket).replaceAll('\\](', '&#93;(')
}

/**
 * The JSON of sorted rows, in pieces. The first page at a path is the node's own; further pages at the same path are dropped, unless their
 * query differs.
 */
export function* treeText(rows: Iterable<TreeRow>): Generator<string> {
  let piece = '{'
  let at = ''
  /** For each node of the open path, from the root: the end of its key, and whether it has an entry. */
  let ends: number[] = []
  let isFilled = [false]
  let rank = -1
  for (const row of rows) {
    if (row.path !== at || rank < 0) {
      if (rank === VARIANT) piece += ']'
      const shared = sharedKeys(at, row.path, ends)
      piece += '}'.repeat(ends.length - shared)
      ends = ends.slice(0, shared)
      isFilled = isFilled.slice(0, shared + 1)
      for (let from = ends.at(-1) ?? 0; from < row.path.length;) {
        const end = row.path.indexOf(END, from) + END.length
        piece += `${isFilled.at(-1) ? ',' : ''}${JSON.stringify(row.path.slice(from, end - END.length))}:{`
        isFilled[isFilled.length - 1] = true
        ends.push(end)
        isFilled.push(false)
        from = end
      }
      at = row.path
      rank = -1
    }
    if (row.rank === OWN && rank < 0) piece += `"${SELF}":${row.page}`
    else if (row.rank === VARIANT) piece += rank === VARIANT ? `,${row.page}` : `${rank === OWN ? ',' : ''}"${QUERY}":[${row.page}`
    rank = row.rank
    isFilled[isFilled.length - 1] = true
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield `${piece}${rank === VARIANT ? ']' : ''}${'}'.repeat(ends.length)}}`
}

/** How many keys the two paths share at their beginning. */
function sharedKeys(path: string, other: string, ends: readonly number[]): number {
  let shared = 0
  while (shared < ends.length && other.startsWith(path.slice(ends[shared - 1] ?? 0, ends[shared]), ends[shared - 1] ?? 0)) shared += 1
  return shared
}
