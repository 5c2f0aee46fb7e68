/** Names of elements and the parsing rules that HTML gives them. */

/** An element name in lower case, with the rules for parsing. All elements of the name in one document share the object. */
export class TagName {
  readonly text: string
  /** For known names: a small number, the same in every document. */
  readonly id: number
  isVoid = false
  /** The bit for this name in `closes` of other names. */
  bit = 0
  /** A start tag of this name closes open elements of these names. */
  closes = 0
  /** A start tag of this name closes these, too, with all elements that are open inside of them; null: none. */
  ends: EndsAround | null = null
  /** The kinds of search for an open element that an element of this name ends, as bits of `Limit`. */
  limits = 0
  /** The kind of search with which an end tag of this name looks for its element. */
  search: Limit = LIMIT.special
  /** Blocks inside an element of this name continue after its end tag: `<b><p>a</b>b`. */
  isFormatting = false
  /** Elements of this name often have no end tag. */
  hasImpliedEnd = false
  /** A start tag of this name directly in a table or in its head, body or foot implies a row. */
  isCell = false
  isRowGroup = false
  content: Content = MARKUP
  /** The language inside the element; null: as around it. */
  language: Language | null = null
  /** Ends a drawing or formula around it, which was not closed. */
  endsForeign = false
  constructor(text: string, id: number) {
    this.text = text
    this.id = id
  }
}

/** The open elements that a start tag closes at any depth: the outermost of `names` inside the nearest element with this limit. */
export type EndsAround = { names: readonly TagName[]; limit: Limit }

/**
 * Elements at which a search for an open element stops, a bit for each kind of search. `scope`, `list`, `button` and `table`: the scopes of
 * HTML, section 13.2.4.2. `special`: the category "special". `item`: the same without address, div and p, at which the search for the
 * previous list item does not stop (13.2.6.4.7).
 */
export const LIMIT = { scope: 1, list: 2, button: 4, table: 8, special: 16, item: 32 } as const
export type Limit = (typeof LIMIT)[keyof typeof LIMIT]

export type Content = typeof MARKUP | typeof RAW | typeof ESCAPABLE | typeof PLAIN
export const MARKUP = 0
/** Text up to the end tag. */
const RAW = 1
/** Text with character references up to the end tag. */
export const ESCAPABLE = 2
/** Text up to the end of the document. */
export const PLAIN = 3

export type Language = typeof HTML | typeof SVG | typeof MATHML
export const HTML = 0
export const SVG = 1
const MATHML = 2

export const KNOWN = new Map<string, TagName>()

/** The object for a known name. Called when a file loads, to fill tables with rules for names. */
export function knownName(text: string): TagName {
  let name = KNOWN.get(text)
  if (name === undefined) {
    name = new TagName(text, KNOWN.size)
    KNOWN.set(text, name)
  }
  return name
}

const each = (names: string, set: (name: TagName) => void) => names.split(' ').forEach((text) => set(knownName(text)))
each(
  'a abbr b big cite code del dfn em font i ins kbd label mark picture q s samp small span strike strong sub sup time tt u var',
  () => {},
)
each('area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr', (name) => {
  name.isVoid = true
})
each('script style iframe noembed noframes xmp', (name) => (name.content = RAW))
each('title textarea', (name) => (name.content = ESCAPABLE))
knownName('plaintext').content = PLAIN
// Elements in SVG and MathML whose content is HTML again.
each('mi mo mn ms mtext annotation-xml desc title', (name) => (name.language = HTML))
knownName('svg').language = SVG
knownName('math').language = MATHML
// Source: HTML, section 13.2.6.5.
each(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span ' +
    'strong strike sub sup table tt u ul var',
  (name) => (name.endsForeign = true),
)
export const HEADINGS = 'h1 h2 h3 h4 h5 h6'.split(' ').map(knownName)
export const FORM = knownName('form')
export const P = knownName('p')
export const SCRIPT = knownName('script')
export const TR = knownName('tr')
export const BODY = knownName('body')
export const ROOT = knownName('html')
export const BR = knownName('br')
export const IMG = knownName('img')
export const IMAGE = knownName('image')
/** Its content is HTML if the element is inside SVG. */
export const FOREIGN_OBJECT = knownName('foreignobject')

/** Start tags, and the innermost open elements that they close. */
const ENDS_BEFORE: [string, string][] = [
  ['a', 'a'],
  ['rt rp', 'rt rp'],
  [
    'p address article aside blockquote dd details div dl dt fieldset figcaption figure footer form header hr li main nav ol pre section table ul',
    'p',
  ],
  ['h1 h2 h3 h4 h5 h6', 'p h1 h2 h3 h4 h5 h6'],
  ['body', 'head script'],
  ['option', 'option'],
  ['optgroup', 'optgroup option'],
  ['select input output button datalist textarea', 'option optgroup select button datalist textarea'],
]
let bits = 0
for (const [starts, ends] of ENDS_BEFORE) {
  let mask = 0
  each(ends, (name) => {
    if (name.bit === 0) name.bit = 1 << bits++
    mask |= name.bit
  })
  each(starts, (name) => (name.closes |= mask))
}

// Source: HTML, 13.2.4.2.
const { scope, list, button, table, special, item } = LIMIT
const limit = (names: string, limits: number) => each(names, (name) => (name.limits |= limits))
const SPECIAL =
  'article aside blockquote body button caption center dd details dir dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup ' +
  'html li listing main marquee menu nav noscript object ol pre search section select summary table tbody td template tfoot th thead tr ul'
limit(SPECIAL, special | item)
limit('address div p', special)
limit('caption html marquee object table td template th', scope | list | button)
limit('ol ul', list)
limit('button', button)
limit('html table template', table)

// How end tags search for their elements. Source: HTML, 13.2.6.4.7 and 13.2.6.4.9 to 13.2.6.4.15.
const search = (names: string, kind: Limit) => each(names, (name) => (name.search = kind))
search(
  'address applet article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure footer form header hgroup ' +
    'h1 h2 h3 h4 h5 h6 listing main marquee menu nav object ol pre search section select summary ul',
  scope,
)
search('li', list)
search('p', button)
search('caption col colgroup table tbody td template tfoot th thead tr', table)
each('a b big code em font i nobr s small strike strong tt u', (name) => {
  name.search = scope
  name.isFormatting = true
})

each('dd dt li optgroup option p rb rp rt rtc', (name) => (name.hasImpliedEnd = true))
each('td th', (name) => (name.isCell = true))
each('table tbody tfoot thead', (name) => (name.isRowGroup = true))

/** Start tags, and the elements that they close with everything in them. Source: HTML, 13.2.6.4.7 and 13.2.6.4.11 to 13.2.6.4.15. */
const ENDS_AROUND: [starts: string, ends: string, limit: Limit][] = [
  ['li', 'li', item],
  ['dd dt', 'dd dt', item],
  ['td th', 'td th', table],
  ['tr', 'tr td th', table],
  ['tbody thead tfoot', 'tbody thead tfoot tr td th', table],
]
for (const [starts, ends, limit] of ENDS_AROUND) {
  const names = ends.split(' ').map(knownName)
  each(starts, (name) => (name.ends = { names, limit }))
}
