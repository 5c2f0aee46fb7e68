import { attributeOf, ElementNode, NAME_BITS, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { isInline, namesHeading } from '#backend/crawler/html/tree-text.ts'
import { TOPIC_COUNT, topicsOf } from './piece-topics.ts'

/**
 * The smallest part of a page that is kept or left out as a whole: a block without blocks inside (a paragraph, a heading, a list entry, a table
 * cell), or a run of text and inline elements between blocks.
 */
export class Piece {
  /** The block itself, or the nodes of the run. */
  readonly nodes: TreeNode[]
  /** The block itself, or the element that holds the run. */
  readonly element: ElementNode
  /** Name of the element. */
  readonly name: string
  /** Visible characters, in all and inside links. */
  readonly length: number
  readonly linkLength: number
  /** The rules kept it. */
  isKept: boolean
  /** Inside an `article`, inside a `form`. */
  readonly isInArticle: boolean
  readonly isInForm: boolean
  /** It contains a picture, or follows one. */
  readonly hasPicture: boolean
  constructor(
    nodes: TreeNode[],
    element: ElementNode,
    length: number,
    linkLength: number,
    isKept: boolean,
    isInArticle: boolean,
    isInForm: boolean,
    hasPicture: boolean,
  ) {
    this.nodes = nodes
    this.element = element
    this.name = element.name
    this.length = length
    this.linkLength = linkLength
    this.isKept = isKept
    this.isInArticle = isInArticle
    this.isInForm = isInForm
    this.hasPicture = hasPicture
  }
}

/** A range of indexes in a list of pieces, both inclusive. */
export type PieceRange = { first: number; last: number }

/** Lists the pieces of a tree in order. Each dropped block is one piece. Takes time proportional to the size of the tree. */
export function piecesOf(root: ElementNode): Piece[] {
  return new PieceCollector(false).collect(root)
}

/** Lists the pieces of a tree up to the first kept piece of running text, including those inside of dropped blocks. */
export function piecesBeforeText(root: ElementNode): Piece[] {
  return new PieceCollector(true).collect(root)
}

/** A class for the same reason as `LinkResolver`. */
class PieceCollector {
  readonly #pieces: Piece[] = []
  readonly #isOpening: boolean
  /** A picture follows the last piece. */
  #isBelowPicture = false

  constructor(isOpening: boolean) {
    this.#isOpening = isOpening
  }

  collect(root: ElementNode): Piece[] {
    this.#walk(root, true, root.name === 'article', root.name === 'form')
    return this.#pieces
  }

  /** @returns is the walk done? */
  #walk(parent: ElementNode, isKept: boolean, inArticle: boolean, inForm: boolean): boolean {
    let run: TreeNode[] | null = null
    for (const child of parent.children) {
      if (child instanceof TextNode || isInline(child)) {
        // A dropped inline element inside a kept block is no piece of its own.
        if (child instanceof TextNode || (!child.dropped && !child.tag.silent)) {
          if (run === null) run = [child]
          else run.push(child)
        }
        continue
      }
      if (run !== null && this.#addRun(run, parent, isKept, inArticle, inForm)) return true
      run = null
      const isChildKept = isKept && !child.dropped
      const isInArticle = inArticle || child.name === 'article'
      const isInForm = inForm || child.name === 'form'
      if (child.hasBlock && !isBoxedHeading(child) && (isChildKept || this.#isOpening)) {
        if (this.#walk(child, isChildKept, isInArticle, isInForm)) return true
      } else if (child.textLength > 0 && !child.tag.silent) {
        const hasPicture = this.#isBelowPicture || (child.inside & PICTURE) !== 0
        this.#isBelowPicture = false
        this.#pieces.push(new Piece([child], child, child.textLength, child.linkLength, isChildKept, isInArticle, isInForm, hasPicture))
        if (this.#isOpening && isChildKept && child.textLength >= MIN_TEXT) return true
      } else if (isChildKept && (child.inside & PICTURE) !== 0) this.#isBelowPicture = true
    }
    return run !== null && this.#addRun(run, parent, isKept, inArticle, inForm)
  }

  #addRun(nodes: TreeNode[], element: ElementNode, isKept: boolean, inArticle: boolean, inForm: boolean): boolean {
    let length = 0
    let linkLength = 0
    for (const node of nodes) {
      if (node instanceof TextNode) length += visibleLength(node.data)
      else {
        length += node.textLength
        linkLength += node.linkLength
        this.#isBelowPicture ||= (node.inside & PICTURE) !== 0
      }
    }
    if (length > 0) {
      this.#pieces.push(new Piece(nodes, element, length, linkLength, isKept, inArticle, inForm, this.#isBelowPicture))
      this.#isBelowPicture = false
    }
    return this.#isOpening && isKept && length >= MIN_TEXT
  }
}

/** A heading whose words stand in a box of their own, beside its anchor. */
const isBoxedHeading = ({ name, textLength }: ElementNode): boolean => namesHeading(name) && textLength < MOST_HEADING
const MOST_HEADING = 200

const PICTURE = NAME_BITS.get('img')!

/** A piece of this length is running text. */
const MIN_TEXT = 80

/** Least characters of a short sentence that is kept for what is around it. */
export const LEAST_SENTENCE = 40

/** Does a text end like a sentence? Closing quotes and brackets after the mark do not count. */
export function endsSentence(nodes: readonly TreeNode[]): boolean {
  const mark = lastMark(nodes)
  return mark !== null && ENDS.includes(mark)
}

/** Does a text end with a colon? */
export function endsWithColon(nodes: readonly TreeNode[]): boolean {
  const mark = lastMark(nodes)
  return mark === ':' || mark === '：'
}

/** The last visible character, apart from closing quotes and brackets; null: there is none. */
function lastMark(nodes: readonly TreeNode[]): string | null {
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!
    if (node instanceof TextNode) {
      const text = node.data
      for (let end = text.length - 1; end >= 0; end--) {
        const character = text.charCodeAt(end)
        if (character <= 32 || character === 0xa0) continue
        if (CLOSING.includes(text[end]!)) continue
        return text[end]!
      }
    } else if (!node.dropped && !node.tag.silent) {
      const mark = lastMark(node.children)
      if (mark !== null) return mark
    }
  }
  return null
}

const ENDS = '.!?…。！？:'
const CLOSING = '"”»’\')]」』'

function visibleLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 32) length++
  return length
}

