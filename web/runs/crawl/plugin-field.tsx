/** The control for one value of a plugin's options, chosen by its schema; groups and lists contain others. */
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { requiredOf } from '#contract/plugin-values.ts'
import type { ValueSchema } from '#contract/plugins.ts'
import { isObject, objectOf } from '#web/api/json-object.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { isComposing } from '#web/ui/form/composing.ts'
import { Checkbox, RadioGroup, Segmented, SwitchRow } from '#web/ui/form/choice.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldError, NumberField, PasswordField, SelectField, TextAreaField, TextField } from '#web/ui/form/field.tsx'
import { ChevronRightIcon, CloseIcon, PlusIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/plugins.ts'
import { inSentence } from '#texts/language.ts'
import { choicesOf, propertyOf, rangeText, shownOf, titleOf, widgetOf } from './plugin-form.ts'
import type { Path, Widget } from './plugin-form.ts'

type ErrorAt = (path: Path) => string | undefined

type PluginFieldsProps = {
  schema: ValueSchema
  path: Path
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
  errorAt: ErrorAt
}

const WIDE: ReadonlySet<Widget> = new Set(['textarea', 'radio', 'group', 'list', 'json'])
const ROWS: ReadonlySet<Widget> = new Set(['switch'])

/** The properties of an object in order, small ones in two columns; consecutive switches are rows of one block. */
export function PluginFields({ schema, path, values, onChange, errorAt }: PluginFieldsProps) {
  const shown = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, shownOf(inner, propertyOf(values, name))]),
  )
  const required = requiredOf(schema, { ...values, ...shown })
  const blocks: { isRows: boolean; names: string[] }[] = []
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const isRows = ROWS.has(widgetOf(inner))
    const last = blocks.at(-1)
    if (last?.isRows === isRows) last.names.push(name)
    else blocks.push({ isRows, names: [name] })
  }
  return (
    <div className="grid min-w-0 gap-5">
      {blocks.map(({ isRows, names }) => (
        <div key={names[0]} className={cx('min-w-0', !isRows && 'grid items-start gap-4 sm:grid-cols-2')}>
          {names.map((name) => {
            const inner = schema.properties![name]!
            return (
              <PluginField
                key={name}
                label={titleOf(inner, name)}
                schema={inner}
                path={[...path, name]}
                value={propertyOf(values, name)}
                onChange={(value) => onChange({ ...values, [name]: value })}
                isRequired={required.has(name)}
                errorAt={errorAt}
                {...(!isRows && WIDE.has(widgetOf(inner)) && { className: 'sm:col-span-2' })}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

type PluginFieldProps = {
  label: string
  /** Its position makes the label unnecessary, as in a list. */
  hideLabel?: boolean
  schema: ValueSchema
  path: Path
  /** As entered; undefined while untouched. */
  value: unknown
  onChange: (value: unknown) => void
  isRequired?: boolean
  /** An item of a list: it exists because the user added it. */
  isItem?: boolean
  errorAt: ErrorAt
  className?: string
}

function PluginField(props: PluginFieldProps) {
  const { label, hideLabel = false, schema, path, value: entered, onChange, isRequired = false, errorAt, className } = props
  const value = shownOf(schema, entered)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const error = errorAt(path)
  const words = {
    label,
    hideLabel,
    hint: schema.description ?? (schema.type === 'string' ? undefined : rangeText(schema)),
    error,
    ...(isRequired && !hideLabel && { aside: <Required /> }),
    ...(className !== undefined && { className }),
  }
  const placeholder = schema.ui?.placeholder ?? (entered === undefined || isObject(schema.default) ? undefined : defaultText(schema))
  const box = { ...words, value: text, onChange, placeholder, autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }
  switch (widgetOf(schema)) {
    case 'group':
      return <Group {...props} error={error} />
    case 'list':
      return <List {...props} error={error} />
    case 'json':
      return <JsonField words={words} schema={schema} value={value} onChange={onChange} />
    case 'switch':
      return (
        <div className="not-first:border-t not-first:border-line not-first:pt-3 not-last:pb-3">
          <SwitchRow label={label} description={schema.description} checked={value === true} onChange={onChange} />
          <FieldError error={error} className="mt-2" />
        </div>
      )
    case 'checkbox':
      return (
        <div className={cx('self-center', className)}>
          <Checkbox label={label} hint={schema.description} checked={value === true} onChange={onChange} error={error} />
        </div>
      )
    case 'select':
    case 'radio':
      return <ChoiceField words={words} schema={schema} value={value} onChange={onChange} isRequired={isRequired} />
    case 'number':
      return (
        <NumberField {...box} value={typeof value === 'number' ? value : null} onChange={onChange} decimal={schema.type === 'number'} />
      )
    case 'textarea':
      return <TextAreaField {...words} value={text} onChange={onChange} placeholder={placeholder} rows={schema.ui?.rows ?? 4} />
    case 'password':
      return <PasswordField {...box} autoComplete="new-password" />
    case 'email':
      return <TextField {...box} type="email" />
    case 'url':
      return <TextField {...box} type="url" />
    case 'date':
      return <TextField {...box} type="date" />
    case 'text':
      return <TextField {...box} />
  }
}

const Required = () => <span className="text-label text-faint">{t.required}</span>

/** The default, shown in an empty box. */
const defaultText = ({ default: value }: ValueSchema) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

type Words = {
  label: string
  hideLabel: boolean
  hint: string | undefined
  error: string | undefined
  aside?: ReactNode
  className?: string
}
type ControlProps = { words: Words; schema: ValueSchema; value: unknown; onChange: (value: unknown) => void }

function ChoiceField({ words, schema, value, onChange, isRequired }: ControlProps & { isRequired: boolean }) {
  const choices = choicesOf(schema)
  const options = choices.map((choice) => ({ ...choice, value: String(choice.value) }))
  const chosen = choices.some((choice) => choice.value === value) ? String(value) : ''
  // A form control's value is a text; the request needs the schema's value.
  const choose = (text: string) => onChange(choices.find((choice) => String(choice.value) === text)?.value ?? '')
  const isRadio = widgetOf(schema) === 'radio'
  if (!isRadio) {
    const none = { value: '', label: schema.ui?.placeholder ?? (isRequired ? t.chooseOne : t.none), disabled: isRequired }
    return <SelectField {...words} value={chosen} onChange={choose} options={isRequired && chosen !== '' ? options : [none, ...options]} />
  }
  const { label, hint, error, aside, className } = words
  const Radio = schema.ui?.inline === true ? Segmented : RadioGroup
  return (
    <div className={cx('grid min-w-0 justify-items-start gap-1.5', className)}>
      <div className="flex w-full items-center gap-1.5">
        <span className="text-table font-medium">{label}</span>
        {aside && <span className="ml-auto">{aside}</span>}
      </div>
      <Radio label={label} value={chosen} onChange={choose} options={options} />
      {hint && <p className="text-label text-faint">{hint}</p>}
      <FieldError error={error} />
    </div>
  )
}

const LINE_PX = 20

function JsonField({ words, schema, value, onChange }: ControlProps) {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
  const indented = indentedJson(text)
  const height = Number.parseInt(schema.ui?.editorHeight ?? '', 10)
  return (
    <TextAreaField
      {...words}
      aside={
        <span className="flex items-center gap-3">
          {words.aside}
          {indented !== null && indented !== text && (
            <button type="button" className="link text-label" onClick={() => onChange(indented)}>
              {t.format}
            </button>
          )}
        </span>
      }
      mono
      value={text}
      onChange={onChange}
      rows={Math.min(40, Math.max(3, Math.round((Number.isNaN(height) ? 200 : height) / LINE_PX)))}
      placeholder={schema.ui?.placeholder ?? (schema.type === 'array' ? '[]' : '{}')}
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}

/** Indents JSON; null when it is invalid. */
function indentedJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}

type NestProps = PluginFieldProps & { error: string | undefined }

/** A nested object: collapsible; opens by itself when it contains an error. */
function Group({ label, schema, path, value, onChange, isRequired = false, isItem = false, errorAt, error, className }: NestProps) {
  const shown = shownOf(schema, value)
  const [isOpen, setOpen] = useState(isRequired || isItem || value !== undefined)
  const isWrong = wrongInside(schema, path, shown, errorAt)
  return (
    <div className={cx('min-w-0', className)}>
      <details
        open={isOpen || isWrong}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        className="group rounded-control border border-line bg-surface"
      >
        <summary className="flex min-h-10 items-center gap-2 px-3 py-2 text-table font-medium">
          <ChevronRightIcon className="text-faint transition-transform group-open:rotate-90" />
          <span className="min-w-0 flex-1">{label}</span>
          {isRequired && <Required />}
        </summary>
        <div className="grid gap-4 border-t border-line p-4">
          {schema.description && <p className="text-label text-faint">{schema.description}</p>}
          <div role="group" aria-label={label}>
            <PluginFields schema={schema} path={path} values={objectOf(shown)} onChange={onChange} errorAt={errorAt} />
          </div>
        </div>
      </details>
      <FieldError error={error} className="mt-2" />
    </div>
  )
}

function wrongInside(schema: ValueSchema, path: Path, value: unknown, errorAt: ErrorAt): boolean {
  if (errorAt(path) !== undefined) return true
  const widget = widgetOf(schema)
  if (widget === 'group')
    return Object.entries(schema.properties ?? {}).some(([name, inner]) =>
      wrongInside(inner, [...path, name], shownOf(inner, propertyOf(value, name)), errorAt),
    )
  return (
    widget === 'list' &&
    Array.isArray(value) &&
    value.some((item: unknown, index) => wrongInside(schema.items!, [...path, index], item, errorAt))
  )
}

/** A list of items. Each can be removed; a new one is added at the end and gets the focus. */
function List({ label, schema, path, value, onChange, isRequired = false, errorAt, error, className }: NestProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = shownOf(schema, value)
  const items: readonly unknown[] = Array.isArray(shown) ? shown : []
  const inner = schema.items!
  const isWide = ['group', 'list'].includes(widgetOf(inner))
  const itemName = inner.title ?? t.item
  const focus = (selector: string) => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(selector)?.focus())
  const isFull = items.length >= (schema.maxItems ?? Infinity)
  const add = () => {
    onChange([...items, undefined])
    focus('ol > li:last-child :is(input, select, textarea, button, summary)')
  }
  return (
    <div ref={box} role="group" aria-label={label} className={cx('grid min-w-0 gap-1.5', className)}>
      <div className="flex items-center gap-1.5">
        <span className="text-table font-medium">{label}</span>
        {isRequired && (
          <span className="ml-auto">
            <Required />
          </span>
        )}
      </div>
      {schema.description && <p className="text-label text-faint">{schema.description}</p>}
      {items.length > 0 && (
        <ol
          className="grid gap-2"
          onKeyDown={(event) => {
            // In a list of words Enter adds an item; it must not start the crawl.
            if (event.key !== 'Enter' || isComposing(event) || isWide || !(event.target instanceof HTMLInputElement)) return
            event.preventDefault()
            if (!isFull) add()
          }}
        >
          {items.map((item, index) => (
            // Items have no ids, so the index is their key.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="flex min-w-0 items-start gap-2">
              <div className="min-w-0 flex-1">
                <PluginField
                  label={`${itemName} ${index + 1}`}
                  hideLabel={!isWide}
                  schema={inner}
                  path={[...path, index]}
                  value={item}
                  onChange={(next) => onChange(items.map((other, at) => (at === index ? next : other)))}
                  isItem
                  errorAt={errorAt}
                />
              </div>
              <IconButton
                label={t.remove(inSentence(itemName), index + 1)}
                icon={CloseIcon}
                className="mt-0.5"
                onClick={() => {
                  onChange(items.filter((_, at) => at !== index))
                  focus('[data-add]')
                }}
              />
            </li>
          ))}
        </ol>
      )}
      <div className="mt-0.5 flex flex-wrap items-center gap-3">
        <Button icon={PlusIcon} size="small" data-add disabled={isFull} onClick={add}>
          {t.add(inSentence(itemName))}
        </Button>
        {isFull && <span className="text-label text-faint">{t.atMost(schema.maxItems ?? 0)}</span>}
      </div>
      <FieldError error={error} />
    </div>
  )
}
