import { MAX_HTML_LENGTH, NO_FACTS, noteMark, notesHtml, paragraphsHtml, styledHtml, tableHtml } from './document.ts'
import type { Document, DocumentFacts, Paragraph, TextStyle } from './document.ts'
import { linkOfField } from './office/docx-fields.ts'
import { headingLevel, TAG_OF_ROLE } from './office/docx-styles.ts'
import { decodeRtf } from './rtf-fonts.ts'
import { RtfTables } from './rtf-tables.ts'
import { rtfTokens } from './rtf-tokens.ts'

const MAX_DEPTH = 1000
/** Groups whose text is not part of the document, besides those that a reader may ignore. */
const SKIPPED =
  /^(?:colortbl|pict|object|nonshppict|header[lrf]?|footer[lrf]?|annotation|atnid|atnauthor|xe|tc|revtbl|listtable|rsidtbl|generator|filetbl)$/
/** Groups whose text is metadata, a field or a list mark. */
const CAPTURED = /^(?:fonttbl|stylesheet|info|title|author|subject|keywords|fldinst|listtext|pntext)$/
const SIGNS: Record<string, string> = {
  bullet: '•',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  ldblquote: '“',
  lquote: '‘',
  rdblquote: '”',
  rquote: '’',
  tab: ' ',
  '~': '\u00a0',
  _: '\u2011',
  '{': '{',
  '}': '}',
  '\\': '\\',
}

type Group = TextStyle & {
  /** What the text of the group is; empty for text of the document. */
  goal: string
  isHidden: boolean
  font: number
  /** Characters that follow a `\u` for older readers. */
  fallback: number
  link: string
  isNote: boolean
}

const PLAIN = { isBold: false, isItalic: false, isStruck: false, isHidden: false, raised: null } as const

/** The paragraph that is written: its text, and what its controls say of it. */
type Draft = { html: string; style: number; outline: number | null; marker: 'ul' | 'ol' | null; level: number; isCell: boolean }

/**
 * Reads a document in Rich Text Format: headings by outline level and style, lists, tables, links and footnotes. Leaves out headers, footers and
 * comments.
 *
 * @returns null when it is none
 */
