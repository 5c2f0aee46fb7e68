/**
 * The engine: takes runs from the job table, gives their URLs fair turns to be fetched, and ends each run. It runs crawls itself;
 * of other kinds it knows only that each run is one task (`task.ts`).
 *
 * One event loop fetches and commits; threads parse. `pump` is the only place where a fetch starts: as long as there is room, it gives
 * shares fair turns (`fetch-slots.ts`). Everything that ends calls it again.
 */
import type { RunStatus } from '#contract/runs.ts'
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { createRunStarter } from '#backend/crawler/crawl/begin-run.ts'
import { createBrokenRuns } from './broken-runs.ts'
import { createCommitter } from '#backend/crawler/crawl/committer.ts'
import { partOf, wholeRun } from '#backend/store/run-parts.ts'
import { createEngineMeans } from './engine-means.ts'
import type { EngineNeeds } from './engine-means.ts'
import { createEngineTrouble } from './engine-trouble.ts'
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import { createFetchSlots } from './fetch-slots.ts'
import { createHeldRuns, heldOf } from './held-runs.ts'
import type { EngineRun } from './held-runs.ts'
import { pause } from './pause.ts'
import { createShortTurns } from './short-turns.ts'
import { createRunTaker } from './take-runs.ts'
import type { Task } from '#backend/crawler/tasks/task.ts'
import { createWorkRecord } from './work-record.ts'

const FETCHES_PER_THREAD = 64
const QUEUED_PER_THREAD = 8
const MOST_PAGES_WAITING = 100
const MOST_BYTES_WAITING = 16 * 1024 * 1024
/** New URLs of a share that may wait for a commit: about five commits. */
const MOST_ROWS_WAITING = 20_000
/** Longest time that `pump` works in one turn of the event loop. */
const TURN_MS = 20
const LOOK_MS = 500
const RECONCILE_MS = 5000
/** A third of a lease, so that two renewals may fail. */
const RENEW_MS = 5000
const SLICE_PAGES = 500
const SLICE_MS = 10_000

const directly = (): RunProxy => ({ proxy: null, notice: null })

type Turn = Exclude<ReturnType<EngineRun['turn']>, { opensAt: number }>
export type Engine = ReturnType<typeof createEngine>

