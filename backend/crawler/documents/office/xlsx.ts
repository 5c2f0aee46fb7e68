import { partName } from '../archive.ts'
import type { Archive } from '../archive.ts'
import { coreFacts } from './core-facts.ts'
import { escapeHtml, MAX_HTML_LENGTH, tableHtml } from '../document.ts'
import type { Document } from '../document.ts'
import { readXml, relationsOf } from '../xml.ts'

const MAX_SHEETS = 200
const MAX_ROWS = 20_000
const MAX_COLUMNS = 100
const MAX_SHARED_TEXTS = 2_000_000
/** Most characters in a cell, which spreadsheet programs enforce too. Source: Microsoft, Excel specifications and limits. */
const MAX_CELL_LENGTH = 32_767

/** Built-in number formats that are dates. Source: ECMA-376 part 1, 18.8.30. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58])
const TIME_FORMATS = new Set([18, 19, 20, 21, 32, 33, 45, 46, 47])

type CellFormat = 'plain' | 'date' | 'time' | 'percent'

/** Reads a workbook: each visible sheet as a heading and a table. Formulas show their last result. */
export function readXlsx(archive: Archive): Document | null {
  const workbookPart = archive.names.find((name) => /^xl\/workbook\d*\.xml$/.test(name)) ?? 'xl/workbook.xml'
  const workbook = archive.text(workbookPart)
  if (workbook === null) return null
  const relations = relationsOf(archive.text(relationsPart(workbookPart)))
  const sheets: { name: string; part: string }[] = []
  let startsIn1904 = false
  readXml(workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet' || sheets.length >= MAX_SHEETS || /hidden/i.test(attributes['state'] ?? '')) return
      const relation = relations.get(attributes['r:id'] ?? attributes['id'] ?? '')
      if (relation !== undefined && !relation.isExternal)
        sheets.push({ name: attributes['name'] ?? '', part: partName(workbookPart, relation.target) })
    },
  })
  const sharedPart = [...relations.values()].find((relation) => relation.type === 'sharedStrings')?.target
  const stylesPart = [...relations.values()].find((relation) => relation.type === 'styles')?.target
  const shared = sharedPart === undefined ? [] : sharedTexts(archive.text(partName(workbookPart, sharedPart)) ?? '')
  const formats = stylesPart === undefined ? [] : cellFormats(archive.text(partName(workbookPart, stylesPart)) ?? '')
  let html = ''
  for (const sheet of sheets) {
    const xml = archive.text(sheet.part)
    if (xml === null || html.length > MAX_HTML_LENGTH) continue
    const links = relationsOf(archive.text(relationsPart(sheet.part)))
    const table = tableHtml(sheetRows(xml, shared, formats, links, startsIn1904))
    if (table !== '') html += `<h2>${escapeHtml(sheet.name)}</h2>${table}`
  }
  return { html, facts: coreFacts(archive) }
}

function relationsPart(part: string): string {
  const slash = part.lastIndexOf('/') + 1
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
}

/** Texts that cells refer to by index, without phonetic hints. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  let text: string | null = null
  let isText = false
  let isHint = false
  readXml(xml, {
    open: (name) => {
      if (name === 'si') text = ''
      else if (name === 'rPh') isHint = true
      else if (name === 't') isText = true
    },
    text: (data) => {
      if (isText && !isHint && text !== null) text += data
    },
    close: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isHint = false
      else if (name === 'si' && text !== null) {
        if (texts.length < MAX_SHARED_TEXTS) texts.push(text)
        text = null
      }
    },
  })
  return texts
}

/** The number format of each cell style. */
function cellFormats(xml: string): CellFormat[] {
  const codes = new Map<number, string>()
  const formats: CellFormat[] = []
  let inCells = false
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) formats.push(formatOf(Number(attributes['numFmtId'] ?? 0)))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats

  function formatOf(id: number): CellFormat {
    if (DATE_FORMATS.has(id)) return 'date'
    if (TIME_FORMATS.has(id)) return 'time'
    if (id === 9 || id === 10) return 'percent'
    // Quoted texts, colours and escaped characters are not part of the pattern.
    const code = (codes.get(id) ?? '').slice(0, 300).replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
    if (/[yd]/i.test(code)) return 'date'
    if (/h|s/i.test(code) && !/general/i.test(code)) return 'time'
    return code.includes('%') ? 'percent' : 'plain'
  }
}

