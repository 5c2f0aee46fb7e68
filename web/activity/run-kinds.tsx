/** What each kind of run brings to the log and the details: its words, its columns, how it is asked for, its own part of the screen. */
import type { ComponentType, ReactNode } from 'react'
import type { SWRResponse } from 'swr'
import { getCrawl, listCrawls } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import type { Paged } from '#contract/endpoint.ts'
import { isTerminal } from '#contract/runs.ts'
import type { RunStatus } from '#contract/runs.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { CrawlDetails } from '#web/crawl/crawl-details.tsx'
import { CrawlRowActions } from '#web/crawl/crawl-row-actions.tsx'
import { crawlName, pageLimitOf } from '#web/crawl/page-texts.ts'
import type { PathName } from '#web/navigation.ts'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { Chip } from '#web/ui/status-badge.tsx'
import { numberText } from '#web/ui/time-texts.ts'
import type { Column } from '#web/ui/table.tsx'
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
  useRun: (id: string) => SWRResponse<Run, ApiError>
  nameOf: (run: Run) => string
  RowActions: ComponentType<{ run: Run }>
  /** Everything of the details screen below the way back. */
  Details: ComponentType<{ run: Run; back: ReactNode }>
}

/** Rows that move by themselves are asked for this often. */
const LIVE_MS = 2000
const live = (runs: readonly AnyRun[]) => (runs.some(({ status }) => !isTerminal(status)) ? LIVE_MS : 0)

const crawl: RunKind<CrawlRequest> = {
  words: {
    title: 'Activity Logs',
    description: 'Every crawl of this team, newest first. Running rows move by themselves.',
    noun: 'crawl',
    nouns: 'crawls',
    begin: 'New crawl',
    empty: 'No crawl requests yet',
    emptySays: 'Crawls of this team gather here, with their pages and what became of every address.',
    textFilter: 'URL contains',
    back: 'Back to the crawl logs',
    notFound: 'Crawl request not found',
  },
  paths: { begin: 'crawl', log: 'crawlLogs', details: 'crawlDetails', parameter: 'requestId' },
  columns: [
    {
      key: 'url',
      head: 'URL',
      wide: true,
      card: 'main',
      cell: (run) => {
        const { name, more } = crawlName(run)
        return (
          <span className="flex min-w-0 items-center gap-2" title={run.url ?? undefined}>
            <span className="min-w-0 truncate font-medium">{name}</span>
            {more > 0 && (
              <span className="flex-none">
                <Chip>+{numberText(more)} more</Chip>
              </span>
            )}
          </span>
        )
      },
    },
    {
      key: 'type',
      head: 'Type',
      card: 'none',
      cell: ({ crawl_type }) => <span className="text-soft">{crawl_type === 'batch' ? 'Batch' : 'Single'}</span>,
    },
    {
      key: 'results',
      head: 'Results',
      align: 'right',
      card: 'bottomLeft',
      cell: (run) => (
        <span className="num">
          {run.status === 'new' ? '–' : numberText(run.number_of_documents)}
          {run.status === 'running' && <span className="text-faint"> / {numberText(pageLimitOf(run))}</span>}
          <span className="sm:hidden"> results</span>
        </span>
      ),
    },
  ],
  types: [
    { value: 'single', label: 'Single' },
    { value: 'batch', label: 'Batch' },
  ],
  useList: ({ status, text, type, page }) =>
    useEndpoint(
      listCrawls,
      {
        query: {
          page: page === 1 ? undefined : page,
          page_size: PAGE_SIZE,
          status: status || undefined,
          url__contains: text || undefined,
          crawl_type: type || undefined,
        },
      },
      { keepPreviousData: true, refreshInterval: (answer) => live(answer?.results ?? []) },
    ),
  useRun: (id) => useEndpoint(getCrawl, { params: { id } }, { refreshInterval: (run) => (run ? live([run]) : 0) }),
  nameOf: (run) => crawlName(run).name,
  RowActions: CrawlRowActions,
  Details: CrawlDetails,
}

/** A search and a sitemap join here. */
export const RUN_KINDS = { crawl }
export type RunKindName = keyof typeof RUN_KINDS
