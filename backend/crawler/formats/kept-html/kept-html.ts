/** Writes elements that Markdown has no syntax for as HTML within the Markdown, if the crawl asks for that: inline, and as blocks. */
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import { arePartedLabels, isBox } from '../boundaries.ts'
import { shownField } from '../fields.ts'
import { isHiddenLabel } from '../boxes.ts'
import { InlineWriter, SELF_LINK, type MarkdownOptions } from '../inlines.ts'
import { htmlText, mediaLink, pictureTag, reference, startTag, staysAround, staysWithText, tagInHtml, tagInLine } from './kept-tags.ts'
import type { Line } from '../line.ts'
import { holdsLinesOnly, isLeftEmpty, type BlockWriter } from '../lists.ts'
import { sideNoteOf } from '../notes.ts'
import { TAG } from '../seal-line.ts'
import { isCell, isLayout } from '../tables/tables.ts'

/** No more than this is written of a page. */
const MAX_HTML = 4 * 1024 * 1024
const LEFT_EMPTY = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const TABLE_PARTS = new Set(['thead', 'tbody', 'tfoot', 'tr'])
const CELLS = new Set(['caption', 'td', 'th'])

/** Writes a line of Markdown in which some elements are HTML tags around Markdown. */
export class KeptInlines extends InlineWriter {
  readonly #resolver: LinkResolver
  /** Number of open elements whose tags are written. */
  #open = 0

  constructor(resolver: LinkResolver, options: MarkdownOptions) {
    super(resolver, options)
    this.#resolver = resolver
  }

  override addElement(line: Line, node: ElementNode): void {
    // A tag alone on the line after a line break could begin an HTML block.
    if (node.name === 'br' && this.#open > 0) return line.add(`${TAG}<br>${TAG}`)
    const tag = tagInLine(node, this.#resolver)
    if (tag === null || (node.attributes !== null && sideNoteOf(node) !== null)) return super.addElement(line, node)
    this.isCalm = false
    line.add(TAG + tag + TAG)
    this.#open++
    this.addAll(line, node.children)
    this.#open--
    line.add(`${TAG}</${node.name}>${TAG}`)
  }
}

/**
 * Writes blocks as HTML. An element with blocks inside becomes two lines of tags with Markdown between them; an element without is written
 * in HTML completely, since Markdown would make its text a paragraph. Each tag is on a line of its own, which CommonMark reads as HTML
 * whatever the name.
 */
export class KeptBlocks {
  readonly #writer: BlockWriter
  readonly #resolver: LinkResolver
  #out = ''

  constructor(writer: BlockWriter, resolver: LinkResolver) {
    this.#writer = writer
    this.#resolver = resolver
  }

  /** @returns false when the element is not kept */
  write(element: ElementNode): boolean {
    const { hasBlock, name } = element
    if (name === '#root' || name === 'body') return !hasBlock && this.#lone(element)
    if (isLeftEmpty(element)) {
      if (!LEFT_EMPTY.has(name) && !staysWithText(name)) return false
      this.#whole(element)
      return true
    }
    if (element.textLength === 0 || !(hasBlock ? staysAround(name) : staysWithText(name))) return false
    if (name === 'summary' && isHiddenLabel(element)) return false
    if (!hasBlock) this.#whole(element)
    else if (name === 'dl') this.#around(element, () => this.#terms(element))
    else this.#around(element, () => this.#writer.blocks(element.children))
    return true
  }

  /**
   * Writes a table that Markdown cannot express: a single column, or cells that span others or contain lists and code. False for other
   * tables.
   */
  writeTable(table: ElementNode, rows: ElementNode[]): boolean {
    const role = attributeOf(table, 'role')
    if (rows.length === 0 || role === 'presentation' || role === 'none') return false
    if (!isLayout(table, rows) && !rows.some((row) => row.children.some(isBeyondMarkdown))) return false
    this.#around(table, () => this.#parts(table))
    return true
  }

  /** An inline element that is the whole page, and so stands in no paragraph. */
  #lone(parent: ElementNode): boolean {
    const shown = parent.children.filter((child) => !(child instanceof TextNode) || child.data.trim() !== '')
    const [only] = shown
    if (shown.length !== 1 || !(only instanceof ElementNode) || only.dropped) return false
    const tag = tagInHtml(only, this.#resolver)
    if (tag !== null) this.#whole(only, tag)
    return tag !== null
  }

  #parts(parent: ElementNode): void {
    for (const child of parent.children) {
      if (child instanceof TextNode) {
        if (child.data.trim() !== '') this.#writer.blocks([child])
      } else if (child.dropped) continue
      else if (TABLE_PARTS.has(child.name)) this.#around(child, () => this.#parts(child))
      else if (CELLS.has(child.name)) this.#cell(child)
      else if (child.name !== 'colgroup' && child.name !== 'col') this.#writer.blocks([child])
    }
  }

  #terms(parent: ElementNode): void {
    for (const child of parent.children) {
      if (child instanceof TextNode) {
        if (child.data.trim() !== '') this.#writer.blocks([child])
        continue
      }
      if (child.dropped || this.#writer.inlines.notes.isBack(child)) continue
      const note = this.#writer.inlines.notes.labelOf(child)
      if (note !== undefined) this.#writer.footnote(child, note)
      else if (child.name === 'dt' || child.name === 'dd') this.#cell(child)
      else if (child.name === 'div') this.#terms(child)
      else this.#writer.blocks([child])
    }
  }

  #cell(element: ElementNode): void {
    if (element.hasBlock) this.#around(element, () => this.#writer.blocks(element.children))
    else this.#whole(element)
  }

