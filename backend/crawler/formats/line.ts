/** Builds one line of inline Markdown. */

/** No more than this is written of a page. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024

/** A hard line break. */
export const BREAK = '\\\n'
/** Two or more line breaks in a row, which authors write instead of paragraphs. */
const PARAGRAPH_END = /(?:\\\n[ \u00a0]*){2,}/

/** Splits a text into paragraphs at double line breaks. */
export function paragraphsOf(text: string): string[] {
  return text.includes('\n') ? text.split(PARAGRAPH_END) : [text]
}

/** The delimiters of emphasis. `*` and `**` may be written as underscores where asterisks would pair up wrongly. */
export type Mark = '*' | '**' | '~~'

/** Output that waits, because it depends on the next character. */
type Pending = { kind: 'mark'; mark: Mark; line: Line } | { kind: 'code'; text: string }

/**
 * A line that grows piece by piece, with at most one space between two pieces and none around a line break.
 *
 * The last space or delimiter is held back until the next piece, so that the end of the text is never read while it grows: that would copy
 * the whole text each time. Characters such as `]` and `&` are held back because texts of two elements may form markup together: `]` and
 * `(`, `&` and `lt;`. Emphasis and code are held back because two adjacent ones of a kind are merged, and because asterisks between a
 * letter and a punctuation mark are not emphasis.
 */
export class Line {
  #text = ''
  #waiting = ''
  #pending: Pending | null = null
  /** The piece that was added last. */
  #piece = ''
  #last = 0
  #length = 0
  /** Whether the last piece is a link to a footnote. */
  #isReference = false

  get isFull(): boolean {
    return this.#length > MAX_LINE_LENGTH
  }

