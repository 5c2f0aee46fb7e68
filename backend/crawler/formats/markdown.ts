import { attributeOf, ElementNode, TextNode, type TreeNode } from '../html-tree.ts'
import { clip } from '../page.ts'
import type { Resolver } from '../resolve-url.ts'
import { fencedCode, rawText } from './code.ts'
import { escapeLineStarts } from './escape.ts'
import { InlineWriter, type MarkdownOptions } from './inlines.ts'
import { BREAK, Line, trimLine } from './line.ts'
import { escapeBrackets, sealLine } from './seal-line.ts'
import { gridOf, isCell, isLayout, partsOf, tableLines } from './tables.ts'

export type { MarkdownOptions } from './inlines.ts'

const MAX_MARKDOWN_BYTES = 4 * 1024 * 1024
/** Lists and quotes nested deeper than this are no longer indented. */
const MAX_PREFIX_LENGTH = 64
/** A longer one with blocks inside is none. */
const MAX_HEADING = 400

/**
 * Writes parts of a page as Markdown (CommonMark with the tables and strike-through of GitHub): no line wrapping, absolute addresses,
 * nothing that the page's text could turn into markup.
 *
 * @param roots  written one after the other; what is `dropped` inside is left out
 * @param options.plainImages  an article is read: pictures lose the links around them, which lead to a larger picture or a shop, and links their titles
 * @param options.title        of the page; pictures described by it alone need no description
 * @returns      at most 4 MiB, ending in one line break unless empty
 */
export function writeMarkdown(roots: TreeNode[], resolver: Resolver, options: MarkdownOptions): string {
  const writer = new MarkdownWriter(resolver, options)
  writer.blocks(roots)
  return writer.text()
}

/** What was written last, for what may follow it without an empty line. */
type Last = 'text' | 'quote' | 'table' | 'other'

class MarkdownWriter {
  #out = ''
  /** Stands before each line of the blocks that are open. */
  #prefix = ''
  /** Stands before the next line instead: a list mark, or the start of a quote. */
  #lead: string | null = null
  #leadGap = 2
  #leadBlank = ''
  /** Address for the first line of a card: a link around blocks. */
  #cardUrl: string | null = null
  #full = false
  /** Terms and what they mean stand on lines of one paragraph. */
  #inDefinitions = false
  #last: Last = 'other'
  /** The mark of the list that ended just now: another list behind it needs another mark. */
  #listBefore = ''
  readonly #inlines: InlineWriter

  constructor(resolver: Resolver, options: MarkdownOptions) {
    this.#inlines = new InlineWriter(resolver, options)
  }

  text(): string {
    const text = this.#out === '' ? '' : this.#out + '\n'
    return clip(text, MAX_MARKDOWN_BYTES)
  }

  /**
   * Writes a row of nodes: runs of inline ones as paragraphs, each block by its kind.
   *
   * @param gap  2 when an empty line parts blocks, 1 within entries of a list that is written without any
   */
  blocks(nodes: TreeNode[], gap = 2): void {
    const line = new Line()
    for (const node of nodes) {
      if (node instanceof TextNode) {
        this.#inlines.addTo(line, node)
        continue
      }
      if (node.dropped) continue
      const formula = this.#inlines.formulaOf(node)
      if (formula?.isDisplay) {
        this.#paragraph(line.take(), gap)
        this.#displayFormula(formula.tex)
      } else if (formula !== null) this.#inlines.addFormula(line, formula)
      else if (!node.tag.block && !node.hasBlock) this.#inlines.addTo(line, node)
      else {
        this.#paragraph(line.take(), gap)
        this.#block(node, gap)
      }
    }
    this.#paragraph(line.take(), gap)
  }

  /** A formula on lines of its own. Where it is read as a paragraph, its first line starts no list or heading. */
  #displayFormula(tex: string): void {
    if (this.#full) return
    this.#begin(2)
    this.#out += this.#indented(`$$\n${/^(?:[a-z{(]|\\[a-z])/i.test(tex) ? '' : '{}'}${tex}\n$$`)
    this.#last = 'text'
  }

