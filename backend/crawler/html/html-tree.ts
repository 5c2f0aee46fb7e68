import { knownName, type TagName } from './html-names.ts'
import { countWords } from './count-words.ts'
import { scanHtml, type HtmlSink } from './html-scanner.ts'
import { proseOf } from '#backend/crawler/main-content/prose.ts'

/** Deeper elements become siblings of their parents, so that later walks may simply recurse. */
const MAX_DEPTH = 512
const MAX_NODES = 500_000

/** The rules for elements of a name. */
export type Tag = {
  /** A block: starts on a line of its own. */
  block: boolean
  /** Neither the element nor its content belongs to the tree: scripts, styles, templates for scripts, drawings. */
  dead: boolean
  /** Belongs to the tree, but shows no text: form controls, embedded frames and media. */
  silent: boolean
  /** White space inside is significant. */
  pre: boolean
  /** The listener is told about it. */
  heard: boolean
}

const PLAIN: Tag = { block: false, dead: false, silent: false, pre: false, heard: false }
const ROOT: Tag = { ...PLAIN, block: true }
/** A script that contains a formula as TeX (MathJax 2): its text is shown. */
const FORMULA: Tag = { ...PLAIN, pre: true }
/** The class of code in manuals made by Scribble, which is a table with a row for each line. */
export const SCRIBBLE_CODE = 'RktBlk'
/** The code of Doxygen, Scribble and Mermaid: white space inside counts. */
const FRAGMENT: Tag = { ...PLAIN, block: true, pre: true }
/** A `span` that a script writes instead of a paragraph. */
const PARAGRAPH: Tag = { ...PLAIN, block: true }
/** Indexed by the id of the name. */
const TAGS: (Tag | undefined)[] = []
mark(
  'block',
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset',
)
mark(
  'block',
  'h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol p plaintext pre search section summary ul xmp',
)
mark('block', 'table caption colgroup col tbody td tfoot th thead tr')
mark('pre', 'pre listing xmp plaintext')
mark('dead', 'script style template svg meta link base title')
mark(
  'silent',
  'button select option optgroup datalist textarea input iframe object embed applet canvas video audio map progress meter noembed noframes frame',
)
mark('heard', 'a area base embed frame html iframe img link meta object template time title')

function mark(trait: keyof Tag, names: string) {
  for (const name of names.split(' ')) {
    const { id } = knownName(name)
    TAGS[id] = { ...(TAGS[id] ?? PLAIN), [trait]: true }
  }
}

/** Shared by all elements without children: most lists of children are short, and `push` reserves much more. Measured: 5 µs per page. */
const NO_CHILDREN: TreeNode[] = []

export class TextNode {
  data: string
  parent: ElementNode
  /** Reasons why the text cannot be copied into Markdown unchanged: bits of the character kinds below. */
  marks: number
  constructor(data: string, parent: ElementNode, marks: number) {
    this.data = data
    this.parent = parent
    this.marks = marks
  }

  /** Whether the text contains only single spaces and is calm. */
  get isPlain(): boolean {
    return this.marks === 0
  }

  /** Whether the text contains nothing that a Markdown renderer could read as markup, a URL or an e-mail address. */
  get isCalm(): boolean {
    return (this.marks & UNCALM) === 0
  }
}

export class ElementNode {
  name: string
  tag: Tag
  parent: ElementNode | null
  /** Names and values in turn; a repeated name counts once, the first time. */
  attributes: string[] | null = null
  children: TreeNode[] = NO_CHILDREN
  /** Whether there is a block inside. */
  hasBlock = false
  /** The names of `NAME_BITS` that this element and its descendants have, as bits. Dropped elements count. */
  inside = 0
  /** Whether the element is left out of the output. */
  dropped = false
  /** Number of characters that are not white space, in all and inside links. */
  textLength = 0
  linkLength = 0
  /** Number of words. */
  words = 0
  /** Characters of running text inside: see `prose.ts`. */
  prose = 0
  constructor(name: string, tag: Tag, parent: ElementNode | null) {
    this.name = name
    this.tag = tag
    this.parent = parent
  }
}

