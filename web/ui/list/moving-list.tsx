/**
 * A list in a scroll box of its own that grows at its top. Only the rows in sight are in the document, each at its place by a
 * transform: unlike a changed `top`, that is no layout shift and costs no layout, and it can slide. All rows have one height.
 */
import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { cx } from '#web/ui/cx.ts'

/** Rows rendered above and below the visible ones, so that Tab and a slow scroll always find the next one. */
const SPARE_ROWS = 6

export type MovingListProps<Item> = {
  /** What the list holds, for screen readers. */
  label: string
  items: readonly Item[]
  itemKey: (item: Item) => string
  /** In pixels; `rowClass` must not make a row taller. */
  rowHeight: number
  rowClass: (item: Item, isLast: boolean) => string
  children: (item: Item) => ReactNode
  /** Gets the scroll box. */
  box: RefObject<HTMLDivElement | null>
  /** Told whenever that changes: the reader has scrolled down, or the focus is on a row. */
  onReading: (isReading: boolean) => void
  /** Bounds the height of the box. */
  className: string
}

export function MovingList<Item>({
  label,
  items,
  itemKey,
  rowHeight,
  rowClass,
  children,
  box,
  onReading,
  className,
}: MovingListProps<Item>) {
  const [sight, setSight] = useState({ first: 0, last: 2 * SPARE_ROWS })
  const [focusedKey, setFocusedKey] = useState<string | null>(null)
  const reading = useRef({ scrolled: false, focused: false })

  const tell = (changes: Partial<{ scrolled: boolean; focused: boolean }>) => {
    const before = reading.current.scrolled || reading.current.focused
    Object.assign(reading.current, changes)
    const now = reading.current.scrolled || reading.current.focused
    if (now !== before) onReading(now)
  }
  const look = () => {
    if (!box.current) return
    const { clientHeight, scrollTop } = box.current
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - SPARE_ROWS)
    const last = Math.ceil((scrollTop + clientHeight) / rowHeight) + SPARE_ROWS
    setSight((before) => (before.first === first && before.last === last ? before : { first, last }))
  }
  const latestLook = useRef(look)
  useLayoutEffect(() => {
    latestLook.current = look
  })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const size = new ResizeObserver(() => latestLook.current())
    size.observe(element)
    return () => size.disconnect()
  }, [box])

  const drawn: { item: Item; key: string; index: number }[] = []
  for (const [index, item] of items.slice(sight.first, sight.last).entries())
    drawn.push({ item, key: itemKey(item), index: sight.first + index })
  // The row with the focus stays, or the focus would be lost with it.
  if (focusedKey !== null && !drawn.some(({ key }) => key === focusedKey)) {
    const index = items.findIndex((item) => itemKey(item) === focusedKey)
    const item = items[index]
    if (item !== undefined) drawn.push({ item, key: focusedKey, index })
  }
  return (
    <div
      ref={box}
      onScroll={() => {
        look()
        tell({ scrolled: (box.current?.scrollTop ?? 0) > 0 })
      }}
      className={cx('overflow-y-auto', className)}
    >
      <ul
        aria-label={label}
        onFocus={(event) => {
          setFocusedKey(event.target.closest('li')?.dataset['key'] ?? null)
          tell({ focused: true })
        }}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) tell({ focused: false })
        }}
        className="relative min-w-0 overflow-hidden"
        style={{ height: items.length * rowHeight }}
      >
        {drawn.map(({ item, key, index }) => (
          <li
            key={key}
            data-key={key}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
            className={cx('absolute inset-x-0 top-0 transition-transform', rowClass(item, index === items.length - 1))}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  )
}
