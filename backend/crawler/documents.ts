import { clip } from './page.ts'
import { decodeText, decodeMarkup } from './charset.ts'
import { sealLine } from './formats/escape.ts'

/** What a body is, by its header and, where that says nothing, by its first bytes. */
export type DocumentKind = 'html' | 'text' | 'markdown' | 'json' | 'xml' | 'csv' | 'pdf' | 'unsupported'

const MAX_MARKDOWN_BYTES = 4 * 1024 * 1024
const MAX_PDF_PAGES = 2000
const MAX_JSON_DEPTH = 200
const MAX_TABLE_ROWS = 20_000
const MAX_TABLE_COLUMNS = 50

/** `text/html; charset=utf-8` to its two parts; a header that names no type gives an empty media type. */
export function readContentType(header: string | null): { mediaType: string; charset: string | null } {
  const value = header ?? ''
  const mediaType = /^\s*([\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)\s*(?:[;,]|$)/.exec(value)?.[1]?.toLowerCase() ?? ''
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i.exec(value)
  return { mediaType, charset: (charset?.[1] ?? charset?.[2] ?? charset?.[3])?.trim() || null }
}

/**
 * Decides how to read a body.
 *
 * The header is believed except where bytes cannot be what it says: binary bytes under a text type are unsupported. Without a header, or under
 * `application/octet-stream` and `unknown/unknown`, the first bytes decide. Source: WHATWG MIME Sniffing, section 7.
 */
export function kindOf(mediaType: string, bytes: Uint8Array): DocumentKind {
  const stated = statedKind(mediaType)
  if (stated === 'pdf') return 'pdf'
  if (stated === 'unsupported') return mediaType === 'application/octet-stream' ? sniffDocument(bytes) : 'unsupported'
  if (stated === null) return sniffDocument(bytes)
  return isBinary(bytes, 8) ? (startsWith(bytes, '%PDF-') ? 'pdf' : 'unsupported') : stated
}

function statedKind(mediaType: string): DocumentKind | null {
  switch (mediaType) {
    case '':
    case '*/*':
    case 'unknown/unknown':
    case 'application/unknown':
      return null
    case 'text/html':
    case 'application/xhtml+xml':
      return 'html'
    case 'text/markdown':
    case 'text/x-markdown':
      return 'markdown'
    case 'text/csv':
    case 'text/tab-separated-values':
      return 'csv'
    case 'application/json':
    case 'text/json':
    case 'application/x-ndjson':
    case 'application/jsonl':
      return 'json'
    case 'text/xml':
    case 'application/xml':
      return 'xml'
    case 'application/pdf':
    case 'application/x-pdf':
      return 'pdf'
    case 'application/yaml':
    case 'application/x-yaml':
    case 'application/toml':
    case 'application/x-tex':
    case 'application/rtf':
      return 'text'
  }
  if (mediaType.endsWith('+json')) return 'json'
  if (mediaType === 'image/svg+xml') return 'unsupported'
  if (mediaType.endsWith('+xml')) return 'xml'
  if (mediaType.startsWith('text/')) return mediaType === 'text/css' || mediaType.includes('javascript') ? 'unsupported' : 'text'
  return 'unsupported'
}

function sniffDocument(bytes: Uint8Array): DocumentKind {
  if (startsWith(bytes, '%PDF-')) return 'pdf'
  if (isBinary(bytes, 0)) return 'unsupported'
  const start = decodeText(bytes.subarray(0, 1024), null).trimStart()
  if (/^(?:<!doctype html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>]|<!--)/i.test(start)) return 'html'
  if (start.startsWith('<?xml')) return /<!doctype html|<html[\s>]/i.test(start) ? 'html' : 'xml'
  return 'text'
}

/** More than so many bytes that no text holds, in the part of a resource that sniffing reads. */
function isBinary(bytes: Uint8Array, allowed: number): boolean {
  const [first, second, third] = bytes
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe) || (first === 0xef && second === 0xbb && third === 0xbf))
    return false
  if (first === 0x89 && startsWith(bytes.subarray(1), 'PNG')) return true
  const length = Math.min(bytes.byteLength, 1445)
  let odd = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte <= 8 || byte === 11 || (byte >= 14 && byte <= 26) || (byte >= 28 && byte <= 31)) odd++
  }
  // A stray control character does not make a binary of what is called a text.
  return odd > allowed && odd * 50 > length
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text.charCodeAt(at)) return false
  return true
}

