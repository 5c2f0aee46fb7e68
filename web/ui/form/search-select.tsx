/** A select with search: typing filters, arrows move, Enter chooses, Esc cancels; a cross clears. The list opens where there is room. */
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { IconButton } from './button.tsx'
import { isComposing } from './composing.ts'
import { cx } from '#web/ui/cx.ts'
import { Field, boxClass, innerClass } from './field.tsx'
import type { FieldProps } from './field.tsx'
import { filterChoices } from './filter-choices.ts'
import type { ListChoice } from './filter-choices.ts'
import { CheckIcon, ChevronDownIcon, CloseIcon } from '#web/ui/icons.tsx'
import { useAnchoredPopover } from '#web/ui/dialog/use-anchored-popover.ts'
import * as t from '#texts/choices.ts'

export type SearchSelectProps = FieldProps & {
  /** '' when none is chosen. */
  value: string
  onChange: (value: string) => void
  options: readonly ListChoice[]
  /** The label for no choice: "Any". */
  none: string
  size?: 'small' | 'normal'
  disabled?: boolean
  /** Turns typed text that is not in the list into a choice; null when it is invalid. */
  other?: (typed: string) => ListChoice | null
}

export function SearchSelect({ value, onChange, options, none, size = 'normal', disabled = false, other, ...field }: SearchSelectProps) {
  /** The text typed since the list was opened; null before. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const anchored = useAnchoredPopover<HTMLUListElement>({ anchor: () => box.current, align: 'start', side: 'below', minWidth: 224 })
  const { isOpen: open } = anchored
  const list = anchored.popover.ref
  const chosen = value === '' ? null : (options.find((option) => option.value === value) ?? { value, label: value })
  const shown = listed(options, { typed: typed ?? '', none, other })
  const at = Math.min(active, shown.length - 1)

  useEffect(() => {
    if (open) list.current?.querySelector(`[data-option="${at}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [open, at, list])

  const show = () => {
    if (disabled || open) return
    anchored.show()
    setActive(
      Math.max(
        0,
        listed(options, { typed: '', none, other }).findIndex((option) => option.value === value),
      ),
    )
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
    if (!open) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      show()
      return
    }
    if (event.key === 'Enter') take(shown[at])
    else if (event.key === 'Escape') leave()
    else {
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + 8, shown.length - 1), PageUp: Math.max(at - 8, 0) }[
        event.key
      ]
      if (to === undefined) return
      if (shown.length > 0) setActive((to + shown.length) % shown.length)
    }
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Field {...field}>
      {(ties) => (
        <div ref={box} className={cx(boxClass({ error: Boolean(field.error), disabled, size }), 'relative')}>
          {typed === null && chosen?.mark && (
            <span aria-hidden="true" className="flex-none">
              {chosen.mark}
            </span>
          )}
          <input
            {...ties}
            ref={input}
            type="text"
            role="combobox"
            aria-expanded={open}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={open && at >= 0 ? `${listId}-${at}` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={disabled}
            placeholder={none}
            value={typed ?? chosen?.label ?? ''}
            onFocus={(event) => event.target.select()}
            onClick={show}
            onChange={(event) => {
              anchored.show()
              setTyped(event.target.value)
              setActive(event.target.value.trim() === '' ? 0 : firstFit(options, event.target.value, { none, other }))
            }}
            onKeyDown={onKeyDown}
            onBlur={() => {
              // An emptied field clears the choice; text typed in full chooses it.
              if (typed !== null && typed.trim() === '' && value !== '') onChange('')
              else if (typed !== null && other) take(other(typed) ?? undefined)
              leave()
            }}
            className={cx(innerClass, 'truncate placeholder:text-ink')}
          />
          {value !== '' && !disabled ? (
            <IconButton
              label={t.clear(field.label)}
              icon={CloseIcon}
              className={size === 'small' ? '-mr-1.5 size-6!' : '-mr-2'}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                onChange('')
                leave()
                input.current?.focus()
              }}
            />
          ) : (
            <ChevronDownIcon className="pointer-events-none text-faint" />
          )}
          <ul
            {...anchored.popover}
            id={listId}
            role="listbox"
            aria-label={field.label}
            popover="manual"
            // Keep the focus, and with it the keyboard, in the field.
            onMouseDown={(event) => event.preventDefault()}
            className="fixed inset-auto m-0 max-h-72 max-w-[calc(100vw-16px)] overflow-y-auto rounded-card border border-line bg-raised p-1 text-table text-ink shadow-float"
          >
            {open && shown.length === 0 && (
              <li role="option" aria-selected="false" aria-disabled="true" className="px-2 py-1.5 text-faint">
                {t.nothingMatches}
              </li>
            )}
            {open &&
              shown.map((option, index) => (
                <Option
                  key={`${index} ${option.value}`}
                  option={option}
                  id={`${listId}-${index}`}
                  index={index}
                  isActive={index === at}
                  isChosen={option.value === value}
                  onPoint={() => setActive(index)}
                  onTake={() => take(option)}
                />
              ))}
          </ul>
        </div>
      )}
    </Field>
  )
}

type Extra = { none: string; other: SearchSelectProps['other'] }

/** The entries of the list: "none" first while nothing is typed; the typed text last if it is a valid choice. */
function listed(options: readonly ListChoice[], { typed, none, other }: Extra & { typed: string }): readonly ListChoice[] {
  if (typed.trim() === '') return [{ value: '', label: none }, ...options]
  const fitting = filterChoices([...options, { value: '', label: none }], typed)
  const own = other?.(typed)
  return own && !fitting.some(({ value }) => value === own.value) ? [...fitting, own] : fitting
}

const firstFit = (options: readonly ListChoice[], typed: string, extra: Extra) =>
  Math.max(
    0,
    listed(options, { typed, ...extra }).findIndex(({ disabled }) => !disabled),
  )

type OptionProps = {
  option: ListChoice
  id: string
  index: number
  isActive: boolean
  isChosen: boolean
  onPoint: () => void
  onTake: () => void
}

function Option({ option, id, index, isActive, isChosen, onPoint, onTake }: OptionProps) {
  return (
    <li
      id={id}
      role="option"
      data-option={index}
      aria-selected={isChosen}
      data-active={isActive || undefined}
      aria-disabled={option.disabled || undefined}
      onPointerMove={onPoint}
      onClick={onTake}
      className={cx(
        'flex min-h-8 items-center gap-2.5 rounded-small px-2 py-1',
        option.disabled ? 'cursor-not-allowed text-faint' : 'cursor-pointer',
        isActive && 'bg-hover',
      )}
    >
      {option.mark && <span aria-hidden="true">{option.mark}</span>}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{option.label}</span>
        {option.category && <span className="block truncate text-label text-faint">{option.category}</span>}
      </span>
      {isChosen && <CheckIcon className="text-faint" />}
    </li>
  )
}
