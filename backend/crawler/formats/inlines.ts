/** Writes inline content as Markdown: text, emphasis, code, links, pictures. */
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { firstLink, isLink } from '#backend/crawler/html/tree-text.ts'
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import { linkDestination, linkTitle, pictureDestination } from './link-urls.ts'
import { arePartedLabels, edgeOf, isBox } from './boundaries.ts'
import { rawText } from './code.ts'
import { escapeText, singleSpaced } from './escape.ts'
import { BREAK, endsWithBreak, Line, startsWithBreak, trimLine, type Mark } from './line.ts'
import { shownField } from './fields.ts'
import { FormulaReader, formulasInText, type Formula } from './math.ts'
import { Notes, sideNoteOf } from './notes.ts'
import { FILE_NAME, hasCaption, imageSource, isLinkedIcon, isSaid, mediaName, mediaSource } from './pictures.ts'
import { escapeBrackets, FORMULA } from './seal-line.ts'

/** Longer texts are cut, since no more than this is written of a page. */
const MAX_TEXT = 4 * 1024 * 1024
/** The longest description of a picture within an article's text. */
const MAX_ALT = 60
const MAX_MEDIA_TITLE = 200
/** Deeper nested emphasis is ignored: no page needs more. */
const MAX_MARKS = 16

/** With more siblings the position of an element is not searched: the time for all of them would grow with the square of their number. */
const MAX_SIBLINGS = 200

/** Elements whose Markdown is more, or less, than their content. */
const MARKED = new Set(
  (
    'br wbr img a strong b em i cite dfn var del s strike code kbd samp tt q hr button sup sub rt iframe video audio object embed ' +
    'amp-img amp-youtube lite-youtube input textarea'
  ).split(' '),
)
const MARKS: Record<string, Mark> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  cite: '*',
  dfn: '*',
  var: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
}
/** Nested in an element of the same kind, these have a meaning (HTML, 4.5.2 and 4.5.3); the others only repeat the same look. */
const GRADED = new Set(['strong', 'em'])

/** Is the Markdown of an inline element only that of its content? */
const isTransparent = (element: ElementNode) => !element.tag.silent && !MARKED.has(element.name)

export type MarkdownOptions = { plainImages: boolean; title: string; keepHtml?: boolean }

export class InlineWriter {
  readonly #resolver: LinkResolver
  readonly #options: MarkdownOptions
  /** Alt texts of the page so far. An alt text that several pictures share describes none of them. */
  readonly #alts = new Set<string>()
  readonly #formulas = new FormulaReader()
  /** Number of open elements that have Markdown of their own. */
  #marks = 0
  /** The delimiters of the open emphasis. */
  readonly #open: string[] = []
  readonly notes = new Notes()
  /** A table cell is being written: there `|` separates cells, in code too. */
  inCell = false
  /** The text of a link is being written. */
  inLink = false
  /** Writes the text of buttons, since some headings are a button that folds their section. */
  showsButtons = false
  /** The heading that is being written: a link in it whose text is a word for "link" leads to the heading itself. */
  heading: ElementNode | null = null
  /**
   * Since this was set, nothing was added for which a finished line must be sealed: see `sealLine`. The writer of a line sets it before the
   * line begins. Measured: it spares most lines the check, which takes 15 of 130 µs per page.
   */
  isCalm = true
  /** The last character of the last plain text. */
  #lastOfText = SPACE

  constructor(resolver: LinkResolver, options: MarkdownOptions) {
    this.#resolver = resolver
    this.#options = options
  }

  /** Writes nodes as one line; blocks among them get spaces around them. */
  text(nodes: TreeNode[]): string {
    const [only] = nodes
    // Most labels, cells and headings are a single plain text.
    if (nodes.length === 1 && only instanceof TextNode && only.isPlain) {
      this.#joins(only.data)
      return only.data
    }
    const line = new Line()
    this.addAll(line, nodes)
    return line.take()
  }

