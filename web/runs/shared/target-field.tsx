/** The main field of a playground: one line, with its button inside. */
import { useId } from 'react'
import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import { FieldError } from '#web/ui/form/field.tsx'
import type { Icon } from '#web/ui/icons.tsx'

export type TargetFieldProps = {
  label: string
  /** For screen readers. */
  hint?: string
  /** `url` turns off the keyboard's auto-correction. */
  kind: 'url' | 'words'
  icon: Icon
  placeholder: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** Inside the field, at the right. A screen that answers while the user types has none. */
  button?: ReactNode
}

/** The classes of the field's border: red with an error. */
export const targetBox = (error: string | undefined) =>
  cx(
    'rounded-target border bg-surface focus-within:outline-2 focus-within:-outline-offset-1',
    error ? 'border-danger focus-within:outline-danger' : 'border-control focus-within:border-focus focus-within:outline-focus',
  )

const TYPING = {
  url: { name: 'url', inputMode: 'url', autoComplete: 'url', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false },
  words: { name: 'query', inputMode: 'search', autoComplete: 'off', enterKeyHint: 'search' },
} as const

/**
 * Focuses the field when it is rendered, unless the focus is in the content by then: the user may have skipped to it, or may read the results
 * of a run, whose end shows the field again.
 */
function takeFocus(field: HTMLInputElement | null) {
  if (field !== null && !document.activeElement?.closest('#content, [href="#content"]')) field.focus()
}

export function TargetField({ label, hint, kind, icon: Icon, placeholder, value, onChange, error, button }: TargetFieldProps) {
  const id = useId()
  const describedBy = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className={cx('flex h-13 items-center gap-3 pr-1.5 pl-4 sm:h-14', targetBox(error))}>
        <Icon className="size-5 text-faint" />
        <input
          id={id}
          type="text"
          data-target
          {...TYPING[kind]}
          ref={takeFocus}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          placeholder={placeholder}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
          className="h-full min-w-0 flex-1 bg-transparent text-target font-medium outline-none placeholder:font-normal"
        />
        {button}
      </div>
      {hint && (
        <span id={`${id}-hint`} className="sr-only">
          {hint}
        </span>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
