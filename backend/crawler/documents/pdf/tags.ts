import type { Line, TextPiece } from './lines.ts'
import { RIGHT_TO_LEFT } from './right-to-left.ts'

/** A node of a page's structure tree: an element with a role, or a leaf that names marked content. Source: ISO 32000-2, 14.7 and 14.8. */
type StructNode = { role?: string; type?: string; id?: string; children?: StructNode[] }
type Item = TextPiece | { type: string; id?: string | null; tag?: string }

/** What a page's tags say. Lists and tables hold texts, each of which is one paragraph. */
export type Part =
  | { kind: 'text'; lines: Line[]; level: number | null }
  /** Text that is in no paragraph: how it looks says what it is. */
  | { kind: 'loose'; lines: Line[] }
  /** A table of contents. */
  | { kind: 'contents'; entries: Line[][] }
  | List
  | Table
  | { kind: 'quote'; parts: Part[] }

type Table = { kind: 'table'; rows: { isHead: boolean; lines: Line[] }[][] }
type List = { kind: 'list'; items: { lines: Line[]; parts: List[] }[] }

/** Least part of the letters of a document that is tagged, or marked as no part of the text, for its tags to be trusted. */
const LEAST_TAGGED = 0.95
/** Most part of paragraphs that begin in the middle of a sentence: some programs tag each line as a paragraph. */
const MAX_BROKEN = 0.15
const LEAST_PARAGRAPHS = 5

/**
 * Most nodes in the trees of all pages: this number, and some more for each text. The tree of a page names all rows of its table, also those
 * on hundreds of other pages.
 */
const MAX_NODES = 50_000
const MAX_NODES_OF_ITEM = 8

const HEADING = /^H([1-6])?$/
const PARAGRAPHS = new Set(['P', 'Title', 'Caption', 'Note', 'FENote', 'BibEntry', 'Formula', 'LI', 'LBody', 'TOCI'])
const BLOCKS = new Set(['L', 'Table', 'BlockQuote', 'TOC', 'Sect', 'Part', 'Art', 'Div', 'Document', ...PARAGRAPHS])

/** Collects the parts of a document page by page, and whether its tags can be trusted. */
export class TaggedPages {
  readonly parts: Part[] = []
  #letters = 0
  #nodes = 0
  #items = 0
  #tagged = 0
  #hasTree = true

  /** Whether every page so far that has text has tags, and not too many. */
  get areOnAllPages(): boolean {
    return this.#hasTree
  }

  /** Whether the tags say how the document is to be read. Looks at all parts. */
  get areTrusted(): boolean {
    return this.#hasTree && this.#tagged >= this.#letters * LEAST_TAGGED && !areBroken(this.parts)
  }

  /** @param linesOf  makes lines of some of the page's texts */
  add(tree: StructNode | null, items: readonly unknown[], linesOf: (pieces: readonly TextPiece[]) => Line[]): void {
    const { content, letters, artifacts } = contentOf(items as Item[])
    // An empty page has no tags.
    if (letters === 0) return
    if (tree === null) {
      this.#hasTree = false
      return
    }
    this.#nodes += nodesOf(tree)
    this.#items += items.length
    if (this.#nodes > MAX_NODES + this.#items * MAX_NODES_OF_ITEM) {
      this.#hasTree = false
      return
    }
    const ids = new Set<string>()
    const places = new Map(items.map((item, at) => [item, at]))
    // Lines from right to left are put in their order by how they are drawn.
    const inDrawnOrder = (pieces: readonly TextPiece[]) =>
      pieces.some(({ str }) => RIGHT_TO_LEFT.test(str)) ? pieces.toSorted((a, b) => places.get(a)! - places.get(b)!) : pieces
    const parts = partsOf(tree, (nodes) => {
      const found = nodes.flatMap((node) => contentIds(node)).filter((id) => !ids.has(id))
      for (const id of found) ids.add(id)
      return linesOf(inDrawnOrder(found.flatMap((id) => content.get(id) ?? []))).filter((line) => line.text.trim() !== '')
    })
    this.#letters += letters
    this.#tagged += artifacts
    for (const id of ids) this.#tagged += lettersOf(content.get(id) ?? [])
    joinParts(this.parts, parts)
  }
}

