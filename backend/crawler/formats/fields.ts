/** Text in fields that cannot be edited: there it is content, such as an entry of a bibliography to copy. */
import { attributeOf, type ElementNode } from '#backend/crawler/html/html-tree.ts'
import type { LinkResolver } from '#backend/crawler/url/resolve-url.ts'
import { rawText } from './code.ts'

/** The text of a read-only field; empty for all other elements, and for the URL of the page itself, which is there to be shared. */
export function shownField(element: ElementNode, resolver: LinkResolver): string {
  if (element.attributes === null || attributeOf(element, 'readonly') === undefined) return ''
  const text = valueOf(element)
  const isOwnUrl = /^https?:\S+$/.test(text) && resolver.isSamePage(text.includes('#') ? text : `${text}#`)
  return isOwnUrl ? '' : text
}

function valueOf(element: ElementNode): string {
  if (element.name === 'textarea') return rawText(element).trim()
  if (element.name !== 'input' || !/^(?:text|url|email)$/i.test(attributeOf(element, 'type') ?? 'text')) return ''
  const value = (attributeOf(element, 'value') ?? '').trim()
  return TO_COPY.test(value) && !DATE.test(value) && !QUANTITY.test(value) ? value : ''
}

/** An identifier or a URL. Quantities, dates and choices of lists are in read-only fields as well. */
const TO_COPY = /^(?=.*(?:[\d/:@_]|\w\.\w))\S{6,}$/
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/
/** A number, a time or a price. */
const QUANTITY = /^[^\p{L}\d]*\d[\d.,:]*(?:[^\p{L}\d.,:][^\p{L}\d]*)?$/u
