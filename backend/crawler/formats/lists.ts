/** Writes lists: their numbers, checkboxes of tasks, blank lines between entries; and definition lists. */
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { mayHold, mayHoldHeading } from '#backend/crawler/html/tree-text.ts'
import type { InlineWriter } from './inlines.ts'
import { DEFINITION, type Output } from './output.ts'

/** What lists need from the writer of the page. */
export type BlockWriter = {
  readonly output: Output
  readonly inlines: InlineWriter
  blocks(nodes: TreeNode[], gap?: number): void
  paragraph(text: string, gap: number): void
  footnote(element: ElementNode, label: string): void
  strong(element: ElementNode): string
}

/** Writes a list, or the sections that it contains. */
export function writeList(writer: BlockWriter, list: ElementNode, gap: number): void {
  if (holdsSections(list)) {
    for (const item of list.children) if (item instanceof ElementNode && !item.dropped) writer.blocks(item.children)
    return
  }
  const isOrdered = list.name === 'ol'
  const sign = isOrdered ? (writer.output.listBefore === '.' ? ')' : '.') : writer.output.listBefore === '-' ? '*' : '-'
  const innerGap = isLoose(list) ? 2 : 1
  const step = isOrdered && attributeOf(list, 'reversed') !== undefined ? -1 : 1
  let number = numberOf(attributeOf(list, 'start')) ?? (step < 0 ? list.children.filter(isItem).length : 1)
  let mark = isOrdered ? `${number}${sign} ` : `${sign} `
  let isBelowText = (writer.output.last === 'text' || writer.output.last === 'table') && !writer.output.isFirst
  let itemGap = gap
  for (const item of childrenOf(list)) {
    if (item instanceof TextNode) {
      if (item.data.trim() !== '') writer.blocks([item], gap)
      continue
    }
    if (item.dropped) continue
    if (item.name !== 'li') {
      // A list that is a direct child of a list belongs to the entry before it.
      if (item.name === 'ul' || item.name === 'ol') writer.output.nested(' '.repeat(mark.length), () => writeList(writer, item, 1))
      else writer.blocks([item], gap)
      continue
    }
    const note = writer.inlines.notes.labelOf(item)
    if (note !== undefined) {
      writer.footnote(item, note)
      continue
    }
    if (isOrdered) {
      number = numberOf(attributeOf(item, 'value')) ?? number
      mark = `${number}${sign} `
      number = Math.max(number + step, 0)
    }
    // Directly after a paragraph, an empty entry would make the paragraph a heading, and a number other than 1 would be read as text
    // (CommonMark 4.3, 5.3).
    // Directly after a table, some renderers read both as rows.
    if (isBelowText && (isLeftEmpty(item) || (isOrdered && !mark.startsWith(`1${sign}`)))) itemGap = 2
    writer.output.listBefore = ''
    const { length } = writer.output
    writer.output.withLead(mark + taskMark(item), ' '.repeat(mark.length), itemGap, () => {
      if (isLeftEmpty(item)) writer.output.write('', innerGap)
      else writer.blocks(item.children, innerGap)
    })
    if (writer.output.length > length) {
      itemGap = innerGap
      isBelowText = false
    }
  }
  writer.output.listBefore = sign
}

/**
 * Writes terms in bold and their definitions after a colon on the next line: definition lists for renderers that know them, lines for
 * others.
 */
export function writeDefinitions(writer: BlockWriter, list: ElementNode, gap: number): void {
  let hasTerm = false
  for (const child of list.children) {
    if (child instanceof TextNode) {
      if (child.data.trim() !== '') writer.blocks([child], gap)
      continue
    }
    if (child.dropped || writer.inlines.notes.isBack(child)) continue
    const note = writer.inlines.notes.labelOf(child)
    if (note !== undefined) writer.footnote(child, note)
    else if (child.name === 'dt') {
      hasTerm = true
      // The text of a button that unfolds the definition does not count as text of the term.
      if ((child.hasBlock && !holdsLinesOnly(child)) || (child.textLength === 0 && mayHold(child, 'button')))
        writer.blocks(child.children, gap)
      else writer.paragraph(writer.strong(child), gap)
    } else if (child.name === 'dd') {
      if (hasTerm) writer.output.withLead(DEFINITION, '  ', 1, () => writer.blocks(child.children))
      else writer.blocks(child.children, 2)
    } else if (child.name === 'div') writeDefinitions(writer, child, gap)
    else writer.blocks([child], gap)
  }
}

