/** The parts of a page that its JSON-LD describes line by line: ingredients and steps of a recipe, entries of a live blog. */
import { markedRoleOf, namesRecipeList } from './furniture/furniture.ts'
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { allText, mayHold, plainWords } from '#backend/crawler/html/tree-text.ts'
import { parseJsonLd } from '#backend/crawler/page/json-ld.ts'

/** Longer texts are paragraphs: a step of a recipe is shorter. */
const MOST_LINE = 1000
/** Most lines of a recipe or a live blog that are searched on its page. */
const MOST_LINES = 500
const MAX_DEPTH = 8

type Kind = {
  /** Properties whose values are lists of lines. */
  lists: ReadonlySet<string>
  /** Which properties of an entry are lines; null for all texts. */
  lines: ReadonlySet<string> | null
}
const RECIPE: Kind = { lists: new Set(['recipeIngredient', 'recipeInstructions']), lines: null }
const LIVE_BLOG: Kind = { lists: new Set(['liveBlogUpdate']), lines: new Set(['headline']) }

const NOTHING: ReadonlySet<ElementNode> = new Set()

/**
 * Finds the elements with the lines that JSON-LD repeats. Lists of a recipe are found by their own names, too.
 *
 * @param scripts  the page's JSON-LD
 */
export function describedParts(root: ElementNode, scripts: readonly string[]): ReadonlySet<ElementNode> {
  const described = scripts.filter((text) => MAY_DESCRIBE.test(text)).map((text) => parseJsonLd(text)?.value)
  if (described.length === 0) return NOTHING
  const parts = new Set<ElementNode>()
  const lines = linesOf(described, RECIPE)
  if (lines.size > 0) findParts(root, lines, 2, parts)
  const headlines = linesOf(described, LIVE_BLOG)
  // Entries link to each other, so that one of them may hold two headlines.
  if (headlines.size > 0) findParts(root, headlines, Math.max(2, 0.6 * headlines.size), parts)
  return parts
}
const MAY_DESCRIBE = /"(?:recipeIn|liveBlogUpdate)/

/** All lines of a kind, in plain words. */
function linesOf(described: readonly unknown[], kind: Kind): ReadonlySet<string> {
  const lines = new Set<string>()
  const search = (value: unknown, inList: boolean, isLine: boolean, depth: number) => {
    if (depth > MAX_DEPTH || lines.size > MOST_LINES) return
    if (typeof value === 'string') {
      if (isLine) for (const line of value.split('\n')) if (line.length < MOST_LINE) lines.add(plainWords(line))
    } else if (Array.isArray(value)) for (const entry of value) search(entry, inList, isLine, depth + 1)
    else if (typeof value === 'object' && value !== null)
      for (const [name, entry] of Object.entries(value)) {
        if (!inList) search(entry, kind.lists.has(name), kind.lists.has(name) && kind.lines === null, depth + 1)
        else search(entry, true, kind.lines?.has(name) ?? name !== '@type', depth + 1)
      }
  }
  for (const value of described) search(value, false, false, 0)
  lines.delete('')
  return lines
}

/**
 * An element with enough lines, none of whose children has as many, is a part.
 *
 * @returns which lines it has
 */
function findParts(element: ElementNode, lines: ReadonlySet<string>, least: number, parts: Set<ElementNode>): ReadonlySet<string> {
  const found = new Set<string>()
  let isWithin = false
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || child.textLength === 0) continue
    if (child.name === 'nav' || child.name === 'footer' || markedRoleOf(child) === 'hidden') continue
    const isMarked = isRecipeList(child)
    if (isMarked) parts.add(child)
    isWithin ||= isMarked
    if (!child.hasBlock || LINE.has(child.name)) {
      const line = child.textLength < MOST_LINE ? plainWords(allText(child)) : ''
      if (lines.has(line)) found.add(line)
    } else {
      const within = findParts(child, lines, least, parts)
      isWithin ||= within.size >= least
      if (!isMarked) for (const line of within) found.add(line)
    }
  }
  if (found.size >= least && !isWithin) parts.add(element)
  return found
}
/** Elements that are one line of a recipe, although amount and name may have boxes of their own. */
const LINE = new Set(['li', 'p', 'tr', 'dd'])

/** Does an element hold, or is it, a list that microdata or a class name as the ingredients, steps or nutrients of a recipe? */
export function holdsRecipeList(element: ElementNode): boolean {
  if (element.linkLength > 0.8 * element.textLength || element.name === 'nav') return false
  return LISTS.some((name) => mayHold(element, name)) && hasRecipeList(element)
}
const LISTS = ['ul', 'ol', 'dl', 'table'] as const

function hasRecipeList(element: ElementNode): boolean {
  if (element.textLength === 0 || element.dropped) return false
  return isRecipeList(element) || element.children.some((child) => child instanceof ElementNode && hasRecipeList(child))
}

function isRecipeList(element: ElementNode): boolean {
  if (PROPERTY.test(attributeOf(element, 'itemprop') ?? '')) return true
  return element.linkLength < 0.8 * element.textLength && namesRecipeList(element)
}
const PROPERTY = /^(?:recipeIngredients?|recipeInstructions|ingredients)$/
