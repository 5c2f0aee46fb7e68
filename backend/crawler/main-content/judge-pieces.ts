import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import {
  endsSentence,
  endsWithColon,
  LEAST_SENTENCE,
  isProse,
  leadsToOtherSite,
  measurePage,
  measurePiece,
  mayNameTopic,
  measureTopics,
  MEASURES,
  piecesOf,
  type Piece,
  type PieceRange,
} from './page-pieces.ts'
import { Cards } from './cards.ts'
import { isLead } from './drop-around.ts'
import { isNotes, namesRecipePart } from './furniture/furniture.ts'
import { TOPIC_COUNT, topicsOf } from './piece-topics.ts'
import { BIAS, WEIGHTS } from './piece-weights.ts'
import { holds, namesHeading, shownBefore } from '#backend/crawler/html/tree-text.ts'

/** The weights of a piece's measures, fitted by `scripts/fit-extraction.ts`. */
export type PieceModel = { bias: number; weights: readonly number[] }

const FITTED: PieceModel = { bias: BIAS, weights: WEIGHTS }
/**
 * The least score with which a piece of an article stays: a probability of 60 %. At 50 %, the fitted pages kept more unwanted text than
 * they lost wanted text.
 */
const LEAST = 0.4
/** A piece with this score is kept, whatever its first words. */
const SURE = 5
/** On pages that do not declare themselves articles, pieces between the first and the last paragraph are dropped only below this score. */
const DOUBT = -0.6
/** … and paragraphs of this length are never dropped. */
const LONG = 150
/** Most characters in links of a short sentence, as a share: the number of a source. */
const MOST_CITED = 0.05
/** Most pieces between such a sentence and the next paragraph. */
const MOST_BETWEEN = 4
const MOST_COLUMNS = 50
/** With this share of entries that stay, a list stays whole. */
const MOST_ENTRIES = 0.75
/** Most levels between an entry and the text in it. */
const MOST_LEVELS = 4
/** Least characters of a cell with data on average, and most of each. */
const LEAST_DATA = 3
const MOST_DATA = 200
/** Levels besides those of heading elements. A heading heads everything with a higher level; nothing heads `NONE`. */
const NONE = 0
const LABEL = 7
const TEXT = 8
/** Most characters of a heading that is no heading element. */
const MOST_LABEL = 80
const NAMED_HEADING = /(?:^|[\s_-])(?:sub-?)?(?:head(?:ing|line)?\d?|title)(?:[\s_-]|$)/i
const BOLD = /font-weight:\s*(?:bold|[6-9]00)/i
/** If more than this share of the text would be dropped, the model does not fit this kind of page, and nothing is dropped. */
const MOST_DROPPED = 0.5
/** … the same for pages that do not declare themselves articles. */
const MOST_DROPPED_ELSEWHERE = 0.3

/**
 * The last step of the extraction: a linear model scores each piece that the rules kept and drops those with a low score. It uses what
 * single rules do not see, such as neighbours and position.
 *
 * @param isPosting  the page declares itself an article; on other pages, pieces within the text are dropped only with a lower score
 * @param host       of the page's URL
 * @param headline   is kept whatever its score
 * @param parts      are kept, too
 * @returns  all pieces with their verdicts, and how much text is left
 */