  #begin(gap: number, isEmpty = false): void {
    let lead = this.#prefix
    let blank = this.#prefix.trimEnd()
    if (this.#lead !== null) {
      lead = this.#lead
      gap = this.#leadGap
      blank = this.#leadBlank
      this.#lead = null
    }
    if (this.#out !== '') this.#out += gap === 2 ? '\n' + blank + '\n' : '\n'
    this.#out += isEmpty ? lead.trimEnd() : lead
    this.#last = 'other'
    this.#listBefore = ''
    if (this.#out.length > MAX_MARKDOWN_BYTES) this.#full = true
  }

  #paragraph(run: string, gap: number): void {
    let text = trimLine(run)
    if (text === '' || this.#full) return
    const alone = FORMULA_ALONE.exec(text)
    if (alone !== null) return this.#displayFormula(alone[1]!)
    text = sealLine(this.#linked(text), this.#inDefinitions)
    // The line would go on with the paragraph before it.
    this.#begin(this.#last === 'other' || this.#lead !== null ? gap : 2)
    this.#out += this.#indented(escapeLineStarts(text))
    this.#last = 'text'
  }

  /** The first line of a card becomes its link, unless it holds one. */
  #linked(text: string): string {
    if (this.#cardUrl === null || LINK_INSIDE.test(text)) return text
    const url = this.#cardUrl
    this.#cardUrl = null
    return `[${escapeBrackets(text.replaceAll(BREAK, ' '))}](${url})`
  }

  #indented(text: string): string {
    return this.#prefix !== '' && text.includes('\n') ? text.replaceAll('\n', '\n' + this.#prefix) : text
  }

  #block(element: ElementNode, gap: number): void {
    if (this.#full) return
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
        return this.#list(element, gap)
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
      case 'dl':
        return this.#definitions(element, gap)
      case 'summary':
        return this.#paragraph(this.#strong(element), gap)
      case 'a': {
        const href = this.#inlines.address(attributeOf(element, 'href'))
        const before = this.#cardUrl
        this.#cardUrl = href
        this.blocks(element.children, gap)
        this.#cardUrl = before
        return
      }
      case 'tr':
        // A row outside any table.
        return this.#paragraph(this.#inlines.text(element.children), gap)
      default:
        if (element.tag.silent) return
        this.blocks(element.children, gap)
    }
  }

