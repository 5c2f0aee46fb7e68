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
  const type = attributeOf(element, 'type') ?? 'text'
  return element.name === 'input' && /^(?:text|url|email|number)$/i.test(type) ? (attributeOf(element, 'value') ?? '').trim() : ''
}
