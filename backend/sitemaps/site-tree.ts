/**
 * A site's addresses as a tree, and as a list in Markdown. Pure.
 *
 * The tree is held in maps and written as text, never as an object with keys from outside: `__proto__` is a path like any other.
 */
import type { SitePage } from '#contract/sitemaps.ts'

/** Most nodes are leaves: what they do not have takes up no memory. */
type Node = { self: SitePage | null; variants: SitePage[] | null; children: Map<string, Node> | null }

const SELF = '__self__'
const QUERY = '__query__'

/** Text is handed on in pieces of about this many characters. */
const PIECE = 64 * 1024

/**
 * A tree that grows by one page at a time.
 *
 * Hosts at the first level, path segments below, the last slash ignored. The first page at a path without a query is its own; with a
 * query it is one of the path's variants; a path that occurs again is dropped.
 */
export function createSiteTree() {
  const root = newNode()
  return { add, write: () => pieces(writeNodes(root)) }

  function add({ url, title }: SitePage): void {
    const parsed = URL.parse(url)
    if (!parsed) return
    let node = childOf(root, keyOf(parsed.host))
    for (const segment of segmentsOf(parsed.pathname)) node = childOf(node, keyOf(readable(segment, KEPT_IN_KEYS)))
    const page = { url: readable(url, KEPT_IN_URLS), ...(title ? { title } : {}) }
    if (parsed.search.length > 1) (node.variants ??= []).push(page)
    else node.self ??= page
  }
}

/** The tree of some pages as JSON text. */
export function siteTreeJson(pages: Iterable<SitePage>): string {
  const tree = createSiteTree()
  for (const page of pages) tree.add(page)
  return [...tree.write()].join('')
}

/** A page's line in the Markdown list: `- [Title](https://…)`, or the bare address when it has no title. */
export function markdownLine({ url, title }: SitePage): string {
  const target = url.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  return title ? `- [${inLine(title)}](${target})\n` : `- ${target}\n`
}

const newNode = (): Node => ({ self: null, variants: null, children: null })

function childOf(node: Node, key: string): Node {
  const known = node.children?.get(key)
  if (known) return known
  const child = newNode()
  node.children ??= new Map()
  node.children.set(key, child)
  return child
}

function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '')
  return inner === '' ? [] : inner.split('/')
}

// A path that is spelled like one of our own two words keeps a spelling that is none; so does one that already looks like that spelling.
const ENCODED_WORD = /^%5F%5F(self|query)%5F%5F$/
const keyOf = (segment: string): string =>
  segment === SELF || segment === QUERY
    ? segment.replaceAll('_', '%5F')
    : ENCODED_WORD.test(segment)
      ? segment.replaceAll('%', '%25')
      : segment

// Control characters and marks that turn the direction of writing stay encoded: they would forge what people read.
const KEPT_IN_KEYS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
// In whole addresses also what would make another address of it.
const KEPT_IN_URLS = /[\p{Cc}\p{Cf}\u2028\u2029\s%/?#&=+;:@$,"<>\\]/gu

/** Percent-encoding undone for display, but for the characters of `kept`; what is no UTF-8 stays as it is. */
function readable(text: string, kept: RegExp): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped).replace(kept, encodeURIComponent)
    } catch {
      // Bytes of another encoding have no characters to show.
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
  // marked takes the backslashes of brackets out of a link's text before it looks for links inside.
  return bracket < 0 ? text : text.slice(0, bracket) + text.slice(bracket).replaceAll('\\](', '&#93;(')
}

/** The JSON of a node's children, a token at a time. A stack instead of recursion: a path may have thousands of segments. */
function* writeNodes(root: Node): Generator<string> {
  type Level = { children: Iterator<[string, Node]>; isFirst: boolean }
  const stack: Level[] = [{ children: childrenOf(root), isFirst: true }]
  yield '{'
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const next = level.children.next()
    if (next.done) {
      stack.pop()
      yield '}'
      continue
    }
    const [key, node] = next.value
    const own = [
      ...(node.self ? [`"${SELF}":${JSON.stringify(node.self)}`] : []),
      ...(node.variants ? [`"${QUERY}":${JSON.stringify(node.variants)}`] : []),
    ].join(',')
    yield `${level.isFirst ? '' : ','}${JSON.stringify(key)}:{${own}`
    level.isFirst = false
    stack.push({ children: childrenOf(node), isFirst: own === '' })
  }
}

const childrenOf = ({ children }: Node): Iterator<[string, Node]> => (children ?? new Map<string, Node>()).entries()

function* pieces(tokens: Iterable<string>): Generator<string> {
  let piece = ''
  for (const token of tokens) {
    piece += token
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
