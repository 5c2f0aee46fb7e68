/** The filters of a list of runs: read from a query, written into a statement. */
import { RUN_STATUSES } from '#contract/runs.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { parseInstant } from '#backend/http/instants.ts'
import { queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'

export type InstantBound = { operator: '=' | '>' | '>=' | '<' | '<='; at: number }

export type RunFilters = {
  uuid?: string
  variant?: string
  statuses?: string[]
  createdAt: InstantBound[]
  url: TextFilter
}

/** Of several texts one must match. */
export type TextFilter = { exact?: string; contains?: string; startsWith?: string }

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const BOUNDS = { '': '=', __gt: '>', __gte: '>=', __lt: '<', __lte: '<=' } as const

/**
 * The filters of a list query. An empty value filters nothing.
 *
 * @param variants  the words of `crawl_type`
 * Throws `invalid_input` with the field for a value that cannot be one.
 */
export function readRunFilters(query: Query, variants: readonly string[] = []): RunFilters {
  const uuid = queryText(query, 'uuid')
  if (uuid !== undefined && !UUID.test(uuid)) throw fieldError('uuid', 'Enter a valid UUID.')
  const variant = queryText(query, 'crawl_type')
  if (variant !== undefined) checkChoice('crawl_type', variant, variants)
  return {
    ...(uuid === undefined ? {} : { uuid: hyphenated(uuid) }),
    ...(variant === undefined ? {} : { variant }),
    ...readStatuses(query),
    createdAt: readInstantBounds(query, 'created_at'),
    url: readTextFilter(query, 'url'),
  }
}

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

/** Conditions on a text: `name`, `name__contains`, `name__startswith`. */
export function readTextFilter(query: Query, name: string): TextFilter {
  const exact = queryText(query, name)
  const contains = queryText(query, `${name}__contains`)
  const startsWith = queryText(query, `${name}__startswith`)
  return {
    ...(exact === undefined ? {} : { exact }),
    ...(contains === undefined ? {} : { contains }),
    ...(startsWith === undefined ? {} : { startsWith }),
  }
}

function readStatuses(query: Query): { statuses?: string[] } {
  const one = queryText(query, 'status')
  if (one !== undefined) checkChoice('status', one, RUN_STATUSES)
  const several = queryText(query, 'status__in')
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  for (const word of several ?? []) checkChoice('status__in', word, RUN_STATUSES)
  if (one === undefined) return several === undefined ? {} : { statuses: several }
  return { statuses: several === undefined || several.includes(one) ? [one] : [] }
}

function checkChoice(field: string, value: string, choices: readonly string[]) {
  if (choices.includes(value)) return
  throw new AppError('invalid_input', {
    fields: { [field]: [`Select a valid choice. ${value} is not one of the available choices.`] },
  })
}

const hyphenated = (uuid: string) =>
  uuid
    .replaceAll('-', '')
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