export function judgePieces(
  root: ElementNode,
  { isPosting, host, headline, parts }: { isPosting: boolean; host: string; headline: ElementNode | null; parts: ReadonlySet<ElementNode> },
  model: PieceModel = FITTED,
): { pieces: Piece[]; kept: number } {
  const pieces = piecesOf(root)
  const page = measurePage(pieces, host)
  const text = isPosting ? null : proseRange(pieces)
  const numbers = new Float64Array(MEASURES.length)
  let before = page.total
  let going = 0
  const unwanted: number[] = []
  const inKeptPart = new Map<ElementNode, boolean>()
  for (const part of parts) inKeptPart.set(part, true)
  const cards = new Cards()
  const keptLists = new Map<ElementNode, boolean>()
  // Index of the last piece that stays.
  let end = -1
  const firstOfText = pieces.findIndex(
    (piece) => piece.isKept && isProse(piece) && isParagraph(piece) && standsBeside(piece.element, page.container),
  )
  const isOfText = (piece: Piece) => firstOfText >= 0 && isLike(piece, pieces[firstOfText]!) && standsBeside(piece.element, page.container)
  // Does a paragraph of the text stay below?
  let isAboveText = false
  // From the end: a heading stays if the piece below it stays, which may be a text or a lower heading.
  let below = NONE
  for (let at = pieces.length - 1; at >= 0; at--) {
    const piece = pieces[at]!
    if (!piece.isKept) continue
    before -= piece.length
    const level = levelOf(piece)
    const least = text !== null && at >= text.first && at <= text.last ? DOUBT : LEAST
    // Cheap checks first: the model scores only pieces that nothing else keeps.
    const stays: boolean =
      level < below ||
      isHeadline(piece.element, headline) ||
      (!isPosting && piece.length >= LONG && isProse(piece)) ||
      isExempt(piece, host) ||
      isBetweenParagraphs(pieces, at) ||
      introducesNext(pieces, at) ||
      // Between a heading and code, or two headings, as in lists of things.
      (isAboveText && at > firstOfText && isOfText(piece) && isSentence(piece)) ||
      (isPosting && isDeclared(piece)) ||
      scores(at, least) ||
      isInKeptPart(piece.element) ||
      (at < firstOfText && isLead(piece.element)) ||
      isInBox(piece, isPosting ? FACTS : NOTE) ||
      (!isPosting && isFactBelowHeading(piece)) ||
      (!isPosting && cards.hold(piece.element)) ||
      isInKeptList(at, least)
    below = stays ? level : NONE
    if (stays) {
      end = Math.max(end, at)
      isAboveText ||= isOfText(piece) && (isProse(piece) || isSentence(piece))
      continue
    }
    going += piece.length
    unwanted.push(at)
  }
  if (going > (isPosting ? MOST_DROPPED : MOST_DROPPED_ELSEWHERE) * page.total) return { pieces, kept: page.total }
  for (const at of unwanted) {
    const piece = pieces[at]!
    leaveOut(piece.nodes, at < end)
    piece.isKept = false
  }
  return { pieces, kept: page.total - going }

  /** Is it a part of a recipe or of the footnotes, or inside one? Searched last, because it reads the classes of all elements around. */
  function isInKeptPart(element: ElementNode): boolean {
    let known = inKeptPart.get(element)
    if (known === undefined) {
      known = namesRecipePart(element) || isNotes(element) || (element.parent !== null && isInKeptPart(element.parent))
      inKeptPart.set(element, known)
    }
    return known
  }

  /** Whether most entries of its list stay. Then it stays as well, although it has a word such as "reply". */
  function isInKeptList(at: number, least: number): boolean {
    const piece = pieces[at]!
    const list = piece.linkLength * 2 > piece.length ? null : listAround(piece.element)
    if (list === null) return false
    let isKept = keptLists.get(list)
    if (isKept === undefined) {
      const entries = entriesAround(pieces, at, list)
      const staying = entries.filter((entry) => isExempt(pieces[entry]!, host) || scores(entry, least))
      keptLists.set(list, (isKept = staying.length >= MOST_ENTRIES * entries.length))
    }
    return isKept
  }

  function scores(at: number, least: number): boolean {
    measurePiece(pieces, at, page, before, numbers)
    return isAtLeast(least, pieces[at]!, numbers, model)
  }
}

/** The list without numbers that an element is an entry of, or is part of an entry of. */
function listAround(element: ElementNode): ElementNode | null {
  let around: ElementNode | null = element
  for (let level = 0; level < MOST_LEVELS && around !== null; level++, around = around.parent) if (around.name === 'ul') return around
  return null
}

/** The kept pieces of a list, around one of them: their indexes. */
function entriesAround(pieces: readonly Piece[], at: number, list: ElementNode): number[] {
  const entries: number[] = []
  const take = (other: number) => {
    const piece = pieces[other]
    if (piece === undefined || listAround(piece.element) !== list) return false
    if (piece.isKept) entries.push(other)
    return true
  }
  for (let other = at; take(other); other--);
  for (let other = at + 1; take(other); other++);
  return entries
}

/** The level of a heading, from 1 to 6, or `LABEL`; `TEXT` for all other pieces. */
function levelOf(piece: Piece): number {
  if (namesHeading(piece.name)) return Number(piece.name[1])
  return isLabel(piece) ? LABEL : TEXT
}

/** Is it a heading without being a heading element: a line that is bold, or whose class or style says so? */
function isLabel({ nodes, length, linkLength }: Piece): boolean {
  if (length > MOST_LABEL || linkLength > 0) return false
  for (let only = onlyElement(nodes); only !== null; only = onlyElement(only.children))
    if (
      only.name === 'b' ||
      only.name === 'strong' ||
      NAMED_HEADING.test(attributeOf(only, 'class') ?? '') ||
      BOLD.test(attributeOf(only, 'style') ?? '')
    )
      return true
  return false
}