/** Texts of the page by the marked content that they are in. */
function contentOf(items: readonly Item[]): { content: Map<string, TextPiece[]>; letters: number; artifacts: number } {
  const content = new Map<string, TextPiece[]>()
  const open: { id: string | null; isArtifact: boolean }[] = []
  let letters = 0
  let artifacts = 0
  for (const item of items) {
    const inside = open.at(-1) ?? { id: null, isArtifact: false }
    if ('str' in item) {
      const count = lettersOf([item])
      letters += count
      if (inside.isArtifact) artifacts += count
      if (inside.id === null) continue
      const pieces = content.get(inside.id)
      if (pieces === undefined) content.set(inside.id, [item])
      else pieces.push(item)
    } else if (item.type === 'endMarkedContent') open.pop()
    else open.push({ id: item.id ?? inside.id, isArtifact: inside.isArtifact || item.tag === 'Artifact' })
  }
  return { content, letters, artifacts }
}

/** Without the dots that lead to a page number. */
function lettersOf(pieces: readonly TextPiece[]): number {
  return pieces.reduce((sum, { str }) => sum + str.replace(/[\s.]+/g, '').length, 0)
}

function nodesOf({ children = [] }: StructNode): number {
  return children.reduce((sum, child) => sum + nodesOf(child), 1)
}

function contentIds(node: StructNode): string[] {
  if (node.type === 'content') return node.id === undefined ? [] : [node.id]
  return (node.children ?? []).flatMap((child) => contentIds(child))
}

function partsOf(node: StructNode, linesOf: (nodes: readonly StructNode[]) => Line[]): Part[] {
  const parts: Part[] = []
  let loose: StructNode[] = []
  const endLoose = () => {
    const lines = linesOf(loose)
    loose = []
    if (lines.length > 0) parts.push({ kind: 'loose', lines })
  }
  for (const child of node.children ?? []) {
    const role = child.role ?? ''
    const isInline = !BLOCKS.has(role) && !HEADING.test(role) && !hasBlocks(child)
    if (isInline) {
      loose.push(child)
      continue
    }
    endLoose()
    if (role === 'L') parts.push(listOf(child, linesOf))
    else if (role === 'Table') {
      // The caption is outside the rows.
      const lines = linesOf(outsideRows(child))
      parts.push({ kind: 'text', lines, level: null }, tableOf(child, linesOf))
    } else if (role === 'BlockQuote') parts.push({ kind: 'quote', parts: partsOf(child, linesOf) })
    // The labels of a chart are no paragraphs.
    else if (role === 'Figure') parts.push({ kind: 'text', lines: linesOf([child]), level: null })
    else if (role === 'TOC') parts.push({ kind: 'contents', entries: entriesOf(child, linesOf).filter((lines) => lines.length > 0) })
    else if ((HEADING.test(role) || PARAGRAPHS.has(role)) && !hasBlocks(child)) {
      const level = HEADING.exec(role)
      parts.push({ kind: 'text', lines: linesOf([child]), level: level === null ? null : Number(level[1] ?? 2) })
    } else addAll(parts, partsOf(child, linesOf))
  }
  endLoose()
  return parts.filter((part) => !isEmpty(part))
}

function isEmpty(part: Part): boolean {
  if (part.kind === 'list') return part.items.length === 0
  if (part.kind === 'table') return part.rows.length === 0
  return 'lines' in part && part.lines.length === 0
}

function hasBlocks(node: StructNode): boolean {
  return (node.children ?? []).some(({ role = '' }, at) => BLOCKS.has(role) || HEADING.test(role) || hasBlocks(node.children![at]!))
}

function entriesOf(contents: StructNode, linesOf: (nodes: readonly StructNode[]) => Line[]): Line[][] {
  return (contents.children ?? []).flatMap((child) => {
    if (child.role === 'TOC') return entriesOf(child, linesOf)
    const inner = (child.children ?? []).filter(({ role }) => role === 'TOC')
    const own = inner.length === 0 ? [child] : (child.children ?? []).filter(({ role }) => role !== 'TOC')
    return [linesOf(own), ...inner.flatMap((node) => entriesOf(node, linesOf))]
  })
}

/** An item's text is what is not in a list within it. Items without anything are on other pages. */
function listOf(list: StructNode, linesOf: (nodes: readonly StructNode[]) => Line[]): List {
  const items = (list.children ?? []).map((item) => {
    const { text, lists } = textAndLists(item)
    return { lines: linesOf(text), parts: lists.map((inner) => listOf(inner, linesOf)).filter(({ items: inside }) => inside.length > 0) }
  })
  return { kind: 'list', items: items.filter(({ lines, parts }) => lines.length > 0 || parts.length > 0) }
}

