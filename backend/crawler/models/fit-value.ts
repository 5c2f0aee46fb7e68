/**
 * Validates a model's value against a JSON Schema, and drops what the schema does not name. Pure.
 *
 * An object with `properties` keeps only those, unless `additionalProperties` allows more: a page may talk the model into adding others.
 * The work is limited by a number of steps, because schemas come from callers and nested alternatives can take exponential time.
 */
import { isDeepStrictEqual } from 'node:util'
import { RegexTooHeavy, compileRegex } from '#backend/crawler/url/linear-regex.ts'
import type { RegexWork } from '#backend/crawler/url/linear-regex.ts'
import { resolveReference } from './check-schema.ts'
import type { JsonSchema } from './check-schema.ts'

const MOST_STEPS = 200_000
/** Comparisons with values of `enum`, with names of `required`, and of characters with patterns are short. */
const COMPARISONS_PER_STEP = 5
/** Characters that are counted, compared or written in the time of a step. */
const CHARACTERS_PER_STEP = 100
const MOST_DEPTH = 200
const MOST_FAULTS = 10
const MOST_UNIQUE = 1000

type Fit = { value: unknown; faults: string[] }

type Schema = Record<string, unknown>
/** `isStrict`: a property that the schema forbids is an error. Otherwise it is dropped. */
type Judge = { root: JsonSchema; steps: number; isStrict: boolean }

class TooMuchWork extends Error {}

/**
 * The value with only what the schema names, and its errors: `offers.0.price: expected a number`. Without errors it fits.
 *
 * @param schema  one that passed `checkSchema`
 * @param value   from `JSON.parse`
 */
export function fitValue(schema: JsonSchema, value: unknown): Fit {
  try {
    const { faults, value: kept } = fit({ root: schema, steps: 0, isStrict: false }, schema, value, '', 0)
    if (faults.length === 0 && isObject(value) && isObject(kept) && Object.keys(value).length > 0 && Object.keys(kept).length === 0)
      return { value: kept, faults: ['none of its properties is in the schema'] }
    return { value: kept, faults: faults.slice(0, MOST_FAULTS) }
  } catch (fault) {
    if (fault instanceof TooMuchWork) return { value: null, faults: ['it takes too much work to check it against the schema'] }
    throw fault
  }
}

function fit(judge: Judge, schema: JsonSchema, value: unknown, path: string, depth: number): Fit {
  if (schema === true) return { value: plain(judge, value, depth), faults: [] }
  work(judge, 1 + comparisonsOf(schema) / COMPARISONS_PER_STEP, depth)
  if (schema === false) return { value: null, faults: [at(path, 'no value is allowed here')] }
  if (value === null && schema['nullable'] === true) return { value: null, faults: [] }
  const own = schema as Schema
  const faults = [...scalarFaults(judge, own, value, path)]
  if (faults.length > 0) return { value: null, faults }
  const shaped = Array.isArray(value)
    ? fitList(judge, own, value, path, depth)
    : isObject(value)
      ? fitObject(judge, own, value, path, depth)
      : { value, faults: [] }
  return shaped.faults.length > 0 ? shaped : fitParts(judge, own, value, shaped.value, path, depth)
}

function work(judge: Judge, steps: number, depth = 0): void {
  judge.steps += steps
  if (judge.steps > MOST_STEPS || depth > MOST_DEPTH) throw new TooMuchWork()
}

function comparisonsOf(schema: JsonSchema): number {
  if (typeof schema === 'boolean') return 0
  const { const: only, enum: choices = [], required } = schema as { const?: unknown; enum?: unknown[]; required?: string[] }
  const all = only === undefined ? choices : [...choices, only]
  return all.reduce((sum: number, one) => sum + sizeOfChoice(one), required?.length ?? 0)
}

/** Lists and objects are compared value by value. */
const sizeOfChoice = (choice: unknown): number =>
  typeof choice === 'object' && choice !== null ? JSON.stringify(choice).length / COMPARISONS_PER_STEP : 1

