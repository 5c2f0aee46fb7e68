/** JSON-LD of a page: all its scripts, parsed and limited, but not interpreted. */
import { parseJsonLd } from '#backend/crawler/page/json-ld.ts'
import type { WholeElement } from '../whole-tree.ts'

const MAX_BLOCKS = 100
const MAX_BLOCK_CHARACTERS = 512 * 1024
const MAX_CHARACTERS = 1024 * 1024
const MAX_DEPTH = 64
const MAX_VALUES = 50_000

/**
 * The items of all blocks, in the order of the page; each entry of a list is an item.
 *
 * An invalid block is skipped and noted. Properties named `__proto__` are dropped, because some readers would set a prototype.
 *
 * @param isWanted  judges a type; when no type is wanted in particular, all items are kept. Wanted members of a `@graph` become items of
 *   their own
 * Source: JSON-LD 1.1, section 7.3 (JSON-LD in HTML), without contexts.
 */
export function readJsonLd(root: WholeElement, isWanted: (type: string) => boolean, notes: string[]): unknown[] {
  const items: unknown[] = []
  let block = 0
  let characters = 0
  const budget = { values: MAX_VALUES }
  for (const element of root.elements()) {
    if (!isJsonLd(element)) continue
    block += 1
    const text = element.children.filter((child) => typeof child === 'string').join('')
    const note = (fault: string) => void notes.push(`JSON-LD block ${block} ${fault}`)
    if (block > MAX_BLOCKS) {
      notes.push(`There are more than ${MAX_BLOCKS} JSON-LD blocks`)
      break
    }
    characters += text.length
    if (text.length > MAX_BLOCK_CHARACTERS || characters > MAX_CHARACTERS) {
      note('is too large')
      continue
    }
    const parsed = parseJsonLd(text)
    if (parsed === undefined) {
      note('is not valid JSON')
      continue
    }
    const copy = bounded(parsed.value, MAX_DEPTH, budget)
    if (copy === undefined) {
      note(budget.values < 0 ? 'has too many values' : 'is nested too deep')
      continue
    }
    for (const item of wantedOf(copy, isWanted)) items.push(item)
  }
  return items
}

const isJsonLd = (element: WholeElement) =>
  element.name === 'script' && /^\s*application\/ld\+json\s*(?:;|$)/i.test(element.attribute('type') ?? '')

/** A copy within the limits; undefined when the value is deeper or larger. */
function bounded(value: unknown, depth: number, budget: { values: number }): unknown {
  budget.values -= 1
  if (budget.values < 0 || depth < 0) return undefined
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const item of value) {
      const copy = bounded(item, depth - 1, budget)
      if (copy === undefined) return undefined
      list.push(copy)
    }
    return list
  }
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') continue
    const copy = bounded(member, depth - 1, budget)
    if (copy === undefined) return undefined
    members.push([name, copy])
  }
  return Object.fromEntries(members)
}

function wantedOf(value: unknown, isWanted: (type: string) => boolean): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => wantedOf(item, isWanted))
  if (typeof value !== 'object' || value === null) return []
  const item = value as Record<string, unknown>
  // Without a filter, items without a type count too.
  if (isWanted('')) return [item]
  const types = [item['@type']].flat().filter((type) => typeof type === 'string')
  if (types.some(isWanted)) return [item]
  return Array.isArray(item['@graph']) ? item['@graph'].flatMap((member) => wantedOf(member, isWanted)) : []
}
