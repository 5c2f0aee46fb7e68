/** Converts the tree of a crawl's links to rows: expanding, searching, counting. Pure. */
import type { SitePage, SiteTree } from '#contract/sitemaps.ts'
import { decoded } from '#web/ui/text/decoded.ts'

export type SiteNode = {
  /** The path from the host on. Each segment is percent-encoded, so that a slash only separates segments. */
  id: string
  segment: string
  page: SitePage | null
  queries: SitePage[]
  children: SiteNode[]
  /** Pages below this node, without its own page. */
  descendants: number
}

const SELF = '__self__'
const QUERY = '__query__'

/** Parses a tree of the API, hosts first; skips invalid nodes. */
export function siteNodes(tree: SiteTree, parent = ''): SiteNode[] {
  return Object.entries(tree).flatMap(([segment, value]) => {
    if (segment === SELF || segment === QUERY || !isTree(value)) return []
    const id = `${parent}/${encodeURIComponent(segment)}`
    const children = siteNodes(value, id)
    const queries = Array.isArray(value[QUERY]) ? value[QUERY].filter(isPage) : []
    const own = value[SELF]
    const descendants = queries.length + countPages(children)
    return [{ id, segment: decoded(segment), page: isPage(own) ? own : null, queries, children, descendants }]
  })
}

const isTree = (value: unknown): value is SiteTree => typeof value === 'object' && value !== null && !Array.isArray(value)
const isPage = (value: unknown): value is SitePage =>
  typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string'

/** The number of pages of a node and of everything below it. */
export const pagesOf = (node: SiteNode): number => node.descendants + (node.page ? 1 : 0)

export const countPages = (nodes: readonly SiteNode[]): number => nodes.reduce((sum, node) => sum + pagesOf(node), 0)

/** The branches with a node whose segment, title or URL contains the text. A matching node keeps everything below it. */
export function matching(nodes: readonly SiteNode[], text: string): SiteNode[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...nodes]
  const holds = (one: string | undefined) => one?.toLowerCase().includes(wanted) === true
  return nodes.flatMap((node) => {
    if (holds(node.segment) || holds(node.page?.title) || holds(node.page?.url)) return [node]
    const children = matching(node.children, text)
    const queries = node.queries.filter((page) => holds(page.url) || holds(page.title))
    return children.length + queries.length === 0 ? [] : [{ ...node, children, queries }]
  })
}

/** Ids of all nodes that have something below. */
export const branchIds = (nodes: readonly SiteNode[]): string[] =>
  nodes.flatMap((node) => (isBranch(node) ? [node.id, ...branchIds(node.children)] : []))

export const isBranch = (node: SiteNode): boolean => node.children.length + node.queries.length > 0

export type TreeRow =
  | { kind: 'node'; id: string; level: number; node: SiteNode; open: boolean; place: number; size: number }
  | { kind: 'query'; id: string; level: number; page: SitePage; place: number; size: number }

/** The visible rows from top to bottom. */
export function visibleRows(
  nodes: readonly SiteNode[],
  open: ReadonlySet<string>,
  level = 1,
  variants: readonly SitePage[] = [],
  parent = '',
): TreeRow[] {
  const size = nodes.length + variants.length
  const rows: TreeRow[] = variants.map((page, index) => ({ kind: 'query', id: `${parent}?${index}`, level, page, place: index + 1, size }))
  for (const [index, node] of nodes.entries()) {
    const isOpen = isBranch(node) && open.has(node.id)
    rows.push({ kind: 'node', id: node.id, level, node, open: isOpen, place: variants.length + index + 1, size })
    if (isOpen) for (const row of visibleRows(node.children, open, level + 1, node.queries, node.id)) rows.push(row)
  }
  return rows
}
