import type { Archive } from '../archive.ts'
import { escapeHtml, MAX_HTML_LENGTH, NO_FACTS, noteMark, notesHtml, tableHtml } from '../document.ts'
import type { Document, DocumentFacts } from '../document.ts'
import { readXml, textsOf } from '../xml.ts'
import type { Attributes } from '../xml.ts'
import { formulaHtml, objectKind, openChartHtml } from './open-document-objects.ts'

const MAX_ROWS = 20_000
const MAX_COLUMNS = 100
type Note = { html: string }
type TextStyle = { isBold: boolean; isItalic: boolean; isCode: boolean; isStruck: boolean }
type ParagraphStyle = { name: string; parent: string }
/** HTML before and after a paragraph. */
type Block = [opening: string, closing: string]

/** Elements whose text is not part of the document. */
const SKIPPED = new Set([
  'annotation',
  'annotation-end',
  'tracked-changes',
  'deletion',
  'forms',
  'settings',
  'scripts',
  'note-citation',
  'thumbnail',
])

/**
 * Reads an OpenDocument text, spreadsheet or presentation: headings by their level, lists, tables, links, notes, formulas, the data of charts;
 * each sheet and slide under a heading of its own.
 *
 * Source: OASIS OpenDocument 1.3, part 3.
 */
export function readOpenDocument(archive: Archive): Document | null {
  const content = archive.text('content.xml')
  if (content === null) return null
  const html = contentHtml(content, archive.text('styles.xml') ?? '', (href) => objectHtml(archive, href))
  return { html, facts: metaFacts(archive.text('meta.xml')) }
}

