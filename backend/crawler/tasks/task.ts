/**
 * A search or a sitemap as the engine runs it: one function, from its start to its end.
 *
 * The engine knows no product. It takes the run, hands the task its means, keeps the run alive while the task works, and ends the run
 * with what the task came to. A task may be started again at any moment (`run.isResumed`): what it has not committed never happened.
 */
import type { FeedType, RunKind } from '#contract/runs.ts'
import type { TaskResults, TaskUrl } from '#backend/store/run-store.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { PageLink } from '#backend/crawler/page/page.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'

/** Who does the work of each kind of run; a kind that is not named is taken by no engine. */
export type Tasks = Partial<Record<Exclude<RunKind, 'crawl'>, Task>>

/**
 * Works until it is done, or until its signal aborts; then it should return or throw soon.
 *
 * Throwing is a mistake of ours: the task is started again, and the run is `failed` when that does not help. What the web does wrong is
 * an ending like others.
 */
export type Task = (context: TaskContext) => Promise<TaskEnding>

export type TaskRun = {
  no: number
  id: string
  teamId: string
  /** What people call it: the query, the address. */
  label: string
  pageLimit: number
  /** As it was given to `runs.start`. */
  spec: RunSpec
  /** The addresses as they were submitted. */
  seeds: string[]
  /** Results counted by earlier commits; more than 0 only when resumed. */
  kept: number
  /** It was started before, and has not come to its end: a crash, a restart, a fault. */
  isResumed: boolean
}

export type TaskEnding = {
  status: 'finished' | 'failed'
  /** One word for the row: `done`, `no_provider`, `unreachable` … */
  reason: string
  /** The last line of the feed. */
  type: FeedType
  message: string
  /** Written in the very transaction that ends the run, so that its last event finds the result. */
  results?: TaskResults
  /** How many results that adds to those counted. */
  kept?: number
  /** Credits used in all. Unless told: what commits have used, else all that were held; none when it has failed, whatever is told. */
  used?: number
}

export type TaskChange = { kept?: number; used?: number }

/**
 * Why the signal of a task aborted (`signal.reason`). After `deadline` the task has five seconds in which `commit` and its ending still
 * count; after the others nothing does.
 */
export type TaskStop = 'canceled' | 'deadline' | 'shutdown' | 'taken'

/** Thrown by `commit` when the run is no longer ours: leave, nothing is to be tidied up. */
export class RunOver extends Error {}

export type TaskContext = {
  run: TaskRun
  signal: AbortSignal
  /** For measuring time: it only goes forward. */
  now: () => number
  /** What the task has kept by its commits, of earlier starts too. */
  kept: {
    /** Null when there is none. */
    document(): Promise<unknown>
    /** In the order of `seq`, from that one on. */
    urls(from: number, limit: number): Promise<TaskUrl[]>
  }
  /** A line of the feed; lines are committed soon, in their order, and before the end. */
  tell(type: FeedType, message: string, metadata?: Record<string, unknown>): void
  /**
   * Writes in one transaction, after the check that the run is still ours; the lines told so far go with it. Resolves when that is durable:
   * a full disk is waited for.
   *
   * @param results  what is to be kept; it must not change afterwards
   * @param change   `kept`: how many results this adds, for the run's count; `used`: credits used so far in all, which is what a run that is
   *                 canceled pays. Unless told, the first result uses all that are held.
   * Rejects with `RunOver` when the run has been canceled, taken or ended.
   */
  commit(results: TaskResults, change?: TaskChange): Promise<void>
  /**
   * Fetches politely: per host and per address in line with everything else that this engine fetches, through the one door to the outside,
   * without asking robots rules. Follows redirects, each hop judged and paid for like a request. Never rejects for what the web does.
   */
  fetch(request: TaskRequest): Promise<FetchOutcome>
  /** Fetches a page and reads it in the parser threads. `page` is null when there is none: `outcome` (or `unread`) says why. */
  readPage(url: string, options?: Pick<TaskRequest, 'headers' | 'timeoutMs' | 'signal' | 'follows' | 'tries'>): Promise<PageAnswer>
  /**
   * Has a page drawn by a browser, and reads what its scripts made of it. Null, where there is a browser, when it cannot draw this address:
   * a file, a browser that does not start, a page that does not come to an end; `readPage` may read it.
   *
   * `locale` is a BCP 47 tag, `timeoutMs` the most milliseconds of its load.
   */
  drawPage: null | ((url: string, options: { locale: string; timeoutMs: number; signal?: AbortSignal }) => Promise<PageAnswer | null>)
}

export type TaskRequest = {
  /** Absolute http(s) URL. */
  url: string
  /** Extra headers; they go to the host of `url` only. */
  headers?: Record<string, string>
  /** Most milliseconds for all hops of one try together, waiting for a turn not counted. 20 s unless told. */
  timeoutMs?: number
  /** Most bytes of the body, on the wire and again when decoded. What a crawl's page may have, unless told. */
  maxBytes?: number
  /** What a body over `maxBytes` comes to: the failure `too_large` (default), or its beginning with `truncated`. */
  overflow?: 'fail' | 'cut'
  /** Besides the task's own signal. */
  signal?: AbortSignal
  /** Most tries; which failures are worth another, and after what pause, is the table in `politeness.ts`. 1 unless told. */
  tries?: number
  /** Asked before a redirect to another host is followed; when false the outcome is that redirect. All are followed unless told. */
  follows?: (url: string) => boolean
  /**
   * Takes the body of a 2xx answer piece by piece, decoded, instead of `body`, which stays empty; the next piece waits for the promise.
   * What it throws ends the fetch and is thrown on. Once it was called there is no further try.
   */
  onChunk?: (chunk: Uint8Array, head: { url: string; status: number; contentType: string | null }) => void | Promise<void>
  /** A body that is itself a gzip file (`sitemap.xml.gz`), whatever its headers say, is unpacked too. */
  unpacksGzip?: boolean
}

export type TaskPage = {
  /** The final address. */
  url: string
  title: string | null
  /** What its metadata say: `description`, else `og:description`. */
  description: string | null
  language: string | null
  canonicalUrl: string | null
  /** Each address once, absolute and canonical (no fragment, no tracking parameters), in the order of the page; 5,000 at most. */
  links: Pick<PageLink, 'url' | 'text'>[]
}

export type PageAnswer = {
  outcome: FetchOutcome
  page: TaskPage | null
  /** Why a fetched body could not be read: not a type that holds text, broken, a status that brings no page. */
  unread?: string
}
