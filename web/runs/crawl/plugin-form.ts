/** The form of plugins, generated from their schemas: its controls, its request, and its errors. Pure. */
import { checkValue, isMissing, requiredOf } from '#contract/plugin-values.ts'
import type { ValueFault } from '#contract/plugin-values.ts'
import type { PluginSchema, ValueSchema } from '#contract/plugins.ts'
import { isObject, objectOf } from '#web/api/json-object.ts'
import type { Translation } from '#web/texts/translation.ts'
import * as t from '#texts/plugin-form.ts'

export type PluginForms = Readonly<Record<string, PluginSchema>>

/** The reported plugins whose schema describes a form. The server may be another product with our API, and its schemas invalid. */
export function formsIn({ properties }: { properties?: unknown }): PluginForms {
  const entries = Object.entries(objectOf(properties))
  return Object.fromEntries(entries.filter((entry): entry is [string, PluginSchema] => isForm(entry[1])))
}

/** The forms with their texts in the language of the dashboard. */
export const translatedForms = (forms: PluginForms, translate: Translation): PluginForms =>
  Object.fromEntries(Object.entries(forms).map(([key, schema]) => [key, translatedSchema(schema, translate) as PluginSchema]))

/** Translates the texts of a schema, and leaves everything else, even what is no schema. */
function translatedSchema(schema: unknown, translate: Translation): unknown {
  if (!isObject(schema)) return schema
  const text = (name: string) => (typeof schema[name] === 'string' ? { [name]: translate(schema[name], 'label') } : {})
  const { items, properties, ui } = schema
  return {
    ...schema,
    ...text('title'),
    ...text('description'),
    ...(isObject(ui) && typeof ui['placeholder'] === 'string' && { ui: { ...ui, placeholder: translate(ui['placeholder'], 'label') } }),
    ...(isObject(items) && { items: translatedSchema(items, translate) }),
    ...(isObject(properties) && { properties: mapped(properties, (inner) => translatedSchema(inner, translate)) }),
  }
}

const mapped = (values: Record<string, unknown>, to: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]))

const isForm = (schema: unknown): schema is PluginSchema => isObject(schema) && isObject(schema['properties'])

/**
 * Entered values by plugin, in the API's form. An untouched value is missing: the schema's default applies. An emptied box has '' or null.
 * JSON is text while it is being typed.
 */
export type PluginValues = Readonly<Record<string, unknown>>

export type Path = readonly (string | number)[]

export type Widget =
  | 'text'
  | 'password'
  | 'email'
  | 'url'
  | 'date'
  | 'textarea'
  | 'number'
  | 'select'
  | 'radio'
  | 'switch'
  | 'checkbox'
  | 'group'
  | 'list'
  | 'json'

const TEXT_WIDGETS: Record<NonNullable<ValueSchema['format']>, Widget> = { email: 'email', uri: 'url', date: 'date', password: 'password' }

/** The widget that the schema asks for if it suits the type, else one for the type. Types without a control are entered as JSON. */
export function widgetOf(schema: ValueSchema): Widget {
  const wished = schema.ui?.widget
  if (wished === 'json-editor') return 'json'
  switch (schema.type) {
    case 'boolean':
      return wished === 'checkbox' ? 'checkbox' : 'switch'
    case 'string':
    case 'number':
    case 'integer':
      if (choicesOf(schema).length > 0) return wished === 'radio' ? 'radio' : 'select'
      if (schema.type !== 'string') return 'number'
      if (wished === 'textarea' || wished === 'password') return wished
      return (schema.format && TEXT_WIDGETS[schema.format]) ?? 'text'
    case 'object':
      return schema.properties ? 'group' : 'json'
    case 'array':
      return schema.items ? 'list' : 'json'
    default:
      return 'json'
  }
}

export type PluginChoice = { value: string | number; label: string; disabled?: boolean }

/** The choices: the options in order, then other values of the enumeration. */
export function choicesOf({ enum: values = [], ui }: ValueSchema): PluginChoice[] {
  const options = ui?.options ?? []
  const named = new Set(options.map(({ value }) => value))
  return [...options, ...values.filter((value) => !named.has(value)).map((value) => ({ value, label: String(value) }))]
}

