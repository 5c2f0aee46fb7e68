/** Lines of text between blocks that have no element of their own: texts and inline elements up to the next block or line break. */
import { ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { isInline } from '#backend/crawler/html/tree-text.ts'

const isInLine = (node: TreeNode | undefined): boolean =>
  node !== undefined && isInline(node) && (node instanceof TextNode || node.name !== 'br')

/** Is the child with this index the first of a line? */
export const startsLine = ({ children }: ElementNode, at: number): boolean => isInLine(children[at]) && !isInLine(children[at - 1])

/** Is it the last of a line? */
export const endsLine = ({ children }: ElementNode, at: number): boolean => isInLine(children[at]) && !isInLine(children[at + 1])

/** The index of the first child in the line of a child. */
export function lineStart({ children }: ElementNode, at: number): number {
  let start = at
  while (isInLine(children[start - 1])) start--
  return start
}

/** The characters outside of elements in the line that starts at a child. */
export function textOfLine({ children }: ElementNode, start: number): number {
  let length = 0
  for (let at = start; isInLine(children[at]); at++) {
    const node = children[at]!
    if (node instanceof TextNode) length += node.data.trim().length
  }
  return length
}
