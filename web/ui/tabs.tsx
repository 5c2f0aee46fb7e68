/** Tabs and their panels. Arrows, Home and End move and select; only the selected tab is in the tab order. */
import { useEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { number } from '#texts/language.ts'
import { cx } from './cx.ts'
import { AlertIcon } from './icons.tsx'

export type Tab<T extends string = string> = {
  id: T
  label: string
  /** A number, such as of changes inside; 0 is not shown. */
  count?: number
  /** Something inside needs attention; the text is for screen readers. */
  warning?: string | undefined
}

export type TabsProps<T extends string> = {
  /** Connects tabs to panels; unique on the page. */
  name: string
  label: string
  tabs: readonly Tab<T>[]
  value: T
  onChange: (id: T) => void
  /** For the inside of a card. */
  dense?: boolean
}

export function Tabs<T extends string>({ name, label, tabs, value, onChange, dense = false }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  // The URL may select a tab that is out of view on a phone. The first tab is always in view: skip the measuring.
  const isFirst = tabs[0]?.id === value
  useEffect(() => {
    const chosen = isFirst ? null : list.current?.querySelector(`[data-tab="${value}"]`)
    if (!list.current || !chosen) return
    const [strip, tab] = [list.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    list.current.scrollLeft += Math.max(0, tab.right - strip.right) + Math.min(0, tab.left - strip.left)
  }, [value, isFirst, tabs.length])
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === value)
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }
    const to = steps[event.key]
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!tab) return
    event.preventDefault()
    onChange(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={move}
      className={cx('flex overflow-x-auto border-b border-line [scrollbar-width:none]', dense ? 'gap-4' : 'gap-6')}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${name}-tab-${tab.id}`}
          data-tab={tab.id}
          aria-selected={tab.id === value}
          aria-controls={`${name}-panel-${tab.id}`}
          tabIndex={tab.id === value ? 0 : -1}
          onClick={() => onChange(tab.id)}
          className={cx(
            'relative inline-flex flex-none items-center gap-1.5 font-medium whitespace-nowrap -outline-offset-2 after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:rounded-t-full hover:text-ink',
            dense ? 'h-9 text-table' : 'h-10 text-body',
            tab.id === value ? 'text-ink after:bg-accent' : 'text-soft',
          )}
        >
          {tab.label}
          {tab.warning ? (
            <>
              <AlertIcon className="size-3.5 text-warning" />
              <span className="sr-only">{tab.warning}</span>
            </>
          ) : (
            Boolean(tab.count) && (
              <span className="num inline-flex h-5 items-center rounded-small bg-chip px-1.5 text-label text-soft">
                {number(tab.count ?? 0)}
              </span>
            )
          )}
        </button>
      ))}
    </div>
  )
}

/** The content of a tab, rendered only while the tab is selected. */
export function TabPanel({
  name,
  id,
  value,
  children,
  className,
}: {
  name: string
  id: string
  value: string
  children: ReactNode
  className?: string
}) {
  if (id !== value) return null
  return (
    <div
      role="tabpanel"
      id={`${name}-panel-${id}`}
      aria-labelledby={`${name}-tab-${id}`}
      tabIndex={0}
      className={cx('min-w-0 rounded-card -outline-offset-2', className)}
    >
      {children}
    </div>
  )
}
