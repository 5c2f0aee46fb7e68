import type { Archive } from '../archive.ts'
import { coreFacts } from './core-facts.ts'
import { escapeHtml, MAX_HTML_LENGTH, tableHtml } from '../document.ts'
import type { Document } from '../document.ts'
import { readXml } from '../xml.ts'
import { numberFormat, numberText } from './number-format.ts'
import type { NumberFormat } from './number-format.ts'
import { mainPart, partOfType, relationsOf } from './package-parts.ts'
import type { Relations } from './package-parts.ts'

const MAX_SHEETS = 200
const MAX_ROWS = 20_000
const MAX_COLUMNS = 100
const MAX_SHARED_TEXTS = 2_000_000
/** Most characters in a cell, which spreadsheet programs enforce too. Source: Microsoft, Excel specifications and limits. */
const MAX_CELL_LENGTH = 32_767

/** Reads a workbook: each visible sheet as a heading and a table. Formulas show their last result. */
export function readXlsx(archive: Archive): Document | null {
  const main = mainPart(archive) ?? ''
  const workbook = archive.text(main)
  if (workbook === null) return null
  const relations = relationsOf(archive, main)
  const sheets: { name: string; part: string }[] = []
  let startsIn1904 = false
  readXml(workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '')
      if (name !== 'sheet' || sheets.length >= MAX_SHEETS || /hidden/i.test(attributes['state'] ?? '')) return
      const relation = relations.get(attributes['r:id'] ?? attributes['id'] ?? '')
      if (relation !== undefined && !relation.isExternal) sheets.push({ name: attributes['name'] ?? '', part: relation.target })
    },
  })
  const shared = sharedTexts(archive.text(partOfType(relations, 'sharedStrings') ?? '') ?? '')
  const formats = cellFormats(archive.text(partOfType(relations, 'styles') ?? '') ?? '')
  let html = ''
  for (const sheet of sheets) {
    const xml = archive.text(sheet.part)
    if (xml === null || html.length > MAX_HTML_LENGTH) continue
    const table = tableHtml(sheetRows(xml, shared, formats, relationsOf(archive, sheet.part), startsIn1904))
    if (table !== '') html += `<h2>${escapeHtml(sheet.name)}</h2>${table}`
  }
  return { html, facts: coreFacts(archive) }
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
function cellFormats(xml: string): NumberFormat[] {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let inCells = false
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) {
        const id = Number(attributes['numFmtId'] ?? 0)
        formats.push(numberFormat(id, codes.get(id) ?? ''))
      }
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

function sheetRows(xml: string, shared: string[], formats: NumberFormat[], links: Relations, startsIn1904: boolean): string[][] {
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
    return type === 'n' ? numberText(value, formats[style] ?? 'plain', startsIn1904) : value
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
