/**
 * Scans HTML: tags and texts. `open-elements.ts` decides which elements they open and close.
 *
 * Takes time in proportion to the length of the document, whatever it contains: each character is read only a few times, and a construct
 * that never ends is passed over once.
 *
 * Source: HTML, section 13.2.5 (tokenization).
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import { ESCAPABLE, FORM, HTML, IMAGE, IMG, KNOWN, MARKUP, PLAIN, SCRIPT, TagName } from './html-names.ts'
import { OpenElements, type ElementSink } from './open-elements.ts'
import { commentEnd, scriptEnd } from './html-ends.ts'

/** Receives the parts of a document in order. */
export type HtmlSink = ElementSink & {
  /**
   * The text `source.slice(start, end)`, not cut out yet, because most of it is white space. Its character references are decoded.
   *
   * @param codes  the character codes of `source`, valid during the call
   */
  text(source: string, start: number, end: number, codes: Uint16Array): void
}

const MAX_ATTRIBUTES = 200
const MAX_ATTRIBUTE_LENGTH = 65_536
/** Shorter substrings are copies in V8, which do not keep the document in memory. */
const LEAST_PIECE = 13
const MAX_LABEL = 200

/**
 * Passes a document to a listener, from start to end. Never throws by itself.
 *
 * @param isXml  the document is XHTML: a slash closes any element, and CDATA counts everywhere
 */
export function scanHtml(html: string, sink: HtmlSink, isXml = false): void {
  new Scanner(html, sink, isXml).scan()
}

/**
 * Caches the last name for each hash of its characters: saves cutting a string out of the document to look it up. Measured: 15 of 68 µs
 * that a page of 25 KB takes to scan.
 */
const SLOTS = 1024
const nameSlots: (TagName | undefined)[] = Array.from({ length: SLOTS })
const attributeSlots: string[] = Array.from({ length: SLOTS }, () => '')

/**
 * The character codes of a text. Reading them from an array takes three quarters of the time of `charCodeAt`, and copying a page takes a
 * microsecond. A document is scanned without interruption, so all documents share the array.
 */
class Codes {
  #room = Buffer.alloc(0)
  #codes = new Uint16Array(0)

  /** @returns  the codes, then at least `LOOK_AHEAD` zeros, then perhaps old data; valid until the next call */
  of(text: string): Uint16Array {
    const needed = text.length + LOOK_AHEAD
    if (needed > this.#codes.length) {
      const size = Math.max(needed, LEAST_ROOM)
      const room = Buffer.alloc(size * 2)
      const codes = new Uint16Array(room.buffer, room.byteOffset, size)
      if (size > MOST_ROOM_KEPT) {
        room.write(text, 'utf16le')
        return codes
      }
      this.#room = room
      this.#codes = codes
    }
    this.#room.write(text, 'utf16le')
    this.#codes.fill(0, text.length, needed)
    return this.#codes
  }
}
const LOOK_AHEAD = 4
/** The number of characters. */
const LEAST_ROOM = 65_536
const MOST_ROOM_KEPT = 1_048_576
const documentCodes = new Codes()
const textCodes = new Codes()

class Scanner {
  readonly #html: string
  /** The characters of the document, followed by zeros, so that looking ahead never reads old data. */
  readonly #codes: Uint16Array
  readonly #sink: HtmlSink
  readonly #isXml: boolean
  /** Position of the next character. */
  #at = 0
  /** The position of the first ampersand after the current position, searched once for all texts and values before it. */
  #reference = -1
  /** The tag that was read last ends in a slash. */
  #isSelfClosing = false
  #sawType = false
  readonly #elements: OpenElements
  /** Unknown names of this document. */
  readonly #strange = new Map<string, TagName>()

  constructor(html: string, sink: HtmlSink, isXml: boolean) {
    this.#html = html
    this.#codes = documentCodes.of(html)
    this.#sink = sink
    this.#isXml = isXml
    this.#elements = new OpenElements(sink)
  }

  scan(): void {
    const html = this.#html
    const codes = this.#codes
    let textStart = 0
    let mark = html.indexOf('<')
    while (mark >= 0) {
      const next = codes[mark + 1]!
      const isTag = isLetter(next)
      if (isTag || next === EXCLAMATION || next === QUESTION || (next === SLASH && mark + 2 < html.length)) {
        if (mark > textStart) this.#text(textStart, mark)
        if (isTag) this.#startTag(mark + 1)
        else if (next === SLASH) this.#endTag(mark + 2)
        else this.#declaration(mark + 1, next)
        textStart = this.#at
        mark = html.indexOf('<', textStart)
      } else mark = html.indexOf('<', mark + 1)
    }
    if (textStart < html.length) this.#text(textStart, html.length)
    this.#elements.closeAll()
  }