/** `$ref`, `allOf`, `anyOf`, `oneOf`, `not`: each validates the original value; the result combines what they keep. */
function fitParts(judge: Judge, schema: Schema, value: unknown, shaped: unknown, path: string, depth: number): Fit {
  const kept: unknown[] = []
  const ask = (part: JsonSchema) => fit(judge, part, value, path, depth + 1)
  const all = [
    ...(typeof schema['$ref'] === 'string' ? [resolveReference(judge.root, schema['$ref']) ?? false] : []),
    ...((schema['allOf'] as JsonSchema[] | undefined) ?? []),
  ]
  for (const part of all) {
    const found = ask(part)
    if (found.faults.length > 0) return found
    kept.push(found.value)
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const parts = schema[keyword] as JsonSchema[] | undefined
    if (parts === undefined) continue
    const found = parts.map(ask)
    let fitting = found.filter(({ faults }) => faults.length === 0)
    // Some may fit only because a property was dropped that they forbid.
    if (keyword === 'oneOf' && fitting.length > 1 && !judge.isStrict)
      fitting = strictly(judge, () => parts.map(ask)).filter(({ faults }) => faults.length === 0)
    if (fitting.length === 0)
      return parts.length === 1 ? found[0]! : { value: null, faults: [at(path, 'it fits none of the alternatives')] }
    if (keyword === 'oneOf' && fitting.length > 1) return { value: null, faults: [at(path, 'it fits more than one of the alternatives')] }
    // When several alternatives fit, keep the object with the most keys: it lost the least.
    kept.push(fitting.reduce((best, one) => (sizeOf(one.value) > sizeOf(best.value) ? one : best)).value)
  }
  const excluded = schema['not'] as JsonSchema | undefined
  if (excluded !== undefined && strictly(judge, () => ask(excluded)).faults.length === 0)
    return { value: null, faults: [at(path, 'it fits the schema that "not" excludes')] }
  if (kept.length === 0) return { value: shaped, faults: [] }
  if (!isObject(value)) return { value: kept.at(-1), faults: [] }
  const isOpen = schema['properties'] === undefined && schema['additionalProperties'] === undefined
  return { value: Object.assign({}, ...(isOpen ? kept : [shaped, ...kept])) as unknown, faults: [] }
}

function strictly<T>(judge: Judge, ask: () => T): T {
  const { isStrict } = judge
  judge.isStrict = true
  const found = ask()
  judge.isStrict = isStrict
  return found
}

function fitObject(judge: Judge, schema: Schema, value: Record<string, unknown>, path: string, depth: number): Fit {
  const faults: string[] = []
  const kept: Record<string, unknown> = {}
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  const others = (schema['additionalProperties'] ?? Object.keys(properties).length === 0) as JsonSchema
  const names = (schema['propertyNames'] ?? true) as JsonSchema
  for (const [name, inner] of Object.entries(value)) {
    const isNamed = Object.hasOwn(properties, name)
    const own = isNamed ? properties[name]! : others
    if (judge.isStrict && own === false && (isNamed || schema['additionalProperties'] === false))
      faults.push(at(join(path, name), 'it is not allowed'))
    // No schema needs this name, and code that copies objects carelessly would set their prototype.
    if (own === false || name === '__proto__') continue
    if (names !== true) faults.push(...fit(judge, names, name, join(path, name), depth + 1).faults.map((fault) => `${fault} (as a name)`))
    const found = fit(judge, own, inner, join(path, name), depth + 1)
    faults.push(...found.faults)
    kept[name] = found.value
  }
  for (const name of (schema['required'] ?? []) as string[]) {
    // Another part of the schema may describe it (`allOf`).
    const isAllowed = Object.hasOwn(kept, name) || (schema['additionalProperties'] !== false && !Object.hasOwn(properties, name))
    if (!isAllowed || !Object.hasOwn(value, name)) faults.push(at(join(path, name), 'it is missing'))
    else if (!Object.hasOwn(kept, name) && name !== '__proto__') kept[name] = plain(judge, value[name], depth + 1)
  }
  const count = Object.keys(kept).length
  faults.push(...bounds(schema, 'minProperties', 'maxProperties', count, ['property', 'properties'], path))
  return { value: kept, faults: faults.slice(0, MOST_FAULTS) }
}

function fitList(judge: Judge, schema: Schema, value: unknown[], path: string, depth: number): Fit {
  const { additionalItems, items, prefixItems } = schema
  const [first, rest] = (Array.isArray(items) ? [items, additionalItems ?? true] : [prefixItems ?? [], items ?? true]) as [
    JsonSchema[],
    JsonSchema,
  ]
  const found = value.map((inner, index) => fit(judge, first[index] ?? rest, inner, join(path, String(index)), depth + 1))
  const faults = found.flatMap((one) => one.faults).slice(0, MOST_FAULTS)
  faults.push(...bounds(schema, 'minItems', 'maxItems', value.length, ['item', 'items'], path))
  const kept = found.map((one) => one.value)
  if (schema['uniqueItems'] === true && hasTwins(judge, kept)) faults.push(at(path, 'an item stands in it twice'))
  return { value: kept, faults }
}

function hasTwins(judge: Judge, values: unknown[]): boolean {
  if (values.length > MOST_UNIQUE) throw new TooMuchWork()
  return new Set(values.map((value) => JSON.stringify(sorted(judge, value)))).size < values.length
}

/** Returns equal text for objects that differ only in the order of their keys. */
function sorted(judge: Judge, value: unknown): unknown {
  work(judge, 1 + (typeof value === 'string' ? value.length / CHARACTERS_PER_STEP : 0))
  if (Array.isArray(value)) return value.map((inner) => sorted(judge, inner))
  if (!isObject(value)) return value
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted(judge, value[name])])
}

