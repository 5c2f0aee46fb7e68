/** Numbers in the queries of this API. */
import { queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { badRequest } from './errors.ts'

/** Null if it is absent. Throws the refusal for anything but a whole number of at least `least`. */
export function numberOf(query: Query, name: string, least: number): number | null {
  const text = queryText(query, name)
  if (text === undefined) return null
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least) throw badRequest(`${name} must be a whole number of at least ${least}.`)
  return value
}