  #text(start: number, end: number): void {
    if (!this.#holdsReference(start, end)) this.#sink.text(this.#html, start, end, this.#codes)
    else {
      const text = decodeHTML(this.#html.slice(start, end))
      this.#sink.text(text, 0, text.length, textCodes.of(text))
    }
  }

  #holdsReference(start: number, end: number): boolean {
    if (this.#reference < start) {
      const next = this.#html.indexOf('&', start)
      this.#reference = next < 0 ? Infinity : next
    }
    return this.#reference < end
  }

  // ---- tags

  #startTag(start: number): void {
    let name = this.#name(start)
    const attributes = this.#attributes()
    // A tag that never ends is ignored.
    if (attributes === undefined) return
    const isSelfClosing = this.#isSelfClosing
    const elements = this.#elements
    if (name.endsForeign) elements.leaveForeign()
    const { language } = elements
    if (language === HTML) {
      if (name === IMAGE) name = IMG
      if (name === FORM && !elements.beginForm()) return
    }
    elements.open(name, attributes)
    if (isSelfClosing && this.#isXml) {
      if (!name.isVoid) elements.pop()
    } else if (language !== HTML || name.content === MARKUP) {
      if (isSelfClosing && elements.language !== HTML && !name.isVoid) elements.pop()
    } else this.#content(name)
  }

  #endTag(start: number): void {
    if (!isLetter(this.#codes[start]!)) {
      this.#skipPast('>', start)
      return
    }
    const name = this.#name(start)
    this.#skipPast('>', this.#at)
    this.#elements.close(name)
  }

  /** Reads the name at `start`; `#at` is after it then. */
  #name(start: number): TagName {
    const html = this.#html
    const codes = this.#codes
    let at = start
    let hash = 0
    for (; at < html.length; at++) {
      const code = codes[at]!
      if (code <= 62 && (code === GREATER || code === SLASH || isSpace(code))) break
      hash = (Math.imul(hash, 31) + (code | 32)) | 0
    }
    this.#at = at
    const slot = hash & (SLOTS - 1)
    const guess = nameSlots[slot]
    if (guess !== undefined && isSpelled(codes, start, at, guess.text)) return guess
    const text = html.slice(start, at).toLowerCase()
    let name = KNOWN.get(text)
    if (name !== undefined) {
      nameSlots[slot] = name
      return name
    }
    name = this.#strange.get(text)
    if (name === undefined) {
      name = new TagName(copyOf(text), this.#elements.newId())
      this.#strange.set(text, name)
    }
    return name
  }

  /** Reads the rest of a tag after its name; undefined when the tag never ends. */
  #attributes(): string[] | null | undefined {
    const html = this.#html
    const codes = this.#codes
    const end = html.length
    let attributes: string[] | null = null
    let at = this.#at
    let code = 0
    let isSelfClosing = false
    for (;;) {
      code = codes[at]!
      if (code === GREATER) break
      if (at >= end) {
        this.#at = end
        return undefined
      }
      if (code === SLASH) {
        isSelfClosing = true
        at++
        continue
      }
      if (isSpace(code)) {
        at++
        continue
      }
      isSelfClosing = false
      // The first character belongs to the name, even if it is an equals sign.
      const nameStart = at
      let hash = code | 32
      let all = code
      for (at++; at < end; at++) {
        code = codes[at]!
        if (code <= 62 && (code === EQUALS || code === GREATER || code === SLASH || isSpace(code))) break
        hash = (Math.imul(hash, 31) + (code | 32)) | 0
        all |= code
      }
      const nameEnd = at
      while (at < end && isSpace(code)) code = codes[++at]!
      let value = ''
      let hasReference = false
      if (code === EQUALS) {
        do code = codes[++at]!
        while (isSpace(code))
        let valueStart = at
        if (code === QUOTE || code === APOSTROPHE) {
          valueStart++
          at = html.indexOf(code === QUOTE ? '"' : "'", valueStart)
          if (at < 0) at = end
          value = html.slice(valueStart, at)
          hasReference = this.#holdsReference(valueStart, at)
          at++
        } else {
          for (; at < end; at++) {
            code = codes[at]!
            if (code === GREATER || isSpace(code)) break
          }
          value = html.slice(valueStart, at)
          hasReference = this.#holdsReference(valueStart, at)
        }
      }
      if (attributes !== null && attributes.length >= MAX_ATTRIBUTES * 2) continue
      const name = attributeName(html, codes, nameStart, nameEnd, hash & (SLOTS - 1), all)
      if (attributes !== null && isAmong(attributes, name)) continue
      if (hasReference) value = decodeHTMLAttribute(value)
      if (value.length > MAX_ATTRIBUTE_LENGTH) value = value.slice(0, MAX_ATTRIBUTE_LENGTH)
      if (LABELS.has(name)) value = labelOf(value)
      if (attributes === null) attributes = [name, value]
      else attributes.push(name, value)
    }
    this.#at = at + 1
    this.#isSelfClosing = isSelfClosing
    return attributes
  }

  // ---- other markup

  /** Reads the text of a script, title and the like, and its end tag. */
  #content(name: TagName): void {
    const html = this.#html
    const start = this.#at
    let end = name.content === PLAIN ? -1 : html.indexOf('</', start)
    while (end >= 0 && !endsName(this.#codes, end + 2, name.text)) end = html.indexOf('</', end + 2)
    if (name === SCRIPT && end >= 0 && html.slice(start, end).includes('<!--')) end = scriptEnd(html, start)
    const textEnd = end < 0 ? html.length : end
    if (textEnd > start) {
      if (name.content === ESCAPABLE) this.#text(start, textEnd)
      else this.#sink.text(html, start, textEnd, this.#codes)
    }
    this.#skipPast('>', textEnd)
    if (end >= 0) this.#elements.close(name)
  }

  /** Comments, document types, processing instructions: nothing of them is read. CDATA counts in drawings and formulas only. */
  #declaration(at: number, first: number): void {
    const html = this.#html
    if (first === EXCLAMATION && html.startsWith('--', at + 1)) this.#at = commentEnd(html, at + 3)
    else if (first === EXCLAMATION && html.startsWith('[CDATA[', at + 1)) {
      const start = at + 8
      this.#skipPast(']]>', start)
      if ((this.#elements.language !== HTML || this.#isXml) && this.#at - 3 > start && html.startsWith(']]>', this.#at - 3))
        this.#sink.text(html, start, this.#at - 3, this.#codes)
    } else {
      const end = this.#isXml ? this.#subsetEnd(at) : -1
      this.#skipPast('>', end < 0 ? at + 1 : end)
    }
  }

  /** Where the declarations inside the document type end (XML 1.0, 2.8); -1 without any. Only the first document type counts. */
  #subsetEnd(at: number): number {
    if (this.#sawType || !this.#html.startsWith('!DOCTYPE', at)) return -1
    this.#sawType = true
    const open = this.#html.indexOf('[', at)
    const end = this.#html.indexOf('>', at)
    if (open < 0 || open > end) return -1
    SUBSET_END.lastIndex = open
    return SUBSET_END.exec(this.#html)?.index ?? -1
  }

  #skipPast(mark: string, from: number): void {
    const end = this.#html.indexOf(mark, from)
    this.#at = end < 0 ? this.#html.length : end + mark.length
  }
}

const SUBSET_END = /\][\t\n\r ]*>/g

