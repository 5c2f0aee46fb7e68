import { attributeOf, ElementNode, TextNode, type TreeNode } from '../html-tree.ts'
import type { Resolver } from '../resolve-url.ts'
import { clip } from '../page.ts'
import { escapeBrackets, escapeLineStarts, escapeText, sealLine } from './escape.ts'

const MAX_MARKDOWN_BYTES = 4 * 1024 * 1024
/** Lists and quotes nested deeper than this are no longer indented. */
const MAX_PREFIX_LENGTH = 64
const MAX_COLUMNS = 50
/** The longest description of a picture within an article's text. */
const MAX_ALT = 60
/** A longer one with blocks inside is none. */
const MAX_HEADING = 400
/** Marks around marks around a text: no page needs more. */
const MAX_MARKS = 16
const HEADING = /^h[1-6]$/
/** Elements that write more, or less, than what is inside. */
const MARKED = new Set('br wbr img a strong b em i cite dfn del s strike code kbd samp tt q hr button'.split(' '))

/** Does an inline element write what is inside and nothing else? */
const isTransparent = (element: ElementNode) => !element.tag.silent && !MARKED.has(element.name)

/**
 * Writes parts of a page as Markdown (CommonMark with the tables and strike-through of GitHub): no line wrapping, absolute addresses,
 * nothing that the page's text could turn into markup.
 *
 * @param roots  written one after the other; what is `dropped` inside is left out
 * @param options.plainImages  pictures lose the links around them: in an article those lead to a larger picture or a shop
 * @param options.title        of the page; pictures described by it alone need no description
 * @returns      at most 4 MiB, ending in one line break unless empty
 */
export function writeMarkdown(roots: TreeNode[], resolver: Resolver, options: MarkdownOptions): string {
  const writer = new MarkdownWriter(resolver, options)
  writer.blocks(roots)
  return writer.text()
}

