/** The state of a log screen in the URL, for shared links and the back button. Pure. */
import { RUN_STATUSES } from '#contract/runs.ts'
import type { RunStatus } from '#contract/runs.ts'
import { PAGE_SIZE, PAGE_SIZES } from '#web/ui/limits.ts'
import { pageOf, pageText, uuidOf } from '#web/ui/form/query-texts.ts'

export type LogQuery = {
  /** '' shows all. */
  status: RunStatus | ''
  text: string
  /** Value of the kind's own filter, '' for any. */
  type: string
  /** UUID of the schedule that started the runs; '' for any. */
  schedule: string
  /** First and last day of creation, `2026-03-04` in the reader's own time zone; '' leaves an end open. */
  from: string
  to: string
  /** The sort column, as `duration`, or `-duration` for descending; '' is newest first. */
  sort: string
  /** Rows on a page. */
  size: number
  /** From 1. */
  page: number
}

const SORTS = ['created_at', 'status', 'duration', 'number_of_documents', 'label']
export const NEWEST_FIRST = '-created_at'

export const EMPTY_QUERY: LogQuery = { status: '', text: '', type: '', schedule: '', from: '', to: '', sort: '', size: PAGE_SIZE, page: 1 }

/**
 * Parses `?status=failed&text=docs&from=2026-03-04&page=2`; ignores invalid values.
 *
 * @param types  values of the kind's own filter
 */
export function parseLogQuery(search: string, types: readonly { value: string }[]): LogQuery {
  const given = new URLSearchParams(search)
  const status = given.get('status') ?? ''
  return {
    status: isStatus(status) ? status : '',
    text: given.get('text') ?? '',
    type: types.find(({ value }) => value === given.get('type'))?.value ?? '',
    schedule: uuidOf(given.get('schedule')),
    from: dayOf(given.get('from')),
    to: dayOf(given.get('to')),
    sort: sortOf(given.get('sort')),
    size: PAGE_SIZES.find((size) => String(size) === given.get('size')) ?? PAGE_SIZE,
    page: pageOf(given.get('page')),
  }
}

const sortOf = (text: string | null) =>
  SORTS.some((sort) => text === sort || text === `-${sort}`) && text !== NEWEST_FIRST ? (text ?? '') : ''

const isStatus = (text: string): text is RunStatus => RUN_STATUSES.some((status) => status === text)

/** A click on a column head sorts by it, largest first; another click reverses the order. */
export const sortedBy = (sort: string, by: string): string => {
  const next = (sort || NEWEST_FIRST) === `-${by}` ? by : `-${by}`
  return next === NEWEST_FIRST ? '' : next
}

/** A changed query. Any change that does not name a page goes to the first page. */
export const changedQuery = (query: LogQuery, change: Partial<LogQuery>): LogQuery => ({ ...query, page: 1, ...change })

/** The query of the URL with the question mark; '' when nothing is chosen. */
export function writeLogQuery({ status, text, type, schedule, from, to, sort, size, page }: LogQuery): string {
  const pairs = Object.entries({
    status,
    text,
    type,
    schedule,
    from,
    to,
    sort,
    size: size === PAGE_SIZE ? '' : String(size),
    page: pageText(page),
  }).filter(([, value]) => value !== '')
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

export const isFiltered = ({ status, text, type, schedule, from, to }: LogQuery): boolean =>
  [status, text, type, schedule, from, to].some(Boolean)

/**
 * The instants that bound the days `from` to `to`, both included, in the browser's time zone.
 *
 * @returns `since` inclusive, `before` exclusive; undefined for an open end
 */
export const dayBounds = ({ from, to }: Pick<LogQuery, 'from' | 'to'>): { since: string | undefined; before: string | undefined } => ({
  since: midnight(from, 0),
  before: midnight(to, 1),
})

/** The beginning of a day, or of a later one. */
function midnight(day: string, later: number): string | undefined {
  if (day === '') return undefined
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** A valid day as `2026-03-04`, else ''. */
function dayOf(text: string | null): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '')) return ''
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text ?? '') ? (text ?? '') : ''
}
