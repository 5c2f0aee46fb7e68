/** The Markdown of a page while it is written: blocks behind one another, with the marks of the lists and quotations around them. */
import { clip } from '#backend/crawler/page/page.ts'

const MAX_MARKDOWN_BYTES = 4 * 1024 * 1024
/** Lists and quotes nested deeper than this are no longer indented. */
const MAX_PREFIX_LENGTH = 64

/** The mark of a definition. Renderers that do not know it take what stands behind it for the text of a paragraph. */
export const DEFINITION = ': '

/** Nested empty list items: three or more of one mark would be a thematic break (CommonMark, 4.1). */
const THEMATIC_BREAK = /(([-*]) \2 )\2$/

/** What was written last, for what may follow it without an empty line. */
export type Last = 'text' | 'quote' | 'table' | 'html' | 'other'

export class Output {
  #out = ''
  /** Stands before each line of the blocks that are open. */
  #prefix = ''
  /** Stands before the next line instead: a list mark, or the start of a quote. */
  #lead: string | null = null
  #leadGap = 2
  #leadBlank = ''
  /** The same without marks of definitions: before code, tables and lists, which would not be read as such behind one. */
  #leadOfBlock = ''
  /** Ends the lead in the mark of a definition, or do marks follow one? */
  #defines: 'nothing' | 'text' | 'block' = 'nothing'
  #isInDefinition = false
  isFull = false
  last: Last = 'other'
  /** What stands before each line of the HTML that was written last, until something else follows. */
  #htmlPrefix: string | null = null
  /** The mark of the list that ended just now: another list behind it needs another mark. */
  listBefore = ''

  get length(): number {
    return this.#out.length
  }

  /** Is the next block the first of a list's entry, or of a quotation? */
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
   * @param text  without it, the mark that stands before the block is all there is
   * @param gap   2: behind an empty line; 1: on the next line
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

  /** Writes lines of HTML, in the place of a block. What is no HTML begins behind an empty line then: without it, it would be read as more of that. */
  writeHtml(html: string): void {
    this.write(html, this.last === 'html' ? 1 : 2, 'html')
    this.#htmlPrefix = this.#prefix
  }

  /** The mark of a next entry parts it from the HTML in the entry before; more HTML in the same place may join it. */
  #gapBehindHtml(lead: string, gap: number, last: Last): number {
    const prefix = this.#htmlPrefix!
    this.#htmlPrefix = null
    const isNextEntry = lead !== this.#prefix && lead.length === prefix.length && !lead.endsWith('> ')
    return isNextEntry || (last === 'html' && lead === prefix) ? gap : 2
  }

  /**
   * Writes blocks whose first line starts with `mark` and whose others with `rest`. A definition within a definition is not indented further:
   * four spaces would make code of it.
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
    // Nothing was written: the outer mark waits again.
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
