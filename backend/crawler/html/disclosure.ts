/** Buttons that are content, and the parts that they unfold, as in ARIA's pattern of a disclosure: the button, alone or in a heading or a term, and the part behind it. */
import { attributeOf, ElementNode, TextNode } from './html-tree.ts'
import { mayHoldHeading } from './tree-text.ts'

/** More siblings, levels between a button and its part, and characters around the label are not searched. */
const MAX_SIBLINGS = 1000
const MAX_LEVELS = 4
const MAX_LABEL = 300
/** Class names of buttons that fold the part behind them, where ARIA's attribute is missing; `ask-question` and `accordion-expand-all` are others. */
const FOLDS =
  /(?:(?:^|[\s_-])(?:accordion|collapsible|faq)|(?:^|\s)question)(?:[_-]+(?:btn|button|head|header|heading|item|label|question|summary|title|toggle|trigger))*(?:\s|$)/i

/** Is a button content: a heading, a paragraph, or the label of a part that it unfolds? Others only do something. */
export function isContent(button: ElementNode): boolean {
  if (attributeOf(button, 'role') !== undefined) return false
  if (mayHoldHeading(button)) return true
  if (button.hasBlock && (unfolds(button) || hasParagraph(button))) return true
  const part = unfoldedBy(button)
  return part !== null && !part.dropped
}

function hasParagraph(element: ElementNode): boolean {
  return element.children.some((child) => child instanceof ElementNode && (child.name === 'p' || hasParagraph(child)))
}

/** The part that a button unfolds; null when it unfolds none, or a menu. */
function unfoldedBy(button: ElementNode): ElementNode | null {
  if (!unfolds(button)) return null
  let at = button
  for (let level = 0; level < MAX_LEVELS; level++) {
    const { parent } = at
    if (parent === null) return null
    const part = elementBeside(at, 1)
    if (part !== null) return isPair(button, at, part) ? part : null
    // Beside other text it is one of several things.
    if (parent.textLength > 0) return null
    at = parent
  }
  return null
}

/** Is it a text that the button before it unfolds, or a `details` element whose content a script hides as well? */
export function isUnfolded(part: ElementNode): boolean {
  if (!isText(part)) return false
  if (part.parent?.name === 'details') return true
  const before = elementBeside(part, -1)
  if (before === null || before.textLength > MAX_LABEL) return false
  const button = buttonIn(before, 0)
  return button !== null && isPair(button, before, part)
}

/** Does a button fold a part of the page? Not one that opens a menu. */
function unfolds(button: ElementNode): boolean {
  if (button.name !== 'button' && attributeOf(button, 'role') !== 'button') return false
  if (!/^(?:false)?$/.test(attributeOf(button, 'aria-haspopup') ?? '')) return false
  // With a colon it is Alpine's or Vue's.
  return (attributeOf(button, 'aria-expanded') ?? attributeOf(button, ':aria-expanded')) !== undefined || isNamed(button)
}

const isNamed = (button: ElementNode): boolean => FOLDS.test(attributeOf(button, 'class') ?? '')

function buttonIn(element: ElementNode, level: number): ElementNode | null {
  if (unfolds(element)) return element
  if (level === MAX_LEVELS || element.children.length > MAX_LEVELS) return null
  for (const child of element.children) {
    const button = child instanceof ElementNode ? buttonIn(child, level + 1) : null
    if (button !== null) return button
  }
  return null
}

/** Has it more text than links? */
const isText = (part: ElementNode): boolean => part.textLength > 0 && part.linkLength * 2 <= part.textLength

/** Do a button in `label` and a text belong together: by its id, or by its name, or because there is nothing else beside them? */
function isPair(button: ElementNode, label: ElementNode, part: ElementNode): boolean {
  if (!isText(part)) return false
  const id = attributeOf(button, 'aria-controls')
  if (id === undefined) return part.parent!.textLength === part.textLength + label.textLength || (label === button && isNamed(button))
  for (let at: ElementNode | undefined = part, level = 0; at !== undefined && level < MAX_LEVELS; level++) {
    if (attributeOf(at, 'id') === id) return true
    at = at.children.find((child) => child instanceof ElementNode)
  }
  return false
}

/** The next element with text, or backwards with a button, in a direction; null when other text comes first, or another button. */
function elementBeside(element: ElementNode, direction: 1 | -1): ElementNode | null {
  const siblings = element.parent?.children ?? []
  if (siblings.length > MAX_SIBLINGS) return null
  for (let at = siblings.indexOf(element) + direction; at >= 0 && at < siblings.length; at += direction) {
    const sibling = siblings[at]!
    if (sibling instanceof TextNode) {
      if (sibling.data.trim() !== '') return null
    } else if (direction > 0 && sibling.name === 'button') return null
    else if (sibling.textLength > 0 || (direction < 0 && buttonIn(sibling, 0) !== null)) return sibling
  }
  return null
}