  /**
   * Adds a node to a line. An element without Markdown of its own adds its children one by one: writing them into a string first would copy
   * the content once more for each level of nesting. For the same reason emphasis that is nested too deeply is ignored.
   */
  addTo(line: Line, node: TreeNode): void {
    if (node instanceof TextNode) return this.addText(line, node)
    const formula = this.formulaOf(node)
    if (formula !== null) return this.addFormula(line, formula)
    this.addElement(line, node)
  }

  /** Adds an element that is not a formula. */
  addElement(line: Line, node: ElementNode): void {
    const side = node.attributes === null ? null : sideNoteOf(node)
    if (side === 'mark') return
    if (side === 'note') return this.#addSideNote(line, node)
    if (isTransparent(node) || (this.#marks >= MAX_MARKS && node.children.length > 0 && !node.tag.silent))
      return this.addAll(line, node.children)
    this.#marks++
    const mark = MARKS[node.name]
    if (mark === undefined) this.#addMarkedElement(line, node)
    else this.#addEmphasis(line, node, mark)
    this.#marks--
  }

  /** The URL for a link in Markdown; null when it is not a web URL. */
  urlOf(href: string | undefined): string | null {
    return linkDestination(href, this.#resolver)?.url ?? null
  }

  /** Is it a read-only field with several lines? These are a block of code. */
  holdsLines(element: ElementNode): boolean {
    return element.name === 'textarea' && shownField(element, this.#resolver).includes('\n')
  }

  /** The formula of an element; null when the element is not a formula. */
  formulaOf(element: ElementNode): Formula | null {
    return element.attributes === null && !element.name.startsWith('m') ? null : this.#formulas.read(element)
  }

  /** Adds a formula to a line. A display formula within a line keeps its two dollar signs. */
  addFormula(line: Line, { tex, isDisplay }: Formula): void {
    if (tex === '') return
    this.isCalm = false
    let written = tex.replaceAll('\n', ' ')
    if (this.inCell) written = written.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ')
    line.add(FORMULA + (isDisplay ? `$${written}$` : written) + FORMULA)
  }

  /** Adds a text and the formulas in it. */
  addText(line: Line, node: TextNode): void {
    if (node.isCalm) {
      this.#joins(node.data)
      return line.add(node.isPlain ? node.data : singleSpaced(cut(node.data)))
    }
    this.isCalm = false
    const parts = formulasInText(node.data)
    if (parts === null) return line.add(escapeText(cut(node.data)))
    for (const part of parts)
      if (typeof part === 'string') line.add(escapeText(part))
      else this.addFormula(line, part)
  }

  /**
   * Adds code. Renderers split table rows at `|` before they look for code, and in code a backslash before `|` cannot be escaped: such code
   * is written as text. So is code with backticks in a link, where marked finds other ends of the code and of the link.
   */
  addCode(line: Line, raw: string): void {
    const isText = (this.inCell && raw.includes('\\|')) || (this.inLink && raw.includes('`'))
    if (isText || NEEDS_SEAL.test(raw)) this.isCalm = false
    if (isText) line.add(escapeText(raw))
    else line.addCode(raw)
  }

  /** Two adjacent texts may form a URL together: `ht:/` and `/`, `ww` and `w.` */
  #joins(text: string): void {
    if (mayJoin(this.#lastOfText) && mayJoin(text.charCodeAt(0))) this.isCalm = false
    this.#lastOfText = text.charCodeAt(text.length - 1)
  }

  /** Adds nodes to a line; blocks and boxes among them get spaces around them. */
  addAll(line: Line, nodes: TreeNode[]): void {
    let before: TreeNode | null = null
    for (const node of nodes) {
      if (line.isFull) return
      if (node instanceof TextNode) this.addText(line, node)
      else if (!node.dropped && !this.notes.isBack(node)) {
        const isApart = node.tag.block || (node.attributes !== null && isBox(node))
        if (isApart || (before instanceof ElementNode && arePartedLabels(before, node))) line.add(' ')
        this.addTo(line, node)
        if (isApart) line.add(' ')
      } else continue
      before = node
    }
  }

  /** Adds a side note in parentheses. Wide screens show it in the margin. */
  #addSideNote(line: Line, element: ElementNode): void {
    const text = trimLine(this.text(element.children))
    if (text !== '') line.add(` (${text}) `)
  }

  #addEmphasis(line: Line, element: ElementNode, mark: Mark): void {
    // Bold within bold looks the same.
    if (this.#open.includes(mark) && !(GRADED.has(element.name) && hasGradedParent(element))) return this.addAll(line, element.children)
    this.#open.push(mark)
    const text = this.text(element.children)
    this.#open.pop()
    if (mark === '~~') this.isCalm = false
    // Forums write the author of a quotation directly before its text: <cite>Keel wrote:</cite>White glue …
    if (element.name === 'cite' && (text.endsWith(':') || headsQuotation(element, text))) line.add(text + ' ')
    else line.addMarked(text, mark)
  }

  #addMarkedElement(line: Line, element: ElementNode): void {
    switch (element.name) {
      case 'br':
        return line.add(BREAK)
      case 'img':
      case 'amp-img':
        this.isCalm = false
        return line.add(this.#image(element))
      case 'a': {
        const label = this.inCell ? null : this.notes.labelFor(element)
        if (label === null) return this.#addLink(line, element)
        this.isCalm = false
        return line.addReference(label)
      }
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return this.#addCodeElement(line, element)
      case 'q':
        return line.add('“' + trimLine(this.text(element.children)) + '”')
      case 'sup':
      case 'sub': {
        this.isCalm = false
        const text = this.#raised(element)
        const reference = REFERENCE.exec(text)?.[1]
        return reference === undefined ? line.add(text) : line.addReference(reference)
      }
      case 'rt': {
        const reading = trimLine(this.text(element.children))
        return line.add(reading === '' || hasOwnBrackets(element) ? reading : `(${reading})`)
      }
      case 'hr':
        return line.add(' ')
      case 'iframe':
      case 'video':
      case 'audio':
      case 'object':
      case 'embed':
      case 'amp-youtube':
      case 'lite-youtube':
        this.isCalm = false
        return line.add(this.#media(element))
      case 'input':
      case 'textarea': {
        const value = shownField(element, this.#resolver)
        if (value !== '') this.addCode(line, value.replace(/\s+/g, ' '))
        return
      }
      case 'button':
        if (this.showsButtons) this.addAll(line, element.children)
    }
  }

  #addCodeElement(line: Line, element: ElementNode): void {
    if (element.hasBlock) return this.addAll(line, element.children)
    const [only] = element.children
    // In manuals a name in code may be a link: the link is written around the code.
    if (element.children.length === 1 && only instanceof ElementNode && only.name === 'a' && !only.dropped) {
      const url = this.urlOf(attributeOf(only, 'href'))
      if (url !== null) {
        this.isCalm = false
        const label = new Line()
        this.inLink = true
        this.addCode(label, rawText(only))
        this.inLink = false
        return line.add(`[${escapeBrackets(label.take())}](${url})`)
      }
    }
    const raw = rawText(element)
    // A `tt` of white space is a space: manuals put one between the number and the words of a heading.
    if (element.name === 'tt' && raw.trim() === '') line.add(' ')
    else this.addCode(line, raw)
  }

  /**
   * Writes superscript and subscript as HTML. CommonMark has no syntax for them, and without any 10 to the power of 6 would read as 106.
   */
  #raised(element: ElementNode): string {
    const text = this.text(element.children)
    const inner = trimLine(text)
    if (inner === '' || inner.startsWith('[') || inner.startsWith('\\[')) return text
    if (element.name === 'sup' ? PLAIN_RAISED.test(inner) : /^\d+$/.test(inner) && isBetweenLetters(element)) return text
    return `<${element.name}>${inner}</${element.name}>`
  }

  /** A link ends at a nested link (HTML, 13.2.6.4.7). */
  #addLink(line: Line, element: ElementNode): void {
    const { children } = element
    const inner = children.findIndex((child) => child instanceof ElementNode && (isLink(child) || firstLink(child) !== null))
    if (inner < 0) return line.add(this.#link(element, children))
    if (inner > 0) line.add(this.#link(element, children.slice(0, inner)))
    this.addAll(line, children.slice(inner))
  }

  #link(element: ElementNode, children: TreeNode[]): string {
    const href = attributeOf(element, 'href')
    const around = this.inLink
    this.inLink = around || href !== undefined
    const text = this.text(children)
    this.inLink = around
    const trimmed = trimLine(text)
    const label = trimmed.includes('\n') ? trimmed.replaceAll(BREAK, ' ') : trimmed
    if (href === undefined) return text
    if (label === '') return text
    // Permalinks, which link a heading to itself.
    if (
      href.includes('#') &&
      (SELF_LINK.test(label) || (this.heading !== null && LINK_WORDS.test(label))) &&
      this.#resolver.isSamePage(href)
    )
      return ''
    if (this.heading !== null && isOneOf(href, this.heading, element)) return text
    const destination = linkDestination(href, this.#resolver)
    if (destination === null) return text
    const { url } = destination
    if (!destination.isCalm) this.isCalm = false
    if (label.startsWith('![') && ONE_PICTURE.test(label) && (this.#options.plainImages || /\.(?:jpe?g|png|gif|webp|avif)$/i.test(url)))
      return text
    const title = this.#options.plainImages ? '' : linkTitle(attributeOf(element, 'title'), label, url)
    if (title !== '') this.isCalm = false
    if (trimmed.length === text.length) return `[${escapeBrackets(label)}](${url}${title})`
    const leading = startsWithBreak(text) ? BREAK : text.startsWith(' ') ? ' ' : ''
    const trailing = endsWithBreak(text) ? BREAK : text.endsWith(' ') ? ' ' : ''
    return `${leading}[${escapeBrackets(label)}](${url}${title})${trailing}`
  }

  /** Writes a video, audio or embedded PDF as a link. */
  #media(element: ElementNode): string {
    const source = mediaSource(element, this.#resolver)
    if (source === null) return ''
    const given = attributeOf(element, 'title') ?? attributeOf(element, 'aria-label') ?? ''
    const label = trimLine(escapeText(given.slice(0, MAX_MEDIA_TITLE))) || mediaName(element, source)
    return ` [${escapeBrackets(label)}](${source}) `
  }

  /** A link to a frame of a frameset, named as the page names the frame; empty for one without a page. */
  frame(element: ElementNode): string {
    const source = attributeOf(element, 'src')
    const destination = source === undefined ? null : linkDestination(source, this.#resolver)
    if (destination === null) return ''
    const name = attributeOf(element, 'title')?.trim() || attributeOf(element, 'name')?.trim() || lastSegment(destination.url)
    this.isCalm = false
    return `[${escapeBrackets(trimLine(escapeText(name.slice(0, MAX_MEDIA_TITLE))))}](${destination.url})`
  }

  #image(element: ElementNode): string {
    const source = imageSource(element, this.#resolver)
    if (source === null || (this.#options.plainImages && isLinkedIcon(element))) return ''
    const given = (attributeOf(element, 'alt') ?? '').replace(/\s+/g, ' ').trim()
    const alt =
      given === '' ||
      // An article without captions is read, and a long alt text is a caption.
      (this.#options.plainImages && given.length > MAX_ALT) ||
      (given.length < 200 && FILE_NAME.test(given)) ||
      isSaid(given, this.#options.title) ||
      this.#alts.has(given) ||
      hasCaption(element, given)
        ? ''
        : given
    if (alt !== '') this.#alts.add(alt)
    const title = this.#options.plainImages ? '' : linkTitle(attributeOf(element, 'title'), given, source)
    return `![${escapeBrackets(escapeText(alt))}](${pictureDestination(source)}${title})`
  }
}

/** phpBB 3.2 and later add a link and the date: <cite>Keel wrote: <a href="…">↑</a></cite>. */
function headsQuotation(cite: ElementNode, text: string): boolean {
  const around = cite.parent
  if (around === null || (around.name !== 'blockquote' && around.parent?.name !== 'blockquote') || !/:\s/.test(text)) return false
  return around.children.find((child) => child instanceof ElementNode || child.data.trim() !== '') === cite
}

const lastSegment = (url: string): string => url.replace(/[?#].*$/, '').replace(/^.*\/(?=.)/, '')

/** Documentation generators use a symbol, a zero-width space, or a word as permalink. */
export const SELF_LINK = /^[\u200b\ufeff]*(?:(?:\u00a0|\\?[¶#§🔗◆⚓∞⌗⛓][\ufe0e\ufe0f]?|\\?\[?permalink\]?)[\u200b\ufeff\u00a0]*)?$/iu
const LINK_WORDS =
  /^\\?\[?(?:(?:copy|direct|permanent|anchor|section|heading)[ -])?(?:link|permalink|anchor)(?: (?:to|for) (?:this )?(?:heading|headline|section|definition|term))?\]?$/i

/** Does a link lead to one of these elements of its page? */
const isOneOf = (href: string, ...targets: ElementNode[]): boolean =>
  href.length > 1 && targets.some((target) => href === '#' + (attributeOf(target, 'id') ?? attributeOf(target, 'name') ?? ''))

/** A link to a footnote, perhaps in brackets that the page wrote. */
const REFERENCE = /^(?:\\?\[)?\[\^([\w-]+)\](?:\\?\])?$/

/** A picture and nothing else. */
const ONE_PICTURE = /^!\[(?:[^\]\\]|\\.)*\]\((?:[^()<>]|\([^()]*\))*\)$/

/**
 * Superscripts that are read as part of the line: endings of ordinal numbers in English and French, trademark signs, references to notes.
 */
const PLAIN_RAISED = /^(?:st|nd|rd|th|er|re|ère|e|es|ème|èmes|eme|nde?s?|TM|SM|MC|R|\(R\)|[\p{So}\p{Po}\\]+)$/u

/** Does a subscript follow a letter and precede no digit? People write and search CO2 without a subscript. */
function isBetweenLetters(element: ElementNode): boolean {
  const siblings = element.parent!.children
  const at = siblings.length > MAX_SIBLINGS ? -1 : siblings.indexOf(element)
  const [before, after] = [siblings[at - 1], siblings[at + 1]]
  return before instanceof TextNode && /[\p{L})\]]$/u.test(before.data.slice(-2)) && !(after instanceof TextNode && /^\d/.test(after.data))
}

/**
 * Does emphasis stand in emphasis of the same kind, where its delimiters cannot pair up with the outer ones: with letters at its inner
 * edges and none outside?
 */
function hasGradedParent(element: ElementNode): boolean {
  const mark = MARKS[element.name]
  const { children } = element.parent!
  if (children.length > MAX_SIBLINGS || !LETTER.test(edgeOf(element, true)) || !LETTER.test(edgeOf(element, false))) return false
  const at = children.indexOf(element)
  const [previous, next] = [children[at - 1], children[at + 1]]
  if (previous !== undefined && !(previous instanceof TextNode && !LETTER.test(previous.data.slice(-1)))) return false
  if (next !== undefined && !(next instanceof TextNode && !LETTER.test(next.data.slice(0, 1)))) return false
  for (let above = element.parent; above !== null && !above.tag.block; above = above.parent)
    if (MARKS[above.name] === mark) return GRADED.has(above.name)
  return false
}
const LETTER = /[\p{L}\p{N}]/u

/** Does the page have brackets for browsers without ruby? */
function hasOwnBrackets(reading: ElementNode): boolean {
  const siblings = reading.parent?.children ?? []
  return siblings.length <= MAX_SIBLINGS && siblings.some((child) => child instanceof ElementNode && child.name === 'rp')
}

const SPACE = 32
/** `/`, `:`, `.` and `w`: two of them in a row, from two texts, may belong to a URL. */
const mayJoin = (code: number) => code === 46 || code === 47 || code === 58 || (code | 32) === 119
/** What makes a line need sealing. */
const NEEDS_SEAL = /[~$@\\]|\/\/|ww/i

const cut = (text: string): string => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text)
