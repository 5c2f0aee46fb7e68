/** What a log shows, kept in the address so that it can be shared and the way back leads to it. Pure. */
import { RUN_STATUSES } from '#contract/runs.ts'
import type { RunStatus } from '#contract/runs.ts'

export type LogQuery = {
  /** '' shows all. */
  status: RunStatus | ''
  text: string
  /** Value of the kind's own filter, '' for any. */
  type: string
  /** From 1. */
  page: number
}

export const EMPTY_QUERY: LogQuery = { status: '', text: '', type: '', page: 1 }

/** Reads `?status=failed&text=docs&page=2`; what is not understood is as if it were not there. */
export function parseLogQuery(search: string): LogQuery {
  const given = new URLSearchParams(search)
  const status = given.get('status') ?? ''
  const page = Number(given.get('page') ?? 1)
  return {
    status: isStatus(status) ? status : '',
    text: given.get('text') ?? '',
    type: given.get('type') ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

const isStatus = (text: string): text is RunStatus => RUN_STATUSES.some((status) => status === text)

/** The query with a change; anything but the page leads back to the first one. */
export const changedQuery = (query: LogQuery, change: Partial<LogQuery>): LogQuery => ({ ...query, page: 1, ...change })

/** The address's query part, '' when nothing is chosen. */
export function writeLogQuery({ status, text, type, page }: LogQuery): string {
  const pairs = Object.entries({ status, text, type, page: page === 1 ? '' : String(page) }).filter(([, value]) => value !== '')
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

export const isFiltered = ({ status, text, type }: LogQuery): boolean => status !== '' || text !== '' || type !== ''
