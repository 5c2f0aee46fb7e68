/** Displays a schema: its fields with type, limits, default and description; nested fields open on demand. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ApiDocument, JsonSchema } from '#contract/reference.ts'
import { cx } from '#web/ui/cx.ts'
import { ChevronRightIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/reference.ts'
import { nameOf, resolved } from './document.ts'
import { Line } from './prose.tsx'
import { alternativeName, alternativesOf, choicesOf, defaultText, fieldsOf, limitTexts, typeText } from './schema-texts.ts'

export type SchemaViewProps = {
  document: ApiDocument
  schema: JsonSchema
  /** Describes the schema for screen readers. */
  label: string
  /** Marks required fields of a request; an answer always has all of its fields. */
  marksRequired?: boolean
}

export function SchemaView({ document, schema, label, marksRequired = false }: SchemaViewProps) {
  const alternatives = alternativesOf(document, schema)
  const fields = fieldsOf(document, schema)
  const whole = resolved(document, schema)
  const isPlainObject = whole.properties !== undefined
  const name = nameOf(schema)
  return (
    <div className="grid min-w-0 gap-2">
      {(!isPlainObject || name) && (
        <p className="font-mono text-label text-soft">{alternatives.length > 0 ? t.typeIsOneOf(typeText(schema)) : typeText(schema)}</p>
      )}
      {alternatives.map((alternative, index) => (
        <Folded key={index} title={alternativeName(alternative, index)}>
          {() => <SchemaView document={document} schema={alternative} label={`${label}, ${alternativeName(alternative, index)}`} />}
        </Folded>
      ))}
      {fields.length > 0 && (
        <ul aria-label={label} className="min-w-0 divide-y divide-line rounded-control border border-line bg-surface">
          {fields.map((field) => (
            <li key={field.name} className="px-3 py-2.5">
              <FieldRow
                document={document}
                name={field.name}
                schema={field.schema}
                required={marksRequired && field.required}
                marksRequired={marksRequired}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export type FieldRowProps = {
  document: ApiDocument
  name: string
  schema: JsonSchema
  required: boolean
  description?: string | undefined
  deprecated?: boolean
  marksRequired?: boolean
}

/** One field or parameter. */
export function FieldRow({ document, name, schema, required, description, deprecated = false, marksRequired = false }: FieldRowProps) {
  const whole = resolved(document, schema)
  const text = description ?? whole.description
  const usual = defaultText(whole)
  const choices = choicesOf(document, schema)
  const inside = fieldsOf(document, schema)
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <span className={cx('font-mono text-table font-semibold wrap-anywhere', (deprecated || whole.deprecated) && 'line-through')}>
          {name}
        </span>
        <span className="font-mono text-label text-faint wrap-anywhere">{typeText(schema)}</span>
        {required && <span className="text-label font-medium text-danger">{t.required}</span>}
        {(deprecated || whole.deprecated) && <span className="text-label font-medium text-warning">{t.deprecated}</span>}
        {limitTexts(whole).map((limit) => (
          <span key={limit} className="text-label text-faint wrap-anywhere">
            {limit}
          </span>
        ))}
      </div>
      {text && (
        <p className="text-table text-soft wrap-anywhere">
          <Line text={text} />
        </p>
      )}
      {choices.length > 0 && <Values words={t.oneOf} values={choices} />}
      {usual !== undefined && <Values words={t.defaultText} values={[usual]} />}
      {inside.length > 0 && (
        <Folded title={t.fieldCount(inside.length)} about={name}>
          {() => (
            <SchemaView document={document} schema={withoutName(document, schema)} label={t.fieldsOf(name)} marksRequired={marksRequired} />
          )}
        </Folded>
      )}
    </div>
  )
}

/** The schema without its name, which is shown beside the field already. */
const withoutName = (document: ApiDocument, schema: JsonSchema): JsonSchema => {
  const { items } = resolved(document, schema)
  return items ? withoutName(document, items) : resolved(document, schema)
}

function Values({ words, values }: { words: string; values: readonly string[] }) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-1 text-label text-faint">
      {words}
      {values.map((value) => (
        <code key={value} className="rounded-small bg-chip px-1.5 py-px text-label text-soft wrap-anywhere">
          {value}
        </code>
      ))}
    </p>
  )
}

/** A collapsible part; its content is rendered only while it is open. */
export function Folded({
  title,
  about,
  startsOpen = false,
  children,
}: {
  title: string
  about?: string
  startsOpen?: boolean
  children: () => ReactNode
}) {
  const [isOpen, setOpen] = useState(startsOpen)
  return (
    <div className="grid min-w-0 gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="inline-flex items-center gap-1 justify-self-start rounded-small py-0.5 pr-1.5 text-label font-medium text-accent-ink hover:underline"
      >
        <ChevronRightIcon className={cx('size-3.5 transition-transform', isOpen && 'rotate-90')} />
        {title}
        {about && <span className="sr-only">{t.ofText(about)}</span>}
      </button>
      {isOpen && children()}
    </div>
  )
}
