/** The description of a kind of run for log and details: texts, columns, lists, details component. */
import type { ComponentType, ReactNode } from 'react'
import type { SWRResponse } from 'swr'
import type { Paged } from '#contract/endpoint.ts'
import { isTerminal } from '#contract/runs.ts'
import type { ApiError } from '#web/api/client.ts'
import type { RunDeletion } from '#web/runs/shared/delete-runs.tsx'
import type { AnyRun, RunBase } from '#web/runs/shared/run-base.ts'
import type { Column } from '#web/ui/list/table.tsx'
import { dayBounds } from './log-query.ts'
import type { LogQuery } from './log-query.ts'

export type RunKindWords = {
  title: string
  description: string
  begin: string
  empty: string
  emptySays: string
  textFilter: string
  back: string
}

export type RunKind<Run extends AnyRun> = {
  base: RunBase
  words: RunKindWords
  /** Schedules can start runs of this kind, so the log has a filter by a schedule. */
  hasSchedules?: true
  /** Between the status and the times. */
  columns: readonly Column<Run>[]
  /** The kind's own filter: the types to choose from. */
  types: readonly { value: string; label: string }[]
  useList: (query: LogQuery) => SWRResponse<Paged<Run>, ApiError>
  useRun: (id: string) => SWRResponse<Run, ApiError>
  nameOf: (run: Run) => string
  RowActions: ComponentType<{ run: Run }>
  deletion: RunDeletion
  /** Downloads the results of the run in the browser. */
  download: (run: Run) => Promise<void>
}

/** The details of a run; `remove` is the delete button, the last of the actions. The log does not need it. */
export type RunDetails<Run extends AnyRun> = ComponentType<{ run: Run; back: ReactNode; remove: ReactNode }>

/** Refresh interval of live rows. */
const LIVE_MS = 2000
const live = (runs: readonly AnyRun[]) => (runs.some(({ status }) => !isTerminal(status)) ? LIVE_MS : 0)

/**
 * SWR options that refresh a list or a run while it contains an unfinished run. Each render needs a new function: it makes SWR restart its
 * timer, which had stopped when nothing was running.
 */
export const liveList = () => ({
  keepPreviousData: true,
  refreshInterval: (answer: Paged<AnyRun> | undefined) => live(answer?.results ?? []),
})
export const liveRun = () => ({ refreshInterval: (run: AnyRun | undefined) => (run ? live([run]) : 0) })

/** Query parameters that all lists share, besides the kind's own filters. */
export function listQuery({ status, from, to, page, size, sort }: LogQuery) {
  const { since, before } = dayBounds({ from, to })
  return {
    page: page === 1 ? undefined : page,
    page_size: size,
    ordering: sort || undefined,
    status: status || undefined,
    created_at__gte: since,
    created_at__lt: before,
  }
}
