/** A button that opens a menu. Arrows, Home, End and first letters move; Esc and a click elsewhere close; the focus returns. */
import { Fragment, useId, useRef } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { cx } from '#web/ui/cx.ts'
import { CheckIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { useAnchoredPopover } from './use-anchored-popover.ts'

export type MenuItem = {
  label: string
  onSelect: () => void
  icon?: Icon
  /** Shown instead of an icon. */
  picture?: ReactNode
  /** Secondary text at the far end. */
  end?: string
  /** Makes it a radio item. */
  checked?: boolean
  disabled?: boolean
  danger?: boolean
}

export type MenuSection = { title?: string; items: readonly MenuItem[] }

export type MenuTrigger = {
  ref: RefObject<HTMLButtonElement | null>
  id: string
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string
  onPointerDown: () => void
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

export type MenuProps = {
  sections: readonly MenuSection[]
  /** Renders the button; spread the given props over it. */
  trigger: (props: MenuTrigger) => ReactNode
  align?: 'start' | 'end'
  /** Below the sections, such as "No teams yet". */
  footer?: ReactNode
}

export function Menu({ sections, trigger, align = 'end', footer }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const entries = () => [...(anchored.popover.ref.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const anchored = useAnchoredPopover<HTMLDivElement>({
    anchor: () => button.current,
    align,
    side: 'below',
    onShow: () => {
      const all = entries()
      ;(all.find((entry) => entry.getAttribute('aria-checked') === 'true') ?? all[0])?.focus()
    },
    onHide: () => button.current?.focus(),
  })
  const { hide } = anchored
  const move = (event: KeyboardEvent) => {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = target(event.key, at, all)
    if (event.key === 'Tab') hide()
    if (to === undefined) return
    event.preventDefault()
    to.focus()
  }
  return (
    <>
      {trigger({
        ref: button,
        id: `${id}-button`,
        'aria-haspopup': 'menu',
        'aria-expanded': anchored.isOpen,
        'aria-controls': id,
        ...anchored.button,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          anchored.show()
          if (event.key === 'ArrowUp') entries().at(-1)?.focus()
        },
      })}
      <div
        {...anchored.popover}
        id={id}
        popover="auto"
        role="menu"
        aria-labelledby={`${id}-button`}
        onKeyDown={move}
        className="fixed inset-auto m-0 max-h-[min(24rem,80vh)] w-max max-w-[min(20rem,calc(100vw-16px))] min-w-58 overflow-auto rounded-card border border-line bg-raised p-1 text-table text-ink shadow-float open:animate-enter"
      >
        {sections
          .filter(({ items }) => items.length > 0)
          .map((section, index) => (
            <Fragment key={section.title ?? index}>
              {index > 0 && <div role="separator" className="-mx-1 my-1 border-t border-line" />}
              <div role="group" aria-label={section.title}>
                {section.title && (
                  <div aria-hidden="true" className="px-2 pt-1.5 pb-1 text-label font-medium text-faint">
                    {section.title}
                  </div>
                )}
                {section.items.map((item, place) => (
                  <Entry
                    key={`${place} ${item.label}`}
                    item={item}
                    choose={() => {
                      hide()
                      item.onSelect()
                    }}
                  />
                ))}
              </div>
            </Fragment>
          ))}
        {footer && <div className="px-2 py-1.5 text-label text-faint">{footer}</div>}
      </div>
    </>
  )
}

function Entry({ item, choose }: { item: MenuItem; choose: () => void }) {
  const { icon: Icon } = item
  return (
    <button
      type="button"
      role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={item.checked}
      aria-disabled={item.disabled || undefined}
      tabIndex={-1}
      onClick={() => {
        if (!item.disabled) choose()
      }}
      className={cx(
        'flex h-8 w-full items-center gap-2.5 rounded-small px-2 text-left outline-none focus-visible:outline-2 focus-visible:-outline-offset-2',
        item.disabled ? 'cursor-not-allowed text-faint' : 'hover:bg-hover focus:bg-hover',
        item.danger && !item.disabled && 'text-danger',
      )}
    >
      {item.picture ?? (Icon && <Icon className={item.danger && !item.disabled ? 'text-danger' : 'text-faint'} />)}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.end && <span className="text-faint">{item.end}</span>}
      {item.checked && <CheckIcon className="text-faint" />}
    </button>
  )
}

/** The entry that a key moves to, from the one at index `at`; undefined for none. */
function target(key: string, at: number, entries: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return entries[(at + 1) % entries.length]
  if (key === 'ArrowUp') return entries.at(at <= 0 ? -1 : at - 1)
  if (key === 'Home') return entries[0]
  if (key === 'End') return entries.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const after = [...entries.slice(at + 1), ...entries.slice(0, at + 1)]
  return after.find((entry) => entry.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}
