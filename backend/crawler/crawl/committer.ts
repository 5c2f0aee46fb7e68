/**
 * Commits what the runs of this engine have done: about thirty pages share one transaction, so that one wait for the disk serves them all.
 *
 * The changes of a run are passed to the store as a value that never changes afterwards. While one group of such values is being written,
 * the next one is collected: fetching, leasing and parsing go on. The numbers of a commit count only after it.
 */
import type { FeedType, RunStatus } from '#contract/runs.ts'
import { StoreTrouble, noChanges } from '#backend/store/run-store.ts'
import type { CommitResult, HostChanges, RunChanges, RunCommit, RunEnding, RunHint, RunStore } from '#backend/store/run-store.ts'
import type { PartState, Rest } from '#backend/store/run-parts.ts'
import { divideRows, ROWS_PER_COMMIT } from '#backend/crawler/engine/commit-space.ts'
import { createUsageByShare } from '#backend/crawler/engine/usage-by-share.ts'
import { packPages } from '#backend/crawler/page/page-groups.ts'
import type { Hosts } from '#backend/crawler/frontier/hosts.ts'

const PAGES_PER_COMMIT = 30
const BYTES_PER_COMMIT = 4 * 1024 * 1024
const LONGEST_WAIT_MS = 20
/**
 * Parts of a crawl that several engines work on: each costs a commit as many statements as a whole run, holds the row of the run that all of
 * them need, and has few pages at a time. Measured with two workers and a crawl of 20,000 pages: that row was waited for 16 s instead of 31.
 */
const LONGEST_WAIT_OF_PARTS_MS = 200
/** A full disk may have space again at any moment, and a try costs next to nothing. */
const LONGEST_BACK_OFF_MS = 5000

/** How a run is to end. When nothing was kept and no start URL could be fetched, it fails instead. */
export type Ending = { status: 'finished' | 'canceled'; reason: string; type: FeedType; message: (kept: number) => string }
const NOT_STARTED: RunEnding = {
  status: 'failed',
  reason: 'no_start_url',
  type: 'error',
  message: 'The crawl failed: none of its start URLs could be fetched',
}

/** What the committer knows of a run; the run's owner holds it and keeps `changes` up to date. */
export type OpenRun = {
  no: number
  /** Opaque key: runs with the same one divide a part of the engine between them. */
  share: string
  token: number
  /** As committed. */
  commitNo: number
  kept: number
  eventSeq: number
  /** Milliseconds that its owners have worked on it, this one included. */
  workedMs: () => number
  /** What has happened since the last hand-over. */
  changes: RunChanges
  ending: Ending | null
  /** Of a part: pages that the other parts have kept, and whether it has nothing to do. */
  keptByOthers?: number
  rest?: () => Rest | null
  /** A commit was written; `status` is the run's status now. */
  committed(status: RunStatus, part?: PartState): void
  /** The lease is lost, or the run's part cannot be written: its state in memory is useless. */
  lost(why: 'canceling' | 'taken' | 'broken', fault?: unknown): void
}

/** How much of a run waits for a commit. */
type Waiting = { pages: number; bytes: number; rows: number }
/** The part of a run in a commit. */
type Part = { run: OpenRun; value: RunCommit; waits: Waiting }
type Group = {
  parts: Part[]
  hosts: HostChanges
  /** There was no space for all that waits. */
  hasRest: boolean
  stuckSince: number | null
}

export type Committer = ReturnType<typeof createCommitter>

