import { ElementNode, TextNode } from './html-tree.ts'

export const HEADING = /^h[1-6]$/

/** Is an element of this name shown here, or this one itself? */
export function holds(element: ElementNode, name: string): boolean {
  if (element.name === name) return true
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && holds(child, name)) return true
  return false
}

/** All text that is shown. */
export function allText(element: ElementNode): string {
  let text = ''
  for (const child of element.children) {
    if (child instanceof TextNode) text += child.data
    else if (!child.dropped && !child.tag.silent) text += child.tag.block ? ' ' + allText(child) + ' ' : allText(child)
  }
  return text
}

/** The last text inside an element. */
export function endOf(element: ElementNode): string {
  for (let at = element.children.length - 1; at >= 0; at--) {
    const child = element.children[at]!
    const text = child instanceof TextNode ? child.data.trim() : child.dropped || child.tag.silent ? '' : endOf(child)
    if (text !== '') return text
  }
  return ''
}

/** The first words of a text. */
export function startOf(element: ElementNode, length = 60): string {
  let text = ''
  const read = (parent: ElementNode): void => {
    for (const child of parent.children) {
      if (text.length > length) return
      if (child instanceof TextNode) text += child.data
      else if (!child.dropped && !child.tag.silent) read(child)
    }
  }
  read(element)
  return text.trim()
}

/** Lower case, letters and digits only, single spaces. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
