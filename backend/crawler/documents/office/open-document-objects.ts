/** Objects inside an OpenDocument file: formulas and charts. Each is a document of its own in the same archive. */
import { escapeHtml, tableHtml } from '../document.ts'
import { readXml } from '../xml.ts'
import { numberText } from './number-format.ts'

const MAX_ROWS = 1000
const MAX_COLUMNS = 50
const MATHML = /^(?:math|semantics|m[a-z]{1,14})$/
const ATTRIBUTES = ['mathvariant', 'display', 'open', 'close', 'separators', 'linethickness', 'notation']

/**
 * Private-use characters in formulas of OpenOffice.org before version 3. Source: files whose formulas also have the typed notation
 * (`%alpha`, `vec`).
 */
const PRIVATE = new Map([
  ...Object.entries({
    '\ue083': '+',
    '\ue084': '<',
    '\ue085': '>',
    '\ue08b': '…',
    '\ue08c': '→',
    '\ue098': '→',
    '\ue09e': '(',
    '\ue09f': ')',
  }),
  ...Array.from('ΓΔΘΛΞΠΣΥΦΨΩαβγδεζηθικλμνξοπρστυφχψω', (letter, at) => [String.fromCharCode(0xe0ac + at), letter] as const),
])

/** The object is a formula, a chart, or a document. */
export function objectKind(xml: string): 'formula' | 'chart' | 'document' {
  let kind: 'formula' | 'chart' | null = null
  let depth = 0
  readXml(xml, {
    open: (name) => {
      depth += 1
      if (depth === 1 && name === 'math') kind = 'formula'
      else if (depth === 3 && name === 'chart') kind = 'chart'
    },
    close: () => void (depth -= 1),
  })
  return kind ?? 'document'
}

/** The MathML of a formula, without the annotation that contains its typed notation. */
export function formulaHtml(xml: string): string {
  let html = ''
  let skipped = 0
  readXml(xml, {
    open: (name, attributes) => {
      if (skipped > 0 || !MATHML.test(name)) skipped += 1
      else html += `<${name}${ATTRIBUTES.map((key) => attribute(key, attributes[key])).join('')}>`
    },
    text: (data) => {
      if (skipped === 0) html += escapeHtml(publicText(data))
    },
    close: (name) => {
      if (skipped > 0) skipped -= 1
      else html += `</${name}>`
    },
  })
  return html
}

const attribute = (name: string, value: string | undefined) => (value === undefined ? '' : ` ${name}="${escapeHtml(publicText(value))}"`)

const publicText = (text: string) => text.replace(/[\ue083-\ue0ce]/g, (sign) => PRIVATE.get(sign) ?? sign)

/**
 * The data of a chart: its title, and the table that the chart keeps of its values, with a row for each category and a column for each
 * series. Source: OASIS OpenDocument 1.3, part 3, 11.1.
 */
export function openChartHtml(xml: string): string {
  const rows: string[][] = []
  let title: string | null = null
  let into: 'title' | 'cell' | null = null
  let cell = ''
  let value = ''
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'title' && title === null) [into, title] = ['title', '']
      else if (name === 'table-row' && rows.length < MAX_ROWS) rows.push([])
      else if (name === 'table-cell') [into, cell, value] = ['cell', '', attributes['value'] ?? '']
    },
    text: (data) => {
      if (into === 'title') title += data
      else if (into === 'cell') cell += data
    },
    close: (name) => {
      if (name === 'title') into = null
      else if (name === 'table-cell') {
        const row = rows.at(-1)
        const shown = numberText(cell.trim() || value, 'plain', false)
        if (row !== undefined && row.length < MAX_COLUMNS) row.push(escapeHtml(shown === 'NaN' ? '' : shown))
        into = null
      }
    },
  })
  if (rows.length === 0) return ''
  const head = (title ?? '').trim()
  return (head === '' ? '' : `<p><b>${escapeHtml(head)}</b></p>`) + tableHtml(rows)
}