/** A formula, a chart or a document inside the document, by the reference `./Object 1`; documents inside that one are left out. */
function objectHtml(archive: Archive, href: string): string {
  const folder = href.replace(/^\.\//, '').replace(/\/$/, '')
  const content = archive.text(`${folder}/content.xml`)
  if (content === null) return ''
  const kind = objectKind(content)
  if (kind === 'formula') return formulaHtml(content)
  return kind === 'chart' ? openChartHtml(content) : contentHtml(content, archive.text(`${folder}/styles.xml`) ?? '', null)
}

function metaFacts(xml: string | null): DocumentFacts {
  if (xml === null) return NO_FACTS
  const texts = textsOf(xml, ['title', 'creator', 'initial-creator', 'creation-date', 'date', 'language', 'keyword', 'description'])
  const fact = (name: string) => texts.get(name)?.trim() ?? null
  return {
    title: fact('title'),
    author: fact('initial-creator') ?? fact('creator'),
    createdAt: fact('creation-date'),
    modifiedAt: fact('date'),
    language: fact('language'),
    keywords: fact('keyword'),
    description: fact('description'),
  }
}

/** @param objectOf  the HTML of an object inside, by its reference; null in an object, whose sheets need no headings */
function contentHtml(content: string, styles: string, objectOf: ((href: string) => string) | null): string {
  const textStyles = new Map<string, TextStyle>()
  const paragraphStyles = new Map<string, ParagraphStyle>()
  const blocks = new Map<string, Block>()
  const numbered = new Set<string>()
  const hiddenTables = new Set<string>()
  readStyles(styles)
  readStyles(content)

  let html = ''
  const notes: Note[] = []
  const lists: string[] = []
  let skipped = 0
  let note: Note | null = null
  let table: { rows: string[][]; name: string; isSheet: boolean; isHidden: boolean } | null = null
  let tableDepth = 0
  let row: string[] = []
  let rowRepeats = 1
  let cellRepeats = 1
  let cell: string | null = null
  // The displayed date depends on the locale, so the cell's value is used.
  let cellDate = ''
  let kind = ''
  // Serves as the slide's title until a title is read.
  let slideName: string | null = null
  let isTitle = false
  let beforeNotes = ''
  let notesStart = -1
  // An item's first paragraph is written without a paragraph of its own.
  let isItemStart = false
  // The closing HTML of each open element.
  const ends: string[] = []

  readXml(content, { open, close, text: (data) => write(escapeHtml(data.replace(/[ \t\r\n]+/g, ' '))) })
  return html + notesHtml(notes.map((one) => one.html))

  function write(piece: string) {
    if (skipped > 0 || kind === '' || piece === '') return
    if (note !== null) note.html += piece
    else if (cell !== null) cell += piece
    else if (html.length < MAX_HTML_LENGTH) html += piece
  }

  /** Writes an element's opening HTML and stores its closing HTML. */
  function start(opening: string, closing: string) {
    write(opening)
    ends.push(closing)
  }

  function open(name: string, attributes: Attributes) {
    if (skipped > 0 || SKIPPED.has(name)) {
      skipped++
      return
    }
    switch (name) {
      case 'body':
        kind = 'body'
        return start('', '')
      case 'h': {
        const level = Math.min(6, Math.max(1, Number(attributes['outline-level'] ?? 1) || 1))
        return start(cell === null ? `<h${level}>` : '<b>', cell === null ? `</h${level}>` : '</b><br>')
      }
      case 'p':
        return paragraph(attributes['style-name'] ?? '')
      case 'span':
        return span(attributes['style-name'] ?? '')
      case 'a': {
        const href = attributes['href'] ?? ''
        return start(
          /^(?:https?:|mailto:|#)/i.test(href) ? `<a href="${escapeHtml(href)}">` : '<span>',
          /^(?:https?:|mailto:|#)/i.test(href) ? '</a>' : '</span>',
        )
      }
      case 'list': {
        const style = attributes['style-name'] ?? lists.at(-1) ?? ''
        lists.push(style)
        const tag = numbered.has(style) ? 'ol' : 'ul'
        return start(`<${tag}>`, `</${tag}>`)
      }
      case 'list-item':
      case 'list-header':
        isItemStart = true
        return start('<li>', '</li>')
      case 's':
        write('\u00a0'.repeat(Math.min(100, Number(attributes['c'] ?? 1) || 1)).replace(/^\u00a0$/, ' '))
        return start('', '')
      case 'tab':
        return start(' ', '')
      case 'line-break':
        return start('<br>', '')
      case 'note': {
        write(noteMark(notes.length + 1))
        note = { html: '' }
        notes.push(note)
        return start('', '')
      }
      case 'table':
        if (tableDepth++ === 0) {
          const isHidden = hiddenTables.has(attributes['style-name'] ?? '')
          table = { rows: [], name: attributes['name'] ?? '', isSheet: kind === 'spreadsheet', isHidden }
        }
        return start('', '')
      case 'table-row':
        if (tableDepth === 1) {
          row = []
          rowRepeats = repeats(attributes['number-rows-repeated'])
          if (/collapse|filter/.test(attributes['visibility'] ?? '')) rowRepeats = 0
        }
        return start('', '')
      case 'table-cell':
      case 'covered-table-cell':
        if (tableDepth === 1) {
          cell = ''
          cellDate = attributes['value-type'] === 'date' ? (attributes['date-value'] ?? '') : ''
          cellRepeats = repeats(attributes['number-columns-repeated'])
        }
        return start('', '')
      case 'text':
      case 'spreadsheet':
      case 'presentation':
        if (kind === 'body') kind = name
        return start('', '')
      case 'page':
        slideName = attributes['name'] ?? ''
        return start('', '')
      case 'frame':
        isTitle = attributes['class'] === 'title' && slideName !== null
        if (!isTitle) writeSlideName()
        return start('', '')
      case 'object':
        // The values of a sheet's chart are in its cells already.
        if (kind !== 'spreadsheet') write(objectOf?.(attributes['href'] ?? '') ?? '')
        return start('', '')
      case 'notes':
        beforeNotes = html
        start('<blockquote>', '</blockquote>')
        notesStart = html.length
        return
      default:
        return start('', '')
    }
  }

  function close(name: string) {
    if (skipped > 0) {
      skipped--
      return
    }
    const end = ends.pop() ?? ''
    // A slide has notes even when they are empty.
    if (name === 'notes' && html.length === notesStart) html = beforeNotes
    else write(end)
    if (name === 'note') note = null
    else if (name === 'frame') isTitle = false
    else if (name === 'list') lists.pop()
    else if ((name === 'table-cell' || name === 'covered-table-cell') && tableDepth === 1) closeCell()
    else if (name === 'table-row' && tableDepth === 1) closeRow()
    else if (name === 'table' && --tableDepth === 0 && table !== null) {
      const { rows, isSheet, isHidden, name: title } = table
      table = null
      if (isHidden || html.length > MAX_HTML_LENGTH) return
      const shown = tableHtml(isSheet ? rows.filter((one) => one.some((value) => value !== '')) : rows)
      if (shown !== '') write(isSheet && objectOf !== null ? `<h2>${escapeHtml(title)}</h2>${shown}` : shown)
    }
  }

  /** Uses the name of a slide as its title when it has none. */
  function writeSlideName() {
    if (slideName !== null) write(`<h2>${escapeHtml(slideName)}</h2>`)
    slideName = null
  }

  function closeCell() {
    const shown = withoutOuterBreaks(cell ?? '')
    const value = /^\d{4}-/.test(cellDate)
      ? cellDate
          .slice(0, 19)
          .replace(/T00:00:00$/, '')
          .replace('T', ' ')
      : shown
    cell = null
    // The last, empty cell of a row is often repeated a thousand times.
    const times = value === '' ? Math.min(cellRepeats, MAX_COLUMNS) : cellRepeats
    for (let count = 0; count < times && row.length < MAX_COLUMNS; count++) row.push(value)
  }

  function closeRow() {
    if (table === null) return
    const isEmpty = row.every((value) => value === '')
    const times = isEmpty ? Math.min(rowRepeats, 1) : rowRepeats
    for (let count = 0; count < times && table.rows.length < MAX_ROWS; count++) table.rows.push(row)
  }

  function repeats(value: string | undefined): number {
    return Math.min(MAX_ROWS, Math.max(1, Number(value ?? 1) || 1))
  }

  function paragraph(style: string) {
    // In a cell, a paragraph is a line.
    if (cell !== null) return start('', '<br>')
    if (isTitle) {
      slideName = null
      return start('<h2>', '</h2>')
    }
    if (isItemStart) {
      isItemStart = false
      return start('', '')
    }
    const known = blocks.get(style) ?? blockOf(style)
    // Cached, because many paragraphs share a style.
    blocks.set(style, known)
    return start(...known)
  }

  function blockOf(style: string): Block {
    const names = styleNames(style)
    if (names.some((name) => /^title$/i.test(name))) return ['<h1>', '</h1>']
    if (names.some((name) => /preformatted|source[ _]?(?:20_)?(?:code|text)/i.test(name))) return ['<pre>', '\n</pre>']
    if (names.some((name) => /^quot/i.test(name))) return ['<blockquote><p>', '</p></blockquote>']
    return ['<p>', '</p>']
  }

  /** The display names of a style and its ancestors. */
  function styleNames(style: string): string[] {
    const names: string[] = []
    for (let name = style; name !== '' && names.length < 10; name = paragraphStyles.get(name)?.parent ?? '')
      names.push(paragraphStyles.get(name)?.name ?? name)
    return names
  }

  function span(style: string) {
    const { isBold = false, isItalic = false, isCode = false, isStruck = false } = textStyles.get(style) ?? {}
    let opening = ''
    let closing = ''
    for (const [applies, tag] of [
      [isBold, 'b'],
      [isItalic, 'i'],
      [isStruck, 's'],
      [isCode, 'code'],
    ] as const)
      if (applies) {
        opening += `<${tag}>`
        closing = `</${tag}>${closing}`
      }
    start(opening, closing)
  }

  function readStyles(xml: string) {
    let style = ''
    let listStyle = ''
    readXml(xml, {
      open: (name, attributes) => {
        if (name === 'style') {
          style = attributes['style:name'] ?? ''
          const shown = attributes['display-name'] ?? style
          if (attributes['family'] === 'paragraph')
            paragraphStyles.set(style, { name: shown, parent: attributes['parent-style-name'] ?? '' })
          if (attributes['family'] === 'text')
            textStyles.set(style, {
              isBold: /^strong/i.test(shown),
              isItalic: /^emphasis/i.test(shown),
              isStruck: false,
              isCode: /source.{0,4}text|verbatim|teletype/i.test(`${shown} ${attributes['parent-style-name'] ?? ''}`),
            })
        } else if (name === 'text-properties' && textStyles.has(style)) {
          const known = textStyles.get(style)!
          const weight = attributes['font-weight'] ?? ''
          known.isBold ||= weight === 'bold' || Number(weight) >= 600
          known.isItalic ||= /italic|oblique/.test(attributes['font-style'] ?? '')
          known.isStruck ||= /^(?!none).+/.test(attributes['text-line-through-style'] ?? 'none')
        } else if (name === 'table-properties' && attributes['display'] === 'false') hiddenTables.add(style)
        else if (name === 'list-style') listStyle = attributes['style:name'] ?? ''
        else if (name === 'list-level-style-number' && attributes['level'] === '1' && listStyle !== '') numbered.add(listStyle)
      },
      close: (name) => {
        if (name === 'style') style = ''
        else if (name === 'list-style') listStyle = ''
      },
    })
  }
}

/** Scans by index: a regular expression would start at each break of a long run (quadratic time). */
function withoutOuterBreaks(html: string): string {
  let start = 0
  let end = html.length
  while (html.startsWith('<br>', start)) start += 4
  while (end - start >= 4 && html.endsWith('<br>', end)) end -= 4
  return html.slice(start, end)
}
