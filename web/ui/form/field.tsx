/** Label, control, hint and error of one value: text, password, number, select, several lines. */
import { useId, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ChevronDownIcon, CircleXIcon, EyeIcon, EyeOffIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import { HelpTip } from '#web/ui/feedback/tooltip.tsx'
import * as t from '#texts/ui.ts'

export type FieldProps = {
  label: string
  /** The label is for screen readers only. */
  hideLabel?: boolean
  hint?: ReactNode
  /** What is wrong; '' and undefined mean nothing is. */
  error?: string | undefined
  /** A longer explanation behind a question mark. */
  help?: string
  /** At the far end of the label's line, such as a link. */
  aside?: ReactNode
  className?: string
}

/** The frame of a field. `children` gets the ids that connect the control to label, hint and error. */
export function Field({
  label,
  hideLabel,
  hint,
  error,
  help,
  aside,
  className,
  children,
}: FieldProps & {
  children: (ties: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode
}) {
  const id = useId()
  const describedBy = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div className={cx('grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5', className)}>
      <div className={cx('flex items-center gap-1.5', hideLabel && 'sr-only')}>
        <label htmlFor={id} className="text-table font-medium">
          {label}
        </label>
        {help && <HelpTip text={help} about={label} />}
        {aside && <span className="ml-auto">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-label text-faint">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

export function FieldError({ id, error, className }: { id?: string; error: string | undefined; className?: string }) {
  if (!error) return null
  return (
    <p id={id} className={cx('flex items-start gap-1 text-label font-medium text-danger', className)}>
      <CircleXIcon className="mt-px size-3.5" />
      <span className="min-w-0 break-words">{error}</span>
    </p>
  )
}

type BoxSize = 'small' | 'normal' | 'lines'

const BOXES: Record<BoxSize, string> = {
  small: 'flex h-8 items-center gap-2 px-2.5 text-table',
  normal: 'flex h-9 items-center gap-2 px-3 text-body',
  lines: 'block resize-y px-3 py-2 text-body outline-none max-sm:text-[16px]',
}

/** The outline of a control; the focus ring is on the border while anything inside has the focus. */
export const boxClass = ({ error, disabled, size = 'normal' }: { error?: boolean; disabled?: boolean; size?: BoxSize }) =>
  cx(
    'w-full min-w-0 rounded-control border text-ink transition-colors focus-within:outline-2 focus-within:-outline-offset-1',
    BOXES[size],
    disabled ? 'border-line bg-sunken text-faint' : 'bg-surface',
    error ? 'border-danger focus-within:outline-danger' : 'focus-within:border-focus focus-within:outline-focus',
    !error && !disabled && 'border-control',
  )

export const innerClass = 'h-full min-w-0 flex-1 bg-transparent outline-none disabled:text-faint max-sm:text-[16px]'

type InputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'size' | 'className'>

export type TextFieldProps = FieldProps &
  InputProps & {
    value: string
    onChange: (value: string) => void
    icon?: Icon
    /** Text or buttons at the end of the box. */
    suffix?: ReactNode
    size?: 'small' | 'normal'
  }

export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, error, help, aside, className, value, onChange, icon: Icon, suffix, size, ...input } = props
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} help={help} aside={aside} className={className}>
      {(ties) => (
        <div
          className={boxClass({
            error: Boolean(error),
            disabled: input.disabled === true || input.readOnly === true,
            ...(size && { size }),
          })}
        >
          {Icon && <Icon className="text-faint" />}
          <input type="text" {...input} {...ties} value={value} onChange={(event) => onChange(event.target.value)} className={innerClass} />
          {typeof suffix === 'string' ? <span className="text-table text-faint">{suffix}</span> : suffix}
        </div>
      )}
    </Field>
  )
}

/** A password, hidden until the user asks to see it. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      suffix={
        <IconButton
          label={shown ? t.hidePassword : t.showPassword}
          icon={shown ? EyeOffIcon : EyeIcon}
          aria-pressed={shown}
          className="-mr-1.5"
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}

export type NumberFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'type'> & {
  /** `null` while the box is empty. */
  value: number | null
  onChange: (value: number | null) => void
  /** Accepts fractions too. */
  decimal?: boolean
}

/** A number, whole unless `decimal`. Invalid input is passed on as `NaN`, for the form's rules to reject. */
export function NumberField({ value, onChange, decimal = false, ...rest }: NumberFieldProps) {
  const valueText = value === null || Number.isNaN(value) ? '' : String(value)
  const [text, setText] = useState(valueText)
  const shown = Object.is(parsed(text, decimal), value) ? text : valueText
  return (
    <TextField
      inputMode={decimal ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...rest}
      value={shown}
      onChange={(next) => {
        setText(next)
        onChange(parsed(next, decimal))
      }}
    />
  )
}

const parsed = (text: string, decimal: boolean) =>
  text.trim() === '' ? null : (decimal ? /^-?(\d+\.?\d*|\.\d+)$/ : /^-?\d+$/).test(text.trim()) ? Number(text) : Number.NaN

export type Choice<T extends string = string> = { value: T; label: string; disabled?: boolean }

export type SelectFieldProps<T extends string> = FieldProps & {
  value: T
  onChange: (value: T) => void
  options: readonly Choice<T>[]
  icon?: Icon
  size?: 'small' | 'normal'
  disabled?: boolean
}

export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, hideLabel, hint, error, help, aside, className, value, onChange, options, icon: Icon, size, disabled = false } = props
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} help={help} aside={aside} className={className}>
      {(ties) => (
        <div className={cx(boxClass({ error: Boolean(error), disabled, ...(size && { size }) }), 'relative')}>
          {Icon && <Icon className="text-faint" />}
          <select
            {...ties}
            value={value}
            disabled={disabled}
            onChange={(event) => onChange(event.target.value as T)}
            className={cx(innerClass, 'appearance-none truncate pr-6 [&_option]:bg-raised [&_option]:text-ink')}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDownIcon className="pointer-events-none absolute right-3 text-faint" />
        </div>
      )}
    </Field>
  )
}

export type TextAreaFieldProps = FieldProps &
  Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className'> & {
    value: string
    onChange: (value: string) => void
    mono?: boolean
  }

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, hideLabel, hint, error, help, aside, className, value, onChange, mono, ...area } = props
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} help={help} aside={aside} className={className}>
      {(ties) => (
        <textarea
          rows={4}
          {...area}
          {...ties}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(boxClass({ error: Boolean(error), disabled: area.disabled === true, size: 'lines' }), mono && 'font-mono')}
        />
      )}
    </Field>
  )
}
