/** How the log and the details show each kind of run: its texts, its columns, its endpoints, its own part of the screen. */
import type { ComponentType, ReactNode } from 'react'
import type { SWRResponse } from 'swr'
import type { Paged } from '#contract/endpoint.ts'
import { isTerminal } from '#contract/runs.ts'
import type { RunStatus } from '#contract/runs.ts'
import type { ApiError } from '#web/api/client.ts'
import type { PathName } from '#web/navigation.ts'
import type { RunDeletion } from '#web/runs/shared/delete-runs.tsx'
import type { RunEndpoint } from '#web/runs/shared/missing-run.tsx'
import type { Rerun } from '#web/runs/shared/use-run-again.ts'
import type { Column } from '#web/ui/list/table.tsx'
import { dayBounds } from './log-query.ts'
import type { LogQuery } from './log-query.ts'

/** What the log and the details need of any run. */
export type AnyRun = { uuid: string; status: RunStatus; created_at: string; duration: string | null }

export type RunKindWords = {
  title: string
  description: string
  /** "crawl" */
  noun: string
  nouns: string
  begin: string
  empty: string
  emptySays: string
  textFilter: string
  back: string
  notFound: string
}

export type RunKind<Run extends AnyRun> = {
  words: RunKindWords
  paths: { begin: PathName; log: PathName; details: PathName; parameter: string }
  /** Between the status and the times. */
  columns: readonly Column<Run>[]
  /** A filter of its own: the types to choose from. */
  types: readonly { value: string; label: string }[]
  useList: (query: LogQuery) => SWRResponse<Paged<Run>, ApiError>
  get: RunEndpoint
  useRun: (id: string) => SWRResponse<Run, ApiError>
  nameOf: (run: Run) => string
  RowActions: ComponentType<{ run: Run }>
  deletion: RunDeletion
  rerun: Rerun
  /** Hands what the run brought to the browser's downloads. */
  download: (run: Run) => Promise<void>
  /** Everything of the details screen; `remove` is the button that deletes the run, the last of the actions. */
  Details: ComponentType<{ run: Run; back: ReactNode; remove: ReactNode }>
}

/** Rows that move by themselves are asked for this often. */
const LIVE_MS = 2000
export const live = (runs: readonly AnyRun[]) => (runs.some(({ status }) => !isTerminal(status)) ? LIVE_MS : 0)

/** What the log asks of any list, beside its kind's own filters. */
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