function sheetRows(
  xml: string,
  shared: string[],
  formats: CellFormat[],
  links: ReturnType<typeof relationsOf>,
  startsIn1904: boolean,
): string[][] {
  const rows: string[][] = []
  const places = new Map<string, { row: string[]; column: number }>()
  let row: string[] | null = null
  let column = -1
  let type = ''
  let style = 0
  let reference = ''
  let value = ''
  let isValue = false
  // Of all cells together, because many cells may share a long text.
  let length = 0
  readXml(xml, {
    open: (name, attributes) => {
      switch (name) {
        case 'row':
          // Rows that are hidden, by hand or by a filter, are skipped.
          row = rows.length < MAX_ROWS && length <= MAX_HTML_LENGTH && !/^(?:1|true)$/.test(attributes['hidden'] ?? '') ? [] : null
          column = -1
          break
        case 'c':
          reference = attributes['r'] ?? ''
          column = reference === '' ? column + 1 : columnOf(reference)
          type = attributes['t'] ?? 'n'
          style = Number(attributes['s'] ?? 0)
          value = ''
          break
        case 'v':
        case 't':
          isValue = row !== null
          break
        case 'hyperlink': {
          const target = links.get(attributes['r:id'] ?? '')
          const place = places.get((attributes['ref'] ?? '').split(':')[0]!)
          const text = place?.row[place.column]
          if (!target?.isExternal || place === undefined || !text || length > MAX_HTML_LENGTH) return
          const linked = `<a href="${escapeHtml(target.target)}">${text}</a>`
          place.row[place.column] = linked
          length += linked.length - text.length
        }
      }
    },
    text: (data) => {
      if (isValue) value += data
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c' && row !== null && column >= 0 && column < MAX_COLUMNS && value !== '' && length <= MAX_HTML_LENGTH) {
        while (row.length < column) row.push('')
        row[column] = escapeHtml(shown().slice(0, MAX_CELL_LENGTH)).replaceAll('\n', '<br>')
        length += row[column]!.length
        if (reference !== '' && links.size > 0) places.set(reference, { row, column })
      } else if (name === 'row' && row !== null) {
        // Drop empty rows between tables.
        if (row.length > 0) rows.push(row)
        row = null
      }
    },
  })
  return rows

  function shown(): string {
    if (type === 's') return shared[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    if (type !== 'n' || value.trim() === '' || !Number.isFinite(Number(value))) return value
    const number = Number(value)
    const format = formats[style] ?? 'plain'
    if (format === 'percent') return `${Number((number * 100).toPrecision(12))} %`
    if (format !== 'plain') return dateText(number, format, startsIn1904)
    // Rounds away floating-point noise such as that of 0.1 + 0.2.
    return String(Number(number.toPrecision(15)))
  }
}

/** The column index from 0: `BC12` gives 54; -1 when there is none. */
function columnOf(reference: string): number {
  let column = 0
  for (const character of reference) {
    const letter = character.charCodeAt(0) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
    if (column > 20_000) break
  }
  return column - 1
}

/**
 * Converts days since the workbook's epoch to ISO 8601. The calendar of 1900 has a 29 February 1900, which never existed.
 * Source: ECMA-376 part 1, 18.17.4.1.
 */
function dateText(days: number, format: 'date' | 'time', startsIn1904: boolean): string {
  if (days < 0 || days > 2_958_466) return String(days)
  const first = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const text = new Date(first + Math.round(days * 86_400) * 1000).toISOString()
  const time = text.slice(11, 19)
  if (format === 'time' && days < 1) return time.endsWith(':00') ? time.slice(0, 5) : time
  return time === '00:00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time.endsWith(':00') ? time.slice(0, 5) : time}`
}
