/** The newest and the running jobs, of all kinds. There is one request per kind, repeated only while a job of that kind is unfinished. */
import type { Paged } from '#contract/endpoint.ts'
import { listCrawls } from '#contract/crawls.ts'
import { RUN_STATUSES, isTerminal } from '#contract/runs.ts'
import type { RunKind } from '#contract/runs.ts'
import { listSearches } from '#contract/searches.ts'
import { listSitemaps } from '#contract/sitemaps.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { crawlJob, newestJobs, searchJob, sitemapJob } from './jobs.ts'
import type { Job } from './jobs.ts'
import type { AnyRun } from '#web/runs/shared/run-base.ts'

/** Refresh interval of running jobs. */
const WATCH_MS = 5000
const UNFINISHED = { status__in: RUN_STATUSES.filter((status) => !isTerminal(status)).join(','), page_size: 10 }

export type Jobs = {
  /** Undefined until each kind has answered or failed. */
  jobs: readonly Job[] | undefined
  /** Kinds that could not be loaded and are not cached. */
  failed: readonly { kind: RunKind; error: ApiError }[]
  isValidating: boolean
  retry: () => void
}

/**
 * The team's newest jobs, of all kinds. New jobs and live events refresh the lists; a list without unfinished jobs is not polled.
 *
 * @param text  a part of their URL or query; '' for any
 */
export function useLatestJobs(count: number, text = ''): Jobs {
  const lists = useLists({ page_size: count }, text)
  return {
    jobs: lists.every(({ answer, error }) => answer || error)
      ? newestJobs(
          lists.map(({ jobs }) => jobs),
          count,
        )
      : undefined,
    failed: lists.flatMap(({ kind, answer, error }) => (error && !answer ? [{ kind, error }] : [])),
    isValidating: lists.some(({ isValidating }) => isValidating),
    retry: () => {
      for (const { mutate } of lists) void mutate()
    },
  }
}

/** The unfinished jobs: the newest of them, and their total. A kind that cannot be loaded counts as 0. */
export function useRunningJobs(): { jobs: readonly Job[]; count: number } {
  const lists = useLists(UNFINISHED)
  const unfinished = lists.map(({ answer, jobs }) => {
    // A live event may have updated a job before the list was fetched again.
    const running = jobs.filter(({ status }) => !isTerminal(status))
    return { running, count: (answer?.count ?? 0) - (jobs.length - running.length) }
  })
  return {
    jobs: newestJobs(
      unfinished.map(({ running }) => running),
      UNFINISHED.page_size,
    ),
    count: unfinished.reduce((sum, { count }) => sum + Math.max(0, count), 0),
  }
}

function useLists(query: Record<string, string | number>, text = '') {
  const ofUrl = { query: { ...query, url__contains: text || undefined } }
  const ofQuery = { query: { ...query, query__contains: text || undefined } }
  const crawls = useEndpoint(listCrawls, ofUrl, watching())
  const searches = useEndpoint(listSearches, ofQuery, watching())
  const sitemaps = useEndpoint(listSitemaps, ofUrl, watching())
  return [listOf('crawl', crawls, crawlJob), listOf('search', searches, searchJob), listOf('sitemap', sitemaps, sitemapJob)]
}

type Asked<Run> = { data?: Paged<Run> | undefined; error?: ApiError | undefined; isValidating: boolean; mutate: () => Promise<unknown> }

const listOf = <Run>(kind: RunKind, { data, error, isValidating, mutate }: Asked<Run>, jobOf: (run: Run) => Job) => ({
  kind,
  answer: data,
  error,
  isValidating,
  jobs: (data?.results ?? []).map(jobOf),
  // Without arguments, `mutate` only requests the list again.
  mutate: () => mutate(),
})

/** Each render needs a new function: it makes SWR restart its timer, which had stopped when nothing was running. */
const watching = () => ({
  keepPreviousData: false,
  // Programs and other tabs start jobs too.
  revalidateOnFocus: true,
  refreshInterval: (latest: Paged<AnyRun> | undefined) => (latest?.results.some(({ status }) => !isTerminal(status)) ? WATCH_MS : 0),
})
