/** Rows of a live list keep their places while the user points at them, so that a click meets the row that the user aimed at. */
import { useEffect, useRef, useState } from 'react'
import type { PointerEvent } from 'react'

/** The list moves again when the pointer and the keyboard have rested for so long. */
const REST_MS = 3000

/** The held rows in their order, with their latest values. A row that left the list stays as it was last. */
export function withLatest<Row>(held: readonly Row[], latest: readonly Row[], idOf: (row: Row) => string): Row[] {
  const byId = new Map(latest.map((row) => [idOf(row), row]))
  return held.map((row) => byId.get(idOf(row)) ?? row)
}

/** The rows of the list without those that the user has deleted: the held ones, or the latest if none of the held ones is left. */
export function remaining<Row>(
  held: readonly Row[] | null,
  latest: readonly Row[],
  { idOf, removed }: { idOf: (row: Row) => string; removed: ReadonlySet<string> },
): Row[] {
  const isThere = (row: Row) => !removed.has(idOf(row))
  const kept = held === null ? [] : withLatest(held, latest, idOf).filter(isThere)
  return kept.length > 0 ? kept : latest.filter(isThere)
}

export type HeldRowsOptions<Row> = {
  idOf: (row: Row) => string
  /** Page, filters and order of the list. Another view shows its own rows at once; null while these are loaded. */
  view: string | null
}

/**
 * Holds the rows also while a menu or a dialog of a row is open.
 *
 * @returns  `rows` to show, `box` for the element around them, and `remove` for rows that the user has deleted
 */
export function useHeldRows<Row>(latest: readonly Row[], { idOf, view }: HeldRowsOptions<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [held, setHeld] = useState<{ view: string; rows: readonly Row[] } | null>(null)
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => () => clearTimeout(timer.current), [])

  const rows = remaining(held?.view === view ? held.rows : null, latest, { idOf, removed })
  const releaseUnlessUsed = () => {
    clearTimeout(timer.current)
    if (isUsed(box.current)) timer.current = setTimeout(releaseUnlessUsed, REST_MS)
    else setHeld(null)
  }
  const hold = () => {
    if (view === null) return
    clearTimeout(timer.current)
    timer.current = setTimeout(releaseUnlessUsed, REST_MS)
    if (held?.view !== view) setHeld({ view, rows })
  }
  return {
    rows,
    box: {
      ref: box,
      onPointerDown: hold,
      onPointerMove: hold,
      // The pointer of a touch leaves before its click.
      onPointerLeave: ({ pointerType }: PointerEvent) => (pointerType === 'mouse' ? releaseUnlessUsed() : hold()),
      // Not while the click is captured: React would render before the click reaches a checkbox, and so take its tick back.
      onClick: hold,
      onKeyDown: hold,
      onFocus: hold,
    },
    remove: (ids: readonly string[]) => setRemoved((before) => new Set([...before, ...ids])),
  }
}

const isUsed = (box: HTMLElement | null) => box?.querySelector(':popover-open') != null || document.querySelector('dialog:modal') !== null