export type MarkdownOptions = { plainImages: boolean; title: string }

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
  #listDepth = 0
  #full = false
  #inHeading = false
  #inCell = false
  /** How many elements with marks are open in the line. */
  #marks = 0
  /** Terms and what they mean stand on lines of one paragraph. */
  #inDefinitions = false
  /** The last block was a paragraph. */
  #isParagraph = false
  #resolver: Resolver

  readonly #options: MarkdownOptions
  /** Descriptions of pictures so far: one for all pictures of a page describes none. */
  #alts = new Set<string>()

  constructor(resolver: Resolver, options: MarkdownOptions) {
    this.#resolver = resolver
    this.#options = options
  }

  text(): string {
    const text = this.#out === '' ? '' : this.#out + '\n'
    return clip(text, MAX_MARKDOWN_BYTES)
  }

  /** Writes a row of nodes: runs of inline ones as paragraphs, each block by its kind. */
  blocks(nodes: TreeNode[], gap = 2): void {
    const line = new Line()
    for (const node of nodes) {
      if (node instanceof TextNode) line.add(textOf(node))
      else if (node.dropped) continue
      else if (!node.tag.block && !node.hasBlock) this.#addInline(line, node)
      else {
        this.#paragraph(line.take(), gap)
        this.#block(node, gap)
      }
    }
    this.#paragraph(line.take(), gap)
  }

  #begin(gap: number): void {
    let lead = this.#prefix
    let blank = this.#prefix.trimEnd()
    if (this.#lead !== null) {
      lead = this.#lead
      gap = this.#leadGap
      blank = this.#leadBlank
      this.#lead = null
    }
    if (this.#out !== '') this.#out += gap === 2 ? '\n' + blank + '\n' : '\n'
    this.#out += lead
    this.#isParagraph = false
    if (this.#out.length > MAX_MARKDOWN_BYTES) this.#full = true
  }

  #paragraph(run: string, gap: number): void {
    let text = trimLine(run)
    if (text === '' || this.#full) return
    if (this.#cardUrl !== null && !LINK_INSIDE.test(text)) {
      text = `[${escapeBrackets(text.replaceAll('\\\n', ' '))}](${this.#cardUrl})`
      this.#cardUrl = null
    }
    text = sealLine(text, this.#inDefinitions)
    // Two paragraphs of one entry would run together.
    this.#begin(this.#isParagraph && this.#lead === null ? 2 : gap)
    this.#out += this.#indented(escapeLineStarts(text))
    this.#isParagraph = true
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
        return this.#quote(element)
      case 'table':
        return this.#table(element, gap)
      case 'hr':
        this.#begin(2)
        this.#out += '---'
        return
      case 'dl':
        return this.#definitions(element, gap)
      case 'summary':
        return this.#paragraph(strong(this.#inlines(element.children)), gap)
      case 'a': {
        const href = this.#address(attributeOf(element, 'href'))
        const before = this.#cardUrl
        this.#cardUrl = href
        this.blocks(element.children, gap)
        this.#cardUrl = before
        return
      }
      case 'tr':
        // A row outside any table.
        return this.#paragraph(this.#inlines(element.children), gap)
      default:
        if (element.tag.silent) return
        this.blocks(element.children, gap)
    }
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
    this.#inHeading = element.textLength === 0
    let text = trimLine(this.#inlines(words).replaceAll('\\\n', ' '))
    this.#inHeading = false
    if (text === '') return
    // Pictures alone head nothing.
    if (element.textLength === 0 && text.startsWith('![')) return this.#paragraph(text, gap)
    if (this.#cardUrl !== null && !LINK_INSIDE.test(text)) {
      text = `[${escapeBrackets(text)}](${this.#cardUrl})`
      this.#cardUrl = null
    }
    text = sealLine(text)
    this.#begin(Math.max(gap, 2))
    // A trailing run of # would be taken for the closing mark.
    this.#out += '#'.repeat(Number(element.name[1])) + ' ' + text.replace(/(^| )(#+)$/, '$1\\$2')
  }

  #list(list: ElementNode, gap: number): void {
    const isOrdered = list.name === 'ol'
    const start = Number(attributeOf(list, 'start') ?? 1)
    let number = Number.isInteger(start) && start >= 0 && start < 1e8 ? start : 1
    let first = true
    this.#listDepth++
    for (const item of list.children) {
      if (item instanceof TextNode) {
        if (item.data.trim() !== '') this.blocks([item], gap)
        continue
      }
      if (item.dropped) continue
      if (item.name !== 'li') {
        // A list inside a list without an item around it belongs to the item before.
        if (item.name === 'ul' || item.name === 'ol') this.#nested('  ', () => this.#list(item, 1))
        else this.blocks([item], gap)
        continue
      }
      const mark = isOrdered ? `${number++}. ` : '- '
      const itemGap = first ? (this.#listDepth > 1 ? 1 : gap) : 1
      this.#withLead(mark, ' '.repeat(mark.length), itemGap, () => this.blocks(item.children, isLoose(item) ? 2 : 1))
      first = false
    }
    this.#listDepth--
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

  #quote(element: ElementNode): void {
    const depth = this.#listDepth
    this.#listDepth = 0
    this.#withLead('> ', '> ', 2, () => this.blocks(element.children))
    this.#listDepth = depth
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
        else this.#paragraph(strong(this.#inlines(child.children)), gap)
      } else if (child.name === 'dd') this.#withLead(': ', '  ', 1, () => this.blocks(child.children))
      else if (child.name === 'div') this.#definitions(child, gap)
      else this.blocks([child], gap)
    }
    this.#inDefinitions = around
  }

  #code(element: ElementNode, gap: number): void {
    // Markdown ends a line at a carriage return too: what follows it would stand outside a quote or a list.
    const text = rawText(element).replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd()
    if (text === '') return
    const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
    this.#begin(Math.max(gap, 2))
    this.#out += this.#indented(`${fence}${languageOf(element)}\n${text}\n${fence}`)
  }

  #table(table: ElementNode, gap: number): void {
    const rows: ElementNode[] = []
    let caption: ElementNode | null = null
    // What stands between the cells comes first, as browsers show it.
    const others: TreeNode[] = []
    collect(table)
    if (caption !== null) this.#paragraph(this.#inlines((caption as ElementNode).children), gap)
    if (isLayout(table, rows)) {
      this.blocks(others, gap)
      for (const row of rows) this.blocks(row.children, gap)
      return
    }
    for (const row of rows) for (const child of row.children) if (!isCell(child)) others.push(child)
    this.blocks(others, gap)
    this.#dataTable(rows)

    function collect(parent: ElementNode) {
      for (const child of parent.children) {
        if (child instanceof TextNode) others.push(child)
        else if (child.dropped) continue
        else if (child.name === 'tr') rows.push(child)
        else if (child.name === 'thead' || child.name === 'tbody' || child.name === 'tfoot') collect(child)
        else if (child.name === 'caption' && caption === null) caption = child
        else if (child.name !== 'colgroup' && child.name !== 'col') others.push(child)
      }
    }
  }

  #dataTable(rows: ElementNode[]): void {
    const grid: string[][] = []
    let columns = 0
    // Cells of rows above that reach down, by column: how many rows are left.
    const reaching: number[] = []
    for (const row of rows) {
      const cells: string[] = []
      const skip = () => {
        while ((reaching[cells.length] ?? 0) > 0) {
          reaching[cells.length]!--
          cells.push('')
        }
      }
      for (const cell of row.children) {
        if (!isCell(cell) || cell.dropped) continue
        skip()
        if (cells.length >= MAX_COLUMNS) break
        const columnSpan = span(cell, 'colspan')
        const rowSpan = span(cell, 'rowspan')
        const text = this.#cell(cell)
        for (let column = 0; column < columnSpan && cells.length < MAX_COLUMNS; column++) {
          if (rowSpan > 1) reaching[cells.length] = rowSpan - 1
          cells.push(column === 0 ? text : '')
        }
      }
      skip()
      if (cells.every((text) => text === '')) continue
      columns = Math.max(columns, cells.length)
      grid.push(cells)
    }
    if (grid.length === 0) return
    this.#begin(2)
    const lines = grid.map((cells) => `| ${Array.from({ length: columns }, (_, column) => cells[column] ?? '').join(' | ')} |`)
    lines.splice(1, 0, `|${' --- |'.repeat(columns)}`)
    this.#out += this.#indented(lines.join('\n'))
  }

  #cell(cell: ElementNode): string {
    const inCell = this.#inCell
    this.#inCell = true
    const text = cell.hasBlock ? this.#flat(cell) : this.#inlines(cell.children)
    this.#inCell = inCell
    return sealLine(trimLine(text).replaceAll('\\\n', '<br>').replaceAll('\n', ' ')).replace(/\|/g, '\\|')
  }

  /** Blocks on one line, parted by hard breaks. */
  #flat(element: ElementNode): string {
    const lines: string[] = []
    const line = new Line()
    for (const child of element.children) {
      if (child instanceof TextNode) line.add(textOf(child))
      else if (child.dropped) continue
      else if (!child.tag.block && !child.hasBlock) this.#addInline(line, child)
      else {
        lines.push(trimLine(line.take()))
        if (child.tag.pre) for (const code of rawText(child).split('\n')) lines.push(this.#codeSpan(code.trim()))
        else {
          const inner = this.#flat(child)
          lines.push(child.name === 'li' && inner !== '' ? '• ' + inner : inner)
        }
      }
    }
    lines.push(trimLine(line.take()))
    return lines.filter((text) => text !== '').join(BREAK)
  }

  /** Rows are cut at bars before code is looked for, and a backslash before a bar cannot be escaped in code: such code is written as text. */
  #codeSpan(raw: string): string {
    return this.#inCell && raw.includes('\\|') ? escapeText(raw) : codeSpan(raw)
  }

  #inlines(nodes: TreeNode[]): string {
    const line = new Line()
    this.#addInlines(line, nodes)
    return line.take()
  }

  #addInlines(line: Line, nodes: TreeNode[]): void {
    for (const node of nodes) {
      if (line.isFull) return
      if (node instanceof TextNode) line.add(textOf(node))
      else if (!node.dropped) {
        if (node.tag.block) line.add(' ')
        this.#addInline(line, node)
        if (node.tag.block) line.add(' ')
      }
    }
  }

  /**
   * Adds an inline element to a line. One without marks of its own adds its parts one by one: to make a text of them first would copy what
   * is inside once more for each element around it. For the same reason marks deeper than any page needs are left out.
   */
  #addInline(line: Line, element: ElementNode): void {
    if (isTransparent(element) || (this.#marks >= MAX_MARKS && element.children.length > 0 && !element.tag.silent))
      return this.#addInlines(line, element.children)
    this.#marks++
    line.add(this.#inline(element))
    this.#marks--
  }

  #inline(element: ElementNode): string {
    switch (element.name) {
      case 'br':
        return BREAK
      case 'wbr':
        return ''
      case 'img':
        return this.#image(element)
      case 'a':
        return this.#link(element)
      case 'strong':
      case 'b':
        return wrapped(this.#inlines(element.children), '**')
      case 'em':
      case 'i':
      case 'cite':
      case 'dfn':
        return wrapped(this.#inlines(element.children), '*')
      case 'del':
      case 's':
      case 'strike':
        return wrapped(this.#inlines(element.children), '~~')
      case 'code':
      case 'kbd':
      case 'samp':
      case 'tt':
        return element.hasBlock ? this.#inlines(element.children) : this.#codeSpan(rawText(element))
      case 'q':
        return '“' + trimLine(this.#inlines(element.children)) + '”'
      case 'hr':
        return ' '
      case 'button':
        // Headings that fold their part are buttons inside.
        return this.#inHeading ? this.#inlines(element.children) : ''
      default:
        return ''
    }
  }

  #link(element: ElementNode): string {
    const href = attributeOf(element, 'href')
    const text = this.#inlines(element.children)
    const label = trimLine(text).replaceAll('\\\n', ' ')
    if (href === undefined) return text
    if (label === '') return text
    // The little marks that link a heading to itself.
    if (href.includes('#') && /^(?:\\?[¶#§🔗]|\\?\[?(?:link|permalink)\]?)?$/u.test(label) && this.#resolver.isSamePage(href)) return ''
    const url = this.#address(href)
    if (url === null) return text
    if (
      label.startsWith('![') &&
      /^!\[(?:[^\]\\]|\\.)*\]\([^()]*\)$/.test(label) &&
      (this.#options.plainImages || /\.(?:jpe?g|png|gif|webp|avif)$/i.test(url))
    )
      return text
    const leading = text.startsWith(' ') ? ' ' : ''
    const trailing = text.endsWith(' ') ? ' ' : ''
    return `${leading}[${escapeBrackets(label)}](${url})${trailing}`
  }

  /** An address as it stands in Markdown: absolute, with its fragment, null when it is not for the web. */
  #address(href: string | undefined): string | null {
    if (href === undefined) return null
    const trimmed = href.trim()
    if (/^mailto:[^\s<>()]+$/i.test(trimmed)) return destination(trimmed)
    if (trimmed === '' || trimmed === '#') return null
    const url = this.#resolver.resolve(trimmed)
    if (url === null) return null
    const hash = trimmed.indexOf('#')
    const fragment = hash < 0 || hash === trimmed.length - 1 ? '' : encodeFragment(trimmed.slice(hash))
    return destination(url + fragment)
  }

  #image(element: ElementNode): string {
    const source = imageSource(element, this.#resolver)
    if (source === null) return ''
    const given = (attributeOf(element, 'alt') ?? '').replace(/\s+/g, ' ').trim()
    const alt =
      given === '' ||
      // In running text captions are left out, and these are captions.
      (this.#options.plainImages && given.length > MAX_ALT) ||
      (given.length < 200 && FILE_NAME.test(given)) ||
      isSaid(given, this.#options.title) ||
      this.#alts.has(given) ||
      hasCaption(element, given)
        ? ''
        : given
    if (alt !== '') this.#alts.add(alt)
    return `![${escapeBrackets(escapeText(alt))}](${destination(source)})`
  }
}

function isSaid(words: string, title: string): boolean {
  return title.includes(words) || (title.length >= 20 && words.includes(title.slice(0, 30)))
}

/** Is the picture in a figure with words of its own, or beside a text that starts as its description does? */
function hasCaption(image: ElementNode, alt: string): boolean {
  let at = image.parent
  const start = alt.slice(0, 40)
  for (let levels = 0; at !== null && levels < 4 && at.textLength < 600 && at.children.length < 50; levels++, at = at.parent) {
    if (
      at.name === 'figure' &&
      at.children.some((child) => child instanceof ElementNode && child.name === 'figcaption' && child.textLength > 0)
    )
      return true
    if (at.textLength >= start.length && start.length > 10 && at.tag.block && rawText(at).includes(start)) return true
  }
  return false
}

/** Names of files given for descriptions. */
const FILE_NAME = /^\S*(?:[-_]\S*\d|\d\S*[-_]|[-_]\S+[-_])\S*$|^\S+\.(?:jpe?g|png|gif|webp|svg|avif)$/i

function imageSource(element: ElementNode, resolver: Resolver): string | null {
  if (attributeOf(element, 'width') === '1' || attributeOf(element, 'height') === '1') return null
  for (const name of ['data-src', 'data-original', 'data-lazy-src', 'src']) {
    const value = attributeOf(element, name)
    if (value !== undefined && value !== '' && !/^\s*data:/i.test(value)) {
      const url = resolver.resolve(value.trim())
      if (url !== null) return url
    }
  }
  const set = attributeOf(element, 'srcset') ?? attributeOf(element, 'data-srcset')
  const first = set?.trim().split(/\s/, 1)[0]
  return first === undefined || first === '' || /^data:/i.test(first) ? null : resolver.resolve(first.replace(/,$/, ''))
}

function isCell(node: TreeNode): node is ElementNode {
  return node instanceof ElementNode && (node.name === 'td' || node.name === 'th')
}

/** Is the table there to place things, or to show them? */
function isLayout(table: ElementNode, rows: ElementNode[]): boolean {
  const role = attributeOf(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  if (rows.length === 0) return true
  let widest = 0
  let hasHeader = false
  let rich = 0
  let cellCount = 0
  for (const row of rows) {
    let width = 0
    for (const cell of row.children) {
      if (cell instanceof TextNode || cell.dropped) continue
      width++
      if (cell.name === 'th') hasHeader = true
      cellCount++
      if (cell.hasBlock && holdsRichBlock(cell)) rich++
      else if (cell.textLength > 1500) rich++
    }
    widest = Math.max(widest, width)
  }
  if (widest < 2) return true
  // Code beside its line numbers, pictures beside their columns of text.
  if (!hasHeader) return rich > 0 || rows.length === 1
  return rich * 2 > cellCount
}

function holdsRichBlock(element: ElementNode): boolean {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || !(child.tag.block || child.hasBlock)) continue
    if (child.name === 'table' || child.name === 'pre' || HEADING.test(child.name) || child.name === 'blockquote') return true
    if (holdsRichBlock(child)) return true
  }
  return false
}

function isLoose(item: ElementNode): boolean {
  let paragraphs = 0
  for (const child of item.children)
    if (child instanceof ElementNode && !child.dropped && (child.name === 'p' || child.tag.pre)) paragraphs++
  return paragraphs > 1
}

function span(cell: ElementNode, name: string): number {
  const value = Number(attributeOf(cell, name) ?? 1)
  return Number.isInteger(value) && value > 1 ? Math.min(value, MAX_COLUMNS) : 1
}

function rawText(element: ElementNode): string {
  const pieces: string[] = []
  collectText(element, pieces)
  return pieces.join('')
}

/** In pieces, since to look at the end of a text that grows copies all of it, each time. */
function collectText(element: ElementNode, pieces: string[]): void {
  for (const child of element.children) {
    if (child instanceof TextNode) {
      if (child.data !== '') pieces.push(child.data)
    } else if (child.dropped || child.tag.silent) continue
    else if (child.name === 'br') pieces.push('\n')
    else {
      collectText(child, pieces)
      // Some highlighters put each line in a block of its own.
      if (child.tag.block && !pieces.at(-1)?.endsWith('\n')) pieces.push('\n')
    }
  }
}

/** The language of a code block, from the class names that highlighters use. */
function languageOf(pre: ElementNode): string {
  const code = pre.children.find((child) => child instanceof ElementNode && child.name === 'code') as ElementNode | undefined
  for (const element of [code, pre, pre.parent, pre.parent?.parent]) {
    if (!element) continue
    const given = attributeOf(element, 'data-lang') ?? attributeOf(element, 'data-language')
    const classes = attributeOf(element, 'class') ?? ''
    const match = /(?:^|\s)(?:lang(?:uage)?|highlight(?:-source)?|brush:|sourceCode)[-\s]?(?!highlight\b)([a-z][\w+#.-]*)/i.exec(classes)
    const name = (given ?? match?.[1] ?? '').toLowerCase()
    if (name !== '' && /^[\w+#.-]{1,30}$/.test(name)) return NO_LANGUAGE.has(name) ? '' : name
  }
  return ''
}
const NO_LANGUAGE = new Set([
  'default',
  'none',
  'text',
  'plaintext',
  'plain',
  'highlight',
  'source',
  'notranslate',
  'nohighlight',
  'wrapper',
  'box',
])

function longestRun(text: string, character: string): number {
  let longest = 0
  let run = 0
  for (const other of text) {
    run = other === character ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

function codeSpan(raw: string): string {
  const text = raw.replace(/\s+/g, ' ').trim()
  if (text === '') return raw === '' ? '' : ' '
  const fence = text.includes('`') ? '`'.repeat(longestRun(text, '`') + 1) : '`'
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return fence + pad + text + pad + fence
}

function strong(text: string): string {
  return text.includes('**') ? text : wrapped(text, '**')
}

/** Puts marks around a text, its outer spaces outside of them. */
function wrapped(text: string, mark: string): string {
  const inner = trimLine(text)
  if (inner === '') return text === '' ? '' : ' '
  if (inner.startsWith(mark) && inner.endsWith(mark)) return text
  const leading = text.startsWith(' ') ? ' ' : ''
  const trailing = text.endsWith(' ') ? ' ' : ''
  return leading + mark + inner + mark + trailing
}

/**
 * A line that grows piece by piece, with at most one space between two pieces and none around a line break.
 *
 * The last space or mark waits for what follows, so that the text is never read while it grows: reading its end would copy all of it, each time.
 * Marks wait because what the page wrote in two elements may be markup together: `]` and `(`, `&` and `lt;`.
 */
class Line {
  #text = ''
  #waiting = ''
  #last = 0
  #length = 0

  /** More than is written of a whole page. */
  get isFull(): boolean {
    return this.#length > MAX_MARKDOWN_BYTES
  }

  add(piece: string): void {
    if (piece === '' || this.isFull) return
    this.#length += piece.length
    const first = piece.charCodeAt(0)
    if (this.#waiting === ' ') {
      if (first !== SPACE && piece !== BREAK) this.#put(' ', SPACE)
    } else if (this.#waiting !== '') {
      const mark = this.#waiting
      this.#put(joinsTo(mark, first) ? '\\' + mark : mark, mark.charCodeAt(0))
    }
    this.#waiting = ''
    if (first === SPACE && this.#last === LINE_FEED) piece = piece.slice(1)
    // The marks of two pieces of code would be one mark.
    else if (first === BACKTICK && this.#last === BACKTICK) this.#put(' ', SPACE)
    if (piece === '') return
    const last = piece.charCodeAt(piece.length - 1)
    if (last === SPACE || ((last === EXCLAMATION || last === CLOSING || last === AMPERSAND || last === TILDE) && isUnescaped(piece))) {
      this.#waiting = piece.slice(-1)
      piece = piece.slice(0, -1)
      if (piece === '') return
    }
    this.#put(piece, last)
  }

  take(): string {
    const text = this.#text + this.#waiting
    this.#text = this.#waiting = ''
    this.#last = this.#length = 0
    return text
  }

  #put(piece: string, last: number) {
    this.#text += piece
    this.#last = last
  }
}

/** Would a mark of text be markup together with what follows it? */
function joinsTo(mark: string, next: number): boolean {
  switch (mark) {
    case '!':
      return next === OPENING
    case ']':
      return next === OPENING || next === 40 || next === 58
    case '&':
      return next === 35 || ((next | 32) >= 97 && (next | 32) <= 122)
    default:
      return next === TILDE
  }
}

/** Is the last character not escaped, and no part of a mark of two? */
function isUnescaped(piece: string): boolean {
  let at = piece.length - 2
  if (piece.charCodeAt(at) === TILDE && piece.charCodeAt(at + 1) === TILDE) return false
  while (piece.charCodeAt(at) === BACKSLASH) at -= 1
  return (piece.length - at) % 2 === 0
}

const BREAK = '\\\n'
const LINE_FEED = 10
const SPACE = 32
const EXCLAMATION = 33
const AMPERSAND = 38
const OPENING = 91
const BACKSLASH = 92
const CLOSING = 93
const BACKTICK = 96
const TILDE = 126

/** Removes spaces and line breaks at both ends. */
function trimLine(text: string): string {
  let start = 0
  let end = text.length
  for (;;) {
    if (text.charCodeAt(start) === 32) start++
    else if (text.charCodeAt(start) === 92 && text.charCodeAt(start + 1) === 10) start += 2
    else break
  }
  for (;;) {
    if (end > start && text.charCodeAt(end - 1) === 32) end--
    else if (end - 1 > start && text.charCodeAt(end - 1) === 10 && text.charCodeAt(end - 2) === 92) end -= 2
    else break
  }
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

function textOf(node: TextNode): string {
  if (node.isPlain) return node.data
  return escapeText(node.data.length > MAX_MARKDOWN_BYTES ? node.data.slice(0, MAX_MARKDOWN_BYTES) : node.data)
}

/** A link or picture that is written already, and no text that looks like one: the bracket of text has a backslash before it. */
const LINK_INSIDE = /(?<!\\)\]\(/

function destination(url: string): string {
  return /[()<>\s\\]/.test(url)
    ? url.replace(/[()<>\s\\]/g, (character) => '%' + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'))
    : url
}

function encodeFragment(fragment: string): string {
  return /^#[\w\-.~!$&'*+,;=:@/?%]*$/.test(fragment) ? fragment : '#' + encodeURI(fragment.slice(1).toWellFormed()).replaceAll('#', '%23')
}