export type TreeNode = ElementNode | TextNode

/** Receives, while the tree is built, everything that needs no second walk: links, their texts, and metadata. */
export type TreeListener = {
  /** The start tag of a `heard` element is complete; `hidden` inside templates and drawings, `isDrawn` inside drawings alone. */
  opened(element: ElementNode, hidden: boolean, isDrawn: boolean): void
  /** The innermost open link ended. */
  linkClosed(): void
  /** Text inside a link. */
  linkText(text: string): void
  /** Text of a `<title>` outside of drawings. */
  titleText(text: string): void
  /** Text of a script with JSON-LD. */
  dataText(text: string): void
  /** Does a `noscript` element, which ends here, belong to the page? */
  isShown(noscript: ElementNode): boolean
}

/** Names that rules search for inside elements, a bit each: most elements contain none, and need not be searched. */
// prettier-ignore
const SEARCHED = [
  'a', 'article', 'blockquote', 'button', 'code', 'dl', 'figcaption', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'img', 'input', 'kbd', 'ol', 'pre',
  'samp', 'table', 'th', 'tt', 'ul', 'var',
] as const
export type SearchedName = (typeof SEARCHED)[number]
export const NAME_BITS: ReadonlyMap<SearchedName, number> = new Map(SEARCHED.map((name, at) => [name, 1 << at]))
const BITS: number[] = []
for (const [name, bit] of NAME_BITS) BITS[knownName(name).id] = bit

const SVG = knownName('svg').id
const TEMPLATE = knownName('template').id
const NOSCRIPT = knownName('noscript').id
const SPAN = knownName('span').id

/** The type of scripts with JSON-LD; some sites add a character set. */
const LINKED_DATA = /^\s*application\/ld\+json\s*(?:;|$)/i

function append(parent: ElementNode, child: TreeNode): void {
  if (parent.children === NO_CHILDREN) parent.children = [child]
  else parent.children.push(child)
}

export function attributeOf(element: ElementNode, name: string): string | undefined {
  const attributes = element.attributes
  if (attributes !== null) for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return attributes[at + 1]
  return undefined
}

/**
 * Parses HTML, or XHTML by the rules of XML, once into a lean tree without scripts, styles, templates, drawings and comments.
 *
 * Never throws and never recurses deeply: nesting is limited to 512, nodes to 500,000. Every element knows how much text it contains, and
 * how much of that is in links.
 */
export function growTree(html: string, listener: TreeListener, isXml: boolean): ElementNode {
  const grower = new Grower(listener)
  scanHtml(html, grower, isXml)
  grower.weighRoot()
  return grower.root
}

/**
 * For each open element, by depth: the text, the linked text and the prose of the blocks inside it. A page is parsed without interruption,
 * so all pages share these arrays.
 */
const blockText = new Int32Array(MAX_DEPTH + 1)
const blockLinks = new Int32Array(MAX_DEPTH + 1)
const blockProse = new Int32Array(MAX_DEPTH + 1)

const SCRIPT = knownName('script').id
const DIV = knownName('div').id
const TABLE = knownName('table').id

function isFormula(attributes: string[] | null): boolean {
  if (attributes !== null)
    for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === 'type') return /^\s*math\/tex/i.test(attributes[at + 1]!)
  return false
}

/** Does an `<a>` only name a place in the page? Others without an address are buttons of scripts. */
function isAnchor(element: ElementNode): boolean {
  const { attributes } = element
  if (attributes === null) return true
  return attributes.length === 2 && (attributes[0] === 'name' || attributes[0] === 'id')
}

class Grower implements HtmlSink {
  readonly root = new ElementNode('#root', ROOT, null)
  readonly #listener: TreeListener
  #current = this.root
  #depth = 0
  #overflow = 0
  #nodes = 0
  #deadDepth = 0
  /** How many of them are drawings. */
  #drawings = 0
  #silentDepth = 0
  #preDepth = 0
  #inLink = false
  #inTitle = false
  #inData = false

  constructor(listener: TreeListener) {
    this.#listener = listener
    this.#enter()
  }

