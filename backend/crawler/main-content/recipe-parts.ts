/** The parts of a recipe: lists of ingredients and steps, which often stand in a narrow column and hold no sentences. */
import { markedRoleOf, namesRecipeList } from './furniture.ts'
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { allText, plainWords } from '#backend/crawler/html/tree-text.ts'
import { parseJsonLd } from '#backend/crawler/page/json-ld.ts'

/** Longer texts are paragraphs: a step of a recipe is shorter. */
const MOST_LINE = 1000
/** Most lines of a recipe that are searched on its page. */
const MOST_LINES = 500
const MAX_DEPTH = 8

/**
 * Finds the parts of a recipe by microdata, class names, and the lines that JSON-LD repeats.
 *
 * @param scripts  the page's JSON-LD
 */
export function recipeParts(root: ElementNode, scripts: readonly string[]): ReadonlySet<ElementNode> {
  const parts = new Set<ElementNode>()
  findParts(root, linesOf(scripts), parts)
  return parts
}

/** The ingredients and steps of all recipes in JSON-LD, in plain words. */
function linesOf(scripts: readonly string[]): ReadonlySet<string> {
  const lines = new Set<string>()
  const add = (value: unknown, isLine: boolean, depth: number) => {
    if (depth > MAX_DEPTH || lines.size > MOST_LINES) return
    if (typeof value === 'string') {
      if (!isLine) return
      for (const line of value.split('\n')) if (line.length < MOST_LINE) lines.add(plainWords(line))
    } else if (Array.isArray(value)) for (const entry of value) add(entry, isLine, depth + 1)
    else if (typeof value === 'object' && value !== null)
      for (const [name, entry] of Object.entries(value)) add(entry, isLine ? name !== '@type' : LINES.has(name), depth + 1)
  }
  for (const text of scripts) if (text.includes('recipeIn')) add(parseJsonLd(text)?.value, false, 0)
  lines.delete('')
  return lines
}
const LINES = new Set(['recipeIngredient', 'recipeInstructions'])

/** @returns the number of its lines that are in the data; an element with two of them, none of whose children has two, is a part */
function findParts(element: ElementNode, lines: ReadonlySet<string>, parts: Set<ElementNode>): number {
  let count = 0
  let isWithin = false
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || child.textLength === 0) continue
    if (child.name === 'nav' || child.name === 'footer' || markedRoleOf(child) === 'hidden') continue
    const isMarked = isMarkedPart(child)
    if (isMarked) parts.add(child)
    isWithin ||= isMarked
    if (!child.hasBlock || LINE.has(child.name)) {
      if (child.textLength < MOST_LINE && lines.has(plainWords(allText(child)))) count++
    } else {
      const within = findParts(child, lines, parts)
      isWithin ||= within > 1
      if (!isMarked) count += within
    }
  }
  if (count > 1 && !isWithin) parts.add(element)
  return count
}

function isMarkedPart(element: ElementNode): boolean {
  const property = attributeOf(element, 'itemprop')
  if (property !== undefined && PROPERTY.test(property)) return true
  return element.linkLength < 0.8 * element.textLength && namesRecipeList(element)
}
/** Elements that are one line of a recipe, although amount and name may have boxes of their own. */
const LINE = new Set(['li', 'p', 'tr', 'dd'])
const PROPERTY = /^(?:recipeIngredients?|recipeInstructions|ingredients)$/
