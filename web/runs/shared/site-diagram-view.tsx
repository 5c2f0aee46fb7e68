/** The diagram of a site: the height of a block is its share of the pages. A click on a block opens its folder and shows it in the tree. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { cx } from '#web/ui/cx.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/site.ts'
import { blocksOf, neighbourOf, pathTo, rootOf } from './site-diagram.ts'
import type { Block } from './site-diagram.ts'
import { isBranch } from './site-tree.ts'
import type { SiteNode } from './site-tree.ts'

/** Height of a text row with its padding. */
const ROW_PX = 26
/** With fewer columns a site without folders would be one wide bar. */
const LEAST_COLUMNS = 2

/** @param onPick  gets the id of the pressed block's node; for a block of several nodes, the id of their folder */
export function SiteDiagramView({ hosts, onPick }: { hosts: readonly SiteNode[]; onPick: (id: string) => void }) {
  const root = useMemo(() => rootOf(hosts), [hosts])
  const [folderId, setFolderId] = useState(root.id)
  const [currentId, setCurrentId] = useState(root.id)
  const area = useRef<HTMLDivElement>(null)
  const rows = useRows(area)
  const path = useMemo(() => pathTo(root, folderId), [root, folderId])
  const blocks = useMemo(() => blocksOf(path.at(-1) ?? root, rows), [path, root, rows])
  const columns = Math.max(LEAST_COLUMNS, ...blocks.map(({ column }) => column + 1))
  const current = blocks.find(({ id }) => id === currentId) ?? blocks[0]!

  const focus = (id: string) => area.current?.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`)?.focus({ preventScroll: true })
  /** The pressed block may disappear when the folder changes, so the folder's block gets the focus. */
  const pressed = useRef(false)
  useLayoutEffect(() => {
    if (pressed.current) focus(folderId)
    pressed.current = false
  }, [folderId])

  const look = (node: SiteNode) => {
    setFolderId(node.id)
    setCurrentId(node.id)
  }
  const press = (block: Block) => {
    setCurrentId(block.id)
    pressed.current = true
    onPick(block.node?.id ?? block.parent ?? root.id)
    // The block in the first column is the open folder itself: go up one level.
    if (block.column === 0) look(path.at(-2) ?? root)
    else if (block.node && block.node.children.length > 0) look(block.node)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = neighbourOf(blocks, current, event.key)
    if (!next) return
    event.preventDefault()
    setCurrentId(next.id)
    focus(next.id)
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      <nav aria-label={t.folderOfTheDiagram} className="flex min-w-0 flex-none flex-wrap items-center gap-1 text-label text-faint">
        {path.map((node, index) => (
          <span key={node.id} className="inline-flex min-w-0 items-center gap-1">
            {index > 0 && <span aria-hidden="true">/</span>}
            <button
              type="button"
              className={cx('max-w-40 truncate rounded-small px-1', index === path.length - 1 ? 'font-medium text-ink' : 'link')}
              aria-current={index === path.length - 1 ? 'location' : undefined}
              onClick={() => look(node)}
            >
              {node.segment}
            </button>
          </span>
        ))}
      </nav>
      <div ref={area} role="group" aria-label={t.diagramOfTheSite} onKeyDown={onKeyDown} className="relative mr-px mb-px min-h-0 flex-1">
        {blocks.map((block) => (
          <button
            key={`${block.column} ${block.id}`}
            type="button"
            data-block={block.id}
            tabIndex={block === current ? 0 : -1}
            aria-label={labelOf(block, path.length > 1)}
            title={`${block.name}: ${t.pages(block.pages)}`}
            onFocus={() => setCurrentId(block.id)}
            onClick={() => press(block)}
            style={{
              left: `${(block.column * 100) / columns}%`,
              // Neighbours share a border.
              width: `calc(${100 / columns}% + 1px)`,
              top: `${(block.top * 100) / rows}%`,
              height: `calc(${(block.height * 100) / rows}% + 1px)`,
            }}
            className={cx(
              'absolute flex min-w-0 items-start gap-1 overflow-hidden border border-line-strong px-1.5 pt-0.5 text-left text-label -outline-offset-2 hover:bg-hover',
              block.column === 0 ? 'bg-wash font-medium' : block.node === null ? 'bg-sunken text-soft' : 'bg-raised',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{block.name}</span>{' '}
            {(block.node === null || isBranch(block.node)) && <span className="num flex-none text-faint">{numberText(block.pages)}</span>}
          </button>
        ))}
      </div>
    </div>
  )
}

function labelOf(block: Block, canGoUp: boolean): string {
  const pages = t.pages(block.pages)
  if (block.column === 0) return canGoUp ? t.backToTheFolderAbove(block.name, pages) : `${block.name}, ${pages}`
  return block.node && block.node.children.length > 0 ? t.folder(block.name, pages) : `${block.name}, ${pages}`
}

/** The number of text rows that fit into the element's current height. */
function useRows(element: { current: HTMLElement | null }): number {
  const [rows, setRows] = useState(12)
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return
    const measure = () => setRows(Math.max(1, Math.floor(shown.clientHeight / ROW_PX)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(shown)
    return () => observer.disconnect()
  }, [element])
  return rows
}
