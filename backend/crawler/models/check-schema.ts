/**
 * Checks whether answers of a model can be validated against a JSON Schema. Pure.
 *
 * Source: JSON Schema, draft 2020-12 (Core and Validation), with the names of draft-07 (`definitions`, `additionalItems`) and the annotations
 * of OpenAPI. Assertions that the validator does
 * not support are rejected by name: half a validation would be worse than none.
 */
import { compileRegex, RegexFault } from '#backend/crawler/url/linear-regex.ts'

export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

const SCHEMA_TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
const MOST_DEPTH = 64

/** Keywords that do not restrict values. */
const NOTES = new Set(
  (
    '$schema $id $comment $anchor title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType ' +
    'discriminator example externalDocs xml'
  ).split(' '),
)

/** Keywords whose values are schemas: by name, in a list, or one. */
const MAPS = ['$defs', 'definitions', 'properties'] as const
const LISTS = ['prefixItems', 'anyOf', 'oneOf', 'allOf'] as const
const SINGLE = ['additionalProperties', 'propertyNames', 'items', 'additionalItems', 'not'] as const

type Schema = Exclude<JsonSchema, boolean>
type Check = (value: unknown, path: string) => string[]

/** The check for each keyword's value. */
const KEYWORDS: Record<string, (depth: number) => Check> = {
  ...Object.fromEntries(MAPS.map((name) => [name, (depth: number) => maps(depth)])),
  ...Object.fromEntries(LISTS.map((name) => [name, (depth: number) => lists(depth)])),
  ...Object.fromEntries(
    SINGLE.map((name) => [
      name,
      (depth: number): Check =>
        (value, path) =>
          faultsOf(value, path, depth),
    ]),
  ),
  $ref: () => (value, path) =>
    typeof value === 'string' && value.startsWith('#') ? [] : [`${path}: only references that begin with # are followed`],
  type: () => (value, path) => {
    const names = Array.isArray(value) ? value : [value]
    const strange = names.find((name) => !(SCHEMA_TYPES as readonly unknown[]).includes(name))
    return strange === undefined && names.length > 0 ? [] : [`${path}: ${JSON.stringify(strange ?? value)} is not a type`]
  },
  enum: () => (value, path) => (Array.isArray(value) ? [] : [`${path}: expected a list`]),
  const: () => () => [],
  nullable: () => flag,
  required: () => (value, path) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string') ? [] : [`${path}: expected a list of names`],
  // A list is the `prefixItems` of draft-07.
  items: (depth) => (value, path) => (Array.isArray(value) ? lists(depth)(value, path) : faultsOf(value, path, depth)),
  pattern: () => (value, path) => {
    if (typeof value !== 'string') return [`${path}: expected a text`]
    try {
      compileRegex(value)
      return []
    } catch (fault) {
      if (fault instanceof RegexFault) return [`${path}: ${fault.message}`]
      throw fault
    }
  },
  format: () => (value, path) => (typeof value === 'string' ? [] : [`${path}: expected a text`]),
  uniqueItems: () => flag,
  minimum: () => number,
  maximum: () => number,
  exclusiveMinimum: () => number,
  exclusiveMaximum: () => number,
  multipleOf: () => (value, path) => (typeof value === 'number' && value > 0 ? [] : [`${path}: expected a number above 0`]),
  ...Object.fromEntries(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((name) => [name, () => whole]),
  ),
}

const flag: Check = (value, path) => (typeof value === 'boolean' ? [] : [`${path}: expected true or false`])
const number: Check = (value, path) => (typeof value === 'number' ? [] : [`${path}: expected a number`])
const whole: Check = (value, path) => (Number.isInteger(value) && (value as number) >= 0 ? [] : [`${path}: expected a whole number`])

/**
 * The errors of a schema, one sentence each with its place (`properties.price: …`); empty when the schema can be used. References must lead
 * to a schema within it: only those are checked, so an example or an annotation is none.
 */
export function checkSchema(schema: unknown): string[] {
  const faults = faultsOf(schema, '', 0)
  if (faults.length > 0) return faults
  const checked = new Set<unknown>(schemasIn(schema as JsonSchema))
  return [...checked].flatMap((part) => {
    const reference = (part as Schema)['$ref']
    if (typeof reference !== 'string') return []
    const found = resolveReference(schema as JsonSchema, reference)
    if (found === null) return [`${reference}: the schema has no such path`]
    return typeof found === 'boolean' || checked.has(found) ? [] : [`${reference}: there is no schema at this path`]
  })
}

/** Resolves a reference such as `#/$defs/offer`; null when it leads nowhere (RFC 6901). */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | null {
  let at: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return null
    at = (at as Record<string, unknown>)[name]
  }
  const isPlain = reference === '#' || reference.startsWith('#/')
  return isPlain && (typeof at === 'boolean' || isObject(at)) ? (at as JsonSchema) : null
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function faultsOf(schema: unknown, path: string, depth: number): string[] {
  if (typeof schema === 'boolean') return []
  const place = path === '' ? 'the schema' : path
  if (!isObject(schema)) return [`${place}: expected an object`]
  if (depth > MOST_DEPTH) return [`${place}: it is nested too deeply`]
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const at = path === '' ? keyword : `${path}.${keyword}`
    if (NOTES.has(keyword) || keyword.startsWith('x-')) return []
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword]!(depth + 1) : undefined
    return check === undefined ? [`${at}: this keyword is not supported`] : check(value, at)
  })
}

const maps =
  (depth: number): Check =>
  (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, schema]) => faultsOf(schema, `${path}.${name}`, depth))
      : [`${path}: expected an object of schemas`]

const lists =
  (depth: number): Check =>
  (value, path) =>
    Array.isArray(value) && value.length > 0
      ? value.flatMap((schema, index) => faultsOf(schema, `${path}.${index}`, depth))
      : [`${path}: expected a list of schemas`]

/** A well-formed schema and all schemas within it, without `true` and `false`. */
function schemasIn(schema: JsonSchema): Schema[] {
  if (typeof schema === 'boolean') return []
  const within = [
    ...MAPS.flatMap((keyword) => Object.values((schema[keyword] ?? {}) as Record<string, JsonSchema>)),
    ...[...LISTS, ...SINGLE].flatMap((keyword) => [schema[keyword] ?? []].flat() as JsonSchema[]),
  ]
  return [schema, ...within.flatMap(schemasIn)]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