  #strong(element: ElementNode): string {
    const text = this.#inlines.text(element.children)
    if (text.includes('**')) return text
    const line = new Line()
    line.addMarked(text, '**')
    return line.take()
  }

  /** Three hyphens would make a heading of the text above, a list of the entry they stand in, and settings of what follows the start of a page. */
  #rule(gap: number): void {
    const isUsual = this.#lead === null && this.#out !== '' && gap === 2
    this.#begin(gap)
    this.#out += isUsual ? '---' : '___'
  }

  #heading(element: ElementNode, gap: number): void {
    let words = element.children
    let rest: TreeNode[] = []
    if (element.hasBlock && element.textLength > MAX_HEADING) {
      // A heading that was never closed holds all that follows.
      const end = words.findIndex((child) => child instanceof ElementNode && (child.tag.block || child.hasBlock))
      rest = words.slice(end)
      words = words.slice(0, end)
    }
    this.#headingLine(element, words, gap)
    this.blocks(rest, gap)
  }

  #headingLine(element: ElementNode, words: TreeNode[], gap: number): void {
    this.#inlines.showsButtons = element.textLength === 0
    const text = trimLine(this.#inlines.text(withoutSelfLink(words)).replaceAll(BREAK, ' '))
    this.#inlines.showsButtons = false
    if (text === '') return
    // Pictures alone head nothing.
    if (element.textLength === 0 && text.startsWith('![')) return this.#paragraph(text, gap)
    const sealed = sealLine(this.#linked(text))
    this.#begin(gap)
    // A trailing run of # would be taken for the closing mark.
    this.#out += '#'.repeat(Number(element.name[1])) + ' ' + sealed.replace(/(^| )(#+)$/, '$1\\$2')
  }

  #list(list: ElementNode, gap: number): void {
    const isOrdered = list.name === 'ol'
    const sign = isOrdered ? (this.#listBefore === '.' ? ')' : '.') : this.#listBefore === '-' ? '*' : '-'
    const innerGap = isLoose(list) ? 2 : 1
    const step = isOrdered && attributeOf(list, 'reversed') !== undefined ? -1 : 1
    let number = numberOf(attributeOf(list, 'start')) ?? (step < 0 ? list.children.filter(isItem).length : 1)
    let mark = isOrdered ? `${number}${sign} ` : `${sign} `
    // Only bullets and the number one may follow the line of a paragraph.
    let itemGap = this.#last === 'text' && this.#lead === null && isOrdered && number !== 1 ? 2 : gap
    for (const item of list.children) {
      if (item instanceof TextNode) {
        if (item.data.trim() !== '') this.blocks([item], gap)
        continue
      }
      if (item.dropped) continue
      if (item.name !== 'li') {
        // A list inside a list without an item around it belongs to the item before.
        if (item.name === 'ul' || item.name === 'ol') this.#nested(' '.repeat(mark.length), () => this.#list(item, 1))
        else this.blocks([item], gap)
        continue
      }
      if (isOrdered) {
        number = numberOf(attributeOf(item, 'value')) ?? number
        mark = `${number}${sign} `
        number = Math.max(number + step, 0)
      }
      this.#listBefore = ''
      const { length } = this.#out
      this.#withLead(mark, ' '.repeat(mark.length), itemGap, () => {
        if (isLeftEmpty(item)) this.#begin(innerGap, true)
        else this.blocks(item.children, innerGap)
      })
      if (this.#out.length > length) itemGap = innerGap
    }
    this.#listBefore = sign
  }

  /** Writes blocks whose first line starts with `mark` and whose others with `rest`. */
  #withLead(mark: string, rest: string, gap: number, write: () => void): void {
    const prefix = this.#prefix
    const pending = this.#lead
    const isDeep = prefix.length > MAX_PREFIX_LENGTH
    const lead = (pending ?? prefix) + (isDeep ? '' : mark)
    this.#lead = lead
    if (pending === null) {
      this.#leadGap = gap
      this.#leadBlank = prefix.trimEnd()
    }
    if (!isDeep) this.#prefix = prefix + rest
    write()
    this.#prefix = prefix
    // Nothing was written: the outer mark waits again.
    if (this.#lead !== null) this.#lead = pending
  }

  #nested(rest: string, write: () => void): void {
    const prefix = this.#prefix
    if (prefix.length <= MAX_PREFIX_LENGTH) this.#prefix = prefix + rest
    write()
    this.#prefix = prefix
  }

  #quote(element: ElementNode, gap: number): void {
    const { length } = this.#out
    this.#withLead('> ', '> ', this.#last === 'quote' ? 2 : gap, () => {
      if (isLeftEmpty(element)) this.#begin(gap, true)
      else this.blocks(element.children)
    })
    if (this.#out.length > length) this.#last = 'quote'
  }

  #definitions(list: ElementNode, gap: number): void {
    const around = this.#inDefinitions
    this.#inDefinitions = true
    for (const child of list.children) {
      if (child instanceof TextNode) {
        if (child.data.trim() !== '') this.blocks([child], gap)
        continue
      }
      if (child.dropped) continue
      if (child.name === 'dt') {
        if (child.hasBlock) this.blocks(child.children, gap)
        else this.#paragraph(this.#strong(child), gap)
      } else if (child.name === 'dd') this.#withLead(': ', '  ', 1, () => this.blocks(child.children))
      else if (child.name === 'div') this.#definitions(child, gap)
      else this.blocks([child], gap)
    }
    this.#inDefinitions = around
  }

  #code(element: ElementNode, gap: number): void {
    const code = fencedCode(element)
    if (code === '') return
    this.#begin(gap)
    this.#out += this.#indented(code)
  }

  #table(table: ElementNode, gap: number): void {
    const { rows, caption, others } = partsOf(table)
    if (caption !== null) this.#paragraph(this.#inlines.text(caption.children), gap)
    if (isLayout(table, rows)) {
      this.blocks(others, gap)
      for (const row of rows) this.blocks(row.children, gap)
      return
    }
    for (const row of rows) for (const child of row.children) if (!isCell(child)) others.push(child)
    this.blocks(others, gap)
    const grid = gridOf(rows, (cell) => this.#cell(cell))
    if (grid.length === 0) return
    this.#begin(2)
    this.#out += this.#indented(tableLines(grid).join('\n'))
    this.#last = 'table'
  }

  #cell(cell: ElementNode): string {
    const inCell = this.#inlines.inCell
    this.#inlines.inCell = true
    const text = cell.hasBlock ? this.#flat(cell) : this.#inlines.text(cell.children)
    this.#inlines.inCell = inCell
    return sealLine(trimLine(text).replaceAll(BREAK, '<br>').replaceAll('\n', ' ')).replace(/\|/g, '\\|')
  }

  /** Blocks on one line, parted by hard breaks. */
  #flat(element: ElementNode): string {
    const lines: string[] = []
    const line = new Line()
    for (const child of element.children) {
      if (child instanceof TextNode) this.#inlines.addTo(line, child)
      else if (child.dropped) continue
      else if (!child.tag.block && !child.hasBlock) this.#inlines.addTo(line, child)
      else {
        lines.push(trimLine(line.take()))
        if (child.tag.pre)
          for (const code of rawText(child).split('\n')) {
            this.#inlines.addCode(line, code.trim())
            lines.push(line.take())
          }
        else {
          const inner = this.#flat(child)
          lines.push(child.name === 'li' && inner !== '' ? '• ' + inner : inner)
        }
      }
    }
    lines.push(trimLine(line.take()))
    return lines.filter((text) => text !== '').join(BREAK)
  }
}

