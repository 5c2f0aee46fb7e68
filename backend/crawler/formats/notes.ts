/**
 * Footnotes: a reference and a note that link to each other. All generators write them so, whatever they call them: Pandoc, GitHub, python-markdown,
 * Hugo, kramdown, Sphinx, DocBook, AsciiDoc, MediaWiki.
 */
import { attributeOf, ElementNode, TextNode } from '../html-tree.ts'
import { sealLine } from './seal-line.ts'

/** What references look like: `1`, `[12]`, `(a)`, `*`. */
const REFERENCE = /^[[(]?\s*([\p{L}\p{N}]{1,4}|[*†‡§]{1,3})\s*[\])]?$/u
const MAX_NOTE = 5000
const MAX_LOOKED_AT = 400
/** A note with one of these is written where it stands. */
const NO_NOTE = new Set('pre table ul ol dl blockquote h1 h2 h3 h4 h5 h6 section article nav figure'.split(' '))
const NOTE_ELEMENTS = new Set('li div p aside dd td section'.split(' '))

export class Notes {
  /** Elements by id and anchor name; made at the first link that may lead to a note. */
  #byId: Map<string, ElementNode> | null = null
  readonly #labels = new Map<ElementNode, string>()
  readonly #taken = new Map<string, number>()
  readonly #none = new Set<ElementNode>()
  /** What leads back from notes. */
  readonly #backs = new Set<ElementNode>()

  /** The label of the note that a link refers to; null when it is another link. */
  labelFor(link: ElementNode): string | null {
    const href = attributeOf(link, 'href')
    if (href === undefined || href.length < 2 || !href.startsWith('#') || link.textLength > 6) return null
    const label = REFERENCE.exec(textOf(link).trim())?.[1]
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

  /** The label of a note that was referred to before; undefined for all other elements. */
  labelOf(element: ElementNode): string | undefined {
    return this.#labels.size === 0 ? undefined : this.#labels.get(element)
  }

  isBack(element: ElementNode): boolean {
    return this.#backs.size > 0 && this.#backs.has(element)
  }

  #noteAt(href: string, link: ElementNode): ElementNode | null {
    this.#byId ??= idsOf(link)
    let at: ElementNode | null = this.#byId.get(href.slice(1)) ?? this.#byId.get(decoded(href.slice(1))) ?? null
    for (let levels = 0; at !== null && levels < 4 && !NOTE_ELEMENTS.has(at.name); levels++) at = at.parent
    if (at === null || !NOTE_ELEMENTS.has(at.name)) return null
    for (let above: ElementNode | null = link; above !== null; above = above.parent) if (above === at) return null
    for (let above: ElementNode | null = at; above !== null; above = above.parent) if (above.dropped) return null
    return at
  }

  /** Is it a note that leads back to one of these places? Then what leads back is no part of it. */
  #take(note: ElementNode, ids: string[]): boolean {
    if (note.textLength > MAX_NOTE || note.textLength === 0) return false
    const backs: ElementNode[] = []
    // mdBook writes no way back.
    let leadsBack = /(?:^|\s)footnote-definition(?=\s|$)/.test(attributeOf(note, 'class') ?? '')
    let left = MAX_LOOKED_AT
    const isNote = look(note)
    if (!isNote || !leadsBack) return false
    for (const back of backs) this.#backs.add(back)
    return true

    function look(element: ElementNode): boolean {
      for (const child of element.children) {
        if (child instanceof TextNode) continue
        if (--left < 0 || NO_NOTE.has(child.name)) return false
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

/** Where a note may lead back to: the link, what stands right around it, and an anchor before it. */
function idsAround(link: ElementNode): string[] {
  const ids: string[] = []
  let at: ElementNode | null = link
  for (let levels = 0; at !== null && levels < 4 && !at.tag.block; at = at.parent, levels++)
    for (const name of ['id', 'name']) {
      const id = attributeOf(at, name)
      if (id !== undefined) ids.push(id)
    }
  const siblings = link.parent?.children ?? []
  const before = siblings.length > 100 ? undefined : siblings[siblings.indexOf(link) - 1]
  if (before instanceof ElementNode && before.textLength === 0) ids.push(attributeOf(before, 'id') ?? attributeOf(before, 'name') ?? '')
  return ids
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function textOf(element: ElementNode): string {
  return element.children.map((child) => (child instanceof TextNode ? child.data : textOf(child))).join('')
}

/**
 * A note as `[^1]: text`, on one line. Where footnotes are not known, one word, or one and a title, would be the address of a link: an arrow stands
 * behind it.
 */
export function noteLine(label: string, text: string): string {
  const note = sealLine(text.replace(/^(?:[\s.)^:↑↩]|\\\])+(?=\S)/, ''))
  return note === '' ? '' : `[^${label}]: ${note}${/^\S+(?:\s+["'(][^]*)?$/.test(note) ? ' ↩' : ''}`
}
