/**
 * Converts shapes of the contract to JSON Schema 2020-12. A request is described by what a caller may send, an answer by what is sent back.
 * In answers, a shape with a name in the contract becomes a component, and all others refer to it. Requests refer to no component: in a
 * component, client generators treat a property with a default as always present; only in a request's own schema they do not.
 */
import * as z from 'zod/mini'
import { extraHeaders } from '#contract/crawls.ts'
import type { JsonSchema } from '#contract/reference.ts'
import { MAX_EXTRA_HEADERS } from '#contract/sizes.ts'
import { DEPRECATED_FIELDS, FIELD_TEXTS, PAGE_TEXTS } from './field-texts.ts'

export type Side = 'input' | 'output'

/** @param names  the shapes that become components */
export function createJsonSchemas(names: ReadonlyMap<z.ZodMiniType, string>) {
  const components: Record<string, JsonSchema> = {}
  const registry = z.registry<{ id: string }>()
  for (const [shape, name] of names) registry.add(shape, { id: componentName(name) })
  return { components, write, writeQuery, whole }

  /**
   * The schema of one shape.
   *
   * @param owner  the name for looking up descriptions of its fields, when the shape has no name
   */
  function write(shape: z.ZodMiniType, io: Side, owner: string): JsonSchema {
    const written = z.toJSONSchema(shape, {
      io,
      metadata: registry,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // A default is an output value. For shapes whose parsing changes the type, the converter omits it from the input schema.
        const { def } = zodSchema._zod
        if (def.type === 'default' && jsonSchema.default === undefined) jsonSchema.default = def.defaultValue
        if (zodSchema === extraHeaders) jsonSchema.maxProperties = MAX_EXTRA_HEADERS
      },
    }) as JsonSchema & { $defs?: Record<string, JsonSchema>; $schema?: string; id?: string }
    const { $defs = {}, $schema: _dialect, id: _id, ...root } = written
    if (io === 'input') {
      const parts = Object.fromEntries(Object.entries($defs).map(([name, schema]) => [name, tidy(schema, io, name)]))
      const whole = root.$ref ? parts[root.$ref.split('/').at(-1) ?? ''] : undefined
      return withoutReferences(whole ?? tidy(root, io, registry.get(shape)?.id ?? owner), parts)
    }
    for (const [name, schema] of Object.entries($defs)) addComponent(name, tidy(schema, io, name))
    const own = registry.get(shape)?.id
    if (own === undefined || root.$ref) return tidy(root, io, owner)
    addComponent(own, tidy(root, io, own))
    return refTo(own)
  }

  /** The fields of a query, which become parameters, never components. */
  function writeQuery(shape: z.ZodMiniType, owner: string): JsonSchema {
    const { $schema: _dialect, ...fields } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as JsonSchema & {
      $schema?: string
    }
    return tidy(fields, 'input', owner)
  }

  /** A schema without a reference at its top level. */
  function whole(schema: JsonSchema): JsonSchema {
    return schema.$ref === undefined ? schema : (components[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  }

  function addComponent(name: string, schema: JsonSchema) {
    const before = components[name]
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema)) throw new Error(`Two shapes are called ${name}`)
    components[name] = schema
  }
}

export type JsonSchemas = ReturnType<typeof createJsonSchemas>

