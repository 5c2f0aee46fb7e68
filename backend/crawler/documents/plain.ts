import { isUtf8 } from 'node:buffer'
import { decodeMarkup, decodeText, isUtf16 } from '#backend/crawler/html/charset.ts'
import { sealLine } from '../formats/seal-line.ts'
import { clip } from '#backend/crawler/page/page.ts'
import { indentJson } from './json-text.ts'

const MAX_MARKDOWN_BYTES = 4 * 1024 * 1024
const MAX_TABLE_ROWS = 20_000
const MAX_TABLE_COLUMNS = 50

/** The Markdown of a document that is neither HTML nor PDF. */
export function documentMarkdown(
  kind: 'text' | 'markdown' | 'json' | 'xml' | 'csv',
  bytes: Uint8Array,
  charset: string | null,
  mediaType: string,
): string {
  // Cut before decoding: this much is more than any text needs.
  const some = bytes.byteLength > MAX_MARKDOWN_BYTES * 2 ? bytes.subarray(0, MAX_MARKDOWN_BYTES * 2) : bytes
  // JSON is UTF-8 whatever its type says (RFC 8259, 8.1): servers of Java add ISO-8859-1 to every type.
  const stated = kind === 'json' && !isUtf16(charset) && isUtf8(bytes) ? 'utf-8' : charset
  const text = plain(kind === 'xml' ? decodeMarkup(some, charset, true) : decodeText(some, stated))
  return clip(written(), MAX_MARKDOWN_BYTES)

  function written(): string {
    switch (kind) {
      case 'json':
        return fenced('json', indentJson(text) ?? text)
      case 'csv':
        return csvTable(text, mediaType === 'text/tab-separated-values')
      case 'xml':
        return fenced('xml', text)
      default:
        return text
    }
  }
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Normalises line ends and removes control characters. */
function plain(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, '')
}

function fenced(language: string, text: string): string {
  const body = text.trimEnd()
  let longest = 2
  for (const run of body.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${body}\n${fence}\n`
}

function csvTable(given: string, isTabbed: boolean): string {
  const [line = '', stated] = SEPARATOR_LINE.exec(given) ?? []
  const text = given.slice(line.length)
  const rows = csvRows(text, isTabbed ? '\t' : (stated ?? separatorOf(text)), MAX_TABLE_ROWS)
  const columns = Math.min(MAX_TABLE_COLUMNS, Math.max(0, ...rows.map((row) => row.length)))
  if (rows.length < 2 || columns < 2) return fenced('csv', text)
  const lines = rows.map((row) => `| ${Array.from({ length: columns }, (_, column) => cellText(row[column] ?? '')).join(' | ')} |`)
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`)
  return lines.join('\n') + '\n'
}

/** Excel's own line for the separator. */
const SEPARATOR_LINE = /^sep=([^\n])\n/i
const SAMPLE_ROWS = 20
const SAMPLE_LENGTH = 20_000

/** Where numbers have decimal commas, spreadsheet programs write semicolons between cells. The separator that gives the most rows one length. */
function separatorOf(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH)
  let best = ','
  let most = 0
  for (const separator of [';', '\t', ',']) {
    const alike = new Map<number, number>()
    for (const { length } of csvRows(sample, separator, SAMPLE_ROWS)) if (length > 1) alike.set(length, (alike.get(length) ?? 0) + 1)
    const count = Math.max(0, ...alike.values())
    if (count > most) [best, most] = [separator, count]
  }
  return best
}

function cellText(value: string): string {
  const text = value
    .trim()
    // oxlint-disable-next-line no-control-regex -- our Markdown writer uses this character internally
    .replace(/\u0001/g, '')
    .replace(/[\\`*_[\]<|~]|&(?=#?\w+;)/g, '\\$&')
  const lines = text.split('\n').map((line) => line.trim())
  return sealLine(lines.filter((line) => line !== '').join('<br>'))
}

/** Splits a CSV file into rows. Source: RFC 4180, section 2. */
function csvRows(text: string, separator: string, most: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length && rows.length < most) {
    let value: string
    if (text[at] === '"') {
      let end = at + 1
      for (;;) {
        end = text.indexOf('"', end)
        if (end < 0) end = text.length
        else if (text[end + 1] === '"') {
          end += 2
          continue
        }
        break
      }
      value = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
      while (at < text.length && text[at] !== separator && text[at] !== '\n') at++
    } else {
      let end = at
      while (end < text.length && text[end] !== separator && text[end] !== '\n') end++
      value = text.slice(at, end)
      at = end
    }
    row.push(value)
    const isRowEnd = at >= text.length || text[at] === '\n'
    at++
    if (!isRowEnd && at >= text.length) row.push('')
    if (isRowEnd || at >= text.length) {
      if (row.length > 1 || row[0] !== '') rows.push(row)
      row = []
    }
  }
  return rows
}