function scalarFaults(judge: Judge, schema: Schema, value: unknown, path: string): string[] {
  const { const: only, enum: choices, type } = schema
  const types = type === undefined ? [] : ([type].flat() as string[])
  if (types.length > 0 && !types.some((name) => isOfType(value, name)))
    return [at(path, `expected ${types.join(' or ')}, but it is ${nameOf(value)}`)]
  if (choices !== undefined && !(choices as unknown[]).some((one) => isDeepStrictEqual(one, value)))
    return [at(path, 'it is none of the allowed values')]
  if (Object.hasOwn(schema, 'const') && !isDeepStrictEqual(only, value)) return [at(path, 'it is not the one allowed value')]
  if (typeof value === 'string') return textFaults(judge, schema, value, path)
  return typeof value === 'number' ? numberFaults(schema, value, path) : []
}

function textFaults(judge: Judge, schema: Schema, value: string, path: string): string[] {
  work(judge, value.length / CHARACTERS_PER_STEP)
  const faults = bounds(schema, 'minLength', 'maxLength', Array.from(value).length, ['character', 'characters'], path)
  const { format, pattern } = schema
  if (typeof pattern === 'string' && !isMatch(judge, pattern, value)) faults.push(at(path, `it does not match ${pattern}`))
  if (typeof format === 'string' && Object.hasOwn(FORMATS, format) && !FORMATS[format]!(value))
    faults.push(at(path, `it is not a valid ${format}`))
  return faults
}

function numberFaults(schema: Schema, value: number, path: string): string[] {
  const rules: [string, (bound: number) => boolean, string][] = [
    ['minimum', (bound) => value >= bound, 'at least'],
    ['maximum', (bound) => value <= bound, 'at most'],
    ['exclusiveMinimum', (bound) => value > bound, 'more than'],
    ['exclusiveMaximum', (bound) => value < bound, 'less than'],
    ['multipleOf', (bound) => isMultiple(value, bound), 'a multiple of'],
  ]
  return rules.flatMap(([keyword, holds, words]) => {
    const bound = schema[keyword]
    return typeof bound === 'number' && !holds(bound) ? [at(path, `it must be ${words} ${bound}`)] : []
  })
}

function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0
  const ratio = value / of
  // Decimals such as 0.1 are stored with a relative error of up to half an epsilon, and so is the quotient.
  return Math.abs(ratio - Math.round(ratio)) <= 2 * Number.EPSILON * Math.abs(ratio)
}

/** @param what  what is counted, one and several */
function bounds(schema: Schema, least: string, most: string, count: number, what: [string, string], path: string): string[] {
  const [min, max] = [schema[least], schema[most]]
  const counted = (bound: number) => `${bound} ${what[bound === 1 ? 0 : 1]}`
  if (typeof min === 'number' && count < min) return [at(path, `it has fewer than ${counted(min)}`)]
  return typeof max === 'number' && count > max ? [at(path, `it has more than ${counted(max)}`)] : []
}

/** Formats that are checked; others do not restrict values (JSON Schema Validation, 7.2.1). */
const FORMATS: Record<string, (value: string) => boolean> = {
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isReal(`${value}T00:00:00Z`),
  'date-time': (value) => /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(value) && isReal(value),
  time: (value) => /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})?$/.test(value),
  email: (value) => value.length <= 320 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(value),
  uri: (value) => URL.canParse(value),
  uuid: (value) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value),
}

function isReal(instant: string): boolean {
  const time = Date.parse(instant.toUpperCase())
  return !Number.isNaN(time) && new Date(Date.parse(`${instant.slice(0, 10)}T00:00:00Z`)).toISOString().startsWith(instant.slice(0, 10))
}

function isMatch(judge: Judge, pattern: string, value: string): boolean {
  const most = (MOST_STEPS - judge.steps) * COMPARISONS_PER_STEP
  const work: RegexWork = { left: most }
  try {
    return matcherOf(pattern)(value, work)
  } catch (fault) {
    if (fault instanceof RegexTooHeavy) throw new TooMuchWork()
    throw fault
  } finally {
    judge.steps += (most - work.left) / COMPARISONS_PER_STEP
  }
}

const matchers = new Map<string, ReturnType<typeof compileRegex>>()

function matcherOf(pattern: string): ReturnType<typeof compileRegex> {
  const known = matchers.get(pattern)
  if (known !== undefined) return known
  if (matchers.size > 100) matchers.clear()
  const made = compileRegex(pattern)
  matchers.set(pattern, made)
  return made
}

/** A copy without `__proto__`. */
function plain(judge: Judge, value: unknown, depth: number): unknown {
  work(judge, 1, depth)
  if (Array.isArray(value)) return value.map((inner) => plain(judge, inner, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (name === '__proto__' ? [] : [[name, plain(judge, inner, depth + 1)]])),
  )
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === nameOf(value)
}

const nameOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
const sizeOf = (value: unknown): number => (isObject(value) ? Object.keys(value).length : 0)
const at = (path: string, fault: string) => (path === '' ? fault : `${path}: ${fault}`)
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