  /** Adds Markdown. */
  add(piece: string): void {
    if (piece === '' || this.isFull) return
    this.#length += piece.length
    const first = piece.charCodeAt(0)
    if (this.#pending !== null) this.#settle(piece)
    if (this.#waiting === ' ') {
      if (first !== SPACE && piece !== BREAK) this.#put(' ')
    } else if (this.#waiting !== '') this.#put(joinsTo(this.#waiting, first) ? '\\' + this.#waiting : this.#waiting)
    this.#waiting = ''
    if (first === SPACE && this.#last === LINE_FEED) piece = piece.slice(1)
    // The dollar signs of two adjacent formulas would be read as one delimiter.
    // So would the backticks of two adjacent pieces of code in emphasis.
    else if (
      (first === FORMULA_CODE || first === BACKTICK) &&
      this.#last === first &&
      this.#piece.charCodeAt(this.#piece.length - 2) !== BACKSLASH
    )
      this.#put(' ')
    if (piece === '') return
    if (this.#isReference) {
      this.#isReference = false
      if ((first === 40 || first === 58) && this.#last === CLOSING) this.#put('\\')
    }
    this.#putAllButMark(piece)
  }

  /** Adds a piece, but holds back a space or delimiter at its end. */
  #putAllButMark(piece: string): void {
    const last = piece.charCodeAt(piece.length - 1)
    if (last === SPACE || ((last === EXCLAMATION || last === CLOSING || last === AMPERSAND || last === TILDE) && isUnescaped(piece))) {
      this.#waiting = piece.slice(-1)
      piece = piece.slice(0, -1)
      if (piece === '') return
    }
    this.#put(piece)
  }

  /**
   * Adds a link to a footnote. Two may be adjacent; before a parenthesis or a colon it would be read as a link or a definition, so those
   * get a backslash.
   */
  addReference(label: string): void {
    this.#flush('[')
    this.#put(`[^${label}]`)
    this.#isReference = true
    this.#length += label.length
  }

  /** Adds emphasised Markdown; spaces at its edges are written outside of the delimiters. */
  addMarked(text: string, mark: Mark): void {
    const [first = '', ...others] = paragraphsOf(text)
    if (others.length === 0) return this.#addMarkedParagraph(text, mark)
    // Delimiters pair up only within a paragraph.
    this.#addMarkedParagraph(first, mark)
    for (const other of others) {
      this.add(BREAK)
      this.add(BREAK)
      this.#addMarkedParagraph(other, mark)
    }
  }

  #addMarkedParagraph(text: string, mark: Mark): void {
    const trimmed = trimLine(text)
    if (trimmed === '') return this.add(text === '' ? '' : text.includes(BREAK) ? BREAK : ' ')
    // All other Unicode white space at the edges goes outside, too: renderers do not recognise delimiters next to it.
    const inner = trimmed.trim()
    if (inner === '') return this.add(text)
    const hasEdges = inner.length !== text.length
    if (hasEdges) {
      if (text.charCodeAt(0) === SPACE) this.add(' ')
      if (startsWithBreak(text)) this.add(BREAK)
      if (inner.length < trimmed.length) this.add(trimmed.slice(0, -trimmed.trimStart().length))
    }
    let pending = this.#pending
    if (pending?.kind !== 'mark' || pending.mark !== mark) {
      if (pending !== null) this.#settle(mark)
      pending = this.#pending = { kind: 'mark', mark, line: new Line() }
    }
    pending.line.add(inner)
    this.#length += inner.length
    if (!hasEdges) return
    if (inner.length < trimmed.length) this.add(trimmed.slice(trimmed.trimEnd().length))
    if (endsWithBreak(text)) this.add(BREAK)
    else if (text.charCodeAt(text.length - 1) === SPACE) this.add(' ')
  }

  /** Adds code. White space becomes single spaces; everything else stays unchanged. */
  addCode(raw: string): void {
    // oxlint-disable-next-line no-control-regex -- a control character marks formulas within a line
    const text = raw.replace(/[\s\u0000-\u001f]+/g, ' ')
    if (text === '') return
    if (this.#pending?.kind === 'code') this.#pending.text += text
    else {
      this.#flush('`')
      this.#pending = { kind: 'code', text }
    }
    this.#length += text.length
  }

  take(): string {
    if (this.#pending !== null) this.#settle('')
    const text = this.#text + this.#waiting
    this.#text = this.#waiting = this.#piece = ''
    this.#last = this.#length = 0
    return text
  }

  /** Writes the held-back output before a delimiter of ours that starts with `first`. */
  #flush(first: string): void {
    if (this.#pending !== null) this.#settle(first)
    if (this.#waiting !== '') this.#put(this.#waiting)
    this.#waiting = ''
  }

  /** Writes held-back emphasis or code, now that the next character is known. */
  #settle(after: string): void {
    const pending = this.#pending!
    this.#pending = null
    if (pending.kind === 'code') return this.#put(codeSpan(pending.text))
    const waiting = this.#waiting
    this.#waiting = ''
    const text = emphasis(pending.line.take(), pending.mark, waiting || this.#piece, after)
    // If the emphasis was dropped, no delimiter separates this character from the text.
    if (waiting !== '') this.#put(waiting !== ' ' && joinsTo(waiting, text.charCodeAt(0)) ? '\\' + waiting : waiting)
    // The same holds for a character at the end.
    this.#putAllButMark(text)
  }

  #put(piece: string) {
    this.#text += piece
    this.#piece = piece
    this.#last = piece.charCodeAt(piece.length - 1)
  }
}

/** Writes a text in bold, unless a part of it is bold already. */
export function strong(text: string): string {
  if (text.includes('**')) return text
  const line = new Line()
  line.addMarked(text, '**')
  return line.take()
}

/** Would a character of the text form markup together with the next one? */
function joinsTo(mark: string, next: number): boolean {
  switch (mark) {
    case '!':
      return next === OPENING
    case ']':
      return next === OPENING || next === 40 || next === 58
    case '&':
      return next === 35 || ((next | 32) >= 97 && (next | 32) <= 122)
    default:
      return next === TILDE
  }
}

/** Is the last character neither escaped nor a part of `~~`? */
function isUnescaped(piece: string): boolean {
  let at = piece.length - 2
  if (piece.charCodeAt(at) === TILDE && piece.charCodeAt(at + 1) === TILDE) return false
  while (piece.charCodeAt(at) === BACKSLASH) at -= 1
  return (piece.length - at) % 2 === 0
}

/** Code between the shortest run of backticks that the code does not contain. */
function codeSpan(text: string): string {
  let fence = '`'
  if (text.includes('`')) {
    const runs = new Set((text.match(/`+/g) ?? []).map(({ length }) => length))
    while (runs.has(fence.length)) fence += '`'
  }
  const isPadded = text.startsWith('`') || text.endsWith('`') || (text.startsWith(' ') && text.endsWith(' '))
  const pad = isPadded ? ' ' : ''
  return fence + pad + text + pad + fence
}

/**
 * Puts delimiters around a text so that they are read as emphasis between its neighbours (CommonMark 0.31, section 6.2). Punctuation at an
 * edge that touches a letter outside is moved outside; if there is markup at that edge instead, the emphasis is dropped. Nested emphasis at
 * that edge is dropped too: its delimiters would touch the letter.
 *
 * @param before  a text that ends with what precedes; empty at the start of the line
 * @param after   a text that starts with what follows
 */
function emphasis(inner: string, mark: Mark, before: string, after: string): string {
  if (mark === '~~' && (inner.startsWith('~~') || inner.endsWith('~~'))) return inner
  // Two adjacent bold texts within emphasis are one.
  if (mark === '*' && inner.includes('****') && !inner.includes('`')) inner = inner.replace(/(?<=[^*\s])\*{4}(?=[^*\s])/g, '')
  const isRun = mark !== '~~' && inner.startsWith('*') && inner.endsWith('*')
  let head = ''
  let tail = ''
  // Asterisks of nested emphasis at an edge form one run with the new ones: the character after them counts.
  if (isLetterBefore(before) && isPunctuation(inner, mark === '~~' ? 0 : /^\**/.exec(inner)![0].length)) {
    head = OUTER_HEAD.exec(inner)?.[0] ?? ''
    if (head === '') {
      const bare = inner.replace(EMPHASIS_AT_START, '$2')
      return bare === inner ? inner : emphasis(bare, mark, before, after)
    }
    inner = inner.slice(head.length)
    if (inner === '') return head
  }
  if (isLetterAfter(after) && endsInPunctuation(mark === '~~' || !inner.endsWith('*') ? inner : inner.replace(/\*{1,9}$/, ''))) {
    tail = OUTER_TAIL.exec(inner.slice(-MAX_OUTER))?.[0] ?? ''
    if (tail === '') {
      const bare = inner.replace(EMPHASIS_AT_END, '$2')
      return head + (bare === inner ? inner : emphasis(bare, mark, head || before, after))
    }
    if (tail.includes(')') && inner.includes('](')) return head + inner
    inner = inner.slice(0, -tail.length)
    // A separate asterisk at the end would be read as one of the delimiters.
    if (/ [*_]$/.test(inner.slice(-2))) inner = `${inner.slice(0, -1)}\\${inner.slice(-1)}`
  }
  if (inner === '') return head + tail
  let marks: string = mark
  // `***x***` is read as strong within emphasis, never the other way round, and `**x**` is not read as nested emphasis.
  const isAmbiguous = (isRun && isOneStar(inner)) || (mark !== '~~' && inner.startsWith('*') && AMBIGUOUS_STAR.test(inner))
  if (isAmbiguous && !isLetterBefore(before) && !isLetterAfter(after)) marks = mark === '*' ? '_' : '__'
  return head + marks + inner + marks + tail
}

/** Does emphasis with single asterisks stand at both edges? */
function isOneStar(inner: string): boolean {
  return /^\*(?!\*)/.test(inner) && !inner.endsWith('**')
}

/** A `*` between punctuation can both open and close emphasis; inside open emphasis, it closes it. */
const AMBIGUOUS_STAR = /[\p{P}\p{S}]\*{1,2}[\p{P}\p{S}]/u

/** Emphasis whose text begins, or ends, with punctuation. */
const EMPHASIS_AT_START = /^(\*{1,3})(?=\\|[\p{P}\p{S}])((?:\\.|[^*\\])+)\1(?!\*)/u
const EMPHASIS_AT_END = /(?<![*\\])(\*{1,3})((?:\\.|[^*\\])*(?:\\.|[\p{P}\p{S}]))\1$/u

/** Punctuation that is text, not markup: escaped characters, and characters that are never markup. */
const OUTER_HEAD = /^(?:\\[!-/:-@[-`{-~]|(?![!&*<[\]_`~\\])[\p{P}\p{S}])+ */u
const OUTER_TAIL = / ?(?:\\[!-/:-@[-`{-~]|(?![&*<>[\]_`~\\;])[\p{P}\p{S}])+$/u
const MAX_OUTER = 16
/** Punctuation as CommonMark defines it, the placeholder for the dollar sign of a formula, and that for the angle bracket of a tag. */
// oxlint-disable-next-line no-control-regex -- they stand for these
const PUNCTUATION = /[\p{P}\p{S}\u0001\u0002]/u

function isPunctuation(text: string, at: number): boolean {
  return PUNCTUATION.test(String.fromCodePoint(text.codePointAt(at)!))
}

function endsInPunctuation(text: string): boolean {
  const at = text.length - 1
  const code = text.charCodeAt(at)
  return isPunctuation(text, code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at)
}

/** Asterisks of preceding emphasis form one run with the new ones: the character before them counts. */
function isLetterBefore(before: string): boolean {
  if (before.endsWith('*')) before = before.slice(-MAX_OUTER).replace(/\*+$/, '')
  return before !== '' && !/\s$/.test(before.slice(-1)) && !endsInPunctuation(before)
}

/** After asterisks follows emphasis whose text is not known yet, so they count as a letter. */
function isLetterAfter(after: string): boolean {
  return after !== '' && !/^\s/.test(after.slice(0, 1)) && (after.startsWith('*') || !isPunctuation(after, 0))
}

/** Line breaks at the edges of emphasised text are written outside of the delimiters, as spaces are. */
export const startsWithBreak = (text: string): boolean => /^ *\\\n/.test(text)
export const endsWithBreak = (text: string): boolean => /(?:^|[^\\])(?:\\\\)*\\\n *$/.test(text.slice(-MAX_OUTER))

/** Removes spaces and line breaks at both ends. */
export function trimLine(text: string): string {
  let start = 0
  let end = text.length
  for (;;) {
    if (text.charCodeAt(start) === SPACE) start++
    else if (text.charCodeAt(start) === BACKSLASH && text.charCodeAt(start + 1) === LINE_FEED) start += 2
    else break
  }
  for (;;) {
    if (end > start && text.charCodeAt(end - 1) === SPACE) end--
    else if (end - 1 > start && text.charCodeAt(end - 1) === LINE_FEED && text.charCodeAt(end - 2) === BACKSLASH) end -= 2
    else break
  }
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/** The placeholder around formulas: see `seal-line.ts`. */
const FORMULA_CODE = 1
const LINE_FEED = 10
const SPACE = 32
const EXCLAMATION = 33
const AMPERSAND = 38
const OPENING = 91
const BACKSLASH = 92
const BACKTICK = 96
const CLOSING = 93
const TILDE = 126