/** The measures of a piece, in the order of its numbers. `piece-weights.ts` has one weight for each. */
export const MEASURES = [
  'characters (log)',
  'position in the kept text',
  'directly in the main container',
  'link share',
  'link share of the grandparent',
  'link share of the piece before',
  'the piece after is kept',
  'no sentence, under 100 characters',
  'table cell',
  'plain div',
  'link share, directly in the main container',
  'links to another site (share)',
  'inside an article element',
  'inside a form',
  'pieces of the same element near it',
  'text of the page (log)',
  'beside a picture, under 200 characters',
  'set in italics, bold or small as a whole',
  'photo words at the start, when short',
  'pointer words at the start, when short',
  'subscription words at the start, when short',
  'comment words at the start, when short',
  'legal words at the start, when short',
] as const

/** Longer pieces mention subscriptions and photographs as a part of their text. */
const SHORT = 120

/** Measures that all pieces of a page share. */
export type PageMeasures = {
  /** Of the page's URL. */
  host: string
  /** The element that directly contains most of the kept prose. */
  container: ElementNode | null
  /** Kept characters, and the logarithm of those in prose. */
  total: number
  proseLog: number
}

export function measurePage(pieces: readonly Piece[], host: string): PageMeasures {
  const weights = new Map<ElementNode, number>()
  let container: ElementNode | null = null
  let most = 0
  let total = 0
  let prose = 0
  for (const piece of pieces) {
    if (!piece.isKept) continue
    total += piece.length
    if (!isProse(piece)) continue
    prose += piece.length
    const holder = piece.element.parent ?? piece.element
    const weight = (weights.get(holder) ?? 0) + piece.length
    weights.set(holder, weight)
    if (weight > most) {
      most = weight
      container = holder
    }
  }
  return { host, container, total, proseLog: Math.log(1 + prose) }
}

/**
 * Measures a piece that is kept.
 *
 * @param before  kept characters before it
 * @param into    receives `MEASURES.length` numbers, except the last ones, the topics: see `measureTopics`
 */