/** Does a term, or a cell, contain only paragraphs or boxes of one line? */
export function holdsLinesOnly(term: ElementNode): boolean {
  return term.children.every(
    (child) =>
      child instanceof TextNode ||
      !(child.tag.block || child.hasBlock) ||
      (!child.hasBlock && (child.name === 'p' || child.name === 'div')),
  )
}

/**
 * The checkbox of a task, if the entry starts with a disabled checkbox or says that it is a task: filters of shops are lists with
 * checkboxes too.
 */
function taskMark(item: ElementNode): string {
  let at: ElementNode = item
  for (let depth = 0; depth < 5; depth++) {
    if (at.name === 'input') {
      const isTask = attributeOf(at, 'disabled') !== undefined || isTaskItem(item)
      if (!isTask || attributeOf(at, 'type') !== 'checkbox') return ''
      return attributeOf(at, 'checked') === undefined ? '[ ] ' : '[x] '
    }
    let child = at.children[0]
    if (child instanceof TextNode && child.data.trim() === '') child = at.children[1]
    // GitLab writes a menu button before the checkbox.
    if (child instanceof ElementNode && child.name === 'task-button') child = at.children[at.children.indexOf(child) + 1]
    if (!(child instanceof ElementNode)) return ''
    // AsciiDoc writes the checkbox as a character of an icon font.
    const drawn = child.name === 'i' ? /\bfa-(check-)?square(?:-o)?\b/.exec(attributeOf(child, 'class') ?? '') : null
    if (drawn !== null) return drawn[1] === undefined ? '[ ] ' : '[x] '
    at = child
  }
  return ''
}

/** Is an entry, or its list, marked as a task by its class? */
function isTaskItem(item: ElementNode): boolean {
  if (attributeOf(item, 'data-checked') !== undefined || TASK.test(attributeOf(item, 'class') ?? '')) return true
  const list = item.parent
  return list !== null && TASK.test(`${attributeOf(list, 'class') ?? ''} ${attributeOf(list, 'data-type') ?? ''}`)
}
const TASK = /\b(?:task|todo|to-do|checklist)/i

function isItem(node: TreeNode): boolean {
  return node instanceof ElementNode && node.name === 'li' && !node.dropped
}

/** Markdown allows numbers of at most nine digits, and none below zero. */
function numberOf(value: string | undefined): number | null {
  return value !== undefined && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : null
}

/** Are the entries paragraphs? Then blank lines separate them, as in the Markdown that such HTML was made from (CommonMark, 5.3). */
function isLoose(list: ElementNode): boolean {
  return list.children.some(
    (item) =>
      item instanceof ElementNode &&
      !item.dropped &&
      item.children.some((child) => child instanceof ElementNode && !child.dropped && child.name === 'p'),
  )
}

/** An empty element without attributes was left empty by its author; other empty elements have content that is not shown. */
export function isLeftEmpty(element: ElementNode): boolean {
  return element.children.length === 0 && element.attributes === null
}

/** The entries of a list. Entries inside a wrapper, such as a template or a link, count as entries of the list. */
function childrenOf(list: ElementNode): TreeNode[] {
  return list.children.some(holdsItems) ? list.children.flatMap((child) => (holdsItems(child) ? child.children : [child])) : list.children
}

function holdsItems(child: TreeNode): child is ElementNode {
  return (
    child instanceof ElementNode &&
    child.name !== 'li' &&
    child.name !== 'ul' &&
    child.name !== 'ol' &&
    !child.dropped &&
    child.children.some(isItem)
  )
}

/** Is each entry a section with a heading? Javadoc and front pages write such lists, which are only containers. */
function holdsSections(list: ElementNode): boolean {
  let isSections = false
  for (const item of list.children) {
    if (!isItem(item)) continue
    const entry = item as ElementNode
    if (!mayHoldHeading(entry)) return false
    const first = entry.children.find((child) => child instanceof ElementNode && !child.dropped) as ElementNode | undefined
    const isSection = first !== undefined && (first.name === 'section' || first.name === 'article') && mayHoldHeading(first)
    if (!isSection && !/^blockList(?:Last)?$/.test(attributeOf(entry, 'class') ?? '')) return false
    isSections = true
  }
  return isSections
}
