/** Describes schemas in words. Pure. */
import type { ApiDocument, JsonSchema } from '#contract/reference.ts'
import { LANGUAGE } from '#texts/language.ts'
import * as t from '#texts/reference.ts'
import { nameOf, resolved } from './document.ts'

/** "string", "list of CrawlRequest", "integer or null", "map of string". */
export function typeText(schema: JsonSchema): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return [...new Set(parts.map(typeText))].join(t.orBetween)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return schema.enum ? 'string' : t.anything
  return types.map((type) => wordOf(type, schema)).join(t.orBetween)
}

function wordOf(type: string, { items, properties, additionalProperties }: JsonSchema): string {
  if (type === 'array') return items ? t.listOf(typeText(items)) : t.list
  if (type === 'object' && !properties && typeof additionalProperties === 'object') return t.mapOf(typeText(additionalProperties))
  return type
}

/** Limits and formats in a few words each: "1 to 20", "at most 255 characters". */
export function limitTexts({ minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern }: JsonSchema): string[] {
  return [
    ...(format && format !== 'uri' ? [format] : []),
    ...range(minimum, maximum),
    // "required" already implies at least one character.
    ...range(minLength === 1 ? undefined : minLength, maxLength, t.characters),
    ...range(minItems, maxItems, t.entries),
    ...(pattern ? [t.matches(pattern)] : []),
  ]
}

function range(least: number | undefined, most: number | undefined, unit = ''): string[] {
  if (least !== undefined && most !== undefined) return [t.to(number(least), number(most), unit)]
  if (least !== undefined) return [t.atLeast(number(least), unit)]
  return most === undefined ? [] : [t.atMost(number(most), unit)]
}

const number = (value: number) => value.toLocaleString(LANGUAGE)

/** The default as text; undefined without one, or when it is an empty object or list. */
export function defaultText({ default: usual }: JsonSchema): string | undefined {
  const text = JSON.stringify(usual)
  return text === '{}' || text === '[]' ? undefined : text
}

/** The values of an enumeration: of the schema, of the schema it refers to, or of a list's entries. */
export function choicesOf(document: ApiDocument, schema: JsonSchema): string[] {
  const whole = resolved(document, schema)
  return (whole.enum ?? resolved(document, whole.items ?? {}).enum ?? []).map(String)
}

export type SchemaField = { name: string; schema: JsonSchema; required: boolean }

/** The nested fields: of an object, of a list's entries, or of the one schema in "this or null". */
export function fieldsOf(document: ApiDocument, schema: JsonSchema): SchemaField[] {
  const whole = resolved(document, schema)
  if (whole.properties)
    return Object.entries(whole.properties).map(([name, field]) => ({
      name,
      schema: field,
      required: whole.required?.includes(name) ?? false,
    }))
  if (whole.items) return fieldsOf(document, whole.items)
  const inside = (whole.anyOf ?? []).map((part) => fieldsOf(document, part)).filter((fields) => fields.length > 0)
  return inside.length === 1 ? (inside[0] ?? []) : []
}

/** The kinds of events, or other alternatives that each have fields. */
export const alternativesOf = (document: ApiDocument, schema: JsonSchema): JsonSchema[] => resolved(document, schema).oneOf ?? []

/** The name of an alternative: its schema's name, else the constant value of its `type`, else "Alternative" with its number. */
export function alternativeName(schema: JsonSchema, index: number): string {
  const word = schema.properties?.['type']?.const
  return nameOf(schema) ?? (typeof word === 'string' ? word : t.alternative(index + 1))
}