/** The element that holds all the text of these nodes; null if there is none. */
function onlyElement(nodes: readonly TreeNode[]): ElementNode | null {
  let only: ElementNode | null = null
  for (const node of nodes) {
    if (node instanceof TextNode) {
      if (node.data.trim() !== '') return null
    } else if (only !== null) return null
    else only = node
  }
  return only
}

/** The range of a page's running text: the indexes of its first and last piece of kept prose. */
function proseRange(pieces: readonly Piece[]): PieceRange {
  const isText = (piece: Piece) => piece.isKept && isProse(piece)
  return { first: pieces.findIndex(isText), last: pieces.findLastIndex(isText) }
}

/** Is it, or is it inside, the headline or a first-level heading? Some headings contain boxes. */
function isHeadline(element: ElementNode, headline: ElementNode | null): boolean {
  let at: ElementNode | null = element
  for (let level = 0; level < 4 && at !== null; level++, at = at.parent) if (at === headline || at.name === 'h1') return true
  return false
}

/**
 * Is the score of a piece high enough? Its first words are read only if they can change the answer: they subtract, seldom more than `SURE`.
 */
function isAtLeast(least: number, piece: Piece, numbers: Float64Array, { bias, weights }: PieceModel): boolean {
  const topics = MEASURES.length - TOPIC_COUNT
  let score = bias
  for (let column = 0; column < topics; column++) score += weights[column]! * numbers[column]!
  if (score < least || score >= SURE || !mayNameTopic(piece)) return score >= least
  measureTopics(piece, numbers)
  for (let column = topics; column < MEASURES.length; column++) score += weights[column]! * numbers[column]!
  return score >= least
}

/**
 * Code, definitions, quotations, steps and captions are short and look like labels, and lists of other sites look like menus; the rules
 * judge them better than the model.
 */
function isExempt({ element, nodes, length, linkLength }: Piece, host: string): boolean {
  for (let around: ElementNode | null = element; around !== null; around = around.parent) {
    if (around.tag.pre || around.name === 'dl' || around.name === 'figcaption' || around.name === 'blockquote') return true
    if (around.name === 'li' && leadsToOtherSite(nodes, host)) return true
    // A cell without its text would only make a table wrong.
    if (around.name === 'table' && (holds(around, 'th') || isInRowOfCells(element)) && around.linkLength * 2 < around.textLength)
      return true
    // One of several steps is never dropped alone.
    if (around.name === 'ol' && (linkLength * 2 < length || around.linkLength * 2 < around.textLength)) return true
  }
  return false
}

/** Is it in a box with facts or, in a manual, with advice? Both may stand at the end of a text. Boxes for subscriptions and links may have such names, too. */
function isInBox({ element, nodes }: Piece, name: RegExp): boolean {
  let around: ElementNode | null = element
  for (let level = 0; level < MOST_LEVELS && around !== null; level++, around = around.parent)
    if (name.test(attributeOf(around, 'class') ?? '')) return around.linkLength * 4 < around.textLength && topicsOf(nodes) === 0
  return false
}
const FACTS = /(?:^|[\s_-])(?:info|fact)-?box(?:[\s_-]|$)/i
const NOTE = /(?:^|[\s_-])(?:admonition|callout|hint|tip|warning|(?:info|fact)-?box)(?:[\s_-]|$)/i

/** Is it an entry of a list without links that stands directly below a heading, such as a list of parts or tools? */
function isFactBelowHeading({ element, name }: Piece): boolean {
  const list = name === 'li' ? element.parent : null
  if (list === null || list.linkLength > 0) return false
  let at: ElementNode = list
  // The list may be the first text of a box below the heading.
  for (let level = 0; level < 2 && at.parent !== null && at.parent.children.length <= MOST_SIBLINGS; level++, at = at.parent) {
    const before = shownBefore(at)
    if (before !== null) return namesHeading(before.name)
  }
  return false
}
/** Each entry of a list asks anew: more elements beside it are not searched. */
const MOST_SIBLINGS = 1000

/** Does the page declare this paragraph a part of its text? */
const isDeclared = ({ element, name }: Piece) => name === 'p' && attributeOf(element, 'itemprop') === 'articleBody'

