import { compile, type Options } from 'css-select'
import { attributeOf, ElementNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { textContent } from '#backend/crawler/html/tree-text.ts'
import { compileRegex } from '#backend/crawler/url/linear-regex.ts'

type Matcher = (element: ElementNode) => boolean

const MAX_SELECTORS = 200
const MAX_SELECTOR_LENGTH = 1000
const MAX_REMEMBERED = 500

/** Elements that match any of the selectors, in the order of the selectors, each once, and none inside another that was taken before. */
export function selectElements(root: ElementNode, selectors: string[]): ElementNode[] {
  const taken = new Set<ElementNode>()
  for (const matches of matchersOf(selectors)) {
    visit(root, (element) => {
      if (!matches(element)) return true
      if (!hasAncestorIn(element, taken)) taken.add(element)
      return false
    })
  }
  return [...taken]
}

/** Drops every element that matches any of the selectors. */
export function dropElements(root: ElementNode, selectors: string[]): void {
  for (const matches of matchersOf(selectors)) {
    // Marked after the walk: dropped elements still count for the structure of selectors.
    visit(root, (element) => {
      if (matches(element)) element.dropped = true
      return !element.dropped
    })
  }
}

/** Is an element dropped, by itself or with an ancestor? */
export function isDropped(element: ElementNode): boolean {
  for (let at: ElementNode | null = element; at !== null; at = at.parent) if (at.dropped) return true
  return false
}

/** Every element that matches a selector, even inside another match. */
export function selectEvery(root: ElementNode, selector: string): ElementNode[] {
  const found: ElementNode[] = []
  for (const matches of matchersOf([selector])) eachElement(root, (element) => void (matches(element) && found.push(element)))
  return found
}

/** Calls for every element below the root, in the order of the page. */
export const eachElement = (root: ElementNode, call: (element: ElementNode) => void): void =>
  visit(root, (element) => {
    call(element)
    return true
  })

function visit(element: ElementNode, enter: (element: ElementNode) => boolean): void {
  for (const child of element.children) if (child instanceof ElementNode && enter(child)) visit(child, enter)
}

function hasAncestorIn(element: ElementNode, taken: Set<ElementNode>): boolean {
  for (let at: ElementNode | null = element; at !== null; at = at.parent) if (taken.has(at)) return true
  return false
}

/** Can a text be parsed as a selector, or as an expression for names between asterisks? An empty one selects nothing. Not cached. */
export function isSelector(text: string): boolean {
  const selector = text.trim()
  return selector === '' || (isInBounds(selector) && matcherOf(selector) !== null)
}

/** Long selectors and those that begin with a combinator select nothing. */
const isInBounds = (selector: string) => selector.length <= MAX_SELECTOR_LENGTH && !/^[>+~]/.test(selector)

/** Parsed selectors by their text: the same few serve all pages of a crawl. Null when a selector does not parse. */
const remembered = new Map<string, Matcher | null>()

function matchersOf(selectors: string[]): Matcher[] {
  const matchers: Matcher[] = []
  for (const selector of selectors.slice(0, MAX_SELECTORS)) {
    const text = selector.trim()
    if (text === '' || !isInBounds(text)) continue
    let matcher = remembered.get(text)
    if (matcher === undefined) {
      matcher = matcherOf(text)
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(text, matcher)
    }
    if (matcher !== null) matchers.push(matcher)
  }
  return matchers
}

function matcherOf(text: string): Matcher | null {
  try {
    if (text.length > 2 && text.startsWith('*') && text.endsWith('*')) {
      const matches = compileRegex(inLowerCase(text.slice(1, -1)))
      const answers = new Map<string, boolean>()
      return (element) => {
        let answer = answers.get(element.name)
        if (answer === undefined) {
          answer = element.name.length <= 100 && matches(element.name.toLowerCase())
          if (answers.size < 1000) answers.set(element.name, answer)
        }
        return answer
      }
    }
    return compile<TreeNode, ElementNode>(text, OPTIONS)
  } catch {
    // A selector that does not parse matches nothing; the other selectors still apply.
    return null
  }
}

/** Lower-cases the letters of a pattern, except those of an escape: `\S` is not `\s`. */
const inLowerCase = (pattern: string) => pattern.replace(/\\.|[A-Z]/gs, (part) => (part.length > 1 ? part : part.toLowerCase()))

const OPTIONS: Options<TreeNode, ElementNode> = {
  cacheResults: false,
  adapter: {
    isTag: (node): node is ElementNode => node instanceof ElementNode,
    getAttributeValue: attributeOf,
    getChildren: (node) => (node instanceof ElementNode ? node.children : []),
    getName: (element) => element.name,
    // The document root is not an element: `:root` is the html element.
    getParent: (element) => (element.parent === null || element.parent.name === '#root' ? null : element.parent),
    getSiblings: (node) => node.parent?.children ?? [node],
    getText: textContent,
    hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
    removeSubsets: (nodes) => nodes.filter((node) => !nodes.some((other) => other !== node && isInside(node, other))),
  },
}

function isInside(node: TreeNode, other: TreeNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at === other) return true
  return false
}
