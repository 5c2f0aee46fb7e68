import { escapeHtml, MAX_HTML_LENGTH, NO_FACTS, noteMark, notesHtml, paragraphsHtml, tableHtml } from './document.ts'
import type { Document, DocumentFacts, Paragraph } from './document.ts'
import { headingLevel, headingOfStyle, roleOfStyle } from './office/docx-styles.ts'
import type { ParagraphStyle } from './office/docx-styles.ts'
import { decodeRtf } from './rtf-fonts.ts'
import type { RtfFont } from './rtf-fonts.ts'
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

type Group = {
  /** What the text of the group is; empty for text of the document. */
  goal: string
  isBold: boolean
  isItalic: boolean
  isStruck: boolean
  isHidden: boolean
  raised: 'sup' | 'sub' | null
  font: number
  /** Characters that follow a `\u` for older readers. */
  fallback: number
  link: string
  isNote: boolean
}

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
  const fonts = new Map<number, RtfFont>()
  const headings = new Map<number, number>()
  const roles = new Map<number, ParagraphStyle['role']>()
  const facts: DocumentFacts = { ...NO_FACTS }
  const paragraphs: Paragraph[] = []
  let html = ''
  let rows: string[][] = []
  let row: string[] = []
  let cell: string[] = []
  let group: Group = {
    goal: '',
    isBold: false,
    isItalic: false,
    isStruck: false,
    isHidden: false,
    raised: null,
    font: 0,
    fallback: 1,
    link: '',
    isNote: false,
  }
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
  let style = 0
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
    const isOn = value !== 0
    if (name === 'footnote' && group.goal === '' && !group.isNote && !isIgnorable) return beginNote()
    if (isIgnorable || SKIPPED.test(name) || CAPTURED.test(name)) {
      const isKnown = CAPTURED.test(name)
      if (isKnown && group.goal !== 'skipped') {
        group.goal = name
        captured = ''
      } else if (!isKnown) group.goal = 'skipped'
      return
    }
    if (group.goal === 'fonttbl') {
      if (name === 'f') fonts.set((group.font = value ?? 0), { charset: 0, name: '' })
      else if (name === 'fcharset') fonts.set(group.font, { name: fonts.get(group.font)?.name ?? '', charset: value ?? 0 })
      return
    }
    if (group.goal === 'stylesheet') {
      if (name === 's') style = value ?? 0
      else if (name === 'outlinelevel' && value !== null && value < 9) headings.set(style, value + 1)
      return
    }
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
        group.link = /^\s*HYPERLINK\s+"([^"\s]+)"/.exec(instruction)?.[1] ?? ''
        instruction = ''
        return
      case 'b':
        group.isBold = isOn
        return
      case 'i':
        group.isItalic = isOn
        return
      case 'strike':
        group.isStruck = isOn
        return
      case 'v':
        group.isHidden = isOn
        return
      case 'super':
        group.raised = isOn ? 'sup' : null
        return
      case 'sub':
        group.raised = isOn ? 'sub' : null
        return
      case 'nosupersub':
        group.raised = null
        return
      case 'plain':
        Object.assign(group, { isBold: false, isItalic: false, isStruck: false, isHidden: false, raised: null })
        return
      case 'f':
        group.font = value ?? 0
        return
      case 'pard':
        draft = { ...emptyDraft(), html: draft.html, marker: draft.marker }
        return
      case 's':
        draft.style = value ?? 0
        return
      case 'outlinelevel':
        draft.outline = value
        return
      case 'ilvl':
        draft.level = Math.min(8, Math.max(0, value ?? 0))
        return
      case 'intbl':
        draft.isCell = true
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
    }
  }

  function flush() {
    if (pending === '') return
    const text = decodeRtf(pending, group.goal === '' ? fonts.get(group.font) : undefined, codePage)
    pending = ''
    write(text)
  }

  function write(text: string) {
    if (group.goal === 'skipped' || text === '') return
    if (group.goal === 'fonttbl') {
      const font = fonts.get(group.font)
      if (font !== undefined && font.name.length < 100) font.name = (font.name + text).replace(/;.*$/, '')
      return
    }
    if (group.goal === 'stylesheet') {
      const name = text.trim().replace(/;$/, '')
      const level = headingOfStyle(name)
      if (level !== null) headings.set(style, level)
      roles.set(style, roleOfStyle(name))
      return
    }
    if (group.goal !== '') {
      if (captured.length < 4096) captured += text
      return
    }
    if (group.isHidden) return
    let inner = escapeHtml(text)
    if (text.trim() !== '') {
      if (group.raised !== null) inner = `<${group.raised}>${inner}</${group.raised}>`
      if (group.isStruck) inner = `<s>${inner}</s>`
      if (group.isItalic) inner = `<i>${inner}</i>`
      if (group.isBold) inner = `<b>${inner}</b>`
      if (group.link !== '') inner = `<a href="${escapeHtml(group.link)}">${inner}</a>`
    }
    append(inner)
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
    const heading = outline !== null && outline < 9 ? outline + 1 : headings.get(draft.style)
    const role = roles.get(draft.style) ?? 'text'
    if (inner.trim() !== '' && role !== 'contents') {
      if (isCell) cell.push(inner.trim())
      else {
        endTable()
        if (heading === undefined)
          paragraphs.push({ html: inner, tag: role === 'code' ? 'pre' : role === 'quotation' ? 'blockquote' : 'p', marker, level })
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

function emptyDraft(): Draft {
  return { html: '', style: 0, outline: null, marker: null, level: 0, isCell: false }
}