/** The label of a property: the schema's title, or the name in words. */
export const titleOf = (schema: ValueSchema, name: string): string =>
  schema.title || name.replaceAll(/[_-]+/g, ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** The range of a number in words; undefined without limits. */
export function rangeText({ maximum, minimum }: ValueSchema): string | undefined {
  if (minimum !== undefined && maximum !== undefined) return t.to(minimum, maximum)
  return minimum !== undefined ? t.orMore(minimum) : maximum !== undefined ? t.orLess(maximum) : undefined
}

/** The displayed value: the entered one, else the default. */
export const shownOf = (schema: ValueSchema, entered: unknown): unknown => (entered === undefined ? schema.default : entered)

export const propertyOf = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined

export const valueAt = (value: unknown, path: Path): unknown => path.reduce(propertyOf, value)

export const isActive = (values: PluginValues, key: string): boolean => propertyOf(propertyOf(values, key), 'is_active') === true

/** The request's options for the active plugins, with the defaults that their forms show. Without a form they are sent unchanged. */
export function sentPlugins(forms: PluginForms, values: PluginValues): Record<string, unknown> {
  const active = Object.keys(values).filter((key) => isActive(values, key))
  return Object.fromEntries(active.map((key) => [key, Object.hasOwn(forms, key) ? sentPlugin(forms[key]!, values[key]) : values[key]]))
}

const sentPlugin = (schema: PluginSchema, entered: unknown) => sentGroup(schema, objectOf(entered))

function sentGroup(schema: ValueSchema, values: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {})
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(schema.properties ?? {}, name))
  const given = (required?: ReadonlySet<string>) =>
    Object.fromEntries([
      ...entries
        .map(([name, inner]) => [name, sentValue(inner, propertyOf(values, name), required?.has(name))] as const)
        .filter(([, value]) => value !== undefined),
      ...others,
    ])
  // Which fields are required depends on the values, so collect these first. A required group is sent even if it is empty.
  return given(requiredOf(schema, given()))
}

/** @returns undefined for values that are not sent */
function sentValue(schema: ValueSchema, entered: unknown, isRequired = false): unknown {
  const value = shownOf(schema, entered)
  switch (widgetOf(schema)) {
    case 'group':
      return isRequired || hasContent(schema, value) ? sentGroup(schema, objectOf(value)) : undefined
    case 'list':
      return Array.isArray(value) ? value.map((item: unknown) => sentValue(schema.items!, item, true) ?? null) : undefined
    case 'json':
      return typeof value === 'string' && schema.type !== 'string' ? readJson(value) : isMissing(value) ? undefined : value
    case 'switch':
    case 'checkbox':
      return value ?? false
    default:
      return isMissing(value) ? undefined : value
  }
}

/** Whether a value has content. An empty group can be omitted, even if it has required fields. */
function hasContent(schema: ValueSchema, value: unknown): boolean {
  if (widgetOf(schema) !== 'group') return !isMissing(value) && value !== false
  return Object.entries(schema.properties ?? {}).some(([name, inner]) => hasContent(inner, shownOf(inner, propertyOf(value, name))))
}

/** Invalid JSON stays text. */
function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * The errors of the active plugins.
 *
 * @param all  includes untouched required fields, as when the form is sent
 */
export function pluginFaults(forms: PluginForms, values: PluginValues, { all }: { all: boolean }): ValueFault[] {
  const keys = Object.keys(forms).filter((key) => isActive(values, key))
  return keys.flatMap((key) => {
    const schema = forms[key]!
    const sent = sentPlugin(schema, values[key])
    return checkValue(schema, sent, [key])
      .filter(({ path }) => all || valueAt(values, path) !== undefined || !isMissing(valueAt({ [key]: sent }, path)))
      .map(({ message, path }) => ({ path, message: isUnreadable(schemaAt(forms, path), valueAt(values, path)) ? NO_JSON : message }))
  })
}

const NO_JSON = t.enterValidJSON

const isUnreadable = (schema: ValueSchema | undefined, entered: unknown) =>
  schema !== undefined &&
  widgetOf(schema) === 'json' &&
  schema.type !== 'string' &&
  typeof entered === 'string' &&
  typeof readJson(entered) === 'string'

/** The schemas along a path, up to the last one that has a control. */
function schemasAlong(forms: PluginForms, path: Path): ValueSchema[] {
  const along: ValueSchema[] = []
  let schema = propertyOf(forms, path[0] ?? '') as ValueSchema | undefined
  while (schema !== undefined && along.length < path.length) {
    along.push(schema)
    const widget = widgetOf(schema)
    const step = path[along.length] ?? ''
    schema =
      widget === 'group' ? (propertyOf(schema.properties, step) as ValueSchema | undefined) : widget === 'list' ? schema.items : undefined
  }
  return along
}

const schemaAt = (forms: PluginForms, path: Path): ValueSchema | undefined => {
  const along = schemasAlong(forms, path)
  return along.length === path.length ? along.at(-1) : undefined
}

export type PluginFieldName = `plugin_options.${string}`

/** The name of the control at a path. */
export const pluginField = (path: Path): PluginFieldName =>
  `plugin_options.${path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`

/** The path of a control's name. */
export const pathOfField = (name: PluginFieldName): string[] =>
  name
    .slice('plugin_options.'.length)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The errors by control, each preceded by its place inside; those without a control are under `form`. Only a control's first error counts. */
export function pluginErrors(forms: PluginForms, faults: readonly ValueFault[]): Partial<Record<PluginFieldName | 'form', string>> {
  const errors: Partial<Record<PluginFieldName | 'form', string>> = {}
  for (const { message, path } of faults) {
    const depth = schemasAlong(forms, path).length
    const inside = path.slice(depth)
    const text =
      inside.length === 0 ? message : `${inside.map((step) => (typeof step === 'number' ? step + 1 : step)).join(', ')}: ${message}`
    errors[depth === 0 ? 'form' : pluginField(path.slice(0, depth))] ??= text
  }
  return errors
}
