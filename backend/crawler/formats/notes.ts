/**
 * Recognises footnotes: a reference and a note that link to each other. All generators write them like that, with different class names:
 * Pandoc, GitHub, python-markdown, Hugo, kramdown, Sphinx, DocBook, AsciiDoc, MediaWiki.
 */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { textContent } from '#backend/crawler/html/tree-text.ts'
import { sealLine } from './seal-line.ts'

/** The form of references: `1`, `[12]`, `(a)`, `*`. */
const REFERENCE = /^[[(]?\s*([\p{L}\p{N}]{1,4}|[*†‡§]{1,3})\s*[\])]?$/u
const MAX_NOTE = 5000
const MAX_LOOKED_AT = 400
/** A note that contains one of these is not moved to a footnote. */
const NO_NOTE = new Set('pre table ul ol dl blockquote h1 h2 h3 h4 h5 h6 section article nav figure'.split(' '))
const NOTE_ELEMENTS = new Set('li div p aside dd td section'.split(' '))
/** An entry of a list of notes may contain these: they are written after its first line. */
const IN_ENTRIES = new Set('pre table ul ol blockquote'.split(' '))
const NOTE_LIST = /(?:^|\s)(?:footnote|citation)(?=\s|$)/

export class Notes {
  /** Elements by id and anchor name; collected at the first link that may lead to a note. */
  #byId: Map<string, ElementNode> | null = null
  readonly #labels = new Map<ElementNode, string>()
  readonly #taken = new Map<string, number>()
  readonly #none = new Set<ElementNode>()
  /** The links back from notes. */
  readonly #backs = new Set<ElementNode>()

  /** The label of the note that a link refers to; null for other links. */
  labelFor(link: ElementNode): string | null {
    const href = attributeOf(link, 'href')
    if (href === undefined || href.length < 2 || !href.startsWith('#') || link.textLength > 6) return null
    const label = REFERENCE.exec(textContent(link).trim())?.[1]
    if (label === undefined) return null
    const note = this.#noteAt(href, link)
    if (note === null) return null
    const known = this.#labels.get(note)
    if (known !== undefined) return known
    if (this.#none.has(note)) return null
    if (!this.#take(note, idsAround(link))) {
      this.#none.add(note)
      return null
    }
    const plain = /^[a-z\d]+$/i.test(label) ? label : 'note'
    const times = this.#taken.get(plain) ?? 0
    this.#taken.set(plain, times + 1)
    const unique = times === 0 ? plain : `${plain}-${times + 1}`
    this.#labels.set(note, unique)
    return unique
  }

  /** The label of a note that a reference leads to; undefined for all other elements. */
  labelOf(element: ElementNode): string | undefined {
    return this.#labels.size === 0 ? undefined : this.#labels.get(element)
  }

  isBack(element: ElementNode): boolean {
    return this.#backs.size > 0 && this.#backs.has(element)
  }

  #noteAt(href: string, link: ElementNode): ElementNode | null {
    this.#byId ??= idsOf(link)
    let at: ElementNode | null = this.#byId.get(href.slice(1)) ?? this.#byId.get(decoded(href.slice(1))) ?? null
    if (at?.name === 'dt' && NOTE_LIST.test(attributeOf(at.parent!, 'class') ?? '')) at = definitionOf(at)
    for (let levels = 0; at !== null && levels < 4 && !isNoteElement(at); levels++) at = at.parent
    if (at === null || !isNoteElement(at)) return null
    for (let above: ElementNode | null = link; above !== null; above = above.parent) if (above === at) return null
    for (let above: ElementNode | null = at; above !== null; above = above.parent) if (above.dropped) return null
    return at
  }

  /** Does a note lead back to one of these places? Then its link back is not part of its text. */
  #take(note: ElementNode, ids: string[]): boolean {
    if (note.textLength > MAX_NOTE || note.textLength === 0) return false
    const backs: ElementNode[] = []
    // mdBook writes no link back.
    let leadsBack = /(?:^|\s)footnote-definition(?=\s|$)/.test(attributeOf(note, 'class') ?? '')
    let left = MAX_LOOKED_AT
    // Older versions of Sphinx: the link back is in the term before the note.
    const term = note.name === 'dd' ? termOf(note) : null
    if (term !== null) {
      look(term)
      backs.push(term)
    }
    const isEntry = note.name === 'li'
    const isNote = look(note)
    if (!isNote || !leadsBack) return false
    for (const back of backs) this.#backs.add(back)
    return true

