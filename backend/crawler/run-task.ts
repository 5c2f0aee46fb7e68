/**
 * One task in the hands of its owner: gives it its means, keeps its run alive, and ends the run with what the task came to.
 *
 * All that is written goes through `task-tables.ts`, which proves each time that the run is still ours. Whatever takes the run away (a
 * stop, another owner, the server's end) aborts the task's signal, and from then on the task can neither write nor fetch.
 */
import type { FeedType, RunStatus } from '#contract/runs.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import type { FeedLine } from './changes.ts'
import type { Hint } from './committer.ts'
import type { Clock } from '#backend/platform/clock.ts'
import type { Fetcher } from './fetch/fetcher.ts'
import type { RunProxy } from './fetch/proxy.ts'
import type { Host, Hosts } from './hosts.ts'
import type { ParsePool } from './parse-pool.ts'
import type { HostSignal } from './politeness.ts'
import type { RunRow } from './run-crawl.ts'
import { RunOver } from './task.ts'
import type { Task, TaskChange, TaskContext, TaskEnding, TaskStop } from './task.ts'
import { NO_SECRETS, ownHeaders } from './own-headers.ts'
import type { RunSecrets } from './own-headers.ts'
import { createTaskFetch } from './task-fetch.ts'
import type { Place } from './task-fetch.ts'
import { createReadPage } from './task-pages.ts'
import type { HeldTask, LastLine, Refusal, TaskTables } from './task-tables.ts'

/** Lines that are told together share a commit. */
const TELL_MS = 50
const AGAIN_MS = 1000
const MOST_LINES = 400
const RENEW_MS = 5000
/** How long after its deadline a task may hand over what it has. */
const DEADLINE_GRACE_MS = 5000

export type TaskNeeds = {
  row: RunRow
  /** Credentials of its addresses; `lost` when they cannot be opened. */
  secrets: RunSecrets | 'lost'
  options: Record<string, unknown>
  seeds: string[]
  isResumed: boolean
  task: Task
  connection: SqliteConnection
  tables: TaskTables
  fetcher: Fetcher
  /** What every request of the run leaves through. */
  through: RunProxy
  hosts: Hosts
  pool: ParsePool
  clock: Clock
  /** Milliseconds of work after which a run ends with what it has. */
  mostWorkMs: number
  random: () => number
  maxConcurrency: number
  maxPageBytes: number
  /** The run is over for this engine: ended, or lost. */
  gone: (why: RunStatus | 'taken' | 'broken', fault?: unknown) => void
  holdBytes: (change: number) => void
  publish: (hints: Hint[]) => void
  /** A request waits for its turn, or has ended. */
  pump: () => void
  report: (message: string, fault: unknown) => void
}

export type TaskRun = ReturnType<typeof createTaskRun>

type Waiting = { host: Host; granted: (place: Place | null) => void }
type End = { last: LastLine; write: (connection: SqliteConnection) => void; change: TaskChange }

