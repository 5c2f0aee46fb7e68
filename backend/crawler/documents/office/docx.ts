import type { Archive } from '../archive.ts'
import { coreFacts } from './core-facts.ts'
import { escapeHtml, MAX_HTML_LENGTH, noteMark, notesHtml, paragraphsHtml, styledHtml, tableHtml } from '../document.ts'
import type { Document, Paragraph } from '../document.ts'
import { FieldStream, linkOfField } from './docx-fields.ts'
import { applyRunProperty, headingLevel, PLAIN_RUN, readNumbering, readStyles, TAG_OF_ROLE } from './docx-styles.ts'
import type { RunStyle } from './docx-styles.ts'
import { readXml } from '../xml.ts'
import { FormulaStream } from './formula.ts'
import { graphicsOf } from './graphics.ts'
import { externalTarget, mainPart, partOfType, relationsOf } from './package-parts.ts'
import type { Relations } from './package-parts.ts'
import { shownText, signOf } from './symbol-fonts.ts'
import type { Attributes } from '../xml.ts'

/** Moved or deleted text, and copies for older programs. */
const SKIPPED = new Set(['Fallback', 'moveFrom', 'del', 'instrText'])
const MAX_TABLE_DEPTH = 20

type Rules = {
  styles: ReturnType<typeof readStyles>
  numbering: ReturnType<typeof readNumbering>
  /** The text of notes by their kind and id; they are numbered in the order of their references. */
  notes: Map<string, string>
  /** Number of each note that was referred to, in order. */
  cited: Map<string, number>
}

/**
 * Reads a Word document: headings, lists, quotations and code by their styles, tables, charts and diagrams, formulas, links, footnotes and endnotes. Leaves out deleted
 * text, comments, headers and footers of pages, and tables of contents.
 *
 * Source: ECMA-376 part 1, 17.
 */
export function readDocx(archive: Archive): Document | null {
  const main = mainPart(archive) ?? ''
  const xml = archive.text(main)
  if (xml === null) return null
  const relations = relationsOf(archive, main)
  const textOf = (type: string) => archive.text(partOfType(relations, type) ?? '')
  const rules: Rules = {
    styles: readStyles(textOf('styles')),
    numbering: readNumbering(textOf('numbering')),
    notes: new Map(),
    cited: new Map(),
  }
  for (const kind of ['footnotes', 'endnotes']) {
    const part = partOfType(relations, kind) ?? ''
    const notes = archive.text(part)
    if (notes !== null) readPart(notes, relationsOf(archive, part), rules, () => '')
  }
  const html = readPart(xml, relations, rules, graphicsOf(archive, relations))
  return { html: html + notesHtml([...rules.cited.keys()].map((key) => rules.notes.get(key) ?? '')), facts: coreFacts(archive) }
}

/** Where text is written to: the body, a cell, a note or a text box, each with its own paragraphs and tables. */
type Frame = { html: string; paragraphs: Paragraph[] }

/** The paragraph that is read: its text, and what its properties say of it. */
type Draft = { html: string; style: string; listId: string | null; listLevel: number | null; outline: number | null }