/** Markdown of a document that is neither HTML nor PDF. */
export function documentMarkdown(
  kind: 'text' | 'markdown' | 'json' | 'xml' | 'csv',
  bytes: Uint8Array,
  charset: string | null,
  mediaType: string,
): string {
  // Cut before decoding: four times the bound is more than any text needs.
  const some = bytes.byteLength > MAX_MARKDOWN_BYTES * 2 ? bytes.subarray(0, MAX_MARKDOWN_BYTES * 2) : bytes
  const text = plain(kind === 'xml' ? decodeMarkup(some, charset, true) : decodeText(some, charset))
  return clip(written(), MAX_MARKDOWN_BYTES)

  function written(): string {
    switch (kind) {
      case 'json':
        return fenced('json', prettyJson(text))
      case 'csv':
        return csvTable(text, mediaType === 'text/tab-separated-values' ? '\t' : ',')
      case 'xml':
        return fenced('xml', text)
      default:
        return text
    }
  }
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Line ends of one kind, and no characters that control a terminal. */
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

/** Indents JSON; what does not parse, or is nested too deep to be read by anyone, stays as it came. */
function prettyJson(text: string): string {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 92) at++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 91 || code === 123) {
      if (++depth > MAX_JSON_DEPTH) return text
    } else if (code === 93 || code === 125) depth--
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function csvTable(text: string, separator: string): string {
  const rows = csvRows(text, separator)
  const columns = Math.min(MAX_TABLE_COLUMNS, Math.max(0, ...rows.map((row) => row.length)))
  if (rows.length < 2 || columns < 2) return fenced('csv', text)
  const lines = rows.map((row) => `| ${Array.from({ length: columns }, (_, column) => cellText(row[column] ?? '')).join(' | ')} |`)
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`)
  return lines.join('\n') + '\n'
}

function cellText(value: string): string {
  const text = value
    .trim()
    .replace(/[\\`*_[\]<|~]|&(?=#?\w+;)/g, '\\$&')
    .replace(/\s*\n\s*/g, '<br>')
  return sealLine(text)
}

/** Rows of a CSV file. Source: RFC 4180, section 2. */
function csvRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length && rows.length < MAX_TABLE_ROWS) {
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

/**
 * Text of a PDF, page by page with a rule between, and its title; null when it cannot be read.
 * The library is loaded with the first PDF: it takes 20 MB.
 */
export async function readPdf(bytes: Uint8Array): Promise<{ title: string | null; markdown: string; pageCount: number } | null> {
  const { getDocumentProxy, getMeta } = await import('unpdf')
  try {
    // A copy, since the library takes the bytes for its own; nothing is run, nothing is loaded from elsewhere.
    const document = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, stopAtErrors: false, verbosity: 0 })
    try {
      const pages: string[] = []
      let length = 0
      for (let number = 1; number <= Math.min(document.numPages, MAX_PDF_PAGES) && length < MAX_MARKDOWN_BYTES; number++) {
        const page = await document.getPage(number)
        const content = await page.getTextContent()
        let text = ''
        for (const piece of content.items) if ('str' in piece) text += piece.str + (piece.hasEOL ? '\n' : '')
        page.cleanup()
        pages.push(plain(text).trim())
        length += text.length
      }
      const meta = await getMeta(document).catch(() => null)
      const title: unknown = meta?.info?.Title
      return {
        title: typeof title === 'string' ? title : null,
        markdown: clip(pages.filter(Boolean).join('\n\n---\n\n') + '\n', MAX_MARKDOWN_BYTES),
        pageCount: document.numPages,
      }
    } finally {
      await document.loadingTask.destroy()
    }
  } catch {
    // Damaged, encrypted, or no PDF at all: told as an outcome.
    return null
  }
}