/** Replaces each reference by its target; properties beside the reference take precedence. */
function withoutReferences(schema: JsonSchema, parts: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { $ref, ...own } = schema
  const found: JsonSchema = $ref === undefined ? schema : { ...parts[$ref.split('/').at(-1) ?? ''], ...own }
  const inside = (part: JsonSchema) => withoutReferences(part, parts)
  return {
    ...found,
    ...(found.items && { items: inside(found.items) }),
    ...(typeof found.additionalProperties === 'object' && { additionalProperties: inside(found.additionalProperties) }),
    ...(found.anyOf && { anyOf: found.anyOf.map(inside) }),
    ...(found.properties && {
      properties: Object.fromEntries(Object.entries(found.properties).map(([name, field]) => [name, inside(field)])),
    }),
  }
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** `crawlRequest` to `CrawlRequest`. */
const componentName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The pattern of every text in a body: no NUL, which real clients never send. */
const NO_NUL = String.raw`^[^\u0000]*$`
const ID = /^(uuid|object_id|\w+_uuid)$/
const INSTANT = /_at$|^timestamp$/

/** Removes empty statements, and adds format and description by the field's name. */
function tidy(schema: JsonSchema, io: Side, owner: string, path: readonly string[] = []): JsonSchema {
  const { id: _id, ...rest } = schema as JsonSchema & { id?: string }
  const tidied: JsonSchema = { ...rest }
  if (tidied.$ref) return { $ref: tidied.$ref.replace('#/$defs/', '#/components/schemas/') }
  for (const bound of ['minimum', 'maximum'] as const) if (Math.abs(tidied[bound] ?? 0) >= Number.MAX_SAFE_INTEGER) delete tidied[bound]
  if (tidied.pattern === NO_NUL) delete tidied.pattern
  if (tidied.propertyNames && Object.keys(tidied.propertyNames).join() === 'type') delete tidied.propertyNames
  if (tidied.additionalProperties === false && io === 'output') delete tidied.additionalProperties
  // A default describes an optional field, and an answer has none.
  if (io === 'output') delete tidied.default
  const inside = (part: JsonSchema) => tidy(part, io, owner, path)
  if (tidied.items) tidied.items = inside(tidied.items)
  if (typeof tidied.additionalProperties === 'object') tidied.additionalProperties = inside(tidied.additionalProperties)
  for (const several of ['anyOf', 'oneOf', 'allOf'] as const) {
    const parts = tidied[several]?.map(inside).filter((part) => Object.keys(part).length > 0)
    if (parts === undefined) continue
    delete tidied[several]
    const [only] = parts
    if (parts.length === 1) Object.assign(tidied, only)
    else if (parts.length > 1) tidied[several] = parts
  }
  if (tidied.properties)
    tidied.properties = Object.fromEntries(
      Object.entries(tidied.properties).map(([name, field]) => [name, described(field, io, owner, [...path, name])]),
    )
  if (path.length === 0 && isPaged(tidied)) nameParts(tidied)
  return orNull(tidied)
}

/** Adds the description of a field. Beside a reference, only a description of this particular use. */
function described(field: JsonSchema, io: Side, owner: string, path: readonly string[]): JsonSchema {
  const schema = tidy(field, io, owner, path)
  const name = path.at(-1) ?? ''
  const full = path.join('.')
  const description = FIELD_TEXTS[owner]?.[full]
  const isText = [schema.type].flat().includes('string') && schema.enum === undefined
  const format = !isText || io === 'input' ? undefined : ID.test(name) ? 'uuid' : INSTANT.test(name) ? 'date-time' : undefined
  return {
    ...schema,
    ...(format && { format }),
    ...(description && { description }),
    ...(DEPRECATED_FIELDS.has(`${owner}.${full}`) && { deprecated: true }),
    ...('default' in field && io === 'input' && { default: field.default }),
  }
}

/** Writes "this or null" as one type where possible, which is easier to read. */
function orNull(schema: JsonSchema): JsonSchema {
  const [first, second] = schema.anyOf ?? []
  if (schema.anyOf?.length !== 2 || second?.type !== 'null' || typeof first?.type !== 'string' || first.enum) return schema
  const { anyOf: _both, ...rest } = schema
  return { ...first, ...rest, type: [first.type, 'null'] }
}

export const isPaged = ({ properties = {} }: JsonSchema): boolean =>
  ['count', 'next', 'previous', 'results'].every((name) => name in properties)

function nameParts(schema: JsonSchema) {
  for (const [name, text] of Object.entries(PAGE_TEXTS)) {
    const field = schema.properties?.[name]
    if (field) field.description ??= text
  }
}
