/**
 * How the engine runs a search or a sitemap: one function from start to end.
 *
 * The engine knows nothing about the products. It takes the run, gives the task its context, keeps the run alive while the task works, and
 * ends the run with the task's ending. A task may be started again at any moment (`run.isResumed`): what it has not committed never
 * happened.
 */
import type { FeedType, RunKind } from '#contract/runs.ts'
import type { TaskResults, TaskUrl } from '#backend/store/run-store.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { PageLink } from '#backend/crawler/page/page.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'

/** The task for each kind of run; an engine takes no runs of other kinds. */
export type Tasks = Partial<Record<Exclude<RunKind, 'crawl'>, Task>>

/**
 * Works until it is done, or until its signal aborts; then it should return or throw soon.
 *
 * An exception is an internal error: the task is started again, and if that does not help, the run is `failed`. Failures of sites are
 * normal endings.
 */
export type Task = (context: TaskContext) => Promise<TaskEnding>

export type TaskRun = {
  no: number
  id: string
  teamId: string
  /** The name for people: the query or the URL. */
  label: string
  pageLimit: number
  /** As passed to `runs.start`. */
  spec: RunSpec
  /** The submitted URLs. */
  seeds: string[]
  /** Results counted by earlier commits; more than 0 only when resumed. */
  kept: number
  /** It was started before and did not end: after a crash, a restart or an error. */
  isResumed: boolean
}

export type TaskEnding = {
  status: 'finished' | 'failed'
  /** One word for the run's row: `done`, `no_provider`, `unreachable` … */
  reason: string
  /** The last line of the feed. */
  type: FeedType
  message: string
  /** Written in the transaction that ends the run, so that listeners to its last event find the result. */
  results?: TaskResults
  /** How many results that adds. */
  kept?: number
  /** Credits used in total. By default those that commits have used, else all that were reserved; a failed run uses none in any case. */
  used?: number
}

export type TaskChange = { kept?: number; used?: number }

/**
 * Why the signal of a task aborted (`signal.reason`). After `deadline`, `commit` and the ending still count for five seconds; after the
 * other reasons they do not.
 */
export type TaskStop = 'canceled' | 'deadline' | 'shutdown' | 'taken'

/** Thrown by `commit` when the run is no longer ours: return, there is nothing to clean up. */
export class RunOver extends Error {}

export type TaskContext = {
  run: TaskRun
  signal: AbortSignal
  /** A monotonic clock for durations. */
  now: () => number
  /** What earlier commits of the task have stored, those of earlier starts included. */
  kept: {
    /** Null when there is none. */
    document(): Promise<unknown>
    /** In the order of `seq`, starting at `from`. */
    urls(from: number, limit: number): Promise<TaskUrl[]>
  }
  /** Adds a line to the feed. Lines are committed soon, in order, and before the end. */
  tell(type: FeedType, message: string, metadata?: Record<string, unknown>): void
  /**
   * Writes in one transaction that checks that the run is still ours; includes the lines told so far. Resolves when the data is durable;
   * waits while the disk is full. Rejects with `RunOver` when the run was canceled, taken or ended.
   *
   * @param results  what to store; must not change afterwards
   * @param change   `kept`: how many results this adds to the run's count; `used`: credits used so far in total, which a canceled run pays.
   *   By default the first result uses all that were reserved.
   */
  commit(results: TaskResults, change?: TaskChange): Promise<void>
  /**
   * Fetches politely: waits its turn at host and address like everything else that this engine fetches, passes the address guard, and does
   * not check robots rules. Follows redirects; each hop is judged and waits like a request. Never rejects for failures of the site.
   */
  fetch(request: TaskRequest): Promise<FetchOutcome>
  /** Fetches a page and parses it in the parser threads. `page` is null when there is none; `outcome` (or `unread`) says why. */
  readPage(url: string, options?: Pick<TaskRequest, 'headers' | 'timeoutMs' | 'signal' | 'follows' | 'tries'>): Promise<PageAnswer>
  /**
   * Renders a page in the browser and parses what its scripts made of it. Returns null when the browser cannot render this URL: a file, a
   * browser that does not start, a page that never finishes; then try `readPage`. The function itself is null without a browser.
   *
   * `locale` is a BCP 47 tag, `timeoutMs` the most milliseconds for loading.
   */
  renderPage: null | ((url: string, options: { locale: string; timeoutMs: number; signal?: AbortSignal }) => Promise<PageAnswer | null>)
}

export type TaskRequest = {
  /** Absolute http(s) URL. */
  url: string
  /** Extra headers; they go to the host of `url` only. */
  headers?: Record<string, string>
  /** Most milliseconds for all hops of one try together, without the wait for turns. Default: 20 s. */
  timeoutMs?: number
  /** Most bytes of the body, on the wire and again when decoded. Default: the limit for pages of crawls. */
  maxBytes?: number
  /** With a body over `maxBytes`: fails as `too_large` (default), or returns its beginning with `truncated`. */
  overflow?: 'fail' | 'cut'
  /** Aborts the request, like the task's own signal. */
  signal?: AbortSignal
  /** Most tries. The table in `politeness.ts` says which failures are retried, and after what wait. Default: 1. */
  tries?: number
  /** Called before a redirect to another host is followed; false returns the redirect as the outcome. Default: follow all. */
  follows?: (url: string) => boolean
  /**
   * Receives the body of a 2xx answer piece by piece, decoded; `body` stays empty. The next piece waits for the promise. An exception ends
   * the fetch and is passed on. Once called, the request is not retried.
   */
  onChunk?: (chunk: Uint8Array, head: { url: string; status: number; contentType: string | null }) => void | Promise<void>
  /** Also unpacks a body that is itself a gzip file (`sitemap.xml.gz`), whatever its headers say. */
  unpacksGzip?: boolean
}

export type TaskPage = {
  /** The final URL. */
  url: string
  title: string | null
  /** From the metadata: `description`, else `og:description`. */
  description: string | null
  language: string | null
  canonicalUrl: string | null
  /** Each URL once, absolute and canonical (no fragment, no tracking parameters), in the order of the page; at most 5,000. */
  links: Pick<PageLink, 'url' | 'text'>[]
}

export type PageAnswer = {
  outcome: FetchOutcome
  page: TaskPage | null
  /** Why a fetched body could not be parsed: a type without text, a damaged body, an error status. */
  unread?: string
}
