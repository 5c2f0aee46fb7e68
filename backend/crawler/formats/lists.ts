/** Entries of lists: their numbers, the boxes of tasks, and whether empty lines part them. */
import { attributeOf, ElementNode, type TreeNode } from '../html-tree.ts'

/** The box of a task, when the entry starts with one that cannot be ticked, or says that it is a task: filters of shops are lists with boxes, too. */
export function taskMark(item: ElementNode): string {
  let isTask = /\b(?:task|todo|checklist)/i.test(attributeOf(item, 'class') ?? '')
  let at: TreeNode | undefined = item
  for (let depth = 0; depth < 5 && at instanceof ElementNode; depth++) {
    if (at.name === 'input') {
      if (attributeOf(at, 'type') !== 'checkbox') return ''
      isTask ||= attributeOf(at, 'disabled') !== undefined
      return isTask ? (attributeOf(at, 'checked') === undefined ? '[ ] ' : '[x] ') : ''
    }
    at = at.children.find((child) => child instanceof ElementNode || child.data.trim() !== '')
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
