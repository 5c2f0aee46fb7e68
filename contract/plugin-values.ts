/**
 * Validates the options of a plugin against their schema, with the messages of all other fields; server and browser use the same code.
 * Pure.
 */
import { isHttpUrl, isEmail } from './addresses.ts'
import { isDay } from './days.ts'
import type { ValueSchema } from './plugins.ts'

/** An error in a value, and its path. */
export type ValueFault = { path: (string | number)[]; message: string }

/** All errors of a value, in the order of its schema. Keys that the schema does not name are allowed. */
export function checkValue(schema: ValueSchema, value: unknown, path: (string | number)[] = []): ValueFault[] {
  const fault = (message: string): ValueFault[] => [{ path, message }]
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean' ? [] : fault('Must be a valid boolean.')
    case 'string':
      return typeof value === 'string' ? faultOf(textFault(schema, value), path) : fault('Not a valid string.')
    case 'number':
    case 'integer':
      return faultOf(numberFault(schema, value), path)
    case 'array':
      return Array.isArray(value) ? checkList(schema, value, path) : fault(`Expected a list of items but got type "${typeName(value)}".`)
    case 'object':
      return isObject(value) ? checkObject(schema, value, path) : fault('Expected a dictionary of items.')
    default:
      // An unknown kind of schema: the plugin itself validates the value.
      return []
  }
}

/** The required names of an object, which depend on the names that it has. */
export function requiredOf(schema: ValueSchema, values: Record<string, unknown>): ReadonlySet<string> {
  const required = new Set(schema.required)
  for (const [name, others] of Object.entries(schema.dependentRequired ?? {}))
    if (!isMissing(own(values, name)) && own(values, name) !== false) for (const other of others) required.add(other)
  return required
}

/** Whether a value is empty: forms send empty texts for empty fields. */
export const isMissing = (value: unknown) => value === undefined || value === null || value === ''

function checkObject(schema: ValueSchema, values: Record<string, unknown>, path: (string | number)[]): ValueFault[] {
  const required = requiredOf(schema, values)
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const value = own(values, name)
    if (!isMissing(value)) return checkValue(inner, value, [...path, name])
    return required.has(name) ? [{ path: [...path, name], message: 'This field is required.' }] : []
  })
}

function checkList(schema: ValueSchema, values: readonly unknown[], path: (string | number)[]): ValueFault[] {
  const { items, maxItems = Infinity, minItems = 0, uniqueItems } = schema
  const fault = (message: string): ValueFault[] => [{ path, message }]
  if (values.length > maxItems) return fault(`Ensure this field has no more than ${maxItems} elements.`)
  if (values.length < minItems)
    return fault(minItems === 1 ? 'This list may not be empty.' : `Ensure this field has at least ${minItems} elements.`)
  if (uniqueItems && new Set(values.map((value) => JSON.stringify(value))).size < values.length)
    return fault('Ensure that no element occurs twice.')
  if (items === undefined) return []
  return values.flatMap((value, index) =>
    isMissing(value) ? [{ path: [...path, index], message: 'This field may not be blank.' }] : checkValue(items, value, [...path, index]),
  )
}

function textFault(schema: ValueSchema, value: string): string | null {
  const { format, maxLength = Infinity, minLength = 0, pattern } = schema
  if (schema.enum) return schema.enum.includes(value) ? null : `"${value}" is not a valid choice.`
  if (value.length > maxLength) return `Ensure this field has no more than ${maxLength} characters.`
  if (value.length < minLength) return `Ensure this field has at least ${minLength} characters.`
  if (format === 'email' && !isEmail(value)) return 'Enter a valid email address.'
  if (format === 'uri' && !isHttpUrl(value)) return 'Enter a valid URL.'
  if (format === 'date' && !isDay(value)) return 'Enter a valid date.'
  return pattern !== undefined && expressionOf(pattern)?.test(value) === false ? 'Enter a valid value.' : null
}

/** A pattern that we cannot parse (schemas come from other servers too) is not checked. */
function expressionOf(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}

function numberFault(schema: ValueSchema, value: unknown): string | null {
  const isWhole = schema.type === 'integer'
  if (typeof value !== 'number' || !Number.isFinite(value) || (isWhole && !Number.isInteger(value)))
    return isWhole ? 'A valid integer is required.' : 'A valid number is required.'
  const { maximum = Infinity, minimum = -Infinity } = schema
  if (schema.enum) return schema.enum.includes(value) ? null : `"${value}" is not a valid choice.`
  if (value < minimum) return `Ensure this value is greater than or equal to ${minimum}.`
  return value > maximum ? `Ensure this value is less than or equal to ${maximum}.` : null
}

const faultOf = (message: string | null, path: (string | number)[]): ValueFault[] => (message === null ? [] : [{ path, message }])
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const own = (values: Record<string, unknown>, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined)
const typeName = (value: unknown) => (value === null ? 'null' : typeof value === 'string' ? 'str' : typeof value)