export function createCommitter(needs: {
  store: Pick<RunStore, 'commit'>
  hosts: Pick<Hosts, 'takeChanges' | 'hasChanges'>
  now: () => number
  /** True when no work in progress could join the next commit, which then need not wait. */
  isQuiet: () => boolean
  publish: (hints: RunHint[]) => void
  /** These runs are at work until the returned function is called. */
  atWork?: (runNos: number[]) => () => void
  /** Called when a commit has ended, written or not. */
  after: () => void
  report: (message: string, fault: unknown) => void
  /** Called when the database cannot be written, and when it can again. */
  onStuck?: (isStuck: boolean) => void
  /** Called with the milliseconds of a commit that were spent on a share. */
  spent?: (share: string, ms: number) => void
}) {
  const { store, hosts, now, isQuiet, publish, after, report } = needs
  const { atWork = () => () => undefined, onStuck = () => undefined, spent = () => undefined } = needs
  const dirty = new Map<OpenRun, Waiting>()
  const waiting = { pages: createUsageByShare(), bytes: createUsageByShare(), rows: createUsageByShare() }
  /** Handed over, and not written yet. */
  let group: Group | null = null
  let flight: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let dueAt = 0
  let firstAt = 0
  let averageMs = 0
  let lastEndedAt = -Infinity
  let faultsInRow = 0
  let stuckBecause = ''
  return {
    touch,
    touchEarly,
    forget,
    flush,
    close,
    /** Pages, bytes of their bodies, and new URLs that wait to be written: of all shares, and of each. */
    waiting,
    /** The database refuses to be written; nothing is lost, and nothing more should be fetched. */
    get isStuck() {
      return faultsInRow > 0
    },
  }

  /** Something of the run waits to be written. */
  function touch(run: OpenRun, pages = 0, bytes = 0) {
    note(run, pages, bytes)
    schedule(run.ending !== null, isQuiet())
  }

  /** The same before the first request of a run: its page can share the commit. Measured: the first result arrives 2 ms sooner. */
  function touchEarly(run: OpenRun) {
    note(run, 0, 0)
    schedule(run.ending !== null, false)
  }

  function note(run: OpenRun, pages: number, bytes: number) {
    if (dirty.size === 0) firstAt = performance.now()
    let waits = dirty.get(run)
    if (waits === undefined) dirty.set(run, (waits = { pages: 0, bytes: 0, rows: 0 }))
    count(run.share, waits, { pages: waits.pages + pages, bytes: waits.bytes + bytes, rows: run.changes.added.length })
  }

  /** Drops what waits of a run, whose lease is lost. */
  function forget(run: OpenRun) {
    const waits = dirty.get(run)
    if (waits === undefined) return
    count(run.share, waits, { pages: 0, bytes: 0, rows: 0 })
    dirty.delete(run)
  }

  function count(share: string, waits: Waiting, to: Waiting) {
    for (const kind of ['pages', 'bytes', 'rows'] as const) {
      if (to[kind] === waits[kind]) continue
      waiting[kind].change(share, to[kind] - waits[kind])
      waits[kind] = to[kind]
    }
  }

  /** @param isLast  nothing in progress could join the commit */
  function schedule(isUrgent: boolean, isLast: boolean) {
    if (immediate !== undefined || group !== null) return
    const sinceEnd = performance.now() - lastEndedAt
    // A pause as long as a commit takes leaves the lock to the API for half of the time on any disk.
    const parts = partsWaiting()
    const isFull =
      waiting.pages.total >= PAGES_PER_COMMIT * Math.max(1, parts) ||
      waiting.bytes.total >= BYTES_PER_COMMIT ||
      waiting.rows.total >= ROWS_PER_COMMIT
    if ((isUrgent || isFull || isLast) && sinceEnd >= averageMs) {
      clearTimeout(timer)
      timer = undefined
      immediate = setImmediate(() => void handOver())
      return
    }
    const patienceMs = (parts > 0 ? LONGEST_WAIT_OF_PARTS_MS : LONGEST_WAIT_MS) - (performance.now() - firstAt)
    const dueMs = Math.max(averageMs - sinceEnd, isFull || isUrgent ? 0 : patienceMs, 0)
    if (timer !== undefined && performance.now() + dueMs >= dueAt) return
    clearTimeout(timer)
    dueAt = performance.now() + dueMs
    timer = setTimeout(() => void handOver(), dueMs)
  }

  /** How many parts wait; 0 when a whole run waits too, since whole runs are committed earlier. */
  function partsWaiting(): number {
    for (const { rest } of dirty.keys()) if (rest === undefined) return 0
    return dirty.size
  }

  /** Writes everything that waits. Resolves when that is durable, or cannot be written for now (`isStuck`). */
  async function flush(): Promise<void> {
    while (flight !== null) await flight
    if (group !== null) await write(group)
    if (group === null) await handOver(true)
  }

  /** Hands over what waits; of new URLs no more than one commit has space for, unless `isAll`. */
  function handOver(isAll?: true): Promise<void> {
    stopWaiting()
    const runs = [...dirty].map(([run, { rows }]) => ({ run, share: run.share, rows }))
    const given = isAll === true || waiting.rows.total <= ROWS_PER_COMMIT ? null : divideRows(runs)
    const parts = runs.flatMap((each) => {
      const part = take(each.run, given?.get(each) ?? Infinity)
      return part === null ? [] : [part]
    })
    if (parts.length === 0 && !hosts.hasChanges()) return Promise.resolve()
    return write({ parts, hosts: hosts.takeChanges(), hasRest: given !== null, stuckSince: null })
  }

  function stopWaiting() {
    clearTimeout(timer)
    if (immediate !== undefined) clearImmediate(immediate)
    timer = immediate = undefined
  }

  /**
   * Takes the changes of a run for a commit. If it has more new URLs than there is space for, takes only the first of them: its pages follow
   * when all are written. After a crash in between, a page is fetched again, and its links are known already.
   */
  function take(run: OpenRun, rows: number): Part | null {
    const waits = dirty.get(run)!
    const { changes, commitNo, ending, eventSeq, kept, keptByOthers = 0, token } = run
    const value = { runNo: run.no, token, commitNo, eventSeq, kept, workedMs: run.workedMs() }
    dirty.delete(run)
    if (rows >= changes.added.length) {
      run.changes = noChanges()
      const rest = run.rest?.() ?? null
      return {
        run,
        waits,
        value: {
          ...value,
          changes: { ...changes, pages: packPages(changes.pages) },
          ending: ending && endingOf(ending, kept + keptByOthers + changes.pages.length),
          ...(rest !== null && { rest }),
        },
      }
    }
    // Behind the others of its share.
    dirty.set(run, { ...waits, rows: waits.rows - rows })
    if (rows === 0) return null
    const added = changes.added.slice(0, rows)
    changes.added = changes.added.slice(rows)
    return { run, waits: { pages: 0, bytes: 0, rows }, value: { ...value, changes: { ...noChanges(), added }, ending: null } }
  }

  /** Tries to write a group. The same value is tried again for as long as the machine is in trouble. */
  function write(wanted: Group): Promise<void> {
    stopWaiting()
    group = wanted
    flight = attempt(wanted).finally(() => {
      flight = null
      after()
    })
    return flight
  }

  async function attempt(wanted: Group): Promise<void> {
    const startedAt = performance.now()
    const ended = atWork(wanted.parts.map(({ run }) => run.no))
    let results: CommitResult[]
    try {
      results = await store.commit(
        wanted.parts.map(({ value }) => value),
        wanted.hosts,
      )
    } catch (fault) {
      if (fault instanceof StoreTrouble) return backOff(wanted, fault)
      results = wanted.parts.map(({ run }) => ({ kind: 'broken', fault, runNo: run.no, tookMs: 0 }))
    } finally {
      ended()
    }
    lastEndedAt = performance.now()
    group = null
    if (faultsInRow > 0) {
      faultsInRow = 0
      onStuck(false)
    }
    averageMs = averageMs * 0.8 + (lastEndedAt - startedAt) * 0.2
    settle(wanted, results)
    if (dirty.size > 0) schedule(wanted.hasRest || [...dirty.keys()].some(({ ending }) => ending !== null), isQuiet())
  }

  /** The numbers of a commit count from now on. */
  function settle({ parts, stuckSince }: Group, results: CommitResult[]) {
    const done: (CommitResult & { kind: 'done' })[] = []
    for (const [index, result] of results.entries()) {
      const { run, waits } = parts[index]!
      count(run.share, waits, { pages: 0, bytes: 0, rows: 0 })
      spent(run.share, result.tookMs)
      if (result.kind !== 'done') continue
      run.commitNo = result.commitNo
      run.kept = result.kept
      run.eventSeq = result.eventSeq
      done.push(result)
    }
    publish(done.map(({ eventSeq, runNo, status }) => ({ runNo, eventSeq, status })))
    for (const [index, result] of results.entries()) {
      const { run } = parts[index]!
      if (result.kind === 'done' && result.status === 'running') {
        if (stuckSince !== null) tellOfWait(run, stuckSince)
        run.committed('running', result.part)
        continue
      }
      // What it still has must not be written, unless that is its own end.
      if (result.kind !== 'lost' || result.why !== 'canceling' || run.ending?.status !== 'canceled') forget(run)
      if (result.kind === 'done') run.committed(result.status)
      else if (result.kind === 'lost') run.lost(result.why)
      else run.lost('broken', result.fault)
    }
  }

  /** The feed of a run reports the delay once its changes could be written. */
  function tellOfWait(run: OpenRun, since: number) {
    const at = now()
    const seconds = Math.max(1, Math.round((at - since) / 1000))
    run.changes.feed.push({ type: 'warning', message: `${stuckBecause}: the crawl waited ${seconds} s and goes on`, at, metadata: {} })
    touch(run)
  }

  function backOff(wanted: Group, fault: StoreTrouble) {
    faultsInRow += 1
    wanted.stuckSince ??= now()
    if (faultsInRow === 1) {
      stuckBecause = fault.isFull ? 'The disk of the server was full' : 'The database could not be written'
      onStuck(true)
      report('the database cannot be written; nothing is lost, and it is tried again every few seconds', fault)
    }
    timer = setTimeout(() => void write(wanted), Math.min(1000 * 2 ** (faultsInRow - 1), LONGEST_BACK_OFF_MS))
  }

  function close() {
    stopWaiting()
  }
}

/** Why a run ended with this status: one that was to finish fails if it has fetched nothing. */
export const reasonOf = (ending: Ending | null, status: RunStatus): string | undefined =>
  ending === null || ending.status === status ? ending?.reason : NOT_STARTED.reason

const endingOf = ({ message, ...ending }: Ending, kept: number): RunCommit['ending'] => ({
  ...ending,
  message: message(kept),
  ...(ending.status === 'finished' && { ifNothingFetched: NOT_STARTED }),
})