function attributeName(html: string, codes: Uint16Array, start: number, end: number, slot: number, all: number): string {
  const guess = attributeSlots[slot]!
  if (guess !== '' && isSpelled(codes, start, end, guess)) return guess
  const name = html.slice(start, end).toLowerCase()
  if (name.length <= 32 && all < 128) attributeSlots[slot] = copyOf(name)
  return name
}

/** Attributes with a few different values per site. These are cached across pages, so they must not keep a page in memory. */
const LABELS = new Set(['class', 'id', 'data-testid', 'data-component'])
const labelSlots: string[] = Array.from({ length: SLOTS }, () => '')

/** Returns the value as a string of its own, from a cache: few values serve a whole site. */
function labelOf(value: string): string {
  const { length } = value
  if (length < LEAST_PIECE) return value
  const slot =
    (length * 31 + value.charCodeAt(length - 1) + value.charCodeAt(length >> 1) * 7 + value.charCodeAt(length - 4) * 17) & (SLOTS - 1)
  if (labelSlots[slot] === value) return labelSlots[slot]
  const label = copyOf(value)
  if (length <= MAX_LABEL) labelSlots[slot] = label
  return label
}

/**
 * A string cut from a document keeps the whole document in memory, unless it is very short: a string that is kept longer must be a copy.
 */
function copyOf(text: string): string {
  if (text.length < LEAST_PIECE) return text
  if (text.length * 3 > copyRoom.length) return Buffer.from(text).toString()
  return copyRoom.toString('utf8', 0, copyRoom.write(text))
}

/** Reuses one buffer, because creating it is most of the cost of a copy. */
const copyRoom = Buffer.alloc(4096)

function isAmong(attributes: string[], name: string): boolean {
  for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return true
  return false
}

/** Is `name` (lower case) at this position, in any letter case? */
function isSpelled(codes: Uint16Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let at = 0; at < name.length; at++) {
    const code = codes[start + at]!
    if (code !== name.charCodeAt(at) && (code < 65 || code > 90 || code + 32 !== name.charCodeAt(at))) return false
  }
  return true
}

function endsName(codes: Uint16Array, start: number, name: string): boolean {
  const end = start + name.length
  if (!isSpelled(codes, start, end, name)) return false
  const code = codes[end]!
  return code === GREATER || code === SLASH || isSpace(code)
}

function isLetter(code: number): boolean {
  const small = code | 32
  return small >= 97 && small <= 122 && code < 128
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13 || code === 12
}

const EXCLAMATION = 33
const QUOTE = 34
const APOSTROPHE = 39
const SLASH = 47
const EQUALS = 61
const GREATER = 62
const QUESTION = 63
