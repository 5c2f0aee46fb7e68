/** Filters of a list from its query: bounds of instants, parts of texts, choices. An empty value filters nothing. */
import { MAX_URL_LENGTH } from '#contract/sizes.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { parseInstant } from './instants.ts'
import { queryText } from './pagination.ts'
import type { Query } from './pagination.ts'

export type InstantBound = { operator: '=' | '>' | '>=' | '<' | '<='; at: number }

/** Conditions on a text; all must hold, each by one of its texts. */
export type TextFilter = { oneOf?: readonly string[]; contains?: readonly string[]; startsWith?: readonly string[] }

const BOUNDS = { '': '=', __gt: '>', __gte: '>=', __lt: '<', __lte: '<=' } as const

/** Bounds of an instant: `name`, `name__gt`, `name__gte`, `name__lt`, `name__lte`. */
export function readInstantBounds(query: Query, name: string): InstantBound[] {
  return Object.entries(BOUNDS).flatMap(([suffix, operator]) => {
    const text = queryText(query, name + suffix)
    if (text === undefined) return []
    const at = parseInstant(text)
    if (at === null) throw fieldError(name + suffix, 'Enter a valid date/time.')
    return [{ operator, at }]
  })
}

/**
 * Conditions on a text: `name`, `name__contains`, `name__startswith`. Throws `invalid_input` for a text that is longer than the longest
 * URL.
 */
export function readTextFilter(query: Query, name: string): TextFilter {
  const text = (field: string) => {
    const value = queryText(query, field)
    if (value !== undefined && value.length > MAX_URL_LENGTH)
      throw fieldError(field, `Ensure this field has no more than ${MAX_URL_LENGTH} characters.`)
    return value
  }
  const exact = text(name)
  const contains = text(`${name}__contains`)
  const startsWith = text(`${name}__startswith`)
  return {
    ...(exact === undefined ? {} : { oneOf: [exact] }),
    ...(contains === undefined ? {} : { contains: [contains] }),
    ...(startsWith === undefined ? {} : { startsWith: [startsWith] }),
  }
}

/** One of a few words. Throws `invalid_input` for any other. */
export function readChoice<const Word extends string>(query: Query, name: string, words: readonly Word[]): Word | undefined {
  const word = queryText(query, name)
  if (word === undefined) return undefined
  checkChoice(name, word, words)
  return word as Word
}

/** Throws `invalid_input` with the field for a word that is not one of the choices. */
export function checkChoice(field: string, value: string, choices: readonly string[]) {
  if (choices.includes(value)) return
  throw new AppError('invalid_input', {
    fields: { [field]: [`Select a valid choice. ${value} is not one of the available choices.`] },
  })
}
