import type { Archive } from '../archive.ts'
import { coreFacts } from './core-facts.ts'
import { escapeHtml, MAX_HTML_LENGTH, noteMark, notesHtml, paragraphsHtml, tableHtml } from '../document.ts'
import type { Document, Paragraph } from '../document.ts'
import { applyRunProperty, headingLevel, PLAIN_RUN, readNumbering, readStyles } from './docx-styles.ts'
import type { RunStyle } from './docx-styles.ts'
import { readXml } from '../xml.ts'
import { FormulaStream } from './formula.ts'
import { graphicsOf } from './graphics.ts'
import { mainPart, partOfType, relationsOf } from './package-parts.ts'
import type { Relations } from './package-parts.ts'
import { shownText, signOf } from './symbol-fonts.ts'
import type { Attributes } from '../xml.ts'

/** Moved or deleted text, and copies for older programs. */
const SKIPPED = new Set(['Fallback', 'moveFrom', 'del', 'instrText'])
const MAX_TABLE_DEPTH = 20
/** Nested fields that are followed; each text checks which of them it belongs to. */
const MAX_FIELDS = 50

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

/** Reads one part. Adds its notes to `rules.notes` and returns the rest as HTML. */
function readPart(xml: string, relations: Relations, rules: Rules, graphic: ReturnType<typeof graphicsOf>): string {
  const body: Frame = { html: '', paragraphs: [] }
  const frames: Frame[] = [body]
  const tables: { rows: string[][]; row: string[]; span: number }[] = []
  const open: { paragraph: Paragraph; style: string; listId: string | null; listLevel: number | null; outline: number | null }[] = []
  const counts = new Map<string, number>()
  let run: RunStyle = PLAIN_RUN
  let isRun = false
  let font = ''
  let isHidden = false
  let isText = false
  let tooDeep = 0
  let skipped = 0
  let link = ''
  // Fields such as links have their instruction before their text.
  const fields: { instruction: string; isText: boolean }[] = []
  let fieldsTooDeep = 0
  let isInstruction = false
  let noteKey = ''
  const formula = new FormulaStream()

  readXml(xml, { open: opened, close: closed, text })
  return flush(body)

  function flush(frame: Frame): string {
    frame.html += paragraphsHtml(frame.paragraphs)
    frame.paragraphs = []
    return frame.html
  }

  function opened(name: string, attributes: Attributes) {
    const value = attributes['val'] ?? ''
    if (name === 'instrText') isInstruction = true
    if (skipped > 0 || SKIPPED.has(name)) {
      skipped++
      return
    }
    formula.open(name, attributes)
    if (formula.isOpen) return
    const paragraph = open.at(-1)
    switch (name) {
      case 'p':
        open.push({ paragraph: { html: '', tag: 'p', marker: null, level: 0 }, style: '', listId: null, listLevel: null, outline: null })
        return
      case 'pStyle':
        if (paragraph !== undefined) paragraph.style = value
        return
      case 'numId':
        if (paragraph !== undefined) paragraph.listId = value
        return
      case 'ilvl':
        if (paragraph !== undefined) paragraph.listLevel = Number(value) || 0
        return
      case 'outlineLvl':
        if (paragraph !== undefined) paragraph.outline = Number(value)
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
        link = linkOf(attributes)
        return
      case 'fldSimple':
        link = fieldLink(attributes['instr'] ?? '')
        return
      case 'fldChar':
        return field(attributes['fldCharType'] ?? '')
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
    if (isInstruction) {
      const last = fieldsTooDeep > 0 ? undefined : fields.at(-1)
      if (last !== undefined && last.instruction.length < 4096) last.instruction += data
    }
    if (skipped === 0) formula.text(data)
    if (!isText || skipped > 0 || isHidden || formula.isOpen) return
    let html = escapeHtml(shownText(data, font))
    if (data.trim() !== '') {
      if (run.isCode) html = `<code>${html}</code>`
      if (run.raised !== null) html = `<${run.raised}>${html}</${run.raised}>`
      if (run.isStruck) html = `<s>${html}</s>`
      if (run.isItalic) html = `<i>${html}</i>`
      if (run.isBold) html = `<b>${html}</b>`
      const target = link || (fields.findLast((one) => one.isText)?.instruction ?? '')
      if (target !== '') html = `<a href="${escapeHtml(target)}">${html}</a>`
    }
    write(html)
  }

  function write(html: string) {
    const paragraph = open.at(-1)?.paragraph
    if (paragraph !== undefined && paragraph.html.length < MAX_HTML_LENGTH) paragraph.html += html
  }

  function cite(key: string) {
    if (!rules.notes.has(key)) return
    const number = rules.cited.get(key) ?? rules.cited.size + 1
    rules.cited.set(key, number)
    write(noteMark(number))
  }

  function linkOf(attributes: Attributes): string {
    const relation = relations.get(attributes['r:id'] ?? '')
    return relation?.isExternal ? relation.target : ''
  }

  function field(type: string) {
    if (type === 'begin') {
      if (fields.length < MAX_FIELDS) fields.push({ instruction: '', isText: false })
      else fieldsTooDeep++
    } else if (type === 'end') {
      if (fieldsTooDeep > 0) fieldsTooDeep--
      else fields.pop()
    } else if (fieldsTooDeep === 0) {
      const last = fields.at(-1)
      if (last !== undefined) {
        last.instruction = fieldLink(last.instruction)
        last.isText = last.instruction !== ''
      }
    }
  }

  function paragraphEnds() {
    const ended = open.pop()
    if (ended === undefined || ended.paragraph.html.trim() === '') return
    const { paragraph } = ended
    const style = rules.styles.paragraph(ended.style)
    if (style.role === 'contents') return
    const outline = ended.outline !== null && ended.outline < 9 ? headingLevel(ended.outline + 1) : style.heading
    const listId = ended.listId ?? style.listId
    const level = Math.min(8, ended.listLevel ?? style.listLevel)
    // Numbers of headings belong to the heading style, not to a list.
    paragraph.marker = outline !== null || listId === null || listId === '0' ? null : rules.numbering(listId, level)
    paragraph.level = level
    paragraph.tag = outline !== null ? `h${outline}` : style.role === 'code' ? 'pre' : style.role === 'quotation' ? 'blockquote' : 'p'
    if (paragraph.marker === 'ol') paragraph.number = nextNumber(listId!, level)
    frames.at(-1)!.paragraphs.push(paragraph)
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

  /** A list continues after a paragraph in between; each item restarts the levels below it. */
  function nextNumber(listId: string, level: number): number {
    const number = (counts.get(`${listId}:${level}`) ?? 0) + 1
    counts.set(`${listId}:${level}`, number)
    for (let below = level + 1; below <= 8; below++) counts.delete(`${listId}:${below}`)
    return number
  }

  /** In cells and notes, each paragraph is a line. */
  function cellHtml(frame: Frame): string {
    const lines = frame.paragraphs.map((paragraph) => paragraph.html.trim())
    return [frame.html, ...lines].filter((line) => line !== '').join('<br>')
  }
}

/** The URL in `HYPERLINK "https://…"`; empty for other fields. */
function fieldLink(instruction: string): string {
  return /^\s*HYPERLINK\s+"([^"\s]+)"/.exec(instruction)?.[1] ?? ''
}