export function createEngine(needs: EngineNeeds) {
  const {
    store,
    settings,
    now,
    random,
    log,
    lookMs = LOOK_MS,
    reconcileMs = RECONCILE_MS,
    sliceMs = SLICE_MS,
    proxyFor = directly,
    traces = null,
  } = needs
  const record = needs.record ?? createWorkRecord(null)
  const publish: typeof needs.publish = (hints) => needs.publish(hints.map((hint) => ({ ...hint, runNo: wholeRun(hint.runNo) })))
  const clock: Clock = { wall: now, steady: needs.steady ?? now }
  const { steady } = clock
  const tasks = new Map<string, Task>(Object.entries(needs.tasks ?? {}))
  const turns = createFetchSlots<Turn, EngineRun>({ slots: FETCHES_PER_THREAD * settings.parserThreads })
  const trouble = createEngineTrouble({ log, onStuck: needs.onStuck })
  const means = createEngineMeans({
    clock,
    isShared: needs.isAlone !== true,
    log,
    models: needs.models ?? null,
    random,
    renderer: needs.renderer ?? null,
    report: trouble.report,
    settings,
    shares: () => turns.shares,
    store,
    traces,
  })
  const { hosts, memory, pool } = means
  const held = createHeldRuns({ most: settings.runConcurrency })
  const broken = createBrokenRuns({ held, log, now, onFault: needs.onFault ?? (() => undefined), publish, store, trouble })
  const committer = createCommitter({
    store,
    hosts,
    now,
    atWork: record.begin,
    isQuiet: () => working.size <= 1 && pool.queued === 0,
    publish,
    after: pump,
    spent: (share, ms) => pool.charge(share, ms),
    report: trouble.report,
    onStuck: (isStuck) => trouble.set({ commits: isStuck }),
  })
  const starter = createRunStarter({
    broken,
    clock,
    committer,
    held,
    leave,
    log,
    mayTurn: turns.add,
    means,
    openSecrets: needs.openSecrets ?? (() => null),
    proxyFor,
    publish,
    pump,
    random,
    record,
    report: trouble.report,
    settings,
    store,
  })
  const working = new Set<Promise<void>>()
  const closing = new AbortController()
  let isOpen = true
  let isReady = false
  const taker = createRunTaker({
    begin: (row) => starter.begin(row, tasks.get(row.kind)),
    async failed(row, fault) {
      if (held.has(row.runNo)) leave(row.runNo, 'broken', fault)
      else await broken.broke(row, fault)
    },
    held,
    isOpen: () => isOpen && isReady,
    isTask: (kind) => tasks.has(kind),
    log,
    store,
    trouble,
  })
  const { claim } = taker
  /** Shares with too much work behind their fetches. */
  const full = new Set<string>()
  let pumpTimer: NodeJS.Timeout | undefined
  const loopTurn = createShortTurns({ now: () => performance.now(), resume: pump, turnMs: TURN_MS })
  let lastReconciled = -Infinity
  let lastRenewed = performance.now()
  let isFirstReconcile = true
  let looking: Promise<void> | null = null
  const looker = setInterval(lookAround, lookMs)
  const opened = open()
  return { wake: claim, cancel, close, idleMs: held.idleMs, load }

  /** How much is in progress and waits now. */
  function load() {
    return {
      runs: held.size,
      fetches: working.size,
      hosts: hosts.size,
      parserQueue: pool.queued,
      waitingPages: committer.waiting.pages.total,
      isStuck: committer.isStuck,
    }
  }

  /** Cleans up after the last engine before the first run is taken. */
  async function open() {
    for (;;) {
      try {
        if (needs.isAfterCrash === true) await store.countCrashes(needs.suspects ?? null)
        if (needs.isAlone === true) await store.voidLeases()
        break
      } catch (fault) {
        // On a full disk crashes cannot be counted and runs cannot be taken.
        if (!(fault instanceof StoreTrouble)) throw fault
        trouble.troubled(fault)
        await pause(LOOK_MS, closing.signal)
        if (closing.signal.aborted) return
      }
    }
    isReady = true
    lookAround()
    claim()
  }

  /** Stops working on a run. */
  function leave(runNo: number, why: RunStatus | 'taken' | 'broken', fault?: unknown) {
    const run = held.get(runNo)
    if (run === undefined) return
    remove(run)
    if (why !== 'taken') starter.forget(runNo)
    if (why !== 'broken' || run.pagesThisSlice > 0) broken.forget(runNo)
    if (why === 'broken') void (run.isTask ? broken.taskBroke : broken.broke)(heldOf(run), fault)
    else if (why === 'taken' && partOf(runNo) !== null)
      log.info({ run: held.idOf(runNo), runPart: partOf(runNo)!.part }, 'a part of a run was released')
    else if (why === 'taken') log.warn({ run: held.idOf(runNo) }, 'a run was taken by another owner')
    else log.info({ run: held.idOf(runNo), status: why, ...run.endFacts(why) }, 'run ended')
    claim()
  }

  function remove(run: EngineRun) {
    held.remove(run.no)
    turns.remove(run)
    full.delete(run.share)
    memory.look()
  }

  // ---- fetching

  /** Starts fetches until there is no room, or no URL may be asked now. */
  function pump() {
    if (!isOpen) return
    clearTimeout(pumpTimer)
    const at = steady()
    while (!committer.isStuck && !loopTurn.isOver()) {
      const taken = turns.take(at, hasRoom)
      if ('opensAt' in taken) {
        if (taken.opensAt < Infinity) pumpLater(taken.opensAt - at)
        return
      }
      const { found, run } = taken
      const work = begin(run.no, found).catch((fault: unknown) => {
        log.error({ run: held.idOf(run.no), url: found.url, err: fault }, 'a URL could not be processed')
        found.giveUp(fault)
      })
      working.add(work)
      turns.change(run.share, 1)
      void work.finally(() => {
        working.delete(work)
        turns.change(run.share, -1)
        pump()
        // The run was only waiting for this fetch.
        if (run.isYielding && run.inProgress === 0) lookAround()
      })
    }
  }

  function begin(runNo: number, { url, work }: Turn) {
    return traces === null ? work() : traces.work(held.idOf(runNo), url, work)
  }

  function pumpLater(ms: number) {
    pumpTimer = setTimeout(pump, Math.min(Math.max(ms, 1), 60_000))
  }

  /** Back-pressure from parsing and commits, for each share by itself: a share that was stopped goes on only well below the limit. */
  function hasRoom(share: string): boolean {
    const { bytes, pages, rows } = committer.waiting
    const used = Math.max(
      pool.queuedOf(share) / (QUEUED_PER_THREAD * settings.parserThreads),
      memory.usedBy(share),
      pages.of(share) / MOST_PAGES_WAITING,
      (bytes.of(share) * Math.max(turns.shares, 1)) / MOST_BYTES_WAITING,
      rows.of(share) / MOST_ROWS_WAITING,
    )
    if (used >= 1) full.add(share)
    else if (used <= 0.75) full.delete(share)
    return !full.has(share)
  }

  // ---- looking after runs

  function lookAround() {
    if (!isOpen || !isReady || looking !== null) return
    looking = look()
      .catch((fault: unknown) =>
        fault instanceof StoreTrouble ? trouble.troubled(fault) : log.error({ err: fault }, 'the tables could not be read'),
      )
      .finally(() => {
        looking = null
        pump()
      })
  }

  async function look() {
    for (const { run } of held.all()) run.look(steady())
    const canceling = await store.canceling()
    for (const runNo of canceling) cancel(runNo)
    if (performance.now() - lastRenewed > RENEW_MS) await renew()
    // A run between two slices has no owner: canceling it does not wait for its end.
    if (performance.now() - lastReconciled > reconcileMs || canceling.some((runNo) => !held.isOurs(runNo))) await reconcile()
    cutWideRuns()
    if (held.size === 0 || committer.waiting.pages.total === 0) await store.sweep()
    await handPlacesOver()
    trouble.set({ tables: false })
  }

  /** Renews leases. A run whose lease is lost stops at once and writes nothing more. */
  async function renew() {
    const lost = await store.renew([...held.all()].map(({ run }) => heldOf(run)))
    lastRenewed = performance.now()
    for (const { runNo, why } of lost) held.get(runNo)?.lost(why)
  }

  /** Makes sure that every unfinished run has a job or an owner, and ends canceled runs that have no owner. */
  async function reconcile() {
    lastReconciled = performance.now()
    const { ended, jobsMade, surplus = [] } = await store.reconcile(held.numbers(), isFirstReconcile, !held.places().isFull)
    isFirstReconcile = false
    if (ended.length > 0) publish(ended)
    for (const no of surplus) held.get(no)?.yieldPlace()
    if (jobsMade > 0) claim()
    hosts.trim()
    // Also writes what tasks have learned about hosts; crawls write it with their commits.
    if (!committer.isStuck) await committer.flush()
  }

  /** Gives the place of a run whose slice is over to a waiting run. */
  async function handPlacesOver() {
    const waiting = await store.waitingRuns(true, held.numbers())
    const forPlaces = waiting.filter(({ isShort, kind }) => !isShort && !tasks.has(kind))
    for (const { run, since } of held.all()) {
      if (run.isYielding && run.inProgress === 0) await releaseSlice(run)
      else if (!run.isShort && (run.pagesThisSlice >= SLICE_PAGES || performance.now() - since >= sliceMs)) {
        const places = held.places()
        // The runs of one share take turns; another share gets the place only while it has fewer.
        const isWanted = forPlaces.some(({ share }) => share === run.share || places.of(share) < places.of(run.share))
        if (places.isFull && isWanted) run.yieldPlace()
      }
    }
    // Without a run that waits, only another attempt can tell that runs can be taken again.
    if (waiting.length > 0 || trouble.cannotTake) claim()
  }

  /** Releases a run for its next slice, once all its work is written. */
  async function releaseSlice(run: EngineRun) {
    await committer.flush()
    if (held.get(run.no) !== run || committer.isStuck) return
    const parts = partsOf(run)
    const lease = heldOf(run)
    held.taking.add(run.no)
    remove(run)
    run.drop()
    try {
      if (parts === 1 || !(await store.parts!.cut(lease, parts))) await store.release(lease)
    } finally {
      held.taking.delete(run.no)
    }
    claim()
  }

  /** Divides a crawl of many hosts for other engines, as soon as nothing of it is in progress. */
  function cutWideRuns() {
    for (const { run } of held.all()) if (partsOf(run) > 1) run.yieldPlace()
  }

  function partsOf(run: EngineRun): number {
    return run.isTask ? 1 : run.wantsParts()
  }

  function cancel(runNo: number) {
    for (const { run } of held.all()) if (wholeRun(run.no) === wholeRun(runNo)) run.cancel()
  }

  /** Stops leasing, waits `graceMs` for work in progress, commits and releases the runs, which stay pending. */
  async function close({ graceMs }: { graceMs: number }) {
    isOpen = false
    closing.abort()
    clearInterval(looker)
    clearTimeout(pumpTimer)
    // A task may still react to a commit that has just been written.
    await new Promise((resolve) => setImmediate(resolve))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    const leaving = [...held.all()].map(({ run }) => (run.isTask ? run.shutDown() : null))
    await Promise.race([Promise.allSettled([...working, ...leaving, opened, looking, ...taker.inProgress()]), late])
    clearTimeout(timer)
    await committer.flush()
    committer.close()
    await hosts.close()
    for (const { run } of held.all()) {
      const lease = heldOf(run)
      held.remove(run.no)
      run.drop()
      try {
        await store.release(lease)
      } catch (fault) {
        // The next engine finds a run without an owner.
        if (!(fault instanceof StoreTrouble)) throw fault
        trouble.troubled(fault)
      }
    }
    await means.close()
  }
}
