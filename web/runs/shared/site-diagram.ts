/** The layout of a site as blocks: the content of a folder, column by column, each block as high as its share of the pages. Pure. */
import * as t from '#texts/site.ts'
import { countPages, pagesOf } from './site-tree.ts'
import type { SiteNode } from './site-tree.ts'

export type Block = {
  id: string
  /** 0 is the open folder. */
  column: number
  /** Position and height in rows; a block is at least one row high. */
  top: number
  height: number
  name: string
  /** Number of pages below the node, including its own page. */
  pages: number
  /** `null` for a block of small nodes that have no block of their own. */
  node: SiteNode | null
  /** Id of its folder; `null` for the first block. */
  parent: string | null
}

/** Columns to the right of the open folder. */
const DEPTH = 3

/** The root of the whole site: its only host, or a node for all hosts. */
export function rootOf(hosts: readonly SiteNode[]): SiteNode {
  const [only] = hosts
  if (only && hosts.length === 1) return only
  return { id: '', segment: t.allHosts, page: null, queries: [], children: [...hosts], descendants: countPages(hosts) }
}

/** The nodes from the root to the one with this id, inclusive; only the root when there is no such node. */
export function pathTo(root: SiteNode, id: string): SiteNode[] {
  const path = [root]
  for (let node = root; node.id !== id;) {
    const next = node.children.find((child) => child.id === id || id.startsWith(`${child.id}/`))
    if (!next) return [root]
    path.push(next)
    node = next
  }
  return path
}

/**
 * The blocks of a folder and of the three levels below it. At most four times `rows`, however large the site is: when a folder has more
 * children than rows, its largest ones have a block each and the others share one.
 *
 * @param rows  text rows that fit into the height, at least 1
 */
export function blocksOf(folder: SiteNode, rows: number): Block[] {
  const first: Block = {
    id: folder.id,
    column: 0,
    top: 0,
    height: rows,
    name: folder.segment,
    pages: pagesOf(folder),
    node: folder,
    parent: null,
  }
  const blocks = [first]
  const add = (above: Block) => {
    if (above.node === null || above.column === DEPTH) return
    for (const block of childrenOf(above, above.node)) {
      blocks.push(block)
      add(block)
    }
  }
  add(first)
  return blocks
}

function childrenOf({ column, height, top }: Block, { children, id }: SiteNode): Block[] {
  const room = Math.floor(height)
  // With a single row, several children share one block; with more children than rows, the last block is for the small ones.
  const named = children.length <= room ? children.length : room - 1
  const largest = children.toSorted((a, b) => pagesOf(b) - pagesOf(a))
  const shown: Pick<Block, 'id' | 'name' | 'node' | 'pages'>[] = largest
    .slice(0, named)
    .map((node) => ({ id: node.id, name: node.segment, node, pages: pagesOf(node) }))
  const small = largest.slice(named)
  if (small.length > 0)
    shown.push({
      id: `${id}/?`,
      name: named === 0 ? t.entries(small.length) : t.more(small.length),
      node: null,
      pages: countPages(small),
    })
  const all = shown.reduce((sum, block) => sum + block.pages, 0)
  const free = height - shown.length
  let at = top
  return shown.map((block) => {
    const own = 1 + (all === 0 ? free / shown.length : (free * block.pages) / all)
    const placed = { ...block, column: column + 1, top: at, height: own, parent: id }
    at += own
    return placed
  })
}

/** The block that an arrow key moves to; `null` for none. */
export function neighbourOf(blocks: readonly Block[], from: Block, key: string): Block | null {
  if (key === 'ArrowLeft') return blocks.find(({ column, id }) => column === from.column - 1 && id === from.parent) ?? null
  if (key === 'ArrowRight') return blocks.find(({ column, parent }) => column === from.column + 1 && parent === from.id) ?? null
  const column = blocks.filter((block) => block.column === from.column)
  const at = column.indexOf(from)
  if (key === 'ArrowDown') return column[at + 1] ?? null
  if (key === 'ArrowUp') return column[at - 1] ?? null
  if (key === 'Home') return column[0] ?? null
  if (key === 'End') return column.at(-1) ?? null
  return null
}
