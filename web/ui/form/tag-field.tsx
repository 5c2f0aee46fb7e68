/** A list of short texts: Enter or the plus adds, the cross removes, Backspace in an empty box takes the last one back for editing. */
import { useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'
import { CloseIcon, PlusIcon } from '#web/ui/icons.tsx'
import { addTags } from '#web/ui/form/add-tags.ts'
import { isComposing } from './composing.ts'
import * as t from '#texts/choices.ts'

export type TagFieldProps = FieldProps & {
  value: readonly string[]
  onChange: (values: string[]) => void
  placeholder?: string
  disabled?: boolean
  mono?: boolean
}

export function TagField({ value: values, onChange, placeholder, disabled = false, mono = true, ...field }: TagFieldProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const add = (written: string) => {
    const next = addTags(values, written)
    if (next.length > values.length) onChange(next)
    setText('')
  }
  return (
    <Field {...field}>
      {(ties) => (
        <div
          className={cx(
            'flex min-h-9 flex-wrap items-center gap-1 rounded-control border p-1 pl-1.5 focus-within:outline-2 focus-within:-outline-offset-1',
            field.error
              ? 'border-danger focus-within:outline-danger'
              : 'border-control focus-within:border-focus focus-within:outline-focus',
            disabled ? 'border-line bg-sunken' : 'bg-surface',
          )}
        >
          {values.map((value) => (
            <span
              key={value}
              className={cx(
                'inline-flex h-6.5 max-w-full items-center gap-0.5 rounded-small bg-chip pr-0.5 pl-2 text-label font-medium',
                mono && 'font-mono',
              )}
            >
              <span className="truncate">{value}</span>
              <button
                type="button"
                aria-label={t.remove(value)}
                disabled={disabled}
                onClick={() => {
                  onChange(values.filter((other) => other !== value))
                  input.current?.focus()
                }}
                className="grid size-5 shrink-0 place-items-center rounded-[3px] text-faint hover:bg-hover hover:text-ink"
              >
                <CloseIcon className="size-3" />
              </button>
            </span>
          ))}
          <input
            {...ties}
            ref={input}
            type="text"
            value={text}
            disabled={disabled}
            placeholder={values.length === 0 ? placeholder : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text')
              if (!/[\n,]/.test(pasted)) return
              event.preventDefault()
              add(text + pasted)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !isComposing(event)) {
                if (text.trim() === '') return
                event.preventDefault()
                add(text)
              } else if (event.key === 'Backspace' && text === '' && values.length > 0) onChange(values.slice(0, -1))
            }}
            onBlur={() => add(text)}
            className="h-6.5 min-w-18 flex-1 bg-transparent px-1.5 outline-none max-sm:text-[16px]"
          />
          <IconButton
            label={t.addTo(field.label)}
            icon={PlusIcon}
            disabled={disabled}
            className="size-6.5!"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              add(text)
              input.current?.focus()
            }}
          />
        </div>
      )}
    </Field>
  )
}
