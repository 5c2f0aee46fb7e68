/** The tree of a site. Renders only visible rows, so that twenty thousand rows scroll smoothly; arrow keys move, open and close. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { VList } from 'virtua'
import type { VListHandle } from 'virtua'
import { cx } from '#web/ui/cx.ts'
import { ChevronRightIcon, FileIcon, FolderIcon, GlobeIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import * as t from '#texts/site.ts'
import { isBranch, visibleRows } from './site-tree.ts'
import type { SiteNode, TreeRow } from './site-tree.ts'

export type SiteTreeViewProps = {
  nodes: readonly SiteNode[]
  open: ReadonlySet<string>
  onOpen: (ids: ReadonlySet<string>) => void
  /** A row to scroll to and highlight. Pass a new object to do it again. */
  reveal?: { id: string } | null
}

export function SiteTreeView({ nodes, open, onOpen, reveal = null }: SiteTreeViewProps) {
  const rows = useMemo(() => visibleRows(nodes, open), [nodes, open])
  const [currentId, setCurrentId] = useState<string | null>(null)
  const list = useRef<VListHandle>(null)
  const wrap = useRef<HTMLDivElement>(null)
  const moved = useRef(false)
  const found = rows.findIndex(({ id }) => id === currentId)
  const at = found === -1 ? 0 : found

  const setOpen = (id: string, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    onOpen(next)
  }
  const go = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (!row) return
    moved.current = true
    setCurrentId(row.id)
  }
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    list.current?.scrollToIndex(at, { align: 'nearest' })
    // The row may have to be rendered first.
    requestAnimationFrame(() => wrap.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus({ preventScroll: true }))
  }, [at, currentId])

  useEffect(() => {
    if (!reveal) return
    setCurrentId(reveal.id)
    const to = rows.findIndex(({ id }) => id === reveal.id)
    if (to >= 0) list.current?.scrollToIndex(to, { align: 'center' })
    // Depends on `reveal` alone: opening a folder afterwards must not scroll the tree.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [reveal])

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (row.kind === 'node' && isBranch(row.node) && !row.open ? setOpen(row.id, true) : go(at + 1)),
      ArrowLeft: () => {
        if (row.kind === 'node' && row.open) return setOpen(row.id, false)
        const parent = rows.findLastIndex((one, index) => index < at && one.level < row.level)
        if (parent >= 0) go(parent)
      },
      Enter: () => wrap.current?.querySelector<HTMLElement>(`[data-row="${at}"] a`)?.click(),
      ' ': () => row.kind === 'node' && isBranch(row.node) && setOpen(row.id, !row.open),
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    step()
  }
  return (
    <div ref={wrap} role="tree" aria-label={t.site} onKeyDown={onKeyDown} className="min-h-0 flex-1">
      <VList ref={list} className="h-full" role="none">
        {rows.map((row, index) => (
          <Row
            key={row.id}
            row={row}
            index={index}
            current={index === at}
            marked={row.id === reveal?.id}
            onFocus={() => setCurrentId(row.id)}
            onToggle={() => row.kind === 'node' && setOpen(row.id, !row.open)}
          />
        ))}
      </VList>
    </div>
  )
}

type RowProps = { row: TreeRow; index: number; current: boolean; marked: boolean; onFocus: () => void; onToggle: () => void }

function Row({ row, index, current, marked, onFocus, onToggle }: RowProps) {
  const branch = row.kind === 'node' && isBranch(row.node)
  const page = row.kind === 'node' ? row.node.page : row.page
  return (
    <div
      role="treeitem"
      data-row={index}
      tabIndex={current ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.size}
      aria-expanded={branch && row.kind === 'node' ? row.open : undefined}
      aria-selected={current}
      onFocus={onFocus}
      onClick={(event) => {
        if (branch && !(event.target instanceof Element && event.target.closest('a'))) onToggle()
      }}
      style={{ paddingInlineStart: `${8 + (row.level - 1) * 20}px` }}
      className={cx(
        'flex h-8 min-w-0 items-center gap-2 rounded-small pr-2 text-table -outline-offset-2 hover:bg-hover',
        marked && 'bg-wash',
        branch && 'cursor-pointer',
      )}
    >
      {branch ? (
        <ChevronRightIcon className={cx('text-faint transition-transform', row.kind === 'node' && row.open && 'rotate-90')} />
      ) : (
        <span className="w-4 flex-none" />
      )}
      {row.level === 1 ? (
        <GlobeIcon className="text-faint" />
      ) : branch ? (
        <FolderIcon className="text-faint" />
      ) : (
        <FileIcon className="text-faint" />
      )}
      {row.kind === 'query' && <Chip>{t.query}</Chip>}
      <span className={cx('max-w-1/2 flex-none truncate', row.kind === 'node' && 'font-medium')}>
        {row.kind === 'node' ? row.node.segment : queryOf(row.page.url)}
      </span>
      {page && (
        <span dir="auto" className="min-w-0 flex-1 text-left text-soft" title={page.url}>
          <OutsideLink url={page.url} className="block w-fit max-w-full truncate leading-6">
            {page.title?.trim() || t.openPage}
          </OutsideLink>
        </span>
      )}
      {branch && row.kind === 'node' && (
        <span className="num ml-auto flex-none text-label text-faint" title={t.pagesBelow}>
          {numberText(row.node.descendants)}
        </span>
      )}
    </div>
  )
}

const queryOf = (url: string): string => URL.parse(url)?.search ?? url