function textAndLists(node: StructNode): { text: StructNode[]; lists: StructNode[] } {
  if (node.role === 'L') return { text: [], lists: [node] }
  if (node.type !== undefined || !hasList(node)) return { text: [node], lists: [] }
  const inside = (node.children ?? []).map((child) => textAndLists(child))
  return { text: inside.flatMap(({ text }) => text), lists: inside.flatMap(({ lists }) => lists) }
}

function hasList(node: StructNode): boolean {
  return (node.children ?? []).some((child) => child.role === 'L' || hasList(child))
}

/** Rows without text are on other pages. */
function tableOf(table: StructNode, linesOf: (nodes: readonly StructNode[]) => Line[]): Table {
  const rows = rowsOf(table).map((row) =>
    (row.children ?? [])
      .map((cell) => ({ role: cell.role, isHead: cell.role === 'TH', lines: linesOf([cell]) }))
      .filter(({ role, lines }) => role === 'TH' || role === 'TD' || lines.length > 0),
  )
  return { kind: 'table', rows: rows.filter((row) => row.some(({ lines }) => lines.length > 0)) }
}

function rowsOf(node: StructNode): StructNode[] {
  return (node.children ?? []).flatMap((child) => (child.role === 'TR' ? [child] : child.role === 'Table' ? [] : rowsOf(child)))
}

function outsideRows(node: StructNode): StructNode[] {
  return (node.children ?? []).flatMap((child) => (child.role === 'TR' ? [] : rowsOf(child).length === 0 ? [child] : outsideRows(child)))
}

/** Appends the parts of a page: a paragraph, a list or a table may go on from the page before. */
function joinParts(parts: Part[], page: Part[]): void {
  const [first, ...others] = page
  const last = parts.at(-1)
  if (first === undefined) return
  if (last?.kind === 'text' && first.kind === 'text' && last.level === null && first.level === null && goesOn(last.lines, first.lines))
    addAll(last.lines, first.lines)
  else if (last?.kind === 'loose' && first.kind === 'loose') addAll(last.lines, first.lines)
  else if (last?.kind === 'list' && first.kind === 'list') joinLists(last, first)
  else if (last?.kind === 'contents' && first.kind === 'contents') addAll(last.entries, first.entries)
  else if (last?.kind === 'table' && first.kind === 'table' && last.rows[0]?.length === first.rows[0]?.length)
    addAll(last.rows, first.rows.slice(repeatedHeads(last, first)))
  else parts.push(first)
  addAll(parts, others)
}

/** Appends the items of the next page. The first is the rest of the last one if it has only lists, or goes on with a sentence. */
function joinLists(list: List, next: List): void {
  const item = list.items.at(-1)
  const [rest, ...others] = next.items
  if (item === undefined || rest === undefined || (rest.lines.length > 0 && (item.parts.length > 0 || !goesOn(item.lines, rest.lines)))) {
    addAll(list.items, next.items)
    return
  }
  addAll(item.lines, rest.lines)
  const [inner, ...innerOthers] = rest.parts
  const last = item.parts.at(-1)
  if (last === undefined || inner === undefined) addAll(item.parts, rest.parts)
  else {
    joinLists(last, inner)
    addAll(item.parts, innerOthers)
  }
  addAll(list.items, others)
}

/** The number of rows with which a table begins at the next page once more. */
function repeatedHeads(table: Table, next: Table): number {
  const textOf = (row: Table['rows'][number] = []) => row.map(({ lines }) => lines.map(({ text }) => text.trim()).join(' ')).join('|')
  const at = next.rows.findIndex((row, index) => !row.every(({ isHead }) => isHead) || textOf(row) !== textOf(table.rows[index]))
  return at === -1 ? next.rows.length : at
}

/** Appends any number of elements: as arguments of a call they would be limited. */
function addAll<Element>(to: Element[], elements: readonly Element[]): void {
  for (const element of elements) to.push(element)
}

/** Whether lines go on in the middle of the sentence with which others end. */
function goesOn(lines: readonly Line[], next: readonly Line[]): boolean {
  return /[\p{L},;-]\s*$/u.test(lines.at(-1)?.text ?? '') && /^\s*\p{Ll}/u.test(next[0]?.text ?? '')
}

function areBroken(parts: readonly Part[]): boolean {
  let paragraphs = 0
  let broken = 0
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1]
    if (part.kind !== 'text' || part.level !== null) continue
    paragraphs++
    if (before?.kind === 'text' && before.level === null && goesOn(before.lines, part.lines)) broken++
  }
  return paragraphs >= LEAST_PARAGRAPHS && broken > paragraphs * MAX_BROKEN
}
