import { isContent } from '#backend/crawler/html/disclosure.ts'
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import { holds, namesHeading, mayHoldHeading } from '#backend/crawler/html/tree-text.ts'
import { cellText } from './tables/cells.ts'
import { arePartedLabels, isBox } from './boundaries.ts'
import { accordionAround, boxOf, isHiddenLabel, linesOf, noteTitle, TabNames, tabRows } from './boxes.ts'
import { codeWithBreaks, codeOfLines, codeOfTable, fencedCode } from './code.ts'
import { escapeLineStarts } from './escape.ts'
import { InlineWriter, type MarkdownOptions } from './inlines.ts'
import { isLeftEmpty, writeDefinitions, writeList, type BlockWriter } from './lists.ts'
import { rowsOfDivs } from './tables/div-tables.ts'
import { KeptBlocks, KeptInlines } from './kept-html/kept-html.ts'
import { BREAK, Line, paragraphsOf, strong, trimLine } from './line.ts'
import { Output } from './output.ts'
import { firstOfBlocks, noteLine } from './notes.ts'
import { escapeBrackets, sealLine } from './seal-line.ts'
import { alignmentsOf, gridOf, isCell, isLayout, partsOf, tableLines } from './tables/tables.ts'

export type { MarkdownOptions } from './inlines.ts'

/** A longer heading with blocks inside is not written as a heading. */
const MAX_HEADING = 400

/**
 * Writes parts of a page as Markdown (CommonMark with the tables and strikethrough of GitHub): no line wrapping, absolute URLs, and no text
 * of the page that becomes markup.
 *
 * @param roots  written one after the other; `dropped` nodes inside are left out
 * @param options.plainImages  the page declares itself an article: pictures lose the links around them, which lead to a larger picture or a
 * shop, and links lose their titles
 * @param options.title        of the page; an alt text that only repeats it is left out
 * @param options.keepHtml     elements that Markdown has no syntax for stay HTML tags: see `kept-html.ts`
 * @returns      at most 4 MiB, ending in one line break unless empty
 */
export function writeMarkdown(roots: TreeNode[], resolver: LinkResolver, options: MarkdownOptions): string {
  const writer = new MarkdownWriter(resolver, options)
  writer.blocks(roots)
  return writer.text()
}

class MarkdownWriter implements BlockWriter {
  readonly output = new Output()
  /** The URL for the first line of a card, which is a link around blocks. */
  #cardUrl: string | null = null
  /** A definition list is being written: terms and definitions are lines of one paragraph. */
  #inDefinitions = false
  readonly inlines: InlineWriter
  readonly #tabs = new TabNames()
  /** Titles of notes that were written already, and rows of tabs whose names are written before each panel. */
  readonly #written = new Set<ElementNode>()
  /** Tables that only lay out the picture, title and text of a note. */
  readonly #placing = new Set<ElementNode>()
  /** Writes blocks as HTML, if the crawl asks for that. */
  #html: KeptBlocks | null = null

  constructor(resolver: LinkResolver, options: MarkdownOptions) {
    if (options.keepHtml === true) {
      this.inlines = new KeptInlines(resolver, options)
      this.#html = new KeptBlocks(this, resolver)
    } else this.inlines = new InlineWriter(resolver, options)
  }

  text(): string {
    const text = this.output.text()
    // If the limit cuts a tag, a renderer would read the text after it as a part of the tag: remove the cut line.
    return this.#html === null || text.endsWith('\n') ? text : text.slice(0, text.lastIndexOf('\n') + 1)
  }

  /**
   * Writes a row of nodes: inline nodes become paragraphs, and each block is written by its kind.
   *
   * @param gap  2: blocks are separated by a blank line; 1: entries of a list without blank lines
   */
  blocks(nodes: TreeNode[], gap = 2): void {
    const [only] = nodes
    // Most paragraphs and entries are a single plain text.
    if (nodes.length === 1 && only instanceof TextNode && only.isPlain) return this.paragraph(only.data, gap, true)
    const code = codeWithBreaks(nodes)
    if (code !== null) return this.output.write(code, gap)
    const line = new Line()
    this.inlines.isCalm = true
    let before: TreeNode | null = null
    // The node before was left out: a rule after it would only separate it from the text.
    let isCut = false
    for (const node of nodes) {
      if (node instanceof TextNode) {
        this.inlines.addText(line, node)
        before = node
        if (isCut && node.data !== ' ') isCut = false
        continue
      }
      if (node.dropped || (this.#written.size > 0 && this.#written.has(node)) || this.inlines.notes.isBack(node)) {
        if (node.dropped && node.textLength > 0) isCut = true
        continue
      }
      if (isCut) {
        isCut = false
        if (node.name === 'hr') continue
      }
      const formula = this.inlines.formulaOf(node)
      if (formula?.isDisplay) {
        this.#endLine(line, gap)
        this.#displayFormula(formula.tex)
      } else if (formula !== null) this.inlines.addFormula(line, formula)
      else if (node.name === 'button' && isContent(node)) {
        this.#endLine(line, gap)
        this.#summary(node, gap)
      } else if (this.inlines.holdsLines(node)) {
        this.#endLine(line, gap)
        this.#code(node, gap)
      } else if (!node.tag.block && !node.hasBlock) {
        const isApart = node.attributes !== null && isBox(node)
        if (isApart || (before instanceof ElementNode && arePartedLabels(before, node))) line.add(' ')
        this.inlines.addElement(line, node)
        if (isApart) line.add(' ')
      } else {
        this.#endLine(line, gap)
        this.#block(node, gap)
        this.inlines.isCalm = true
      }
      before = node
    }
    this.#endLine(line, gap)
  }

  #endLine(line: Line, gap: number): void {
    for (const text of paragraphsOf(line.take())) this.paragraph(text, gap, this.inlines.isCalm)
    this.inlines.isCalm = true
  }

