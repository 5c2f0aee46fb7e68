/** Microdata of a page: items with their types and properties, limited against pages that multiply them. */
import { tidy } from '#backend/crawler/page/page.ts'
import type { WholeElement } from '../whole-tree.ts'

const MAX_VALUES = 5000
const MAX_STEPS = 1_000_000
const MAX_DEPTH = 32
const MAX_NAMES = 20
const MAX_TEXT = 10_000
const MAX_CHARACTERS = 1024 * 1024

type MicrodataItem = { type: string[]; id?: string; properties: Record<string, (string | MicrodataItem)[]> }

/**
 * The top-level items of a page, in order.
 *
 * URLs are made absolute; those that are not http or https are dropped. A property that refers back to its own item is dropped and noted,
 * and so is everything beyond the limits.
 *
 * Source: HTML, sections 5.2.4 (values), 5.2.5 (names of an item), 5.4 (microdata to JSON).
 */
export function readMicrodata(
  root: WholeElement,
  resolve: (href: string) => string | null,
  isWanted: (type: string) => boolean,
  notes: string[],
): MicrodataItem[] {
  const budget = { values: MAX_VALUES, steps: MAX_STEPS, characters: MAX_CHARACTERS }
  let byId: Map<string, WholeElement> | null = null
  let hasRing = false
  const items: MicrodataItem[] = []
  for (const element of root.elements()) {
    if (element.attribute('itemscope') === undefined || element.attribute('itemprop') !== undefined) continue
    const types = wordsOf(element.attribute('itemtype'))
    if (!isWanted('') && !types.some(isWanted)) continue
    if (isSpent()) break
    budget.values -= 1
    items.push(itemOf(element, types, []))
  }
  if (hasRing) notes.push('Microdata that contains itself is left out')
  if (isSpent()) notes.push('There is more microdata than is read from one page')
  return items

  function isSpent(): boolean {
    return budget.values <= 0 || budget.steps <= 0 || budget.characters <= 0
  }

  function itemOf(element: WholeElement, type: string[], around: readonly WholeElement[]): MicrodataItem {
    const inside = [...around, element]
    const properties = new Map<string, (string | MicrodataItem)[]>()
    for (const property of propertiesOf(element)) {
      if (isSpent()) break
      const value = valueOf(property, inside)
      if (value === null) continue
      for (const name of wordsOf(property.attribute('itemprop')).slice(0, MAX_NAMES)) {
        if (name === '__proto__' || name.length > MAX_TEXT) continue
        budget.values -= 1
        const values = properties.get(name)
        if (values === undefined) properties.set(name, [value])
        else values.push(value)
      }
    }
    const itemId = element.attribute('itemid')
    const id = itemId === undefined ? null : (resolve(itemId.trim()) ?? (itemId.trim().slice(0, 2048) || null))
    return { type, ...(id !== null && { id }), properties: Object.fromEntries(properties) }
  }

  /** The elements with properties of an item: below it and below the elements in its `itemref`, each once, in document order. */
  function propertiesOf(item: WholeElement): WholeElement[] {
    const found: WholeElement[] = []
    const seen = new Set<WholeElement>([item])
    const waiting = childrenOf(item)
    for (const id of wordsOf(item.attribute('itemref')).slice(0, 100)) {
      const referred = elementOf(id)
      if (referred === item) hasRing = true
      if (referred !== undefined) waiting.push(referred)
    }
    for (let element = waiting.pop(); element !== undefined && budget.steps > 0; element = waiting.pop()) {
      budget.steps -= 1
      if (seen.has(element)) continue
      seen.add(element)
      if (element.attribute('itemscope') === undefined) for (const child of childrenOf(element)) waiting.push(child)
      if (element.attribute('itemprop') !== undefined) found.push(element)
    }
    return found.sort((one, other) => one.order - other.order)
  }

  function elementOf(id: string): WholeElement | undefined {
    if (byId === null) {
      byId = new Map()
      for (const element of root.elements()) {
        const own = element.attribute('id')
        if (own !== undefined && !byId.has(own)) byId.set(own, element)
      }
    }
    return byId.get(id)
  }

  function valueOf(element: WholeElement, around: readonly WholeElement[]): string | MicrodataItem | null {
    if (element.attribute('itemscope') !== undefined) {
      if (around.includes(element)) hasRing = true
      return around.includes(element) || around.length >= MAX_DEPTH ? null : itemOf(element, wordsOf(element.attribute('itemtype')), around)
    }
    const link = LINKS.get(element.name)
    if (link !== undefined) return spent(resolve((element.attribute(link) ?? '').trim()))
    const stated = STATED.get(element.name)
    const value = stated === undefined ? undefined : element.attribute(stated)
    // A `<time>` without `datetime` has its value in its text; the other elements have none.
    if (value !== undefined || (stated !== undefined && element.name !== 'time')) return spent(tidy((value ?? '').slice(0, MAX_TEXT)))
    // Not of HTML, but of the examples of schema.org, whose vocabulary nearly all microdata use: `<span itemprop=price content=1000>`.
    const content = element.attribute('content')
    if (content !== undefined) return spent(tidy(content.slice(0, MAX_TEXT)))
    const text = { value: '' }
    readText(element, text)
    return spent(tidy(text.value))
  }

  function spent(text: string | null): string | null {
    budget.characters -= text?.length ?? 0
    return text
  }

  function readText(element: WholeElement, into: { value: string }): void {
    for (const child of element.children) {
      budget.steps -= 1
      if (into.value.length >= MAX_TEXT || budget.steps <= 0) return
      if (typeof child === 'string') into.value += child.slice(0, MAX_TEXT - into.value.length)
      else if (!SILENT.has(child.name)) readText(child, into)
    }
  }
}

const SILENT = new Set(['script', 'style', 'template', 'noscript'])

/** Attributes with a URL, and attributes with another value. */
const LINKS = new Map<string, string>([
  ...['a', 'area', 'link'].map((name): [string, string] => [name, 'href']),
  ...['audio', 'embed', 'iframe', 'img', 'source', 'track', 'video'].map((name): [string, string] => [name, 'src']),
  ['object', 'data'],
])
const STATED = new Map([
  ['meta', 'content'],
  ['data', 'value'],
  ['meter', 'value'],
  ['time', 'datetime'],
])

const wordsOf = (attribute: string | undefined): string[] => [...new Set((attribute ?? '').split(/\s+/).filter(Boolean))]
const childrenOf = (element: WholeElement) => element.children.filter((child) => typeof child !== 'string')