export function measurePiece(pieces: readonly Piece[], at: number, page: PageMeasures, before: number, into: Float64Array): void {
  const piece = pieces[at]!
  const { element, name, length } = piece
  const isDirect = page.container !== null && standsIn(element, page.container)
  const previous = pieces[at - 1]
  const next = pieces[at + 1]
  const share = shareOf(piece)
  const grandparent = element.parent?.parent ?? null
  into[0] = Math.log(length)
  into[1] = before / Math.max(1, page.total)
  into[2] = isDirect ? 1 : 0
  into[3] = share
  into[4] = grandparent === null ? 0 : grandparent.linkLength / Math.max(1, grandparent.textLength)
  into[5] = previous === undefined ? 1 : shareOf(previous)
  into[6] = next !== undefined && next.isKept ? 1 : 0
  into[7] = length < 100 && !endsSentence(piece.nodes) ? 1 : 0
  into[8] = name === 'td' ? 1 : 0
  into[9] = name === 'div' ? 1 : 0
  into[10] = isDirect ? share : 0
  into[11] = share > 0 && leadsToOtherSite(piece.nodes, page.host) ? share : 0
  into[12] = piece.isInArticle ? 1 : 0
  into[13] = piece.isInForm ? 1 : 0
  into[14] = alikeNear(pieces, at)
  into[15] = page.proseLog
  into[16] = piece.hasPicture && length < 200 ? 1 : 0
  into[17] = isEmphasised(piece.nodes, name, length) ? 1 : 0
}

/** Is a whole line in italics, bold or small, as editors' notes and appeals are? Headings do not count. */
export function isEmphasised(nodes: readonly TreeNode[], name: string, length: number): boolean {
  return !namesHeading(name) && emphasisIn(nodes) > 0.85 * length
}

function emphasisIn(nodes: readonly TreeNode[]): number {
  let length = 0
  for (const node of nodes)
    if (node instanceof ElementNode && !node.dropped) {
      if (EMPHASIS.has(node.name)) length += node.textLength
      else if (!node.tag.silent) length += emphasisIn(node.children)
    }
  return length
}

const EMPHASIS = new Set(['em', 'i', 'strong', 'b', 'small'])

/** Do the first words of a piece count? */
export const mayNameTopic = (piece: Piece): boolean => piece.length < SHORT

/**
 * Measures the topics in the first words of a piece: the last of its numbers. A step of its own, because it costs as much as all others.
 */
export function measureTopics(piece: Piece, into: Float64Array): void {
  const topics = mayNameTopic(piece) ? topicsOf(piece.nodes) : 0
  for (let topic = 0; topic < TOPIC_COUNT; topic++) into[MEASURES.length - TOPIC_COUNT + topic] = (topics >> topic) & 1
}

/** Elements that belong to the text around them: their children count as children of the container. */
const PARTS = new Set(['ul', 'ol', 'li', 'blockquote', 'figure', 'table', 'tbody', 'thead', 'tr', 'dl'])
/** Parts nested deeper than this are no longer followed. */
const MAX_STEPS = 16

/**
 * Is an element in the container, with only such elements between the two? One other element, counting the element itself, is allowed.
 */
function standsIn(element: ElementNode, container: ElementNode): boolean {
  let holders = 0
  let around: ElementNode | null = element
  for (let step = 0; step < MAX_STEPS && around !== null; step++) {
    if (around === container) return true
    if (!PARTS.has(around.name) && ++holders > 1) return false
    around = around.parent
  }
  return false
}

const shareOf = ({ linkLength, length }: Piece) => Math.min(1, linkLength / Math.max(1, length))

/** Is it long enough, and does it have few enough links, to be running text? */
export function isProse(piece: Piece): boolean {
  return piece.length >= MIN_TEXT && piece.linkLength < 0.4 * piece.length
}

/** Does a link in these nodes lead to a site other than `host`? */
export function leadsToOtherSite(nodes: readonly TreeNode[], host: string): boolean {
  for (const node of nodes) {
    if (node instanceof TextNode) continue
    if (node.name === 'a' ? isOtherSite(attributeOf(node, 'href') ?? '', host) : leadsToOtherSite(node.children, host)) return true
  }
  return false
}

/** Is it an absolute URL whose host shares no suffix with the page's? `www.` and subdomains are the same site. */
function isOtherSite(href: string, host: string): boolean {
  // Most links within a site are paths.
  if ((href.charCodeAt(0) | 32) !== 104) return false
  const other = /^https?:\/\/(?:www\.)?([^/?#:]+)/i.exec(href)?.[1]?.toLowerCase()
  if (other === undefined) return false
  const own = host.replace(/^www\./, '')
  return !own.endsWith(other) && !other.endsWith(own)
}

/** How many of the four pieces before and the four after are elements of the same name. */
function alikeNear(pieces: readonly Piece[], at: number): number {
  const { name } = pieces[at]!
  const last = Math.min(pieces.length - 1, at + 4)
  let alike = -1
  for (let other = Math.max(0, at - 4); other <= last; other++) if (pieces[other]!.name === name) alike++
  return alike
}
