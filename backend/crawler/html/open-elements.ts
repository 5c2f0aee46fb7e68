/**
 * The open elements of a document: which of them a start tag closes first, and which an end tag closes.
 *
 * Takes time in proportion to the number of tags: open elements are searched for an end tag only when one of its name is open, and then only
 * a few of them.
 *
 * Source: HTML, section 13.2.6 (tree construction), without moving elements: formatting does not continue in later blocks, and the content of
 * a table that belongs to no cell stays in it.
 */
import { BODY, BR, FOREIGN_OBJECT, FORM, HEADINGS, HTML, KNOWN, LIMIT, P, ROOT, SVG, TR } from './html-names.ts'
import type { EndsAround, Language, TagName } from './html-names.ts'

/** Is notified of elements in order. Each opened element is closed, the innermost first, at the end of the document at the latest. */
export type ElementSink = {
  /** @param attributes  names (lower case) and values in turn, each name once; null when there are none */
  opened(name: TagName, attributes: string[] | null): void
  closed(name: TagName): void
}

/** A tag searches at most this many open elements for one that it closes, so that deep nesting takes linear time. */
const MOST_INSIDE = 64
/** How many blocks of a document continue after formatting elements. Otherwise few end tags could open many elements. */
const MOST_CONTINUATIONS = 1000

/** One per known name. */
const zeros: number[] = []

export class OpenElements {
  /** The language inside the innermost element. */
  language: Language = HTML
  readonly #sink: ElementSink
  readonly #open: TagName[] = []
  /** Their attributes. */
  readonly #openAttributes: (string[] | null)[] = []
  /** The language around each open element. */
  readonly #around: Language[] = []
  /** The number of open elements, by the id of their name. */
  readonly #counts: number[]
  /** A form has begun and has not ended. Its element may be open longer; another form may begin then. */
  #inForm = false
  #continuations = MOST_CONTINUATIONS

  constructor(sink: ElementSink) {
    this.#sink = sink
    while (zeros.length < KNOWN.size) zeros.push(0)
    this.#counts = zeros.slice()
  }

  /** An id for a name that only this document has. */
  newId(): number {
    return this.#counts.push(0) - 1
  }

  /** Closes drawings and formulas. */
  leaveForeign(): void {
    while (this.language !== HTML) this.pop()
  }

  /** False inside a form: forms cannot be nested. */
  beginForm(): boolean {
    if (this.#inForm && this.#counts[FORM.id]! > 0) return false
    this.#inForm = true
    return true
  }

  closeAll(): void {
    while (this.#open.length > 0) this.pop()
  }

  /** The start tag of an element; void elements are closed at once. */
  open(name: TagName, attributes: string[] | null): void {
    const open = this.#open
    if (name.closes !== 0) while (open.length > 0 && (open[open.length - 1]!.bit & name.closes) !== 0) this.pop()
    if (this.language === HTML) {
      if (name.ends !== null) this.#endAround(name.ends)
      if (name.isCell && open.length > 0 && open[open.length - 1]!.isRowGroup) this.#push(TR, null)
    }
    if (!name.isVoid) this.#push(name, attributes)
    else {
      this.#sink.opened(name, attributes)
      this.#sink.closed(name)
    }
  }

  #push(name: TagName, attributes: string[] | null): void {
    this.#sink.opened(name, attributes)
    this.#open.push(name)
    this.#openAttributes.push(attributes)
    this.#around.push(this.language)
    this.#counts[name.id]!++
    if (name.language !== null) this.language = name.language
    else if (name === FOREIGN_OBJECT && this.language === SVG) this.language = HTML
  }

  /** Closes the outermost of some elements inside the nearest limit, with all elements in it: `<td><b>1<td>2`. */
  #endAround({ limit, names }: EndsAround): void {
    let isOpen = false
    for (let at = 0; at < names.length && !isOpen; at++) isOpen = this.#counts[names[at]!.id]! > 0
    if (!isOpen) return
    const open = this.#open
    const last = Math.max(0, open.length - MOST_INSIDE)
    let from = -1
    for (let at = open.length - 1; at >= last; at--) {
      const name = open[at]!
      if (names.includes(name)) from = at
      else if ((name.limits & limit) !== 0) break
    }
    if (from >= 0) while (open.length > from) this.pop()
  }

  /** The end tag of an element. Does nothing if it finds none to close, except that `</p>` and `</br>` are elements then. */
  close(name: TagName): void {
    const open = this.#open
    if (name === FORM) this.#inForm = false
    if (name.isVoid) {
      if (name === BR) this.open(BR, null)
    } else if (this.#counts[name.id]! > 0) {
      if (open[open.length - 1] === name) this.pop()
      else this.#closeAround(name)
    } else if (name === P) {
      this.open(P, null)
      this.pop()
    } else if (HEADINGS.includes(name)) this.#closeHeading()
  }

  /** Closes an open element of this name, in which others are open, if its end tag finds it. */
  #closeAround(name: TagName): void {
    // What follows `</body>` and `</html>` belongs to the elements that are still open.
    if (name === BODY || name === ROOT) return
    const open = this.#open
    const last = Math.max(0, open.length - MOST_INSIDE)
    let blocks = 0
    let at = open.length - 1
    for (; at >= last; at--) {
      const inner = open[at]!
      if (inner === name) break
      // Drawings and formulas have rules of their own, and elements inside them may have any name.
      if (this.#around[at] !== HTML) continue
      if ((inner.limits & name.search) !== 0) return
      if ((inner.limits & LIMIT.special) !== 0) blocks++
    }
    // Its element ends with the element around it.
    if (name === FORM && open.slice(at + 1).some((inner) => !inner.hasImpliedEnd)) return
    if (name.isFormatting && blocks > 0 && at >= last && blocks <= this.#continuations) {
      this.#continuations -= blocks
      this.#endFormatting(at)
      return
    }
    while (open[open.length - 1] !== name) this.pop()
    this.pop()
  }

  /** Closes the formatting element at this index. The blocks inside continue after it: `<b><p>a</b>b` is `<b><p>a</p></b><p>b`. */
  #endFormatting(at: number): void {
    const open = this.#open
    const names = open.slice(at + 1)
    const attributes = this.#openAttributes.slice(at + 1)
    while (open.length > at) this.pop()
    names.forEach((inner, index) => {
      if ((inner.limits & LIMIT.special) !== 0) this.#push(inner, attributes[index]!)
    })
  }

  /** The end tag of a heading also closes an open heading of another level (HTML, 13.2.6.4.7). */
  #closeHeading(): void {
    const open = this.#open
    for (let at = open.length - 1, last = Math.max(0, open.length - MOST_INSIDE); at >= last; at--) {
      const name = open[at]!
      if (HEADINGS.includes(name)) return this.close(name)
      if ((name.limits & LIMIT.scope) !== 0) return
    }
  }

  /** Closes the innermost element, which must exist. */
  pop(): void {
    const name = this.#open.pop()!
    this.#openAttributes.pop()
    this.language = this.#around.pop()!
    this.#counts[name.id]!--
    this.#sink.closed(name)
  }
}
