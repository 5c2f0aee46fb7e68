/** The filters of a list of runs: parsed from a query, added to a statement. */
import { RUN_STATUSES } from '#contract/runs.ts'
import { fieldError } from '#backend/errors.ts'
import { queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { readUrlFilter } from './url-filter.ts'
import { checkChoice, readChoice, readInstantBounds, readTextFilter } from '#backend/http/query-filters.ts'
import type { InstantBound, TextFilter } from '#backend/http/query-filters.ts'

export type RunFilters = {
  uuid?: string
  variant?: string
  /** The schedule that started them. */
  schedule?: string
  statuses?: string[]
  createdAt: InstantBound[]
  url: TextFilter
  label: TextFilter
  ordering?: RunOrdering
}

/** Columns for ordering a list of runs; by default newest first. */
const RUN_ORDERINGS = ['created_at', 'status', 'duration', 'number_of_documents', 'label'] as const
export type RunOrdering = { by: (typeof RUN_ORDERINGS)[number]; descending: boolean }

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/**
 * The filters of a list query. An empty value filters nothing.
 *
 * @param variants   the values of `crawl_type`; none for kinds without types
 * @param labelName  the parameter for the label, for kinds without URLs; other kinds use `url`
 * Throws `invalid_input` with the field for an invalid value.
 */
export function readRunFilters(query: Query, variants: readonly string[], labelName: string | undefined): RunFilters {
  const uuid = readUuid(query, 'uuid')
  // Kinds without types have no schedules either: there, both parameters are unknown, and unknown ones are ignored.
  const schedule = variants.length === 0 ? undefined : readUuid(query, 'schedule')
  const variant = variants.length === 0 ? undefined : readChoice(query, 'crawl_type', variants)
  return {
    ...(uuid === undefined ? {} : { uuid }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(variant === undefined ? {} : { variant }),
    ...readStatuses(query),
    ...readOrdering(query),
    createdAt: readInstantBounds(query, 'created_at'),
    url: labelName === undefined ? readUrlFilter(query) : {},
    label: labelName === undefined ? {} : readTextFilter(query, labelName),
  }
}

function readUuid(query: Query, name: string): string | undefined {
  const uuid = queryText(query, name)
  if (uuid === undefined) return undefined
  if (!UUID.test(uuid)) throw fieldError(name, 'Enter a valid UUID.')
  return hyphenated(uuid)
}

/** `ordering=duration`, `ordering=-duration`. */
function readOrdering(query: Query): { ordering?: RunOrdering } {
  const word = queryText(query, 'ordering')
  if (word === undefined) return {}
  const descending = word.startsWith('-')
  const by = RUN_ORDERINGS.find((column) => column === word.slice(descending ? 1 : 0))
  if (by === undefined) throw fieldError('ordering', `Select a valid choice. ${word} is not one of the available choices.`)
  return { ordering: { by, descending } }
}

function readStatuses(query: Query): { statuses?: string[] } {
  const one = readChoice(query, 'status', RUN_STATUSES)
  const several = queryText(query, 'status__in')
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  for (const word of several ?? []) checkChoice('status__in', word, RUN_STATUSES)
  if (one === undefined) return several === undefined ? {} : { statuses: several }
  return { statuses: several === undefined || several.includes(one) ? [one] : [] }
}

const hyphenated = (uuid: string) =>
  uuid
    .replaceAll('-', '')
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