export function readRtf(bytes: Uint8Array): Document | null {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!rtf.startsWith('{\\rtf')) return null
  const tables = new RtfTables()
  const facts: DocumentFacts = { ...NO_FACTS }
  const paragraphs: Paragraph[] = []
  let html = ''
  let rows: string[][] = []
  let row: string[] = []
  let cell: string[] = []
  let group: Group = { ...PLAIN, goal: '', font: 0, fallback: 1, link: '', isNote: false }
  const groups: Group[] = []
  let draft = emptyDraft()
  /** The paragraph that a footnote interrupts. */
  let interrupted = draft
  const notes: string[] = []
  let codePage = 1252
  let pending = ''
  let captured = ''
  let instruction = ''
  let toSkip = 0
  let isIgnorable = false
  // Of all text together, because a long link may be repeated with every run.
  let length = 0

  for (const token of rtfTokens(rtf)) {
    if (length > MAX_HTML_LENGTH) break
    if (token.kind === 'text') {
      const bytesLeft = token.bytes.slice(toSkip)
      toSkip = Math.max(0, toSkip - token.bytes.length)
      pending += bytesLeft
      continue
    }
    flush()
    toSkip = 0
    if (token.kind === 'open') {
      if (groups.length >= MAX_DEPTH) return null
      groups.push(group)
      group = { ...group }
    } else if (token.kind === 'close') closeGroup()
    else if (token.kind === 'sign') {
      if (token.sign === '*') isIgnorable = true
      else if (token.sign === '\r' || token.sign === '\n') endParagraph()
      else write(SIGNS[token.sign] ?? '')
      continue
    } else if (token.kind === 'word') control(token.name, token.value)
    isIgnorable = false
  }
  flush()
  endParagraph()
  endTable()
  return { html: html + paragraphsHtml(paragraphs) + notesHtml(notes), facts }

  function control(name: string, value: number | null) {
    if (name === 'footnote' && group.goal === '' && !group.isNote && !isIgnorable) return beginNote()
    if (isIgnorable || SKIPPED.test(name) || CAPTURED.test(name)) {
      const isKnown = CAPTURED.test(name)
      if (isKnown && group.goal !== 'skipped') {
        group.goal = name
        captured = ''
      } else if (!isKnown) group.goal = 'skipped'
      return
    }
    if (tables.control(group, name, value)) return
    // The formats of such groups do not apply to the paragraph.
    if (group.goal !== '' && !/^(?:u|uc|f)$/.test(name)) return
    switch (name) {
      case 'ansicpg':
        codePage = value ?? 1252
        return
      case 'uc':
        group.fallback = Math.min(16, Math.max(0, value ?? 1))
        return
      case 'u':
        write(String.fromCharCode((value ?? 0) & 0xffff))
        toSkip = group.fallback
        return
      case 'fldrslt':
        group.link = linkOfField(instruction)
        instruction = ''
        return
      case 'pard':
        draft = { ...emptyDraft(), html: draft.html, marker: draft.marker }
        return
      case 'par':
      case 'sect':
        return endParagraph()
      case 'line':
        return append('<br>')
      case 'cell':
        return endCell()
      case 'row':
        if (group.isNote) return
        if (row.length > 0) rows.push(row)
        row = []
        return
      default:
        if (Object.hasOwn(SIGNS, name)) write(SIGNS[name]!)
        else {
          applyTextControl(group, name, value)
          applyParagraphControl(draft, name, value)
        }
    }
  }

  function flush() {
    if (pending === '') return
    const text = decodeRtf(pending, group.goal === '' ? tables.font(group.font) : undefined, codePage)
    pending = ''
    write(text)
  }

  function write(text: string) {
    if (group.goal === 'skipped' || text === '' || tables.text(group, text)) return
    if (group.goal !== '') {
      if (captured.length < 4096) captured += text
      return
    }
    if (group.isHidden) return
    append(styledHtml(text, group, group.link))
  }

  function append(inner: string) {
    if (group.goal !== '') return
    draft.html += inner
    length += inner.length
  }

  function beginNote() {
    group.isNote = true
    group.raised = null
    interrupted = draft
    draft = emptyDraft()
  }

  function endNote() {
    const note = draft.html.trim()
    draft = interrupted
    if (note !== '') append(noteMark(notes.push(note)))
  }

  function closeGroup() {
    const closed = group
    group = groups.pop() ?? group
    if (closed.isNote && !group.isNote) endNote()
    if (closed.goal === group.goal) return
    const text = captured.trim()
    if (closed.goal === 'fldinst') instruction = captured
    else if (closed.goal === 'listtext' || closed.goal === 'pntext') draft.marker = text === '' ? null : /[\da-z]/i.test(text) ? 'ol' : 'ul'
    else if (closed.goal === 'title') facts.title = text || null
    else if (closed.goal === 'author') facts.author = text || null
    else if (closed.goal === 'subject') facts.description = text || null
    else if (closed.goal === 'keywords') facts.keywords = text || null
    captured = ''
  }

  function endParagraph() {
    // A note is one paragraph.
    if (group.isNote) return append(' ')
    const { html: inner, isCell, level, marker, outline } = draft
    const heading = outline !== null && outline < 9 ? outline + 1 : tables.headingOf(draft.style)
    const role = tables.roleOf(draft.style)
    if (inner.trim() !== '' && role !== 'contents') {
      if (isCell) cell.push(inner.trim())
      else {
        endTable()
        if (heading === undefined) paragraphs.push({ html: inner, tag: TAG_OF_ROLE[role], marker, level })
        // Headings are bold by themselves.
        else paragraphs.push({ html: inner.replace(/<\/?b>/g, ''), tag: `h${headingLevel(heading)}`, marker: null, level })
      }
    }
    draft = { ...draft, html: '', marker: null }
  }

  function endCell() {
    if (group.isNote) return append(' ')
    draft.isCell = true
    endParagraph()
    if (rows.length === 0 && row.length === 0) {
      html += paragraphsHtml(paragraphs)
      paragraphs.length = 0
    }
    row.push(cell.join('<br>'))
    cell = []
  }

  function endTable() {
    if (rows.length > 0) html += tableHtml(rows)
    rows = []
  }
}

/** Applies a control word for the looks of text, which hold until the end of its group. */
function applyTextControl(group: Group, name: string, value: number | null): void {
  const isOn = value !== 0
  if (name === 'b') group.isBold = isOn
  else if (name === 'i') group.isItalic = isOn
  else if (name === 'strike') group.isStruck = isOn
  else if (name === 'v') group.isHidden = isOn
  else if (name === 'super') group.raised = isOn ? 'sup' : null
  else if (name === 'sub') group.raised = isOn ? 'sub' : null
  else if (name === 'nosupersub') group.raised = null
  else if (name === 'plain') Object.assign(group, PLAIN)
  else if (name === 'f') group.font = value ?? 0
}

/** Applies a control word for the paragraph: its style, its level as a heading or in a list, whether it is in a table. */
function applyParagraphControl(draft: Draft, name: string, value: number | null): void {
  if (name === 's') draft.style = value ?? 0
  else if (name === 'outlinelevel') draft.outline = value
  else if (name === 'ilvl') draft.level = Math.min(8, Math.max(0, value ?? 0))
  else if (name === 'intbl') draft.isCell = true
}

function emptyDraft(): Draft {
  return { html: '', style: 0, outline: null, marker: null, level: 0, isCell: false }
}
