/** Example values for a schema. Pure. */
import type { ApiDocument, ApiMedia, JsonSchema } from '#contract/reference.ts'
import { resolved } from './document.ts'

// Ends the example of a recursive schema.
const MAX_DEPTH = 6

/** A value for the schema: its own example, its default, or a value of its type. */
export function exampleOf(document: ApiDocument, schema: JsonSchema, depth = 0): unknown {
  const whole = resolved(document, schema)
  if (whole.examples?.length) return whole.examples[0]
  if (whole.default !== undefined) return whole.default
  if (whole.const !== undefined) return whole.const
  if (whole.enum?.length) return whole.enum[0]
  const first = (whole.anyOf ?? whole.oneOf)?.[0]
  if (first) return exampleOf(document, first, depth)
  const types = [whole.type ?? []].flat()
  const [type] = types
  if (type === 'array') return whole.items && depth < MAX_DEPTH ? [exampleOf(document, whole.items, depth + 1)] : []
  if (whole.properties || type === 'object') {
    const fields = depth < MAX_DEPTH ? Object.entries(whole.properties ?? {}) : []
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(document, field, depth + 1)]))
  }
  if (types.includes('null')) return null
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return whole.minimum ?? 1
  if (whole.format === 'uuid') return '01955f2a-7c31-7e08-9d53-1f2b6a40c8e1'
  if (whole.format === 'date-time') return '2026-03-04T09:12:33.481920Z'
  return 'text'
}

/** An example body with that media type, as text; '' without one. */
export function exampleText(document: ApiDocument, media: ApiMedia | undefined, type = 'application/json'): string {
  if (media === undefined) return ''
  if (typeof media.example === 'string' && type !== 'application/json') return media.example.trimEnd()
  const value = media.example ?? (media.schema && exampleOf(document, media.schema))
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
