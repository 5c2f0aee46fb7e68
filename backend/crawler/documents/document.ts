/** What a document format gives: HTML of our own making, which is then read as any page is, and what the document says of itself. */

export type DocumentFacts = {
  title: string | null
  author: string | null
  /** As the document writes it. */
  createdAt: string | null
  modifiedAt: string | null
  language: string | null
  keywords: string | null
  description: string | null
}

export type Document = { html: string; facts: DocumentFacts }

/** Most of a document that is read, in characters of HTML. */
export const MAX_HTML_LENGTH = 4 * 1024 * 1024

export const NO_FACTS: DocumentFacts = {
  title: null,
  author: null,
  createdAt: null,
  modifiedAt: null,
  language: null,
  keywords: null,
  description: null,
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for an element's content or for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => ENTITIES[character]!) : text
}

/** Columns that a table of a document may have. */
const MAX_COLUMNS = 100

/**
 * A table of which the first row is the head. Empty rows at the end and empty columns at the right are left out.
 *
 * @param rows  cells are HTML
 */
export function tableHtml(rows: readonly (readonly string[])[]): string {
  let columns = 0
  let last = -1
  for (const [index, row] of rows.entries())
    for (let column = Math.min(row.length, MAX_COLUMNS) - 1; column >= 0; column--)
      if (row[column]) {
        columns = Math.max(columns, column + 1)
        last = index
        break
      }
  if (columns === 0) return ''
  let html = '<table>'
  for (const [index, row] of rows.slice(0, last + 1).entries()) {
    if (html.length > MAX_HTML_LENGTH) break
    const tag = index === 0 ? 'th' : 'td'
    html += '<tr>'
    // Judged for each cell: a row of repeated cells may be a hundred times as long as its part of the archive.
    for (let column = 0; column < columns && html.length <= MAX_HTML_LENGTH; column++) html += `<${tag}>${row[column] ?? ''}</${tag}>`
    html += '</tr>'
  }
  return html + '</table>'
}

/** A paragraph of a document; in a list when it has a marker. */
export type Paragraph = {
  /** HTML of its text. */
  html: string
  /** Its element outside lists. */
  tag: 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'pre' | 'blockquote'
  marker: 'ul' | 'ol' | null
  /** How deep its list stands, from 0. */
  level: number
  /** Its number in an ordered list; 1 starts a new list. */
  number?: number
}

/** Writes paragraphs one after the other: neighbours with markers become nested lists, neighbours that are code or quotation one block. */
export function paragraphsHtml(paragraphs: readonly Paragraph[]): string {
  let html = ''
  const open: ('ul' | 'ol')[] = []
  let block: 'pre' | 'blockquote' | null = null
  for (const { html: text, tag, marker, level, number = 1 } of paragraphs) {
    const depth = marker === null ? 0 : level + 1
    while (open.length > depth || (open.length === depth && marker !== null && open.at(-1) !== marker)) html += `</${open.pop()}>`
    const wanted = marker === null && (tag === 'pre' || tag === 'blockquote') ? tag : null
    if (block !== null && block !== wanted) html += `</${block}>`
    if (marker !== null) {
      while (open.length < depth) {
        html += marker === 'ol' && number > 1 && open.length === depth - 1 ? `<ol start="${number}">` : `<${marker}>`
        open.push(marker)
      }
      html += `<li>${text}</li>`
    } else if (wanted === 'pre') html += block === 'pre' ? `\n${text}` : `<pre>${text}`
    else if (wanted === 'blockquote') html += block === 'blockquote' ? `<p>${text}</p>` : `<blockquote><p>${text}</p>`
    else html += `<${tag}>${text}</${tag}>`
    block = wanted
  }
  if (block !== null) html += `</${block}>`
  return (
    html +
    open
      .toReversed()
      .map((tag) => `</${tag}>`)
      .join('')
  )
}