export function createTaskRun(needs: TaskNeeds) {
  const { clock, connection, hosts, row, tables } = needs
  const { steady, wall } = clock
  const takenAt = steady()
  const deadline = takenAt + Math.max(0, needs.mostWorkMs - row.worked_ms)
  const workedMs = () => Math.round(row.worked_ms + steady() - takenAt)
  const stop = new AbortController()
  const held: HeldTask = { no: row.no, teamId: row.team_id, token: row.token, kept: row.kept, eventSeq: row.event_seq, workedMs }
  /** Requests that wait for their turn, in the order of asking. */
  const queue = new Set<Waiting>()
  let lines: FeedLine[] = []
  let inHand = 0
  let isOver = false
  let end: End | null = null
  let graceUntil: number | null = null
  let renewedAt = takenAt
  let againAt = 0
  let tellTimer: NodeJS.Timeout | undefined
  /** Not every task asks the web itself: which way it goes is said when it does. */
  let isWaySaid = false
  const send = createTaskFetch({
    fetcher: needs.fetcher,
    headersFor: ownHeaders({}, needs.secrets === 'lost' ? NO_SECRETS : needs.secrets, []),
    hosts,
    maxPageBytes: needs.maxPageBytes,
    now: steady,
    proxy: needs.through.proxy,
    random: needs.random,
    signal: stop.signal,
    turnAt,
  })
  const fetch: TaskContext['fetch'] = (request) => {
    sayWay()
    return send(request)
  }
  const context: TaskContext = {
    run: {
      no: row.no,
      id: row.id,
      teamId: row.team_id,
      label: row.label,
      pageLimit: row.page_limit,
      options: needs.options,
      seeds: needs.seeds,
      kept: row.kept,
      isResumed: needs.isResumed,
    },
    signal: stop.signal,
    now: steady,
    connection,
    tell,
    commit,
    fetch,
    readPage: createReadPage({ fetch, holdBytes: needs.holdBytes, pool: needs.pool, share: row.team_id }),
  }
  let settled: Promise<void> = Promise.resolve()
  return {
    isTask: true as const,
    no: row.no,
    share: row.team_id,
    token: row.token,
    start,
    workedMs,
    turn,
    look,
    cancel,
    shutDown,
    drop: () => leave('taken'),
    /** A task is short, or waits for the web: it keeps its place to its end. */
    yieldPlace: () => undefined,
    isYielding: false as const,
    pagesThisSlice: 0,
    knownBytes: 0,
    get inHand() {
      return inHand
    },
  }

  async function start() {
    if (needs.isResumed) tell('info', 'Started again after an interruption')
    if (needs.through.notice?.type === 'warning') sayWay()
    settled = work()
  }

  async function work() {
    let ending: TaskEnding
    try {
      ending = await needs.task(context)
    } catch (fault) {
      if (isOver || end !== null) return
      if (graceUntil === null) leave('broken', fault)
      else endAtDeadline(null)
      return
    }
    if (isOver || end !== null) return
    if (graceUntil !== null) return endAtDeadline(ending)
    const { message, reason, status, type, write = nothing } = ending
    endWith({ last: { status, reason, type, message }, write, change: changeOf(ending) })
  }

  function sayWay() {
    const { notice } = needs.through
    if (isWaySaid || notice === null) return
    isWaySaid = true
    tell(notice.type, notice.message)
  }

  // ---- what the task is given

  function tell(type: FeedType, message: string, metadata: Record<string, unknown> = {}) {
    if (isOver || end !== null) return
    lines.push({ type, message: message.slice(0, 1000), at: wall(), metadata })
    if (lines.length > MOST_LINES) lines.shift()
    tellTimer ??= setTimeout(writeLines, TELL_MS)
  }

  function commit(write: (connection: SqliteConnection) => void, change: TaskChange = {}) {
    if (isOver || end !== null) throw new RunOver('the run is over')
    const refusal = tables.commit(held, lines, write, change)
    if (refusal !== null) {
      giveWay(refusal)
      throw new RunOver(`the run is ${refusal}`)
    }
    committed()
  }

  /** Waits for a turn at a host; the engine gives turns to all its runs, one after the other. */
  function turnAt(host: Host, signal: AbortSignal): Promise<Place | null> {
    if (signal.aborted) return Promise.resolve(null)
    const { promise, resolve } = Promise.withResolvers<Place | null>()
    const waiting: Waiting = { host, granted: resolve }
    const abort = () => queue.delete(waiting) && resolve(null)
    signal.addEventListener('abort', abort, { once: true })
    void promise.then(() => signal.removeEventListener('abort', abort))
    queue.add(waiting)
    needs.pump()
    return promise
  }

  // ---- what the engine asks for

  /** The first request whose host may be asked now, or when to ask again. What is taken counts at once. */
  function turn(at: number): { url: string; work: () => Promise<void>; giveUp: (fault: unknown) => void } | { opensAt: number } {
    let opensAt = Infinity
    if (isOver || inHand >= needs.maxConcurrency) return { opensAt }
    for (const waiting of queue) {
      const { host } = waiting
      if (!hosts.isOpen(host, at)) {
        opensAt = Math.min(opensAt, hosts.waitsUntil(host))
        continue
      }
      queue.delete(waiting)
      hosts.start(host)
      inHand += 1
      return { url: host.key, work: () => grant(waiting), giveUp: () => undefined }
    }
    return { opensAt }
  }

  /** Resolves when the place has been given back. */
  function grant({ host, granted }: Waiting): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const release = (signal: HostSignal | null) => {
      hosts.end(host, signal)
      inHand -= 1
      resolve()
    }
    granted({ release })
    return promise
  }

  /** Asked a few times a second: the lease, the deadline, and what could not be written before. */
  function look(at: number) {
    if (isOver) return
    if (end !== null) {
      if (at >= againAt) writeEnd(end)
      return
    }
    if (at >= renewedAt + RENEW_MS) {
      renewedAt = at
      const refusal = tables.renew(held)
      if (refusal !== null) return giveWay(refusal)
    }
    if (graceUntil === null && at >= deadline) {
      graceUntil = at + DEADLINE_GRACE_MS
      abort('deadline')
    } else if (graceUntil !== null && at >= graceUntil) endAtDeadline(null)
  }

  /** Stops at once; what is committed stays. */
  function cancel() {
    if (isOver || end?.last.status === 'canceled') return
    abort('canceled')
    const message = `Canceled with ${results(held.kept)}`
    endWith({ last: { status: 'canceled', reason: 'canceled', type: 'warning', message }, write: nothing, change: {} })
  }

  /** Nothing more is fetched or written; resolves when the task has returned. The run stays unfinished. */
  async function shutDown(): Promise<void> {
    if (!isOver && end === null) writeLines()
    isOver = true
    clearTimeout(tellTimer)
    abort('shutdown')
    await settled
  }

  // ---- ends

  function endAtDeadline(ending: TaskEnding | null) {
    const total = held.kept + (ending?.kept ?? 0)
    const last = {
      status: total > 0 ? ('finished' as const) : ('failed' as const),
      reason: 'time_limit',
      type: 'warning' as const,
      message: `The time limit was reached with ${results(total)}`,
    }
    endWith({ last, write: ending?.write ?? nothing, change: changeOf(ending) })
  }

  function endWith(wanted: End) {
    end = wanted
    clearTimeout(tellTimer)
    tellTimer = undefined
    writeEnd(wanted)
  }

  function writeEnd({ change, last, write }: End) {
    let refusal: Refusal | null
    try {
      refusal = tables.end(held, lines, last, write, change)
    } catch (fault) {
      if (!isTrouble(fault)) return leave('broken', fault)
      needs.report('the end of a run cannot be written', fault)
      againAt = steady() + AGAIN_MS
      return
    }
    if (refusal !== null) return giveWay(refusal)
    committed(last.status)
    leave(last.status)
  }

  function writeLines() {
    tellTimer = undefined
    if (isOver || end !== null || lines.length === 0) return
    try {
      const refusal = tables.commit(held, lines, nothing, {})
      if (refusal !== null) return giveWay(refusal)
      committed()
    } catch (fault) {
      if (!isTrouble(fault)) return leave('broken', fault)
      needs.report('lines of a run cannot be written', fault)
      tellTimer = setTimeout(writeLines, AGAIN_MS)
    }
  }

  function committed(status: RunStatus = 'running') {
    lines = []
    renewedAt = steady()
    needs.publish([{ runNo: row.no, eventSeq: held.eventSeq, status }])
  }

  function giveWay(refusal: Refusal) {
    if (refusal === 'canceling') cancel()
    else leave('taken')
  }

  function leave(why: RunStatus | 'taken' | 'broken', fault?: unknown) {
    if (isOver) return
    isOver = true
    clearTimeout(tellTimer)
    abort('taken')
    needs.gone(why, fault)
  }

  /** The first reason stays. */
  function abort(why: TaskStop) {
    stop.abort(why)
  }
}

const nothing = () => undefined
const changeOf = (ending: TaskEnding | null): TaskChange => ({
  ...(ending?.kept === undefined ? {} : { kept: ending.kept }),
  ...(ending?.used === undefined ? {} : { used: ending.used }),
})
const results = (count: number) => `${count} ${count === 1 ? 'result' : 'results'}`
