import { attributeOf, ElementNode, TextNode, type TreeNode } from './html-tree.ts'

/**
 * The smallest part of a page that is kept or left out as a whole: a block without blocks inside (a paragraph, a heading, a list entry, a table
 * cell), or a run of text and inline elements between blocks.
 */
export type Piece = {
  /** The block itself, or the nodes of the run. */
  nodes: TreeNode[]
  /** The block itself, or the element that holds the run. */
  element: ElementNode
  /** Visible characters, in all and inside links. */
  length: number
  linkLength: number
  /** The rules before kept it. */
  isKept: boolean
}

/** Places in a list of pieces, both included. */
export type PieceRange = { first: number; last: number }

/**
 * Lists the pieces of a tree in their order. Takes time in proportion to the tree.
 *
 * @param opensDropped  also the pieces inside of what was left out; otherwise each dropped block is one piece
 */
export function piecesOf(root: ElementNode, opensDropped = false): Piece[] {
  const pieces: Piece[] = []
  walk(root, true)
  return pieces

  function walk(parent: ElementNode, isKept: boolean): void {
    let run: TreeNode[] = []
    for (const child of parent.children) {
      if (child instanceof TextNode || (!child.tag.block && !child.hasBlock)) {
        // An inline element that was dropped alone stays dropped: it is no piece.
        if (child instanceof TextNode || (!child.dropped && !child.tag.silent)) run.push(child)
        continue
      }
      add(run, parent, isKept)
      run = []
      const isChildKept = isKept && !child.dropped
      if (child.hasBlock && (isChildKept || opensDropped)) walk(child, isChildKept)
      else if (child.textLength > 0 && !child.tag.silent) add([child], child, isChildKept)
    }
    add(run, parent, isKept)
  }

  function add(nodes: TreeNode[], element: ElementNode, isKept: boolean): void {
    if (nodes.length === 0) return
    let length = 0
    let linkLength = 0
    for (const node of nodes) {
      if (node instanceof TextNode) length += visibleLength(node.data)
      else {
        length += node.textLength
        linkLength += node.linkLength
      }
    }
    if (length > 0) pieces.push({ nodes, element, length, linkLength, isKept })
  }
}

/** The first characters of a piece's text. */
export function startOfPiece({ nodes }: Piece, length: number): string {
  return startOfNodes(nodes, length)
}

function startOfNodes(nodes: TreeNode[], length: number): string {
  let text = ''
  const read = (list: TreeNode[]): void => {
    for (const node of list) {
      if (text.length > length) return
      if (node instanceof TextNode) text += node.data.length > length ? node.data.slice(0, length * 2) : node.data
      else if (!node.dropped && !node.tag.silent) read(node.children)
    }
  }
  read(nodes)
  return text.length > length ? text.slice(0, length) : text
}

function endOfNodes(nodes: TreeNode[]): string {
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!
    const text =
      node instanceof TextNode ? node.data.slice(-40).trimEnd() : node.dropped || node.tag.silent ? '' : endOfNodes(node.children)
    if (text.trim() !== '') return text
  }
  return ''
}

function visibleLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 32) length++
  return length
}

const SENTENCE_END = /[.!?…。！？:]["”»’')\]」』]{0,3}\s*$/u

/** What is measured of each piece, in the order of its numbers. `piece-weights.ts` has one weight for each. */
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
  'photo words at the start, when short',
  'pointer words at the start, when short',
  'subscription words at the start, when short',
  'comment words at the start, when short',
  'legal words at the start, when short',
] as const