/** Reads one part. Adds its notes to `rules.notes` and returns the rest as HTML. */
function readPart(xml: string, relations: Relations, rules: Rules, graphic: ReturnType<typeof graphicsOf>): string {
  const body: Frame = { html: '', paragraphs: [] }
  const frames: Frame[] = [body]
  const tables: { rows: string[][]; row: string[]; span: number }[] = []
  const open: Draft[] = []
  const counts = new Map<string, number>()
  let run: RunStyle = PLAIN_RUN
  let isRun = false
  let font = ''
  let isHidden = false
  let isText = false
  let tooDeep = 0
  let skipped = 0
  let link = ''
  const fields = new FieldStream()
  let isInstruction = false
  let noteKey = ''
  const formula = new FormulaStream()

  readXml(xml, { open: opened, close: closed, text })
  return flush(body)

  function opened(name: string, attributes: Attributes) {
    const value = attributes['val'] ?? ''
    if (name === 'instrText') isInstruction = true
    if (skipped > 0 || SKIPPED.has(name)) {
      skipped++
      return
    }
    formula.open(name, attributes)
    if (formula.isOpen) return
    switch (name) {
      case 'p':
        open.push({ html: '', style: '', listId: null, listLevel: null, outline: null })
        return
      case 'r':
        run = { ...PLAIN_RUN }
        isRun = true
        font = ''
        isHidden = false
        return
      case 'rStyle':
        if (isRun) run = { ...rules.styles.run(value) }
        return
      case 'vanish':
        isHidden = isRun && value !== '0' && value !== 'false'
        return
      case 'rFonts':
        font = attributes['ascii'] ?? attributes['hAnsi'] ?? ''
        return
      case 'sym':
        return write(escapeHtml(signOf(attributes['font'] ?? '', attributes['char'] ?? '')))
      case 't':
        isText = true
        return
      case 'tab':
        if (isRun) write(' ')
        return
      case 'br':
      case 'cr':
        if (isRun && attributes['type'] !== 'page' && attributes['type'] !== 'column') write('<br>')
        return
      case 'noBreakHyphen':
        return write('\u2011')
      case 'footnoteReference':
      case 'endnoteReference':
        return cite(`${name.slice(0, -'Reference'.length)}:${attributes['id'] ?? ''}`)
      case 'hyperlink':
        link = externalTarget(relations, attributes['r:id'] ?? '')
        return
      case 'fldSimple':
        link = linkOfField(attributes['instr'] ?? '')
        return
      case 'fldChar':
        return fields.mark(attributes['fldCharType'] ?? '')
      case 'tbl':
        if (tables.length < MAX_TABLE_DEPTH) tables.push({ rows: [], row: [], span: 1 })
        else tooDeep++
        return
      case 'tr':
        if (isInTable()) tables.at(-1)!.row = []
        return
      case 'tc':
        if (!isInTable()) return
        tables.at(-1)!.span = 1
        frames.push({ html: '', paragraphs: [] })
        return
      case 'gridSpan':
        if (isInTable()) tables.at(-1)!.span = Math.min(50, Number(value) || 1)
        return
      case 'txbxContent':
        frames.push({ html: '', paragraphs: [] })
        return
      case 'footnote':
      case 'endnote':
        noteKey = attributes['type'] === undefined || attributes['type'] === 'normal' ? `${name}:${attributes['id'] ?? ''}` : ''
        frames.push({ html: '', paragraphs: [] })
        return
      case 'chart':
      case 'relIds':
        frames.at(-1)!.html = flush(frames.at(-1)!) + graphic(name, attributes)
        return
      default:
        if (isRun) applyRunProperty(run, name, value)
        if (open.length > 0) applyParagraphProperty(open.at(-1)!, name, value)
    }
  }

  function closed(name: string) {
    if (name === 'instrText') isInstruction = false
    if (skipped > 0) {
      skipped--
      return
    }
    if (formula.isOpen || name === 'oMathPara') return write(formula.close(name))
    switch (name) {
      case 'p':
        return paragraphEnds()
      case 'r':
        isRun = false
        return
      case 't':
        isText = false
        return
      case 'hyperlink':
      case 'fldSimple':
        link = ''
        return
      case 'tc':
        if (!isInTable() || frames.length === 1) return
        tables.at(-1)!.row.push(cellHtml(frames.pop()!), ...Array<string>(tables.at(-1)!.span - 1).fill(''))
        return
      case 'tr':
        if (isInTable()) tables.at(-1)!.rows.push(tables.at(-1)!.row)
        return
      case 'tbl':
        if (tooDeep > 0) tooDeep--
        else tableEnds()
        return
      case 'txbxContent': {
        const box = frames.length > 1 ? frames.pop()! : body
        if (box !== body) frames.at(-1)!.html = flush(frames.at(-1)!) + flush(box)
        return
      }
      case 'footnote':
      case 'endnote': {
        const note = frames.length > 1 ? frames.pop()! : body
        if (noteKey !== '' && note !== body) rules.notes.set(noteKey, cellHtml(note))
        noteKey = ''
      }
    }
  }

  function text(data: string) {
    if (isInstruction) fields.instruction(data)
    if (skipped === 0) formula.text(data)
    if (!isText || skipped > 0 || isHidden || formula.isOpen) return
    write(styledHtml(shownText(data, font), run, link || fields.link))
  }

  function write(html: string) {
    const paragraph = open.at(-1)
    if (paragraph !== undefined && paragraph.html.length < MAX_HTML_LENGTH) paragraph.html += html
  }

  function cite(key: string) {
    if (!rules.notes.has(key)) return
    const number = rules.cited.get(key) ?? rules.cited.size + 1
    rules.cited.set(key, number)
    write(noteMark(number))
  }

  function paragraphEnds() {
    const ended = open.pop()
    const paragraph = ended === undefined || ended.html.trim() === '' ? null : finished(ended, rules, counts)
    if (paragraph !== null) frames.at(-1)!.paragraphs.push(paragraph)
  }

  /** Text of too deeply nested tables stays in the cell around them. */
  function isInTable(): boolean {
    return tables.length > 0 && tooDeep === 0
  }

  function tableEnds() {
    const table = tables.pop()
    const frame = frames.at(-1)!
    if (table === undefined) return
    flush(frame)
    // A nested table becomes lines of its cell.
    if (tables.length > 0) frame.html += table.rows.map((row) => row.filter(Boolean).join(' ')).join('<br>')
    else if (frame.html.length < MAX_HTML_LENGTH) frame.html += tableHtml(table.rows)
  }
}

