/** What a document reader returns: HTML that we wrote, to be parsed like a web page, and the document's own metadata. */

export type DocumentFacts = {
  title: string | null
  author: string | null
  /** As the document spells it. */
  createdAt: string | null
  modifiedAt: string | null
  language: string | null
  keywords: string | null
  description: string | null
  /** Of a PDF: how many pages it has, and how many were read. */
  pages?: { count: number; read: number }
}

export type Document = { html: string; facts: DocumentFacts }

/** Most characters of HTML that are made of a document. */
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

/** Escapes text for an element's content or for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => ENTITIES[character]!) : text
}

export type TextStyle = {
  isBold: boolean
  isItalic: boolean
  isStruck: boolean
  isCode?: boolean
  raised?: 'sup' | 'sub' | null
}

/** HTML before and after a paragraph or a run of text. */
export type Tags = [opening: string, closing: string]

/** The tags around text of one style. */
export function styleTags({ isBold, isItalic, isStruck, isCode = false, raised = null }: TextStyle): Tags {
  let opening = ''
  let closing = ''
  for (const [applies, tag] of [
    [isBold, 'b'],
    [isItalic, 'i'],
    [isStruck, 's'],
    [raised !== null, raised],
    [isCode, 'code'],
  ] as const)
    if (applies) {
      opening += `<${tag}>`
      closing = `</${tag}>${closing}`
    }
  return [opening, closing]
}

/**
 * Text of one style. White space alone has none.
 *
 * @param link  the URL that it leads to; empty without one
 */
export function styledHtml(text: string, style: TextStyle, link: string): string {
  if (text.trim() === '') return escapeHtml(text)
  const [opening, closing] = styleTags(style)
  const html = opening + escapeHtml(text) + closing
  return link === '' ? html : `<a href="${escapeHtml(link)}">${html}</a>`
}

/** Most columns of a table. */
const MAX_COLUMNS = 100

/**
 * A table whose first row is its head. Drops empty rows at the end and empty columns at the right.
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
    // Checked per cell: a row of repeated cells may be a hundred times as long as its part of the archive.
    for (let column = 0; column < columns && html.length <= MAX_HTML_LENGTH; column++) html += `<${tag}>${row[column] ?? ''}</${tag}>`
    html += '</tr>'
  }
  return html + '</table>'
}

/** A paragraph of a document; with a marker, an item of a list. */
export type Paragraph = {
  /** HTML of its text. */
  html: string
  /** Its element when it is not in a list. */
  tag: 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'pre' | 'blockquote'
  marker: 'ul' | 'ol' | null
  /** Depth of its list, from 0. */
  level: number
  /** Its number in an ordered list; 1 starts a new list. */
  number?: number
}

/** Writes paragraphs in order: consecutive ones with markers become nested lists, consecutive code or quotations one block. */
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

/** The number in the text that leads to a footnote, from 1. */
export const noteMark = (number: number) => `<sup><a id="fnref${number}" href="#fn${number}" class="footnote-ref">${number}</a></sup>`

/**
 * Footnotes after the text, as on a web page; empty without any.
 *
 * @param notes  HTML, in the order of their numbers
 */
export function notesHtml(notes: readonly string[]): string {
  if (notes.length === 0) return ''
  const items = notes.map((note, at) => `<li id="fn${at + 1}">${note} <a href="#fnref${at + 1}" class="footnote-backref">↩</a></li>`)
  return `<section class="footnotes"><ol>${items.join('')}</ol></section>`
}
