/** Controls for yes or no, and for one of a few: checkbox, switch, switch row, radio group, segmented control. */
import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import { FieldError } from './field.tsx'
import type { Choice } from './field.tsx'
import { CheckIcon } from '#web/ui/icons.tsx'

export type CheckboxProps = {
  label: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: ReactNode
  error?: string | undefined
  disabled?: boolean
  name?: string
}

export function Checkbox({ label, checked, onChange, hint, error, disabled = false, name }: CheckboxProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[16px_1fr] items-start gap-x-2.5 gap-y-1">
      <Tick
        id={id}
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        isWrong={Boolean(error)}
        aria-describedby={[error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ') || undefined}
      />
      <label htmlFor={id} className={cx(disabled && 'text-faint')}>
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="col-start-2 text-label text-faint">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} className="col-start-2" />
    </div>
  )
}

export type TickProps = Pick<ComponentProps<'input'>, 'id' | 'name' | 'disabled' | 'aria-label' | 'aria-describedby'> & {
  checked: boolean
  onChange: (checked: boolean) => void
  isWrong?: boolean
}

/** A checkbox without a label, for rows that label it themselves. */
export function Tick({ checked, onChange, isWrong = false, ...rest }: TickProps) {
  return (
    <span className="relative mt-0.5 grid size-4 flex-none">
      <input
        type="checkbox"
        {...rest}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-invalid={isWrong ? true : undefined}
        className={cx(
          'peer size-4 appearance-none rounded-small border bg-surface checked:border-accent checked:bg-accent disabled:opacity-50',
          isWrong ? 'border-danger' : 'border-control',
        )}
      />
      <CheckIcon className="pointer-events-none absolute inset-0.5 hidden size-3 stroke-3 text-on-accent peer-checked:block" />
    </span>
  )
}

type SwitchProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  'aria-label'?: string | undefined
  'aria-labelledby'?: string | undefined
  'aria-describedby'?: string | undefined
}

/** A switch without a label, for rows that label it themselves. */
export function Switch({ checked, onChange, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      {...rest}
      onClick={() => onChange(!checked)}
      className={cx(
        'relative h-5 w-9 shrink-0 rounded-full transition-colors after:absolute after:top-0.5 after:left-0.5 after:size-4 after:rounded-full after:bg-knob after:transition-transform disabled:opacity-50',
        checked ? 'bg-accent after:translate-x-4' : 'bg-control',
      )}
    />
  )
}

export type SwitchRowProps = {
  label: string
  description?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** Label and description on the left, the switch on the right; hairlines separate rows. */
export function SwitchRow({ label, description, checked, onChange, disabled = false }: SwitchRowProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-4 py-3 not-first:border-t not-first:border-line first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <span
          id={id}
          className={cx('block font-medium', disabled ? 'text-faint' : 'cursor-pointer')}
          onClick={() => !disabled && onChange(!checked)}
        >
          {label}
        </span>
        {description && (
          <p id={`${id}-say`} className="text-table text-soft">
            {description}
          </p>
        )}
      </div>
      <Switch
        checked={checked}
        onChange={onChange}
        disabled={disabled}
        aria-labelledby={id}
        aria-describedby={description ? `${id}-say` : undefined}
      />
    </div>
  )
}

export type OneOfProps<T extends string> = {
  /** Names the group for screen readers. */
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly (Choice<T> & { description?: string })[]
}

export function RadioGroup<T extends string>({ label, value, onChange, options }: OneOfProps<T>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="grid gap-2.5">
      {options.map((option) => (
        <label key={option.value} className="grid grid-cols-[16px_1fr] items-start gap-x-2.5">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="mt-0.5 size-4 appearance-none rounded-full border border-control bg-surface checked:border-5 checked:border-accent checked:bg-on-accent disabled:opacity-50"
          />
          <span>
            {option.label}
            {option.description && <span className="block text-table text-soft">{option.description}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}

/** Two to four short options side by side, one of them selected, or none with ''. */
export function Segmented<T extends string>({ label, value, onChange, options }: Omit<OneOfProps<T>, 'value'> & { value: T | '' }) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="segmented inline-flex w-fit max-w-full gap-0.5 overflow-x-auto rounded-control bg-sunken p-0.5 inset-ring inset-ring-line"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex h-7 items-center gap-1.5 rounded-[5px] px-3 text-table font-medium whitespace-nowrap text-soft hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:ring has-checked:ring-line-strong has-focus-visible:outline-2 has-focus-visible:outline-focus has-disabled:opacity-50"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 appearance-none rounded-[5px] outline-none"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