/** Without attributes an element is empty because an author left it so; others hold what is not shown. */
function isLeftEmpty(element: ElementNode): boolean {
  return element.children.length === 0 && element.attributes === null
}

function isItem(node: TreeNode): boolean {
  return node instanceof ElementNode && node.name === 'li' && !node.dropped
}

/** Markdown shows numbers of at most nine digits, none below zero. */
function numberOf(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : null
}

/** Are the entries paragraphs? Then empty lines part them, as in the Markdown that such HTML is made of (CommonMark, 5.3). */
function isLoose(list: ElementNode): boolean {
  return list.children.some(
    (item) =>
      item instanceof ElementNode &&
      !item.dropped &&
      item.children.some((child) => child instanceof ElementNode && !child.dropped && child.name === 'p'),
  )
}

/** A formula for a line of its own, and no other text. */
// oxlint-disable-next-line no-control-regex -- it marks formulas within a line
const FORMULA_ALONE = /^\u0001\$([^\u0001]*)\$\u0001$/

/** A link or picture that is written already, and no text that looks like one: the bracket of text has a backslash before it. */
const LINK_INSIDE = /(?<!\\)\]\(/

/** The words of a heading that is as a whole a link to itself. */
function withoutSelfLink(words: TreeNode[]): TreeNode[] {
  const shown = words.filter((node) => (node instanceof TextNode ? node.data.trim() !== '' : !node.dropped))
  const [link] = shown
  const isSelfLink =
    shown.length === 1 && link instanceof ElementNode && link.name === 'a' && attributeOf(link, 'href')?.startsWith('#') === true
  return isSelfLink ? link.children : words
}
