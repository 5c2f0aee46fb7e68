/** A select with search: typing filters, arrows move, Enter chooses, Esc cancels; a cross clears. The list opens where there is room. */
import { useRef } from 'react'
import { IconButton } from './button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field, boxClass, innerClass } from './field.tsx'
import type { FieldProps } from './field.tsx'
import type { ListChoice } from './filter-choices.ts'
import { CheckIcon, ChevronDownIcon, CloseIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import * as t from '#texts/choices.ts'
import { useSearchSelect } from './use-search-select.ts'
import type { SearchSelectChoices } from './use-search-select.ts'

export type SearchSelectProps = FieldProps &
  SearchSelectChoices & {
    size?: 'small' | 'normal'
    /** In front of a choice that has no mark of its own. */
    icon?: Icon
  }

export function SearchSelect(props: SearchSelectProps) {
  const { disabled = false, error, icon: Icon, label, none, size = 'normal', value } = props
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const select = useSearchSelect(props, box)
  const { chosen, typed } = select
  return (
    <Field {...props}>
      {(ties) => (
        <div ref={box} className={cx(boxClass({ error: Boolean(error), disabled, size }), 'relative')}>
          {typed === null && chosen?.mark ? (
            <span aria-hidden="true" className="flex-none">
              {chosen.mark}
            </span>
          ) : (
            Icon && <Icon className="text-faint" />
          )}
          <input
            {...ties}
            {...select.input}
            ref={input}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={disabled}
            placeholder={none}
            value={typed ?? chosen?.label ?? ''}
            className={cx(innerClass, 'truncate placeholder:text-ink')}
          />
          {value !== '' && !disabled ? (
            <IconButton
              label={t.clear(label)}
              icon={CloseIcon}
              className={size === 'small' ? '-mr-1.5 size-6!' : '-mr-2'}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                select.clear()
                input.current?.focus()
              }}
            />
          ) : (
            <ChevronDownIcon className="pointer-events-none text-faint" />
          )}
          <Options select={select} label={label} value={value} />
        </div>
      )}
    </Field>
  )
}

type OptionsProps = { select: ReturnType<typeof useSearchSelect>; label: string; value: string }

function Options({ select: { at, id, isOpen, list, point, shown, take }, label, value }: OptionsProps) {
  return (
    <ul
      {...list}
      id={id}
      role="listbox"
      aria-label={label}
      popover="manual"
      // Keep the focus, and with it the keyboard, in the field.
      onMouseDown={(event) => event.preventDefault()}
      className="fixed inset-auto m-0 max-h-72 max-w-[calc(100vw-16px)] overflow-y-auto rounded-card border border-line bg-raised p-1 text-table text-ink shadow-float"
    >
      {isOpen && shown.length === 0 && (
        <li role="option" aria-selected="false" aria-disabled="true" className="px-2 py-1.5 text-faint">
          {t.nothingMatches}
        </li>
      )}
      {isOpen &&
        shown.map((option, index) => (
          <Option
            key={`${index} ${option.value}`}
            option={option}
            id={`${id}-${index}`}
            index={index}
            isActive={index === at}
            isChosen={option.value === value}
            onPoint={() => point(index)}
            onTake={() => take(option)}
          />
        ))}
    </ul>
  )
}

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