  /** Resets the counts for the element at the current depth. */
  #enter(): void {
    blockText[this.#depth] = 0
    blockLinks[this.#depth] = 0
    blockProse[this.#depth] = 0
  }

  weighRoot(): void {
    this.root.prose = blockProse[0]! + proseOf(this.root.textLength - blockText[0]!, this.root.linkLength - blockLinks[0]!, false)
  }

  opened({ id, text: name }: TagName, attributes: string[] | null): void {
    let tag = TAGS[id] ?? PLAIN
    if (id === SCRIPT) {
      if (isFormula(attributes)) tag = FORMULA
    } else if (id === DIV && attributes !== null && holdsCode(attributes)) tag = FRAGMENT
    else if (id === TABLE && attributes !== null && attributes.includes(SCRIBBLE_CODE)) tag = FRAGMENT
    else if (id === SPAN && attributes !== null && saysParagraph(attributes)) tag = PARAGRAPH
    const parent = this.#current
    const element = new ElementNode(name, tag, parent)
    element.attributes = attributes
    // A browser shows it as the content of the element around it.
    if (id === TEMPLATE && /^(?:open|closed)$/i.test(attributeOf(element, 'shadowrootmode') ?? '')) element.tag = tag = PLAIN
    element.inside = BITS[id] ?? 0
    if (tag.heard) {
      this.#listener.opened(element, this.#deadDepth > 0, this.#deadDepth > 0 && this.#deadDepth === this.#drawings)
      if (name === 'a') this.#inLink = !isAnchor(element)
      else if (name === 'title') this.#inTitle = this.#deadDepth === 0
    }
    if (!tag.dead && this.#deadDepth === 0 && this.#nodes < MAX_NODES) {
      this.#nodes++
      append(parent, element)
    }
    if (id === SCRIPT) this.#inData = this.#deadDepth === 0 && LINKED_DATA.test(attributeOf(element, 'type') ?? '')
    if (this.#depth >= MAX_DEPTH) {
      // Counted, so that its end tag does not close another element.
      this.#current.inside |= element.inside
      this.#overflow++
      return
    }
    this.#depth++
    this.#enter()
    if (tag.dead) {
      this.#deadDepth++
      if (id === SVG) this.#drawings++
    } else if (tag.silent) this.#silentDepth++
    else if (tag.pre) this.#preDepth++
    this.#current = element
  }

  text(source: string, start: number, end: number, sourceCodes: Uint16Array): void {
    if (this.#deadDepth > 0) {
      if (this.#inTitle) this.#listener.titleText(source.slice(start, end))
      else if (this.#inData) this.#listener.dataText(source.slice(start, end))
      return
    }
    const current = this.#current
    // No branches besides the loop's own: words and spaces alternate too irregularly for branch prediction. Measured: a third faster.
    let length = 0
    let marks = 0
    let before = 0
    let words = 0
    let codes = 0
    for (let at = start; at < end; at++) {
      const code = sourceCodes[at]!
      const kind = code < 256 ? KINDS[code]! : VISIBLE
      length += kind & VISIBLE
      words += kind & ~before & VISIBLE
      marks |= (kind & ANYWHERE) | (kind & before & TWICE)
      before = kind
      codes |= code
    }
    const siblings = current.children
    const last = siblings.length > 0 ? siblings[siblings.length - 1] : undefined
    let data
    if (length === 0 && this.#preDepth === 0) {
      // White space only: becomes one space, or none at the start of a block or after another space.
      if (last === undefined ? current.tag.block : last instanceof ElementNode && last.tag.block) return
      data = ' '
      marks = 0
    } else if (end - start === 1 && this.#preDepth === 0 && isInvisible(codes) && !(last instanceof TextNode)) {
      // Editors put such a character into empty paragraphs, and manuals into links to headings.
      return
    } else data = source.slice(start, end)
    if (last instanceof TextNode) {
      last.data += data
      last.marks = ANYWHERE | TWICE
    } else if (this.#nodes < MAX_NODES) {
      this.#nodes++
      append(current, new TextNode(data, current, marks))
    }
    if (this.#silentDepth > 0) return
    current.textLength += length
    current.words += mayBeUnspaced(codes) ? countWords(data) : words
    if (this.#inLink) {
      current.linkLength += length
      this.#listener.linkText(data)
    }
  }

  closed({ id, text: name }: TagName): void {
    if (this.#overflow > 0) {
      this.#overflow--
      if (name === 'a') this.#closeLink()
      return
    }
    const element = this.#current
    const { tag } = element
    const parent = element.parent
    if (parent === null) return
    if (tag.dead) {
      this.#deadDepth--
      if (id === SVG) this.#drawings--
      if (name === 'title') this.#inTitle = false
      else if (name === 'script') this.#inData = false
    } else if (tag.silent) this.#silentDepth--
    else {
      if (tag.pre) this.#preDepth--
      if (name === 'a') this.#closeLink()
      else if (id === NOSCRIPT && !this.#listener.isShown(element)) {
        if (parent.children.at(-1) === element) parent.children.pop()
        this.#depth--
        this.#current = parent
        return
      }
      parent.textLength += element.textLength
      parent.linkLength += element.linkLength
      parent.words += element.words
      if (tag.block || element.hasBlock) {
        parent.hasBlock = true
        const depth = this.#depth
        element.prose =
          blockProse[depth]! + proseOf(element.textLength - blockText[depth]!, element.linkLength - blockLinks[depth]!, tag.pre)
        blockText[depth - 1]! += element.textLength
        blockLinks[depth - 1]! += element.linkLength
        blockProse[depth - 1]! += element.prose
      }
    }
    if (!tag.dead) parent.inside |= element.inside
    this.#depth--
    this.#current = parent
  }

  #closeLink(): void {
    this.#inLink = false
    this.#listener.linkClosed()
  }
}

/** Does a `div` hold code: of Doxygen, which writes no attribute before the class, or of Mermaid? */
function holdsCode(attributes: readonly string[]): boolean {
  if (attributes[0] === 'class' && attributes[1] === 'fragment') return true
  for (let at = 1; at < attributes.length; at += 2) if (attributes[at] === 'mermaid' && attributes[at - 1] === 'class') return true
  return false
}

/** Does an element say that it is a paragraph: by its ARIA role, or by the element that it stands for (Mintlify)? */
function saysParagraph(attributes: readonly string[]): boolean {
  for (let at = 1; at < attributes.length; at += 2) {
    const value = attributes[at]
    if (value === 'p' ? attributes[at - 1] === 'data-as' : value === 'paragraph' && attributes[at - 1] === 'role') return true
  }
  return false
}

/** Is it the code of a character without width: a zero-width space, a word joiner, a byte order mark? */
const isInvisible = (code: number): boolean => code === 0x200b || code === 0x2060 || code === 0xfeff

/**
 * May a text contain scripts without spaces between words, judged by its character codes combined with `or`? Han, kana and Burmese set one
 * of three bits that Latin, Cyrillic, Arabic and general punctuation lack; Thai and Lao set three others together.
 */
const mayBeUnspaced = (codes: number): boolean => (codes & 0xd000) !== 0 || (codes & 0xe00) === 0xe00

// Kinds of characters, as bits: visible, a space, other white space, or markup and controls, which Markdown cannot contain unchanged.
// Two spaces in a row become one; two slashes or two letters w may belong to a URL (`https://`, `www.`).
const VISIBLE = 1
const SPACE = 2
const MARK = 4
const SLASH = 8
const W = 16
const WHITE = 32
const ANYWHERE = MARK | WHITE
const TWICE = SPACE | SLASH | W
const UNCALM = MARK | SLASH | W
const KINDS = new Uint8Array(256)
KINDS.fill(MARK, 0, 33)
KINDS.fill(VISIBLE, 33)
KINDS[32] = SPACE
for (const code of [9, 10, 12, 13, 0xa0]) KINDS[code] = WHITE
KINDS[47] = VISIBLE | SLASH
KINDS[87] = KINDS[119] = VISIBLE | W
for (const character of '\\`*_[]<&~$@\x7f') KINDS[character.charCodeAt(0)] = VISIBLE | MARK