/** What short pieces say that are no part of the text, in the languages of most pages. */
const TOPICS = {
  photo:
    'foto fotos photo photos photographer bild bilder image images picture credit credits crédit crédits getty shutterstock istock unsplash reuters afp dpa imago quelle source fuente fonte фото 写真 图片 사진',
  pointer:
    'related also similar recommended popular previous next weiterlesen weitere weiterer vorheriger vorherige nächster nächste empfehlungen lea vea leer también leggi czytaj zobacz leia veja читайте 関連 相关',
  subscription:
    'newsletter newsletters subscribe subscriber subscribers subscription abonnieren abonniere abonnez abonner abonnement suscríbete suscribirse assine inscreva iscriviti inscription anmelden anmeldung registrieren register facebook twitter instagram telegram whatsapp youtube pinterest подписывайтесь подписаться',
  comment:
    'comment comments kommentar kommentare kommentieren commentaire commentaires comentario comentarios comentar commenti commento reply replies antworten trackback login einloggen комментарии コメント 评论',
  legal:
    '© copyright licence license lizenz privacy datenschutz datenschutzerklärung cookie cookies impressum disclaimer agb nutzungsbedingungen confidentialité privacidad',
}
/** The topics of each word, as bits in the order of `TOPICS`. */
const TOPIC_OF = new Map<string, number>()
Object.values(TOPICS).forEach((words, topic) =>
  words.split(' ').forEach((word) => TOPIC_OF.set(word, (TOPIC_OF.get(word) ?? 0) | (1 << topic))),
)
const TOPIC_COUNT = Object.keys(TOPICS).length
const POINTER_BIT = 1 << Object.keys(TOPICS).indexOf('pointer')
const POINTER_PHRASE =
  /^\W*(?:read (?:more|also|next)|see (?:also|more)|more (?:on|from|about)|l(?:esen|ies) (?:sie )?auch|mehr (?:zu|zum|lesen)|auch interessant|das könnte|lire aussi|à lire|voir aussi|le(?:er)? más|(?:te|le) puede|lees ook|läs också)/iu

/** For each first character and length, is there a topic with such a word? It spares nine of ten look-ups. */
const LONGEST = Math.max(...[...TOPIC_OF.keys()].map((word) => word.length))
const POSSIBLE = new Uint8Array(128 * (LONGEST + 1))
const placeOfWord = (first: number, length: number) => (first & 127) * (LONGEST + 1) + length
for (const word of TOPIC_OF.keys()) POSSIBLE[placeOfWord(word.charCodeAt(0), word.length)] = 1

/** The topics that a short text names. One pass over its characters: this runs for most pieces of every page. */
function topicsOf(text: string): number {
  const lower = text.toLowerCase()
  let topics = 0
  let start = -1
  for (let at = 0; at <= lower.length; at++) {
    const code = at < lower.length ? lower.charCodeAt(at) : 0
    if ((code >= 97 && code <= 122) || code >= 0xa9) {
      if (start < 0) start = at
    } else if (start >= 0) {
      const length = at - start
      if (length <= LONGEST && POSSIBLE[placeOfWord(lower.charCodeAt(start), length)] === 1)
        topics |= TOPIC_OF.get(lower.slice(start, at)) ?? 0
      start = -1
    }
  }
  return POINTER_PHRASE.test(text) ? topics | POINTER_BIT : topics
}

/** Characters at a piece's start that name its topic. Measured on marked pages: more make no better choice. */
const TOPIC_LENGTH = 80
/** Longer pieces speak of subscriptions and photographs as a part of their text. */
const SHORT = 120

/**
 * Measures pieces.
 *
 * @param host     of the page's address
 * @param without  pieces whose numbers are not asked for
 * @returns  `MEASURES.length` numbers for each piece, one piece after the other; zeros for the others and for those that the rules left out.
 *           The topics are not among them: see `measureTopics`
 */
export function measurePieces(pieces: readonly Piece[], host: string, without: PieceRange = { first: 0, last: -1 }): Float64Array {
  const count = MEASURES.length
  const numbers = new Float64Array(pieces.length * count)
  const container = mainContainer(pieces)
  const depths = new Map<ElementNode, number>()
  for (let element = container, depth = 0; element !== null; element = element.parent, depth++) depths.set(element, depth)
  const places = new Map<ElementNode, Place>()
  let total = 0
  let prose = 0
  for (const piece of pieces) {
    if (!piece.isKept) continue
    total += piece.length
    if (isProse(piece)) prose += piece.length
  }
  const near = nearAlike(pieces)
  let before = 0
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!
    if (!piece.isKept) continue
    if (at >= without.first && at <= without.last) {
      before += piece.length
      continue
    }
    const { element, length } = piece
    const place = placeOf(element.parent ?? element)
    const own = depths.get(element)
    const up = own === undefined ? place.up + (PARTS.has(element.name) ? 0 : 1) : 0
    const isInMain = (own ?? place.down) === 0
    const previous = pieces[at - 1]
    const next = pieces[at + 1]
    const share = shareOf(piece)
    const parent = element.parent
    const grandparent = parent?.parent ?? null
    let column = at * count
    const put = (value: number | boolean) => void (numbers[column++] = Number(value))
    put(Math.log(length))
    put(before / Math.max(1, total))
    put(isInMain && up <= 1)
    put(share)
    put(grandparent === null ? 0 : grandparent.linkLength / Math.max(1, grandparent.textLength))
    put(previous === undefined ? 1 : shareOf(previous))
    put(next?.isKept ?? false)
    put(length < 100 && !SENTENCE_END.test(endOfNodes(piece.nodes)))
    put(element.name === 'td')
    put(element.name === 'div')
    put(isInMain && up <= 1 ? share : 0)
    put(share > 0 && leadsToOtherSite(piece.nodes, host) ? share : 0)
    put(place.isArticle || element.name === 'article')
    put(place.isForm)
    put(near[at]!)
    put(Math.log(1 + prose))
    before += length
  }
  return numbers

  /** Where an element stands: steps up to an ancestor of the main container, and from there down to the container. */
  function placeOf(element: ElementNode): Place {
    const known = places.get(element)
    if (known !== undefined) return known
    const parent = element.parent
    const own = depths.get(element)
    const above = parent === null ? NOWHERE : placeOf(parent)
    const place = {
      up: own === undefined ? above.up + (PARTS.has(element.name) ? 0 : 1) : 0,
      down: own ?? above.down,
      isArticle: above.isArticle || element.name === 'article',
      isForm: above.isForm || element.name === 'form',
    }
    places.set(element, place)
    return place
  }
}

