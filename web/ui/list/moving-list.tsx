/**
 * A list in its own scroll box that grows at its top. Only visible rows are in the document, each positioned by a transform: unlike a
 * changed `top`, that is no layout shift, needs no layout, and can be animated. All rows have the same height.
 */
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { cx } from '#web/ui/cx.ts'

/** Rows rendered above and below the visible ones, so that Tab and a slow scroll always find the next one. */
const SPARE_ROWS = 6

export type MovingListProps<Item> = {
  /** Describes the list for screen readers. */
  label: string
  items: readonly Item[]
  itemKey: (item: Item) => string
  /** In pixels; `rowClass` must not make a row taller. */
  rowHeight: number
  rowClass: (item: Item, isLast: boolean) => string
  children: (item: Item) => ReactNode
  /** Receives the scroll box. */
  box: RefObject<HTMLDivElement | null>
  /** Called when the user starts or stops reading, which means: has scrolled down, or has focused a row. */
  onReading: (isReading: boolean) => void
  /** Limits the height of the box. */
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
  const list = useRef<HTMLUListElement>(null)
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
  const onResize = useEffectEvent(look)
  const onFocus = useEffectEvent((focused: boolean) => tell({ focused }))
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const size = new ResizeObserver(() => onResize())
    size.observe(element)
    return () => size.disconnect()
  }, [box])
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    // React's own handlers miss the focus that a closing dialog returns, because React ignores events while it changes the document.
    const entered = ({ target }: FocusEvent) => {
      setFocusedKey((target as HTMLElement).closest('li')?.dataset['key'] ?? null)
      onFocus(true)
    }
    const left = ({ relatedTarget }: FocusEvent) => {
      if (!element.contains(relatedTarget as Node | null)) onFocus(false)
    }
    element.addEventListener('focusin', entered)
    element.addEventListener('focusout', left)
    return () => {
      element.removeEventListener('focusin', entered)
      element.removeEventListener('focusout', left)
    }
  }, [])

  const drawn: { item: Item; key: string; index: number }[] = []
  for (const [index, item] of items.slice(sight.first, sight.last).entries())
    drawn.push({ item, key: itemKey(item), index: sight.first + index })
  // The focused row stays rendered, or the focus would be lost.
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
      <ul ref={list} aria-label={label} className="relative min-w-0 overflow-hidden" style={{ height: items.length * rowHeight }}>
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
