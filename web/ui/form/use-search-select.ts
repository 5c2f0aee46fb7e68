/** The state of a select with search: what is typed, which entry is active, and what keys and clicks do. */
import { useEffect, useId, useState } from 'react'
import type { ChangeEvent, FocusEvent, KeyboardEvent, RefObject } from 'react'
import { useAnchoredPopover } from '#web/ui/dialog/use-anchored-popover.ts'
import { isComposing } from './composing.ts'
import { filterChoices } from './filter-choices.ts'
import type { ListChoice } from './filter-choices.ts'

export type SearchSelectChoices = {
  /** '' when none is chosen. */
  value: string
  onChange: (value: string) => void
  options: readonly ListChoice[]
  /** The label for no choice: "Any". */
  none: string
  disabled?: boolean
  /** Turns typed text that is not in the list into a choice; null when it is invalid. */
  other?: (typed: string) => ListChoice | null
}

const PAGE = 8

/** @param box  the element that the list is anchored to */
export function useSearchSelect(
  { value, onChange, options, none, disabled = false, other }: SearchSelectChoices,
  box: RefObject<HTMLElement | null>,
) {
  /** The text typed since the list was opened; null before. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const id = useId()
  const anchored = useAnchoredPopover<HTMLUListElement>({ anchor: () => box.current, align: 'start', side: 'below', minWidth: 224 })
  const { isOpen } = anchored
  const list = anchored.popover.ref
  const chosen = value === '' ? null : (options.find((option) => option.value === value) ?? { value, label: value })
  const shown = listed(options, { typed: typed ?? '', none, other })
  const at = Math.min(active, shown.length - 1)

  useEffect(() => {
    if (isOpen) list.current?.querySelector(`[data-option="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, at, list])

  const show = () => {
    if (disabled || isOpen) return
    anchored.show()
    setActive(indexOf(listed(options, { typed: '', none, other }), (option) => option.value === value))
  }
  const leave = () => {
    anchored.hide()
    setTyped(null)
  }
  const take = (option: ListChoice | undefined) => {
    if (!option || option.disabled) return
    leave()
    if (option.value !== value) onChange(option.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (!isOpen) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      show()
      return
    }
    if (event.key === 'Enter') take(shown[at])
    else if (event.key === 'Escape') leave()
    else {
      const to = target(event.key, at, shown.length)
      if (to === undefined) return
      if (shown.length > 0) setActive((to + shown.length) % shown.length)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    id,
    typed,
    chosen,
    /** The entries of the list, and the index of the active one. */
    shown,
    at,
    isOpen,
    /** Properties of the list. */
    list: anchored.popover,
    point: setActive,
    take,
    clear: () => {
      onChange('')
      leave()
    },
    /** Properties of the input. */
    input: {
      'aria-expanded': isOpen,
      'aria-controls': id,
      'aria-activedescendant': isOpen && at >= 0 ? `${id}-${at}` : undefined,
      onFocus: (event: FocusEvent<HTMLInputElement>) => event.target.select(),
      onClick: show,
      onChange: ({ target: { value: text } }: ChangeEvent<HTMLInputElement>) => {
        anchored.show()
        setTyped(text)
        setActive(text.trim() === '' ? 0 : indexOf(listed(options, { typed: text, none, other }), (option) => !option.disabled))
      },
      onKeyDown,
      onBlur: () => {
        // An emptied field clears the choice; text typed in full chooses it.
        if (typed !== null && typed.trim() === '' && value !== '') onChange('')
        else if (typed !== null && other) take(other(typed) ?? undefined)
        leave()
      },
    },
  }
}

type Asked = { typed: string; none: string; other: SearchSelectChoices['other'] }

/** The entries of the list: "none" first while nothing is typed; the typed text last if it is a valid choice. */
function listed(options: readonly ListChoice[], { typed, none, other }: Asked): readonly ListChoice[] {
  if (typed.trim() === '') return [{ value: '', label: none }, ...options]
  const fitting = filterChoices([...options, { value: '', label: none }], typed)
  const own = other?.(typed)
  return own && !fitting.some(({ value }) => value === own.value) ? [...fitting, own] : fitting
}

/** The first entry that fits, else the first of all. */
const indexOf = (entries: readonly ListChoice[], fits: (entry: ListChoice) => boolean) => Math.max(0, entries.findIndex(fits))

/** The entry that a key moves to; may be one before the first or after the last. */
const target = (key: string, at: number, count: number): number | undefined =>
  ({ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + PAGE, count - 1), PageUp: Math.max(at - PAGE, 0) })[key]
