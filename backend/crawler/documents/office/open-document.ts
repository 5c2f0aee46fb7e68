import type { Archive } from '../archive.ts'
import { escapeHtml, MAX_HTML_LENGTH, NO_FACTS, noteMark, notesHtml, tableHtml } from '../document.ts'
import type { Document, DocumentFacts } from '../document.ts'
import { readXml, textsOf } from '../xml.ts'
import type { Attributes } from '../xml.ts'
import { readOpenDocumentStyles } from './open-document-styles.ts'
import { TableStream } from './open-document-table.ts'
import type { ClosedTable } from './open-document-table.ts'
import { formulaHtml, objectKind, openChartHtml } from './open-document-objects.ts'

type Note = { html: string }

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
function contentHtml(content: string, namedStyles: string, objectOf: ((href: string) => string) | null): string {
  const styles = readOpenDocumentStyles([namedStyles, content])
  let html = ''
  const notes: Note[] = []
  const lists: string[] = []
  let skipped = 0
  let note: Note | null = null
  const tables = new TableStream()
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
    else if (tables.isCell) tables.write(piece)
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
        return tables.isCell ? start('<b>', '</b><br>') : start(`<h${level}>`, `</h${level}>`)
      }
      case 'p':
        return paragraph(attributes['style-name'] ?? '')
      case 'span':
        return start(...styles.span(attributes['style-name'] ?? ''))
      case 'a': {
        const href = attributes['href'] ?? ''
        return /^(?:https?:|mailto:|#)/i.test(href) ? start(`<a href="${escapeHtml(href)}">`, '</a>') : start('<span>', '</span>')
      }
      case 'list': {
        const style = attributes['style-name'] ?? lists.at(-1) ?? ''
        lists.push(style)
        const tag = styles.isNumbered(style) ? 'ol' : 'ul'
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
        tables.openTable(attributes, kind === 'spreadsheet')
        return start('', '')
      case 'table-row':
        tables.openRow(attributes)
        return start('', '')
      case 'table-cell':
      case 'covered-table-cell':
        tables.openCell(attributes)
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
    else if (name === 'table-cell' || name === 'covered-table-cell') tables.closeCell()
    else if (name === 'table-row') tables.closeRow()
    else if (name === 'table') writeTable(tables.closeTable())
  }

  function writeTable(table: ClosedTable | null) {
    if (table === null || styles.isHidden(table.style) || html.length > MAX_HTML_LENGTH) return
    const { isSheet, name, rows } = table
    const shown = tableHtml(isSheet ? rows.filter((row) => row.some((value) => value !== '')) : rows)
    if (shown !== '') write(isSheet && objectOf !== null ? `<h2>${escapeHtml(name)}</h2>${shown}` : shown)
  }

  /** Uses the name of a slide as its title when it has none. */
  function writeSlideName() {
    if (slideName !== null) write(`<h2>${escapeHtml(slideName)}</h2>`)
    slideName = null
  }

  function paragraph(style: string) {
    // In a cell, a paragraph is a line.
    if (tables.isCell) return start('', '<br>')
    if (isTitle) {
      slideName = null
      return start('<h2>', '</h2>')
    }
    if (isItemStart) {
      isItemStart = false
      return start('', '')
    }
    return start(...styles.paragraph(style))
  }
}