/** Turns the paragraphs of a frame into HTML, and returns all that it has. */
function flush(frame: Frame): string {
  frame.html += paragraphsHtml(frame.paragraphs)
  frame.paragraphs = []
  return frame.html
}

/** Takes a property of a paragraph: its style, its place in a list, or its level as a heading. */
function applyParagraphProperty(draft: Draft, name: string, value: string): void {
  if (name === 'pStyle') draft.style = value
  else if (name === 'numId') draft.listId = value
  else if (name === 'ilvl') draft.listLevel = Number(value) || 0
  else if (name === 'outlineLvl') draft.outline = Number(value)
}

/**
 * The paragraph that a draft becomes by its own properties and those of its style; null for an entry of a table of contents.
 *
 * @param counts  the last number on each level of each list
 */
function finished(draft: Draft, { numbering, styles }: Rules, counts: Map<string, number>): Paragraph | null {
  const style = styles.paragraph(draft.style)
  if (style.role === 'contents') return null
  const heading = draft.outline !== null && draft.outline < 9 ? headingLevel(draft.outline + 1) : style.heading
  const listId = draft.listId ?? style.listId
  const level = Math.min(8, draft.listLevel ?? style.listLevel)
  // Numbers of headings belong to the heading style, not to a list.
  const marker = heading !== null || listId === null || listId === '0' ? null : numbering(listId, level)
  const tag = heading !== null ? (`h${heading}` as const) : TAG_OF_ROLE[style.role]
  return { html: draft.html, tag, marker, level, ...(marker === 'ol' && { number: nextNumber(counts, listId!, level) }) }
}

/** A list continues after a paragraph in between; each item restarts the levels below it. */
function nextNumber(counts: Map<string, number>, listId: string, level: number): number {
  const number = (counts.get(`${listId}:${level}`) ?? 0) + 1
  counts.set(`${listId}:${level}`, number)
  for (let below = level + 1; below <= 8; below++) counts.delete(`${listId}:${below}`)
  return number
}

/** In cells and notes, each paragraph is a line. */
function cellHtml({ html, paragraphs }: Frame): string {
  const lines = paragraphs.map((paragraph) => paragraph.html.trim())
  return [html, ...lines].filter((line) => line !== '').join('<br>')
}
