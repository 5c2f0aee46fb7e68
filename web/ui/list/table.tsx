/** A table that becomes cards on a phone. Roles are explicit, because browsers drop them when `display` changes. */
import type { MouseEvent, ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/feedback/feedback.tsx'
import { ChevronDownIcon, SpinnerIcon, UpDownIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/table.ts'

/** Where a cell is in the card that a phone shows for a row; `none` hides it. */
export type CardPlace = 'topLeft' | 'topRight' | 'main' | 'bottomLeft' | 'bottomRight' | 'none'

export type Column<Row> = {
  key: string
  head: string
  /** The head is for screen readers only, as over a column of buttons. */
  hideHead?: boolean
  /** Before the column head, such as a checkbox that selects all. */
  headControl?: ReactNode
  /** The name for sorting by this column; without one it cannot be sorted. */
  sort?: string
  cell: (row: Row) => ReactNode
  /** Takes the remaining width and cuts longer text. */
  wide?: boolean
  align?: 'right'
  /** Hidden below this window width, where the column would crowd the others. */
  from?: 'xl'
  card: CardPlace
}

/** The last column, without its cells: the actions of a row. */
export const ACTIONS_COLUMN = { key: 'actions', head: t.actions, hideHead: true, align: 'right', card: 'topRight' } as const

export type TableProps<Row> = {
  /** Describes the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** `live`: tinted and with an edge; `arrived`: highlighted for two seconds; `picked`: highlighted. */
  tone?: (row: Row) => 'live' | 'arrived' | 'picked' | undefined
  /**
   * A click on the row outside of its controls; `newTab` as for a link: with Ctrl, Cmd or the middle button. The row must also contain a
   * link that does the same.
   */
  onRow?: (row: Row, how: { newTab: boolean }) => void
  /** The column that the table is sorted by; `onSort` is called when another head is pressed. */
  sorted?: { by: string; descending: boolean; onSort: (by: string) => void }
  /** Rows are being reloaded: the old ones stay, dimmed, with a small chip. */
  updating?: boolean
}

/** The middle column of a card grows for the bottom right only, so that a wide cell there takes no room from the cell at the top left. */
const CARD = 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_0fr_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:px-4 max-sm:py-3'

const PLACES: Record<CardPlace, string> = {
  topLeft: 'max-sm:col-[1/3] max-sm:row-start-1',
  topRight: 'max-sm:col-start-3 max-sm:row-start-1 max-sm:justify-self-end max-sm:text-faint',
  main: 'max-sm:col-[1/4] max-sm:row-start-2',
  bottomLeft: 'max-sm:col-start-1 max-sm:row-start-3 max-sm:text-soft max-sm:text-left',
  bottomRight: 'max-sm:col-[2/4] max-sm:row-start-3 max-sm:min-w-max max-sm:justify-self-end max-sm:text-soft',
  none: 'max-sm:hidden',
}

/** A row that is tinted keeps its tint under the pointer. */
const TONES = {
  live: 'bg-st-running-wash/45 shadow-[inset_2px_0_0_var(--st-running)] hover:bg-st-running-wash',
  arrived: 'animate-arrive hover:bg-hover',
  picked: 'bg-wash',
}
const lookOf = (tone: keyof typeof TONES | undefined) => (tone === undefined ? 'hover:bg-hover' : TONES[tone])

export function Table<Row>({ label, columns, rows, rowKey, tone, onRow, sorted, updating = false }: TableProps<Row>) {
  return (
    <div className="relative min-w-0">
      {updating && (
        <span
          role="status"
          className="absolute top-2 right-3 z-10 inline-flex h-5 items-center gap-1 rounded-small bg-chip px-[7px] text-label font-medium text-soft"
        >
          <SpinnerIcon className="size-3" />
          {t.updating}
        </span>
      )}
      <div className="overflow-x-auto">
        <table
          role="table"
          aria-label={label}
          aria-busy={updating || undefined}
          className={cx('w-full text-table transition-opacity max-sm:block', updating && 'opacity-60')}
        >
          <thead role="rowgroup" className="max-sm:sr-only">
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.key}
                  role="columnheader"
                  scope="col"
                  aria-sort={
                    column.sort !== undefined && sorted?.by === column.sort ? (sorted.descending ? 'descending' : 'ascending') : undefined
                  }
                  className={cx(
                    'h-9 border-b border-line px-3 text-left text-label font-medium whitespace-nowrap text-faint first:pl-4 last:pr-4',
                    column.align === 'right' && 'text-right',
                    column.from === 'xl' && 'max-xl:hidden',
                  )}
                >
                  {/* On a phone the heads are for screen readers only, so nothing in them may take the focus. */}
                  <span className={cx('inline-flex items-center align-middle', column.headControl !== undefined && 'gap-3')}>
                    {column.headControl !== undefined && <span className="max-sm:hidden">{column.headControl}</span>}
                    {column.sort !== undefined && sorted && (
                      <button
                        type="button"
                        onClick={() => sorted.onSort(column.sort ?? '')}
                        className={cx(
                          'group/sort inline-flex items-center gap-1 rounded-small font-medium hover:text-ink max-sm:hidden',
                          sorted.by === column.sort && 'text-ink',
                        )}
                      >
                        {column.head}
                        <SortMark state={sorted.by !== column.sort ? 'none' : sorted.descending ? 'descending' : 'ascending'} />
                      </button>
                    )}
                    <span className={column.hideHead ? 'sr-only' : column.sort !== undefined && sorted ? 'sm:hidden' : undefined}>
                      {column.head}
                    </span>
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-sm:block">
            {rows.map((row) => (
              <tr
                key={rowKey(row)}
                role="row"
                onClick={(event) => isRowClick(event) && onRow?.(row, { newTab: event.ctrlKey || event.metaKey })}
                onAuxClick={(event) => event.button === 1 && isRowClick(event) && onRow?.(row, { newTab: true })}
                className={cx('group border-b border-line last:border-b-0', CARD, onRow && 'cursor-pointer', lookOf(tone?.(row)))}
              >
                {columns.map((column) => (
                  <td
                    key={column.key}
                    role="cell"
                    className={cx(
                      'h-11 px-3 whitespace-nowrap first:pl-4 last:pr-4 max-sm:block max-sm:h-auto max-sm:p-0!',
                      column.wide && 'w-[99%] max-w-0 truncate max-sm:w-auto max-sm:max-w-none',
                      column.align === 'right' && 'text-right',
                      column.from === 'xl' && 'max-xl:hidden',
                      PLACES[column.card],
                    )}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function SortMark({ state }: { state: 'none' | 'ascending' | 'descending' }) {
  // It keeps its place, so that no head moves when the pointer meets it.
  if (state === 'none') return <UpDownIcon className="size-3 opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100" />
  return <ChevronDownIcon className={cx('size-3', state === 'ascending' && 'rotate-180')} />
}

/** Whether a click is meant for the row: not for a control inside it, and not the end of a text selection. */
function isRowClick({ currentTarget: row, target }: MouseEvent): boolean {
  // A dialog opened from the row is a React child but not a DOM child of it: ignore clicks there.
  if (!(target instanceof Element) || !row.contains(target)) return false
  return target.closest('a, button, input, select, [role^=menuitem]') === null && window.getSelection()?.isCollapsed !== false
}

/** A placeholder for a table that is being loaded. */
export function TableSkeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-11 items-center gap-4 border-b border-line px-4 last:border-b-0">
          <Skeleton className="h-5.5 w-20 rounded-full" />
          <Skeleton className={cx('h-3 flex-none', ['w-1/3', 'w-1/2', 'w-2/5'][row % 3])} />
          <Skeleton className="ml-auto h-3 w-16" />
        </div>
      ))}
    </div>
  )
}
