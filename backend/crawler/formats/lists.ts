/** Entries of lists: their numbers, the boxes of tasks, and whether empty lines part them. */
import { attributeOf, ElementNode, TextNode, type TreeNode } from '../html-tree.ts'

/** The box of a task, when the entry starts with one that cannot be ticked, or says that it is a task: filters of shops are lists with boxes, too. */
export function taskMark(item: ElementNode): string {
  let at: ElementNode = item
  for (let depth = 0; depth < 5; depth++) {
    if (at.name === 'input') {
      const isTask = attributeOf(at, 'disabled') !== undefined || /\b(?:task|todo|checklist)/i.test(attributeOf(item, 'class') ?? '')
      if (!isTask || attributeOf(at, 'type') !== 'checkbox') return ''
      return attributeOf(at, 'checked') === undefined ? '[ ] ' : '[x] '
    }
    let child = at.children[0]
    if (child instanceof TextNode && child.data.trim() === '') child = at.children[1]
    if (!(child instanceof ElementNode)) return ''
    at = child
  }
  return ''
}

export function isItem(node: TreeNode): boolean {
  return node instanceof ElementNode && node.name === 'li' && !node.dropped
}

/** Markdown shows numbers of at most nine digits, none below zero. */
export function numberOf(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : null
}

/** Are the entries paragraphs? Then empty lines part them, as in the Markdown that such HTML is made of (CommonMark, 5.3). */
export function isLoose(list: ElementNode): boolean {
  return list.children.some(
    (item) =>
      item instanceof ElementNode &&
      !item.dropped &&
      item.children.some((child) => child instanceof ElementNode && !child.dropped && child.name === 'p'),
  )
}

/** Without attributes an element is empty because an author left it so; others hold what is not shown. */
export function isLeftEmpty(element: ElementNode): boolean {
  return element.children.length === 0 && element.attributes === null
}
