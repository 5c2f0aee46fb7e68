/**
 * Runs one task: provides its context, keeps its run alive, and ends the run with the task's ending.
 *
 * All writes go through `task-writer.ts`, in order. Whatever takes the run away (a stop, another owner, the end of the server) aborts the
 * task's signal; from then on the task can neither write nor fetch.
 */
import type { FeedType, RunStatus } from '#contract/runs.ts'
import type { LostWhy, RunEnding, RunHint, RunStore, TakenRun, TaskCommit, TaskResults } from '#backend/store/run-store.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { workingFor } from '#backend/platform/current-share.ts'
import type { Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import { createHostRequests } from '#backend/crawler/frontier/host-requests.ts'
import type { Turn } from '#backend/crawler/frontier/host-requests.ts'
import type { Hosts } from '#backend/crawler/frontier/hosts.ts'
import type { ParsePool } from '#backend/crawler/page/parse-pool.ts'
import { RunOver } from './task.ts'
import type { Task, TaskChange, TaskContext, TaskEnding, TaskStop } from './task.ts'
import { NO_SECRETS, ownHeaders } from '#backend/crawler/crawl/own-headers.ts'
import type { RunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import type { RunRendering } from '#backend/crawler/crawl/crawl-rendering.ts'
import { createTaskFetch } from './task-fetch.ts'
import { createRenderPage } from './task-rendering.ts'
import { createReadOutcome, createReadPage } from './task-pages.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import { createTaskWriter } from './task-writer.ts'
import type { TaskEnd } from './task-writer.ts'

/** Feed lines reported within this time share a commit. */
const TELL_MS = 50
/** How long after its deadline a task may still deliver results. */
const DEADLINE_GRACE_MS = 5000

type TaskNeeds = {
  row: TakenRun
  /** Credentials of its URLs; `lost` when they cannot be decrypted. */
  secrets: RunSecrets | 'lost'
  spec: RunSpec
  seeds: string[]
  task: Task
  store: Pick<RunStore, 'commit' | 'taskDocument' | 'taskUrls'>
  fetcher: Fetcher
  /** The proxy of every request. */
  through: RunProxy
  hosts: Hosts
  pool: ParsePool
  /** Null without a browser. */
  rendering: RunRendering | null
  clock: Clock
  /** After so many milliseconds of work the run ends with what it has. */
  mostWorkMs: number
  random: () => number
  maxConcurrency: number
  maxPageBytes: number
  /** Called when this engine is done with the run: it ended or was lost. */
  gone: (why: RunStatus | 'taken' | 'broken', fault?: unknown) => void
  holdBytes: (change: number) => void
  publish: (hints: RunHint[]) => void
  /** Called when a request waits for its turn, or has ended. */
  pump: () => void
  report: (message: string, fault: unknown) => void
}

export type TaskRun = ReturnType<typeof createTaskRun>

export function createTaskRun(needs: TaskNeeds) {
  const { clock, hosts, row, store } = needs
  const { steady, wall } = clock
  const takenAt = steady()
  const deadline = takenAt + Math.max(0, needs.mostWorkMs - row.workedMs)
  const workedMs = () => Math.round(row.workedMs + steady() - takenAt)
  const stop = new AbortController()
  const writer = createTaskWriter({ row, store, workedMs, publish: needs.publish, report: needs.report, lost })
  const requests = createHostRequests({ hosts, maxConcurrency: needs.maxConcurrency, pump: needs.pump })
  let isOver = false
  /** Set once it is known how the run will end. */
  let end: 'canceled' | 'other' | null = null
  let reason: string | undefined
  let graceUntil: number | null = null
  let tellTimer: NodeJS.Timeout | undefined
  /** The feed names the proxy with the first request, because not every task sends one. */
  let isProxyNamed = false
  const headersFor = ownHeaders({}, needs.secrets === 'lost' ? NO_SECRETS : needs.secrets, [])
  const send = createTaskFetch({
    fetcher: needs.fetcher,
    headersFor,
    hosts,
    maxPageBytes: needs.maxPageBytes,
    proxy: needs.through.proxy,
    random: needs.random,
    signal: stop.signal,
    turnAt: requests.turnAt,
  })
  const fetch: TaskContext['fetch'] = (request) => {
    nameProxy()
    return send(request)
  }
  const read = createReadOutcome({ holdBytes: needs.holdBytes, pool: needs.pool, share: row.share })
  const render =
    needs.rendering === null
      ? null
      : createRenderPage({
          headersFor,
          hosts,
          maxBytes: needs.maxPageBytes,
          proxy: needs.through.proxy,
          queue: needs.rendering.queue,
          read,
          share: row.share,
          signal: stop.signal,
        })
  const context: TaskContext = {
    run: {
      no: row.runNo,
      id: row.id,
      teamId: row.teamId,
      label: row.label,
      pageLimit: row.pageLimit,
      spec: needs.spec,
      seeds: needs.seeds,
      kept: row.kept,
      isResumed: row.isResumed,
    },
    signal: stop.signal,
    now: steady,
    kept: { document: () => store.taskDocument(row.runNo), urls: (from, limit) => store.taskUrls(row.runNo, from, limit) },
    tell,
    commit,
    fetch,
    readPage: createReadPage(fetch, read),
    renderPage:
      render === null
        ? null
        : (url, options) => {
            nameProxy()
            return render(url, options)
          },
  }
  let settled: Promise<void> = Promise.resolve()
  return {
    isTask: true as const,
    isShort: true,
    no: row.runNo,
    share: row.share,
    team: row.teamId,
    token: row.token,
    start,
    workedMs,
    turn,
    look,
    cancel,
    lost,
    shutDown,
    drop() {
      writer.close()
      leave('taken')
    },
    /** What the log says of its end. */
    endFacts: () => ({ reason, workedMs: workedMs() }),
    /** Does nothing: a task is short or waits for the web, so it keeps its place to its end. */
    yieldPlace: () => undefined,
    isYielding: false as const,
    pagesThisSlice: 0,
    knownBytes: 0,
    get inProgress() {
      return requests.inProgress
    },
  }

  async function start() {
    if (row.isResumed) tell('info', 'Started again after an interruption')
    if (needs.through.notice?.type === 'warning') nameProxy()
    settled = work()
  }

  async function work() {
    let ending: TaskEnding
    try {
      ending = await workingFor(row.share, () => needs.task(context))
    } catch (fault) {
      if (isOver || end !== null) return
      if (graceUntil === null) leave('broken', fault)
      else endAtDeadline(null)
      return
    }
    if (isOver || end !== null) return
    if (graceUntil !== null) return endAtDeadline(ending)
    const { message, reason, status, type } = ending
    endWith({ ending: () => ({ status, reason, type, message }), task: taskOf(ending) })
  }

  function nameProxy() {
    const { notice } = needs.through
    if (isProxyNamed || notice === null) return
    isProxyNamed = true
    tell(notice.type, notice.message)
  }

  // ---- the task's context

  function tell(type: FeedType, message: string) {
    if (isOver || end !== null) return
    writer.tell({ type, message: message.slice(0, 1000), at: wall(), metadata: {} })
    tellTimer ??= setTimeout(writeLines, TELL_MS)
  }

  async function commit(results: TaskResults, change: TaskChange = {}): Promise<void> {
    if (isOver || end !== null) throw new RunOver('the run is over')
    await writer.commit({ ...taskOf(change), results })
  }

  // ---- for the engine

  /** The first request whose host may be asked now, or when to ask again. */
  function turn(at: number): Turn {
    return isOver ? { opensAt: Infinity } : requests.turn(at)
  }

  /** Called a few times a second: checks the deadline. */
  function look(at: number) {
    if (isOver || end !== null) return
    if (graceUntil === null && at >= deadline) {
      graceUntil = at + DEADLINE_GRACE_MS
      abort('deadline')
    } else if (graceUntil !== null && at >= graceUntil) endAtDeadline(null)
  }

  /** Stops at once; committed results stay. */
  function cancel() {
    if (isOver || end === 'canceled') return
    abort('canceled')
    writer.dropWaiting()
    const ending = (kept: number): RunEnding => ({
      status: 'canceled',
      reason: 'canceled',
      type: 'warning',
      message: `Canceled with ${resultsOf(kept)}`,
    })
    endWith({ ending, task: { kept: 0 } }, 'canceled')
  }

  function lost(why: LostWhy) {
    if (why === 'canceling') cancel()
    else leave('taken')
  }

  /** Stops fetching and writing; resolves when the task has returned. The run stays unfinished. */
  async function shutDown(): Promise<void> {
    clearTimeout(tellTimer)
    const last = !isOver && end === null && writer.hasLines ? writer.commit({ kept: 0 }) : null
    isOver = true
    abort('shutdown')
    await Promise.allSettled([last, settled])
    writer.close()
  }

  // ---- ends

  function endAtDeadline(late: TaskEnding | null) {
    const ending = (kept: number): RunEnding => ({
      status: kept > 0 ? 'finished' : 'failed',
      reason: 'time_limit',
      type: 'warning',
      message: `The time limit was reached with ${resultsOf(kept)}`,
    })
    endWith({ ending, task: taskOf(late) })
  }

  function endWith(wanted: TaskEnd, as: 'canceled' | 'other' = 'other') {
    end = as
    reason = wanted.ending(0).reason
    clearTimeout(tellTimer)
    tellTimer = undefined
    writer.end(wanted).then(leave, gaveUp)
  }

  function writeLines() {
    tellTimer = undefined
    if (isOver || end !== null || !writer.hasLines) return
    writer.commit({ kept: 0 }).catch(gaveUp)
  }

  /** Handles a write that will never succeed. */
  function gaveUp(fault: unknown) {
    if (!(fault instanceof RunOver)) leave('broken', fault)
  }

  function leave(why: RunStatus | 'taken' | 'broken', fault?: unknown) {
    if (isOver) return
    isOver = true
    clearTimeout(tellTimer)
    writer.close()
    abort('taken')
    needs.gone(why, fault)
  }

  /** Aborts the task; only the first reason counts. */
  function abort(why: TaskStop) {
    stop.abort(why)
  }
}

/** What a commit adds for a task: the results of its ending, or nothing. */
const taskOf = (done: Pick<TaskEnding, 'kept' | 'used' | 'results'> | null): TaskCommit => ({
  kept: done?.kept ?? 0,
  ...(done?.used === undefined ? {} : { used: done.used }),
  ...(done?.results === undefined ? {} : { results: done.results }),
})
const resultsOf = (count: number) => `${count} ${count === 1 ? 'result' : 'results'}`