    function look(element: ElementNode): boolean {
      for (const child of element.children) {
        if (child instanceof TextNode) continue
        if (--left < 0 || (NO_NOTE.has(child.name) && !(isEntry && IN_ENTRIES.has(child.name)))) return false
        const href = child.name === 'a' ? attributeOf(child, 'href') : undefined
        if (href !== undefined && href.startsWith('#') && child.textLength <= 6) {
          if (ids.includes(href.slice(1)) || ids.includes(decoded(href.slice(1)))) leadsBack = true
          backs.push(child)
        } else if (BACK.test(attributeOf(child, 'class') ?? '') && child.textLength < 40) {
          backs.push(child)
          if (!look(child)) return false
        } else if (!look(child)) return false
      }
      return true
    }
  }
}

/** Is it an element that generators use for notes? Docutils wrote each note in a table. */
function isNoteElement(element: ElementNode): boolean {
  return NOTE_ELEMENTS.has(element.name) || (element.name === 'table' && NOTE_LIST.test(attributeOf(element, 'class') ?? ''))
}

function definitionOf(term: ElementNode): ElementNode | null {
  const siblings = term.parent!.children
  const next = siblings.slice(siblings.indexOf(term) + 1, siblings.indexOf(term) + 3).find((child) => child instanceof ElementNode)
  return next !== undefined && next.name === 'dd' ? next : null
}

function termOf(definition: ElementNode): ElementNode | null {
  const list = definition.parent
  if (list === null || !NOTE_LIST.test(attributeOf(list, 'class') ?? '')) return null
  const at = list.children.indexOf(definition)
  const before = list.children.slice(Math.max(at - 2, 0), at).findLast((child) => child instanceof ElementNode)
  return before !== undefined && before.name === 'dt' ? before : null
}

/** The first paragraph of a note with several blocks. */
export function firstOfBlocks(note: ElementNode): ElementNode | null {
  const blocks = note.children.filter((child) => child instanceof ElementNode && child.tag.block && child.textLength > 0) as ElementNode[]
  return blocks.length > 1 && blocks[0]!.name === 'p' ? blocks[0]! : null
}

// ---- notes within the text

const SIDE_NOTE = /(?:^|\s)(?:sidenote|marginnote|ltx_note_content|modern-footnotes-footnote__note)(?=\s|$)/
const SIDE_MARK = /(?:^|\s)(?:ltx_note_mark|ltx_tag_note)(?=\s|$)/

/** Is an inline element a note within the text, as Tufte CSS and LaTeXML write it, or the mark of one? */
export function sideNoteOf(element: ElementNode): 'note' | 'mark' | null {
  const attributes = element.attributes!
  for (let at = 0; at < attributes.length; at += 2) {
    if (attributes[at] !== 'class') continue
    const label = attributes[at + 1]!
    if (!label.includes('note')) return null
    return SIDE_NOTE.test(label) ? 'note' : SIDE_MARK.test(label) ? 'mark' : null
  }
  return null
}

const BACK = /(?:^|\s)(?:mw-cite-backlink|fn-bracket|footnote-backref|footnote-definition-label|label)(?=\s|$)/

function idsOf(start: ElementNode): Map<string, ElementNode> {
  let root = start
  while (root.parent !== null) root = root.parent
  const ids = new Map<string, ElementNode>()
  look(root)
  return ids

  function look(element: ElementNode) {
    for (const child of element.children) {
      if (child instanceof TextNode) continue
      const id = attributeOf(child, 'id') ?? (child.name === 'a' ? attributeOf(child, 'name') : undefined)
      if (id !== undefined && !ids.has(id)) ids.set(id, child)
      look(child)
    }
  }
}

/** The places that a note may lead back to: the link, the nodes around it, and an anchor before it. */
function idsAround(link: ElementNode): string[] {
  const ids: string[] = []
  let at: ElementNode | null = link
  for (let levels = 0; at !== null && levels < 4 && !at.tag.block; at = at.parent, levels++) {
    for (const name of ['id', 'name']) {
      const id = attributeOf(at, name)
      if (id !== undefined) ids.push(id)
    }
    const siblings = at.parent?.children ?? []
    const before = siblings.length > 100 ? undefined : siblings[siblings.indexOf(at) - 1]
    if (before instanceof ElementNode && before.textLength === 0) ids.push(attributeOf(before, 'id') ?? attributeOf(before, 'name') ?? '')
  }
  return ids
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a link reference definition reads as a URL, perhaps with a title: one word, or any text in angle brackets (CommonMark 4.7). */
const LINK_DEFINITION = /^(?:\S+|<(?:[^<>\\]|\\.)*>)(?:\s+["'(][^]*)?$/

/**
 * Writes a note as `[^1]: text`, on one line. For renderers without footnotes, one word, or a word and a title, would be the URL of a link:
 * an arrow is added.
 */
export function noteLine(label: string, text: string): string {
  const note = sealLine(text.replace(/^(?:[\s.)^:↑↩]|\\\])+(?=\S)/, ''))
  return note === '' ? '' : `[^${label}]: ${note}${LINK_DEFINITION.test(note) ? ' ↩' : ''}`
}
