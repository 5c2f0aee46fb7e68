/** Collects the Markdown of a page: its blocks, one after the other, with the markers of the lists and quotations around them. */
import { clip } from '#backend/crawler/page/page.ts'

const MAX_MARKDOWN_BYTES = 4 * 1024 * 1024
/** Lists and quotes nested deeper than this are no longer indented. */
const MAX_PREFIX_LENGTH = 64

/** The marker of a definition. Renderers without definition lists read what follows it as the text of a paragraph. */
export const DEFINITION = ': '

/** Empty nested list entries: three or more of the same marker would be read as a thematic break (CommonMark, 4.1). */
const THEMATIC_BREAK = /(([-*]) \2 )\2$/

/** The kind of the last block: it decides what may follow without a blank line. */
export type Last = 'text' | 'quote' | 'table' | 'html' | 'other'

export class Output {
  #out = ''
  /** Written before each line of the open blocks. */
  #prefix = ''
  /** Written before the next line instead: a list marker, or the start of a quotation. */
  #lead: string | null = null
  #leadGap = 2
  #leadBlank = ''
  /** The same without markers of definitions: for code, tables and lists, which renderers do not recognise after one. */
  #leadOfBlock = ''
  /** Does the lead end in the marker of a definition (`text`), or do other markers follow one (`block`)? */
  #defines: 'nothing' | 'text' | 'block' = 'nothing'
  #isInDefinition = false
  isFull = false
  last: Last = 'other'
  /** The prefix of each line of the last HTML block, until another block follows. */
  #htmlPrefix: string | null = null
  /** The marker of the list that has just ended: a list directly after it needs another marker. */
  listBefore = ''

  get length(): number {
    return this.#out.length
  }

  /** Is the next block the first one of a list entry or a quotation? */
  get isFirst(): boolean {
    return this.#lead !== null
  }

  /** @returns at most 4 MiB, ending in one line break unless empty */
  text(): string {
    return clip(this.#out === '' ? '' : this.#out + '\n', MAX_MARKDOWN_BYTES)
  }

  /**
   * Writes a block.
   *
   * @param text  empty: only the marker before the block is written
   * @param gap   2: after a blank line; 1: on the next line
   */
  write(text: string, gap: number, last: Last = 'other'): void {
    let lead = this.#prefix
    let blank = this.#prefix.trimEnd()
    if (this.#lead !== null) {
      lead = this.#lead
      gap = this.#leadGap
      blank = this.#leadBlank
      this.#lead = null
      if (this.#defines !== 'nothing' && last !== 'html' && (last !== 'text' || this.#defines === 'block')) {
        lead = this.#leadOfBlock
        gap = 2
      }
      this.#defines = 'nothing'
    }
    if (this.#htmlPrefix !== null) gap = this.#gapBehindHtml(lead, gap, last)
    if (this.#out !== '') this.#out += gap === 2 ? '\n' + blank + '\n' : '\n'
    this.#out += text === '' ? lead.trimEnd().replace(THEMATIC_BREAK, '$1+') : lead
    this.#out += this.#prefix !== '' && text.includes('\n') ? text.replaceAll('\n', '\n' + this.#prefix) : text
    this.last = last
    this.listBefore = ''
    if (this.#out.length > MAX_MARKDOWN_BYTES) this.isFull = true
  }

  /**
   * Writes lines of HTML as a block. Other content after it begins after a blank line: without one it would be read as a part of the HTML.
   */
  writeHtml(html: string): void {
    this.write(html, this.last === 'html' ? 1 : 2, 'html')
    this.#htmlPrefix = this.#prefix
  }

  /** The marker of the next entry separates it from the HTML in the entry before; more HTML at the same place may join it. */
  #gapBehindHtml(lead: string, gap: number, last: Last): number {
    const prefix = this.#htmlPrefix!
    this.#htmlPrefix = null
    const isNextEntry = lead !== this.#prefix && lead.length === prefix.length && !lead.endsWith('> ')
    return isNextEntry || (last === 'html' && lead === prefix) ? gap : 2
  }

  /**
   * Writes blocks whose first line starts with `mark` and whose other lines start with `rest`. A definition within a definition is not indented
   * further: four spaces would make code of it.
   */
  withLead(mark: string, rest: string, gap: number, write: () => void): void {
    const prefix = this.#prefix
    const pending = this.#lead
    const leadOfBlock = this.#leadOfBlock
    const defines = this.#defines
    const isInDefinition = this.#isInDefinition
    const isDefinition = mark === DEFINITION
    const isDeep = prefix.length > MAX_PREFIX_LENGTH
    const own = isDefinition && isInDefinition ? '' : rest
    this.#lead = (pending ?? prefix) + (isDeep ? '' : mark)
    this.#leadOfBlock = (pending === null ? prefix : leadOfBlock) + (isDeep ? '' : isDefinition ? own : mark)
    this.#defines = isDefinition ? 'text' : pending === null || defines === 'nothing' ? 'nothing' : 'block'
    this.#isInDefinition = isDefinition
    if (pending === null) {
      this.#leadGap = gap
      this.#leadBlank = prefix.trimEnd()
    }
    if (!isDeep) this.#prefix = prefix + own
    write()
    this.#prefix = prefix
    this.#isInDefinition = isInDefinition
    if (this.#lead === null) return
    // Nothing was written: the outer marker is still due.
    this.#lead = pending
    this.#leadOfBlock = leadOfBlock
    this.#defines = defines
  }

  /** Writes blocks whose lines start with `rest`. */
  nested(rest: string, write: () => void): void {
    const prefix = this.#prefix
    if (prefix.length <= MAX_PREFIX_LENGTH) this.#prefix = prefix + rest
    write()
    this.#prefix = prefix
  }
}