  /**
   * Writes a display formula on lines of its own. Renderers without formulas read it as a paragraph, so its first line must not start a
   * list or heading.
   */
  #displayFormula(tex: string): void {
    if (this.output.isFull) return
    this.output.write(`$$\n${/^(?:[a-z{(]|\\[a-z])/i.test(tex) ? '' : '{}'}${tex}\n$$`, 2, 'text')
  }

  /** @param isCalm  it contains nothing that a line must be sealed for */
  paragraph(run: string, gap: number, isCalm = false): void {
    let text = trimLine(run)
    if (text === '' || this.output.isFull) return
    const alone = text.charCodeAt(0) === 1 ? FORMULA_ALONE.exec(text) : null
    if (alone !== null) return this.#displayFormula(alone[1]!)
    if (!isCalm || this.#cardUrl !== null) text = sealLine(this.#linked(text), this.#inDefinitions)
    // Without a blank line it would continue the paragraph before it.
    this.output.write(escapeLineStarts(text), this.output.last === 'other' || this.output.isFirst ? gap : 2, 'text')
  }

  /** The first line of a card becomes its link, unless that line contains a link. */
  #linked(text: string): string {
    if (this.#cardUrl === null || LINK_INSIDE.test(text)) return text
    const url = this.#cardUrl
    this.#cardUrl = null
    return `[${escapeBrackets(text.replaceAll(BREAK, ' '))}](${url})`
  }

  #block(element: ElementNode, gap: number): void {
    if (this.output.isFull) return
    const note = this.inlines.notes.labelOf(element)
    if (note !== undefined) return this.footnote(element, note)
    if (element.attributes !== null && this.#box(element, gap)) return
    if (this.#html?.write(element) === true) return
    switch (element.name) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        return this.#heading(element, gap)
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return writeList(this, element, gap)
      case 'pre':
      case 'listing':
      case 'xmp':
      case 'plaintext':
        return this.#code(element, gap)
      case 'blockquote':
        return this.#quote(element, gap)
      case 'table':
        return this.#table(element, gap)
      case 'hr':
        return this.#rule(gap)
      case 'frameset':
        return this.#frames(element)
      case 'dl': {
        const around = this.#inDefinitions
        this.#inDefinitions = true
        writeDefinitions(this, element, gap)
        this.#inDefinitions = around
        return
      }
      case 'summary':
        return this.#summary(element, gap)
      case 'li':
        // A list entry outside of a list.
        return this.output.withLead('- ', '  ', gap, () => this.blocks(element.children, 1))
      case 'a': {
        const href = this.inlines.urlOf(attributeOf(element, 'href'))
        // Without words that could become the link, the picture becomes it.
        if (href !== null && element.textLength === 0 && holds(element, 'img')) return this.paragraph(this.inlines.text([element]), gap)
        const before = this.#cardUrl
        this.#cardUrl = href
        this.inlines.inLink = href !== null
        this.#withoutHtml(() => this.blocks(element.children, gap))
        this.inlines.inLink = before !== null
        this.#cardUrl = before
        return
      }
      case 'tr':
        // A row outside of a table.
        return this.paragraph(this.inlines.text(element.children), gap)
      default:
        // A video or document with a paragraph for browsers that cannot show it.
        if (element.tag.silent) return this.paragraph(this.inlines.text([element]), gap)
        this.blocks(element.children, gap)
    }
  }

  /** Writes the frames of a page as a list of links: they are all that it shows. */
  #frames(frameset: ElementNode): void {
    for (const child of frameset.children) {
      if (child instanceof TextNode || child.dropped) continue
      if (child.name === 'frameset') this.#frames(child)
      else if (child.name === 'frame') {
        const link = this.inlines.frame(child)
        if (link !== '') this.output.withLead('- ', '  ', 1, () => this.paragraph(link, 1))
      }
    }
  }

  /** Writes a box of a documentation generator; false for other elements. */
  #box(element: ElementNode, gap: number): boolean {
    switch (boxOf(element)) {
      case 'none':
        return false
      case 'note':
        this.#note(element, gap)
        return true
      case 'tabs':
        // Each name is written before its panel.
        return element.name !== 'table'
      case 'tabset':
        for (const row of tabRows(element)) this.#written.add(row)
        return false
      case 'label':
        if (namesHeading(element.name)) return false
        this.#summary(element, gap)
        return true
      case 'panel': {
        const name = accordionAround(element) === null ? this.#tabs.of(element) : null
        if (name !== null) {
          this.paragraph(this.strong(name), 2)
          this.#written.add(name)
        }
        this.#leaveOutLanguage(element)
        this.blocks(element.children, gap)
        return true
      }
      case 'signature':
      case 'fields':
        if (element.name !== 'table') return false
        this.#rows(element, boxOf(element) === 'fields' ? ' — ' : ' ', gap)
        return true
      case 'lines':
        this.output.write(codeOfLines(element, linesOf(element)!), gap)
        return true
      case 'diagram':
        this.#code(element, gap)
        return true
      case 'table':
        return this.#tableOfDivs(element)
      case 'code':
        this.#leaveOutLanguage(element)
        return false
    }
  }

  /** Writes a table of Doxygen: a line for each field, or one for a whole signature. */
  #rows(table: ElementNode, between: string, gap: number): void {
    const lines = partsOf(table).rows.map((row) =>
      row.children
        .map((cell) => (isCell(cell) && !cell.dropped ? trimLine(this.inlines.text(cell.children)) : ''))
        .filter((text) => text !== '')
        .join(between),
    )
    if (between === ' ')
      this.paragraph(
        lines
          .join(' ')
          .replaceAll('( ', '(')
          .replace(/ (?=[),])/g, ''),
        gap,
      )
    else if (lines.length === 1) this.paragraph(lines[0]!, gap)
    else for (const line of lines) this.output.withLead('- ', '  ', 1, () => this.paragraph(line, 1))
  }

  /** The name of the language next to a code block becomes the info string of its fence. */
  #leaveOutLanguage(element: ElementNode): void {
    for (const child of element.children) if (child instanceof ElementNode && isLanguageName(child)) this.#written.add(child)
  }

  /** Writes a note or warning as a quotation with its title, which all renderers show. */
  #note(element: ElementNode, gap: number): void {
    const { element: titled, kind } = noteTitle(element)
    let title = titled === null ? kind : this.inlines.text(titled.children)
    title = trimLine(title).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    if (titled !== null) this.#written.add(titled)
    if (titled?.name === 'th') this.#place(titled)
    const { length } = this.output
    this.output.withLead('> ', '> ', this.output.last === 'quote' ? 2 : gap, () => {
      if (title !== '') this.paragraph(strong(title), 2)
      this.blocks(element.children)
    })
    if (this.output.length > length) this.output.last = 'quote'
  }

  /** DocBook writes a note as a table: a picture beside the title, the text below. */
  #place(title: ElementNode): void {
    let table = title.parent
    for (const cell of table!.children) if (cell instanceof ElementNode) this.#written.add(cell)
    while (table !== null && table.name !== 'table') table = table.parent
    if (table !== null) this.#placing.add(table)
  }

  footnote(element: ElementNode, label: string): void {
    const first = element.name === 'li' ? firstOfBlocks(element) : null
    if (first !== null && !noteLine(label, this.inlines.text(first.children)).endsWith('↩'))
      return this.#withoutHtml(() => this.output.withLead(`[^${label}]: `, '    ', 2, () => this.blocks(element.children)))
    const line = noteLine(label, trimLine(this.inlines.text(element.children).replaceAll(BREAK, ' ')))
    if (line === '') return
    this.output.write(line, 2, 'text')
  }

  /** The label of a collapsible part. A label that contains a heading is that heading; links before it are controls. */
  #summary(element: ElementNode, gap: number): void {
    if (isHiddenLabel(element)) return
    if (!mayHoldHeading(element)) return this.paragraph(this.strong(element), gap)
    this.#leaveOutLinksBeforeHeading(element)
    this.blocks(element.children, gap)
  }

  /** Marks the links before the first heading as written. Returns whether there is a heading. */
  #leaveOutLinksBeforeHeading(part: ElementNode): boolean {
    for (const child of part.children) {
      if (child instanceof TextNode) continue
      if (namesHeading(child.name)) return true
      if (child.name === 'a') this.#written.add(child)
      else if (this.#leaveOutLinksBeforeHeading(child)) return true
    }
    return false
  }

  /** Writes blocks at a place where renderers may not read blocks: HTML would be shown as text there. */
  #withoutHtml(write: () => void): void {
    const html = this.#html
    this.#html = null
    write()
    this.#html = html
  }

  strong(element: ElementNode): string {
    return strong(this.inlines.text(element.children))
  }

  /** Three hyphens would make the text above a heading, start a list entry, or begin front matter at the start of a page. */
  #rule(gap: number): void {
    const isUsual = !this.output.isFirst && this.output.length > 0 && gap === 2
    this.output.write(isUsual ? '---' : '___', gap)
  }

  #heading(element: ElementNode, gap: number): void {
    let words = element.children
    let rest: TreeNode[] = []
    if (element.hasBlock && element.textLength > MAX_HEADING) {
      // A heading without an end tag contains everything after it.
      const end = words.findIndex((child) => child instanceof ElementNode && (child.tag.block || child.hasBlock))
      rest = words.slice(end)
      words = words.slice(0, end)
    }
    this.#headingLine(element, words, gap)
    this.blocks(rest, gap)
  }

  #headingLine(element: ElementNode, words: TreeNode[], gap: number): void {
    this.inlines.showsButtons = element.textLength === 0
    this.inlines.heading = element
    this.inlines.isCalm = true
    const text = trimLine(this.inlines.text(withoutSelfLink(words)).replaceAll(BREAK, ' '))
    this.inlines.showsButtons = false
    this.inlines.heading = null
    if (text === '') return
    // A heading of pictures only is not a heading.
    if (element.textLength === 0 && text.startsWith('![')) return this.paragraph(text, gap)
    const sealed = this.inlines.isCalm && this.#cardUrl === null ? text : sealLine(this.#linked(text))
    // A `#` run at the end would be read as the closing sequence.
    this.output.write(
      '#'.repeat(Number(element.name[1])) + ' ' + (sealed.endsWith('#') ? sealed.replace(/(^| )(#+)$/, '$1\\$2') : sealed),
      gap,
    )
  }

  #quote(element: ElementNode, gap: number): void {
    const { length } = this.output
    this.output.withLead('> ', '> ', this.output.last === 'quote' ? 2 : gap, () => {
      if (isLeftEmpty(element)) this.output.write('', gap)
      else this.blocks(element.children)
    })
    if (this.output.length > length) this.output.last = 'quote'
  }

  #tableOfDivs(element: ElementNode): boolean {
    const rows = rowsOfDivs(element)
    if (rows === null) return false
    const grid = rows.map((cells) => cells.map((cell) => cellText(cell, this.inlines)))
    this.output.write(tableLines(grid, []).join('\n'), 2, 'table')
    return true
  }

  #code(element: ElementNode, gap: number): void {
    const code = fencedCode(element)
    if (code === '') return
    this.output.write(code, gap)
  }

  #table(table: ElementNode, gap: number): void {
    const { rows, caption, others } = partsOf(table)
    const code = codeOfTable(table, rows)
    if (code !== null) {
      this.output.write(code, gap)
      return
    }
    if (!this.#placing.has(table) && this.#html?.writeTable(table, rows) === true) return
    if (caption !== null) this.paragraph(this.inlines.text(caption.children), gap)
    if (isLayout(table, rows) || this.#placing.has(table)) {
      this.blocks(others, gap)
      for (const row of rows) this.blocks(row.children, gap)
      return
    }
    for (const row of rows) for (const child of row.children) if (!isCell(child)) others.push(child)
    this.blocks(others, gap)
    const grid = gridOf(rows, (cell) => cellText(cell, this.inlines))
    if (grid.length === 0) return
    this.output.write(tableLines(grid, alignmentsOf(rows[0]!)).join('\n'), 2, 'table')
  }
}

function isLanguageName(element: ElementNode): boolean {
  return element.name === 'span' && attributeOf(element, 'class') === 'lang'
}

/** A display formula and no other text. */
// oxlint-disable-next-line no-control-regex -- it marks formulas within a line
const FORMULA_ALONE = /^\u0001\$([^\u0001]*)\$\u0001$/

/** A link or picture that is written already, not a text that looks like one: the bracket of a text has a backslash before it. */
const LINK_INSIDE = /(?<!\\)\]\(/

/** The text of a heading that is completely a link to itself. */
function withoutSelfLink(words: TreeNode[]): TreeNode[] {
  if (words.length === 1 && words[0] instanceof TextNode) return words
  const shown = words.filter((node) => (node instanceof TextNode ? node.data.trim() !== '' : !node.dropped))
  const [link] = shown
  const isSelfLink =
    shown.length === 1 && link instanceof ElementNode && link.name === 'a' && attributeOf(link, 'href')?.startsWith('#') === true
  return isSelfLink ? link.children : words
}