/** Measures what the first words of a piece are about: the last columns of its numbers. It costs as much as all else, so it stands apart. */
export function measureTopics(pieces: readonly Piece[], at: number, numbers: Float64Array): void {
  const piece = pieces[at]!
  const topics = piece.length < SHORT ? topicsOf(startOfNodes(piece.nodes, TOPIC_LENGTH)) : 0
  for (let topic = 0; topic < TOPIC_COUNT; topic++) numbers[(at + 1) * MEASURES.length - TOPIC_COUNT + topic] = (topics >> topic) & 1
}

/** Elements that are a part of the text around them: what stands in them stands directly in their container. */
const PARTS = new Set(['ul', 'ol', 'li', 'blockquote', 'figure', 'table', 'tbody', 'thead', 'tr', 'dl'])

type Place = { up: number; down: number; isArticle: boolean; isForm: boolean }
const NOWHERE: Place = { up: 0, down: 9, isArticle: false, isForm: false }

const shareOf = ({ linkLength, length }: Piece) => Math.min(1, linkLength / Math.max(1, length))

/** Is it long enough, and with few enough links, to be running text? */
export function isProse(piece: Piece): boolean {
  return piece.length >= 80 && piece.linkLength < 0.4 * piece.length
}

/** Does a link in these nodes lead to another site than `host`? */
export function leadsToOtherSite(nodes: readonly TreeNode[], host: string): boolean {
  return nodes.some(
    (node) =>
      node instanceof ElementNode &&
      ((node.name === 'a' && isOtherSite(attributeOf(node, 'href') ?? '', host)) || leadsToOtherSite(node.children, host)),
  )
}

/** Is it an absolute address whose host shares no ending with the page's? `www.` and subdomains are the same site. */
function isOtherSite(href: string, host: string): boolean {
  const other = /^https?:\/\/([^/?#:]+)/i
    .exec(href)?.[1]
    ?.toLowerCase()
    .replace(/^www\./, '')
  if (other === undefined) return false
  const own = host.replace(/^www\./, '')
  return !own.endsWith(other) && !other.endsWith(own)
}

/** The element that holds most of the kept prose directly. */
function mainContainer(pieces: readonly Piece[]): ElementNode | null {
  const weights = new Map<ElementNode, number>()
  let best: ElementNode | null = null
  let most = 0
  for (const piece of pieces) {
    if (!piece.isKept || !isProse(piece)) continue
    const holder = piece.element.parent ?? piece.element
    const weight = (weights.get(holder) ?? 0) + piece.length
    weights.set(holder, weight)
    if (weight > most) {
      most = weight
      best = holder
    }
  }
  return best
}

/** For each piece, how many of the four before and the four after are elements of the same name. */
function nearAlike(pieces: readonly Piece[]): number[] {
  return pieces.map(({ element }, at) => {
    let alike = 0
    for (let other = Math.max(0, at - 4); other <= Math.min(pieces.length - 1, at + 4); other++)
      if (other !== at && pieces[other]!.element.name === element.name) alike++
    return alike
  })
}