  #around(element: ElementNode, write: () => void): void {
    this.#writer.output.writeHtml(startTag(element, this.#resolver))
    write()
    this.#writer.output.writeHtml(`</${element.name}>`)
  }

  #whole(element: ElementNode, tag = startTag(element, this.#resolver)): void {
    this.#out = ''
    this.#addAll(element.children)
    // The first character is escaped, so that a program that reads the Markdown line by line finds no heading or list there.
    const inner = this.#out.trim().replace(/^[#+=|:-]/, reference)
    this.#writer.output.writeHtml(`${tag}\n${inner === '' ? '' : inner + '\n'}</${element.name}>`)
  }

  #addAll(nodes: TreeNode[]): void {
    const { inlines } = this.#writer
    let before: TreeNode | null = null
    for (const node of nodes) {
      if (this.#out.length > MAX_HTML) return
      if (node instanceof TextNode) this.#out += htmlText(node.data.slice(0, MAX_HTML))
      else if (node.dropped || inlines.notes.isBack(node)) continue
      else {
        const isApart = node.attributes !== null && isBox(node)
        if (isApart || (before instanceof ElementNode && arePartedLabels(before, node))) this.#out += ' '
        this.#addElement(node)
        if (isApart) this.#out += ' '
      }
      before = node
    }
  }

  #field(element: ElementNode): void {
    const text = shownField(element, this.#resolver)
    if (text !== '') this.#out += `<code>${htmlText(text)}</code>`
  }

  #addElement(element: ElementNode): void {
    const { name } = element
    const formula = this.#writer.inlines.formulaOf(element)
    if (formula !== null) this.#out += formula.tex === '' ? '' : htmlText(formula.isDisplay ? `$$${formula.tex}$$` : `$${formula.tex}$`)
    else if (name === 'br' || name === 'wbr') this.#out += `<${name}>`
    else if (name === 'img' || name === 'amp-img') this.#out += pictureTag(element, this.#resolver)
    else if (name === 'input' || name === 'textarea') this.#field(element)
    else if (element.tag.silent || name === 'amp-youtube' || name === 'lite-youtube') this.#out += mediaLink(element, this.#resolver)
    else if (!isOwnMark(element, this.#resolver)) {
      const tag = tagInHtml(element, this.#resolver)
      this.#out += tag ?? ''
      this.#addAll(element.children)
      if (tag !== null) this.#out += `</${name}>`
    }
  }
}

/** The permalink of a term. */
function isOwnMark(element: ElementNode, resolver: LinkResolver): boolean {
  const [only] = element.children
  if (element.name !== 'a' || element.textLength > 20 || element.children.length !== 1 || !(only instanceof TextNode)) return false
  const href = attributeOf(element, 'href')
  return href?.includes('#') === true && SELF_LINK.test(only.data.trim()) && resolver.isSamePage(href)
}

/** Does a cell span others, or contain blocks that are more than lines? */
function isBeyondMarkdown(cell: TreeNode): boolean {
  return isCell(cell) && !cell.dropped && ((cell.hasBlock && !holdsLinesOnly(cell)) || isWide(cell, 'colspan') || isWide(cell, 'rowspan'))
}

const isWide = (cell: ElementNode, name: string): boolean => Number(attributeOf(cell, name)) > 1