/**
 * Is it a sentence, perhaps with the number of a source, between other paragraphs, or between one and a heading? The model takes a few words in a short sentence for its
 * topic, such as "comment" and "photo".
 */
function isBetweenParagraphs(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at]!
  if (!isSentence(piece)) return false
  const before = nearestKept(pieces, at, -1)
  const after = nearestKept(pieces, at, 1)
  if (before === null || after === null) return false
  const isText = (one: Piece) => one.name === piece.name && (isProse(one) || isSentence(one)) && areAlike(one.element, piece.element)
  const isBeforeText = isText(before)
  const isAfterText = isText(after)
  return isBeforeText ? isAfterText || isHeadingBeside(after, piece) : isAfterText && isHeadingBeside(before, piece)
}

/** Does a paragraph that ends with a colon introduce the quotation or code directly below it? */
function introducesNext(pieces: readonly Piece[], at: number): boolean {
  const { element, name, nodes, linkLength, length } = pieces[at]!
  if ((name !== 'p' && name !== 'div') || linkLength > MOST_CITED * length || !endsWithColon(nodes)) return false
  const next = pieces[at + 1]
  if (next === undefined || !next.isKept) return false
  for (let around: ElementNode | null = next.element; around !== null && around !== element.parent; around = around.parent)
    if (around.parent === element.parent) return around.tag.pre || around.name === 'blockquote'
  return false
}

/** The nearest piece before (-1) or after (1) that the rules kept; advertisements and pointers are often between paragraphs. */
function nearestKept(pieces: readonly Piece[], at: number, step: 1 | -1): Piece | null {
  for (let other = at + step, last = at + step * MOST_BETWEEN; other !== last + step; other += step) {
    const piece = pieces[other]
    if (piece === undefined || piece.isKept) return piece ?? null
  }
  return null
}

const isHeadingBeside = (other: Piece, { element }: Piece) => namesHeading(other.name) && other.element.parent === element.parent

/** Are they children of one element, or the same part of two children, such as the texts of two steps? */
function areAlike(one: ElementNode, other: ElementNode): boolean {
  return (
    one.parent === other.parent ||
    (one.parent?.parent === other.parent?.parent && attributeOf(one, 'class') === attributeOf(other, 'class'))
  )
}

const isParagraph = ({ name }: Piece): boolean => name !== 'li' && PARAGRAPHS.has(name)
/** Is it such a paragraph as the other? A `div` says so by its class. */
const isLike = (piece: Piece, { name, element }: Piece): boolean =>
  isParagraph(piece) && (piece.name !== 'div' || (name === 'div' && attributeOf(piece.element, 'class') === attributeOf(element, 'class')))

/** Is it a child of the element with most of the text, or of one like it where each paragraph has a box of its own? */
function standsBeside({ parent }: ElementNode, container: ElementNode | null): boolean {
  if (parent === container || container === null) return container !== null
  return parent?.parent === container.parent && attributeOf(parent!, 'class') === (attributeOf(container, 'class') ?? '')
}

const PARAGRAPHS = new Set(['p', 'div', 'li', 'span'])
const isSentence = ({ length, linkLength, name, nodes }: Piece) =>
  PARAGRAPHS.has(name) && linkLength <= MOST_CITED * length && length >= LEAST_SENTENCE && endsSentence(nodes)

/** Is it in a table cell beside others, all with short texts: a row of data rather than of a layout? */
function isInRowOfCells(element: ElementNode): boolean {
  const cell = element.name === 'td' ? element : element.parent
  if (cell?.name !== 'td' || cell.parent === null) return false
  const row = cell.parent.children
  // No layout has that many columns.
  if (row.length > MOST_COLUMNS) return true
  const cells = row.filter((node) => node instanceof ElementNode && node.name === 'td') as ElementNode[]
  let characters = 0
  for (const { textLength } of cells) {
    if (textLength >= MOST_DATA) return false
    characters += textLength
  }
  // Rows of calendars are shorter.
  return cells.length > 1 && characters >= LEAST_DATA * cells.length
}

/** Drops the text of nodes. Their pictures stay within the article; below its end they illustrate other pages, and are dropped too. */
function leaveOut(nodes: readonly TreeNode[], keepsPictures: boolean): void {
  for (const node of nodes) {
    if (node instanceof TextNode) node.data = ''
    else if (keepsPictures && holds(node, 'img')) {
      if (node.name !== 'img') leaveOut(node.children, true)
    } else node.dropped = true
  }
}
