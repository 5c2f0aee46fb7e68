import { escapeHtml, tableHtml } from '../document.ts'
import { readXml } from '../xml.ts'
import { numberFormat, numberText } from './number-format.ts'

const MAX_SERIES = 50
const MAX_POINTS = 1000
/** The values of a series that become cells: names of rows, and one column. Source: ECMA-376 part 1, 21.2.2. */
const ROLES = new Map<string, 'name' | 'rows' | 'values'>([
  ['tx', 'name'],
  ['cat', 'rows'],
  ['xVal', 'rows'],
  ['val', 'values'],
  ['yVal', 'values'],
])

type Series = { name: string; rows: string[]; values: string[] }

/** The data of a chart: its title, and a table with a row for each category and a column for each series. */
export function chartHtml(xml: string): string {
  const series: Series[] = []
  let current: Series | null = null
  let role: 'title' | 'name' | 'rows' | 'values' | null = null
  let title = ''
  let index = 0
  let code = ''
  let text = ''
  let isText = false
  let isLabel = false
  let startsIn1904 = false
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'ser' && series.length < MAX_SERIES) series.push((current = { name: '', rows: [], values: [] }))
      else if (name === 'dLbls') isLabel = true
      else if (current !== null && !isLabel) role = ROLES.get(name) ?? role
      // Titles of axes come after the series.
      else if (name === 'title' && series.length === 0) role = 'title'
      if (name === 'pt') index = Number(attributes['idx'] ?? 0) || 0
      else if (name === 'date1904') startsIn1904 = !/^(?:0|false)$/.test(attributes['val'] ?? '1')
      isText = role !== null && !isLabel && (name === 'v' || name === 't' || name === 'formatCode')
      text = ''
    },
    text: (data) => {
      if (isText) text += data
    },
    close: (name) => {
      if (isText) take(name)
      isText = false
      if (name === 'dLbls') isLabel = false
      else if (name === 'ser') current = null
      if (!isLabel && (name === 'ser' || name === 'title' || ROLES.has(name))) {
        role = null
        code = ''
      }
    },
  })
  return tableOf(series, title)

  function take(name: string) {
    if (name === 'formatCode') code = text
    else if (role === 'title') title += text
    else if (current === null) return
    else if (role === 'name') current.name += text
    else if (role !== null && index < MAX_POINTS) {
      const shown = numberText(text, numberFormat(0, code), startsIn1904)
      // The levels of a category follow each other, the lowest first.
      const above = role === 'rows' ? current.rows[index] : undefined
      current[role][index] = above === undefined ? shown : `${shown} ${above}`
    }
  }
}

function tableOf(series: readonly Series[], title: string): string {
  const plotted = series.filter(({ values }) => values.length > 0)
  if (plotted.length === 0) return ''
  const names = plotted.find(({ rows }) => rows.length > 0)?.rows ?? []
  const rows = [['', ...plotted.map(({ name }) => escapeHtml(name))]]
  const length = Math.max(names.length, ...plotted.map(({ values }) => values.length))
  for (let at = 0; at < length; at++) rows.push([escapeHtml(names[at] ?? ''), ...plotted.map(({ values }) => escapeHtml(values[at] ?? ''))])
  return (title.trim() === '' ? '' : `<p><b>${escapeHtml(title)}</b></p>`) + tableHtml(rows)
}
