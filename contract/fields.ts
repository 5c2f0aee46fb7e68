/** The building blocks of requests: they accept many spellings, and have exact messages for what they refuse. */
import * as z from 'zod/mini'
import { isHttpUrl, isEmail } from './addresses.ts'
import { MAX_OPTIONS_BYTES, MAX_PATTERN, MAX_PATTERNS, MAX_SELECTORS, MAX_URL_LENGTH } from './sizes.ts'

type Issue = { readonly input?: unknown }

/** Messages for a value of the wrong type, after the two that every field shares. */
export const wrong = (message: string | ((input: unknown) => string)) => (issue: Issue) =>
  issue.input === undefined
    ? 'This field is required.'
    : issue.input === null
      ? 'This field may not be null.'
      : typeof message === 'string'
        ? message
        : message(issue.input)

const typeName = (input: unknown) =>
  Array.isArray(input) ? 'list' : typeof input === 'string' ? 'str' : input === null ? 'null' : typeof input

/** Text of at most `max` characters, trimmed; not blank unless `blank` is set. */
export function text({ max = 255, blank = false, trim = true }: { max?: number; blank?: boolean; trim?: boolean } = {}) {
  const raw = z.string({ error: wrong('Not a valid string.') })
  return raw.check(
    ...(trim ? [z.trim()] : []),
    ...(blank ? [] : [z.minLength(1, { error: 'This field may not be blank.' })]),
    // A text that is too long is not validated further.
    z.maxLength(max, { error: `Ensure this field has no more than ${max} characters.`, abort: true }),
    // Our databases cannot store a NUL, and no field needs one.
    // oxlint-disable-next-line no-control-regex
    z.regex(/^[^\u0000]*$/, { error: 'Null characters are not allowed.' }),
  )
}

/** A boolean; also "true", "false", 1 and 0, as clients in other languages send them. */
export function flag() {
  return z.pipe(
    z.transform((input: unknown) => {
      if (input === 1 || input === '1') return true
      if (input === 0 || input === '0') return false
      if (typeof input === 'string' && /^(true|false)$/i.test(input)) return input.toLowerCase() === 'true'
      return input
    }),
    z.boolean({ error: wrong('Must be a valid boolean.') }),
  )
}

const wholeNumber = z.transform((input: unknown) => (typeof input === 'string' && /^\s*-?\d{1,15}\s*$/.test(input) ? Number(input) : input))

/** A whole number from `min` to `max`; numeric strings are converted. */
export function count({ min, max }: { min: number; max?: number }) {
  return z.pipe(
    wholeNumber,
    z
      .number({ error: wrong('A valid integer is required.') })
      .check(
        z.int({ error: 'A valid integer is required.' }),
        z.minimum(min, { error: `Ensure this value is greater than or equal to ${min}.` }),
        ...(max === undefined ? [] : [z.maximum(max, { error: `Ensure this value is less than or equal to ${max}.` })]),
      ),
  )
}

/** A whole number, clamped to its bounds instead of refused. */
export function clamped({ min, max }: { min: number; max: number }) {
  return z.pipe(
    z.pipe(
      z.pipe(
        wholeNumber,
        z.number({ error: wrong('A valid integer is required.') }).check(z.int({ error: 'A valid integer is required.' })),
      ),
      z.transform((value: number) => Math.min(max, Math.max(min, value))),
    ),
    // The output type, for the description of responses.
    z.int(),
  )
}

/** A value in a message. The `toString` of an object may be missing or unsafe. */
const shown = (input: unknown) =>
  typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean' ? `${input}`.slice(0, 100) : typeName(input)

/** An enumeration of texts. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: wrong((input) => `"${shown(input)}" is not a valid choice.`) })

/** A list of items; `min` and `max` bound its length. */
export function listOf<T extends z.ZodMiniType>(item: T, { min = 0, max }: { min?: number; max?: number } = {}) {
  return z
    .array(item, { error: wrong((input) => `Expected a list of items but got type "${typeName(input)}".`) })
    .check(
      ...(min > 0 ? [z.minLength(min, { error: 'This list may not be empty.' })] : []),
      ...(max === undefined ? [] : [z.maxLength(max, { error: `Ensure this field has no more than ${max} elements.` })]),
    )
}

/** An object whose unknown keys are dropped silently. */
export const shape = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  z.object(fields, { error: wrong((input) => `Invalid data. Expected a dictionary, but got ${typeName(input)}.`) })

/** An object that may be absent or null, which both mean an empty one; the API description shows the object only. */
export const orEmpty = <T extends z.ZodMiniType>(object: T) =>
  z.prefault(
    z.pipe(
      z.transform((input: unknown): unknown => input ?? {}),
      object as z.ZodMiniType,
    ),
    {},
  ) as unknown as z.ZodMiniPrefault<T>

/** The options of a job, at most `MAX_OPTIONS_BYTES` in total; empty if absent. */
export const optionsOf = <T extends z.ZodMiniType>(options: T) => z.prefault(options, {} as z.input<T>).check(notTooHeavy())

/** The same options, for requests in which their absence has another meaning. */
export const givenOptionsOf = <T extends z.ZodMiniType>(options: T) => options.check(notTooHeavy())

const notTooHeavy = () =>
  z.refine((value) => jsonBytes(value) <= MAX_OPTIONS_BYTES, {
    error: `All options together may take ${MAX_OPTIONS_BYTES / 1024} KiB as JSON.`,
  })

const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** An absolute http or https URL, stored exactly as it was sent. */
export const httpUrl = () =>
  text({ max: MAX_URL_LENGTH }).check(z.refine((value) => value === '' || isHttpUrl(value), { error: 'Enter a valid URL.' }))

/** The same without user name and password, for URLs that are stored and shown as they are. */
export const httpUrlWithoutCredentials = (error: string) =>
  httpUrl().check(z.refine((value) => !/^https?:\/\/[^/?#]*@/i.test(value), { error }))

/** Patterns of paths and hosts; none by default. */
export const patterns = () => z._default(listOf(text({ max: MAX_PATTERN }), { max: MAX_PATTERNS }), [])

/** CSS selectors; none by default. */
export const selectors = () => z._default(listOf(text({ max: MAX_PATTERN }), { max: MAX_SELECTORS }), [])

/** An e-mail address, its domain in lower case. */
export const email = () =>
  z.pipe(
    text({ max: 254 }).check(z.refine((value) => value === '' || isEmail(value), { error: 'Enter a valid email address.' })),
    z.transform((value: string) => {
      const at = value.lastIndexOf('@')
      return value.slice(0, at) + value.slice(at).toLowerCase()
    }),
  )

/** A query flag: `true`, `1`, `t` in any letter case are true, everything else is false. */
export const queryFlag = () =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((input: unknown) => typeof input === 'string' && /^(true|1|t)$/i.test(input)),
  )
