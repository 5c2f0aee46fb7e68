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
  /** A list item or definition around an element of this name stays open at the start tag of the next one. */
  isSpecial = false
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

/** The open elements that a start tag closes at any depth: the outermost of `names` inside the nearest boundary. */
export type EndsAround = { names: readonly TagName[]; isBoundary: (name: TagName) => boolean }

export type Content = typeof MARKUP | typeof RAW | typeof ESCAPABLE | typeof PLAIN
export const MARKUP = 0
/** Text up to the end tag. */
export const RAW = 1
/** Text with character references up to the end tag. */
export const ESCAPABLE = 2
/** Text up to the end of the document. */
export const PLAIN = 3

export type Language = typeof HTML | typeof SVG | typeof MATHML
export const HTML = 0
export const SVG = 1
export const MATHML = 2

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
    'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul',
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

// Source: HTML, 13.2.6.4.7 (start tags li, dd, dt), and 13.2.4.2, category "special", without address, div and p.
each(
  'article aside blockquote body button caption center dd details dir dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup ' +
    'html li listing main marquee menu nav noscript object ol pre search section select summary table tbody td template tfoot th thead tr ul',
  (name) => (name.isSpecial = true),
)
const isSpecial = (name: TagName) => name.isSpecial
const TABLE = knownName('table')
const TEMPLATE = knownName('template')
const isTable = (name: TagName) => name === TABLE || name === TEMPLATE
/** Start tags of list items, definitions and parts of tables, and what they close. Source: HTML, 13.2.6.4.7 and 13.2.6.4.11 to 13.2.6.4.15. */
const ENDS_AROUND: [starts: string, ends: string, isBoundary: EndsAround['isBoundary']][] = [
  ['li', 'li', isSpecial],
  ['dd dt', 'dd dt', isSpecial],
  ['td th', 'td th', isTable],
  ['tr', 'tr td th', isTable],
  ['tbody thead tfoot', 'tbody thead tfoot tr td th', isTable],
]
for (const [starts, ends, isBoundary] of ENDS_AROUND) {
  const names = ends.split(' ').map(knownName)
  each(starts, (name) => (name.ends = { names, isBoundary }))
}
