/**
 * The engine: takes runs from the job table, lets their URLs be fetched in fair turns, and brings each run to its end. Crawls are its own
 * work; of the other kinds of runs it knows only that each is one task (`task.ts`).
 *
 * One event loop fetches and commits, threads parse. `pump` is the only place where a fetch starts: it lets shares take fair
 * turns (`fetch-slots.ts`) as long as there is room. Everything that ends calls it again.
 */
import type { Clock } from '#backend/platform/clock.ts'
import type { RunStatus } from '#contract/runs.ts'
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { HeldRun, RunHint, RunStore, TakenRun, WaitingRun } from '#backend/store/run-store.ts'
import { LRUCache } from 'lru-cache'
import { getDomain } from 'tldts'
import { createCommitter } from './committer.ts'
import { hostKey } from './canonical-url.ts'
import { createByteBudget } from './byte-budget.ts'
import type { CrawlSpec } from './crawl-spec.ts'
import { createEgress } from './fetch/egress.ts'
import { frontierStore } from './frontier-store.ts'
import type { HostRecord } from './host-record.ts'
import { robotsFetch } from './fetch/fetch-robots.ts'
import { httpFetcher } from './fetch/http-fetcher.ts'
import { NO_SECRETS } from './own-headers.ts'
import type { RunSecrets } from './own-headers.ts'
import type { RunProxy } from './fetch/proxy.ts'
import { createFetchSlots } from './fetch-slots.ts'
import { createHosts } from './hosts.ts'
import { createParsePool } from './parse-pool.ts'
import type { PageToParse, ParsePool } from './parse-pool.ts'
import { pause } from './pause.ts'
import { countPlaces } from './places.ts'
import { createRobotsCache } from './robots-cache.ts'
import { createCrawlRun } from './run-crawl.ts'
import type { CrawlRun } from './run-crawl.ts'
import { createTaskRun } from './run-task.ts'
import type { TaskRun } from './run-task.ts'
import type { Task, Tasks } from './task.ts'
import { definePageRules } from './task-pages.ts'
import { createWorkRecord } from './work-record.ts'
import type { WorkRecord } from './work-record.ts'

/** What the operator set, as plain values: they travel to the engine's process. */
export type EngineSettings = {
  userAgent: string
  productToken: string
  obeysRobots: boolean
  maxConcurrency: number
  hostConcurrency: number
  hostDelayMs: number
  maxPageBytes: number
  maxJobSeconds: number
  egressAllow: string
  egressResolver: string | null
  parserThreads: number
  /** Runs in hand at once. */
  runConcurrency: number
}

export type EngineLog = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

const FETCHES_PER_THREAD = 64
const QUEUED_PER_THREAD = 8
const MOST_BYTES = 256 * 1024 * 1024
const MOST_PAGES_WAITING = 100
const MOST_BYTES_WAITING = 16 * 1024 * 1024
/** New URLs of a share that wait for a commit: about five commits. */
const MOST_ROWS_WAITING = 20_000
/** Memory of known URLs over which no further run is taken. */
const MOST_KNOWN_BYTES = 250 * 1024 * 1024
const LOOK_MS = 500
const RECONCILE_MS = 5000
/** A third of a lease: two renewals may fail. */
const RENEW_MS = 5000
const SLICE_PAGES = 500
const SLICE_MS = 10_000
/** A run whose memory had to be thrown away so often without a page in between is ended. */
const MOST_BREAKS = 3
const MOST_NAMES = 10_000
const MOST_RECORDS = 1000
/** After this a suspect that is still at it no longer keeps other suspects waiting. */
const SUSPECT_ALONE_MS = 10_000
/** Most tasks in hand, as a multiple of the places; of one team no more than there are places. */
const TASKS_PER_PLACE = 8

const directly = (): RunProxy => ({ proxy: null, notice: null })
const BROKEN = { reason: 'internal', message: 'Stopped after repeated internal errors' }
/** A run that names a proxy goes through it or not at all. */
const withoutProxy = (slug: string | null) => ({
  reason: 'proxy_missing',
  message: `Stopped: the proxy server “${slug}” no longer exists, and this run must not make requests without it`,
})

type EngineRun = CrawlRun | TaskRun
type Turn = Exclude<ReturnType<EngineRun['turn']>, { opensAt: number }>
/** A suspect was at work when an engine died, and has committed nothing since. */
type InHand = { run: EngineRun; since: number; isSuspect: boolean }
export type Engine = ReturnType<typeof createEngine>

export function createEngine(needs: {
  store: RunStore
  settings: EngineSettings
  /** The clock of the day. */
  now: () => number
  /** The clock that everything is waited for and measured by; without one that of the day, which then must not jump. */
  steady?: () => number
  random: () => number
  publish: (hints: RunHint[]) => void
  log: EngineLog
  /** Who does the work of runs that are no crawls; runs of other kinds are left alone. */
  tasks?: Tasks
  /** What the requests of a team's run leave through, by the name that its spec gives, asked when the run is taken; null when none has that name. */
  proxyFor?: (teamId: string, slug: string | null) => RunProxy | null
  /** Opens what is sealed of a run; null when that cannot be. */
  openSecrets?: (runId: string, sealed: string) => RunSecrets | null
  /** No other engine works on this database: leases of others are void, and hosts need none. */
  isAlone?: boolean
  /** The last engine over this database crashed: the runs that it worked on are suspects. */
  isAfterCrash?: boolean
  /** What the last engine was at work on when it died; null when that is not known, and then all that it held are suspect. */
  suspects?: readonly number[] | null
  /** Where it is written down which runs are at work. */
  record?: WorkRecord
  /** The database refuses to be written, or takes what is written again. */
  onStuck?: (isStuck: boolean) => void
  /** How often the store is looked at, whatever the hints say. */
  lookMs?: number
  /** How often runs without an owner are looked for. */
  reconcileMs?: number
}) {
  const { store, settings, now, random, publish, log, lookMs = LOOK_MS, reconcileMs = RECONCILE_MS, proxyFor = directly } = needs
  const { openSecrets = () => null } = needs
  const record = needs.record ?? createWorkRecord(null)
  const clock: Clock = { wall: now, steady: needs.steady ?? now }
  const { steady } = clock
  const mostWorkMs = settings.maxJobSeconds * 1000
  const tasks = new Map<string, Task>(Object.entries(needs.tasks ?? {}))
  const egress = createEgress({
    allow: settings.egressAllow,
    connectionsPerOrigin: settings.hostConcurrency,
    resolver: settings.egressResolver,
    userAgent: settings.userAgent,
  })
  const memory = createByteBudget({ most: MOST_BYTES, reserve: settings.maxPageBytes, shares: () => turns.shares })
  const fetcher = httpFetcher({ egress, memory })
  const hosts = createHosts({
    addressOf: egress.addressOf,
    store,
    limits: { concurrency: settings.hostConcurrency, delayMs: settings.hostDelayMs },
    clock,
    random,
    isShared: needs.isAlone !== true,
    report: (message, fault) => log.error({ err: fault }, message),
  })
  const pool = createParsePool({ threads: settings.parserThreads })
  const robots = createRobotsCache({
    fetch: robotsFetch({ fetcher, beforeHop: keepHostPause }),
    load: hosts.loadRobots,
    save: hosts.saveRobots,
    now: steady,
    productToken: settings.productToken,
  })
  const committer = createCommitter({
    store,
    hosts,
    now,
    atWork: record.begin,
    isQuiet: () => working.size <= 1 && pool.queued === 0,
    publish,
    after: pump,
    spent: (share, ms) => pool.charge(share, ms),
    report: (message, fault) => log.error({ err: fault }, message),
    onStuck: (isStuck) => setStuck({ commits: isStuck }),
  })
  const runs = new Map<number, InHand>()
  /** The names of runs outside, by which the log knows them. */
  const names = new LRUCache<number, string>({ max: MOST_NAMES })
  const idOf = (runNo: number) => names.get(runNo) ?? String(runNo)
  /** How often runs broke in a row. */
  const breaks = new Map<number, number>()
  const turns = createFetchSlots<Turn, EngineRun>({ slots: FETCHES_PER_THREAD * settings.parserThreads })
  /** What runs know of their hosts, kept between their slices. */
  const hostRecords = new Map<number, Map<string, HostRecord>>()
  const working = new Set<Promise<void>>()
  const stuck = { commits: false, tables: false }
  const closing = new AbortController()
  let isOpen = true
  let isReady = false
  /** Shares with as much behind their fetches as they may have. */
  const full = new Set<string>()
  let claiming: Promise<void> | null = null
  /** When a run of each team was taken last, counted in runs. */
  const served = new LRUCache<string, number>({ max: MOST_NAMES })
  let turn = 0
  /** Teams one of whose runs is being taken up. */
  const starting = new Map<string, Promise<void>>()
  let claimAgain = false
  let pumpTimer: NodeJS.Timeout | undefined
  let lastReconciled = -Infinity
  let idleSince = performance.now()
  let lastRenewed = performance.now()
  let isFirstReconcile = true
  let looking: Promise<void> | null = null
  /** Runs that are being taken or released: leased by this engine, but not being worked on. */
  const taking = new Set<number>()
  definePageRules(pool, settings.maxPageBytes)
  const looker = setInterval(lookAround, lookMs)
  const opened = open()
  return {
    wake: claim,
    cancel,
    close,
    /** Milliseconds since the last run left; 0 while there is one. */
    idleMs: () => (runs.size > 0 ? 0 : performance.now() - idleSince),
  }

  /** What the last engine has left is put right before the first run is taken. */
  async function open() {
    for (;;) {
      try {
        if (needs.isAfterCrash === true) await store.countCrashes(needs.suspects ?? null)
        if (needs.isAlone === true) await store.voidLeases()
        break
      } catch (fault) {
        // On a full disk nothing can be counted or taken.
        if (!(fault instanceof StoreTrouble)) throw fault
        troubled(fault)
        await pause(LOOK_MS, closing.signal)
        if (closing.signal.aborted) return
      }
    }
    isReady = true
    lookAround()
    claim()
  }

  // ---- taking runs

  /** Takes as many runs as there are places for, the team with the fewest first. */
  function claim() {
    if (!isReady) return
    if (claiming !== null) {
      claimAgain = true
      return
    }
    claiming = claimAll()
      .catch((fault: unknown) => (fault instanceof StoreTrouble ? troubled(fault) : log.error({ err: fault }, 'a run could not be taken')))
      .finally(() => {
        claiming = null
        if (!claimAgain) return
        claimAgain = false
        claim()
      })
  }

  async function claimAll() {
    while (isOpen) {
      const held = places()
      if (held.isOver) return
      const mayTake = (kind: string, teamId: string) => !starting.has(teamId) && held.mayTake(teamId) && mayTakeTask(kind, teamId)
      const waiting = await store.waitingRuns(!holdsSuspect())
      const next = nextOf(waiting, (teamId) => ({ runs: held.of(teamId), servedAt: served.get(teamId) ?? 0 }), mayTake)
      if (next === null || !isOpen) return
      served.set(next.teamId, (turn += 1))
      taking.add(next.runNo)
      const row = await store.take(next.runNo).finally(() => taking.delete(next.runNo))
      if (row === null) continue
      names.set(row.runNo, row.id)
      taking.add(row.runNo)
      starting.set(row.teamId, startRun(row))
    }
  }

  /** A large crawl takes seconds to be read from the tables: other teams' runs are taken meanwhile, its own team's wait. */
  async function startRun(row: TakenRun) {
    const task = tasks.get(row.kind)
    try {
      await record.during(row.runNo, () => (task === undefined ? begin(row) : beginTask(row, task)))
    } catch (fault) {
      if (runs.has(row.runNo)) leave(row.runNo, 'broken', fault)
      else await broke(row, fault)
    } finally {
      taking.delete(row.runNo)
      starting.delete(row.teamId)
      claim()
    }
  }

  function places() {
    const at = performance.now()
    const placed = [...runs.values()].map(({ run, since }) => ({
      share: run.share,
      isTask: run.isTask,
      isYielding: run.isYielding,
      ageMs: at - since,
      knownBytes: run.knownBytes,
    }))
    return countPlaces(placed, { most: settings.runConcurrency, mostBytes: MOST_KNOWN_BYTES })
  }

  /** Suspects are taken one after the other, so that the one that brings the engine down does not take others with it. */
  function holdsSuspect(): boolean {
    const at = performance.now()
    for (const { run, since, isSuspect } of runs.values())
      if (isSuspect && run.pagesThisSlice === 0 && at - since < SUSPECT_ALONE_MS) return true
    return false
  }

  /** The parser threads as a run sees them: the run is at work while a page of it is there. */
  function poolOf(runNo: number): ParsePool {
    return Object.defineProperties(
      { ...pool, parse: (page: PageToParse) => record.during(runNo, () => pool.parse(page)) },
      { queued: { get: () => pool.queued } },
    )
  }

  function mayTakeTask(kind: string, teamId: string): boolean {
    if (!tasks.has(kind)) return true
    const inHand = [...runs.values()].filter(({ run }) => run.isTask)
    const ofTeam = inHand.filter(({ run }) => run.share === teamId)
    return ofTeam.length < settings.runConcurrency && inHand.length < TASKS_PER_PLACE * settings.runConcurrency
  }

  async function beginTask(row: TakenRun, task: Task) {
    if (row.crashes >= MOST_BREAKS) return endEarly(row.runNo, BROKEN)
    const { sealedSecrets, seeds, spec } = await store.describe(row.runNo)
    const through = proxyFor(row.teamId, spec.proxySlug)
    if (through === null) return endEarly(row.runNo, withoutProxy(spec.proxySlug))
    const run = createTaskRun({
      row,
      spec,
      seeds,
      secrets: secretsOf(row.id, sealedSecrets),
      through,
      task,
      store,
      fetcher,
      hosts,
      pool: poolOf(row.runNo),
      clock,
      mostWorkMs,
      random,
      maxConcurrency: settings.maxConcurrency,
      maxPageBytes: settings.maxPageBytes,
      gone: (why, fault) => leave(row.runNo, why, fault),
      holdBytes: (change) => memory.change(row.teamId, change),
      publish,
      pump,
      report: (message, fault) => log.error({ run: row.id, err: fault }, message),
    })
    runs.set(row.runNo, { run, since: performance.now(), isSuspect: row.crashes > 0 })
    turns.add(run)
    publish([{ runNo: row.runNo, eventSeq: row.eventSeq, status: 'running' }])
    log.info({ run: row.id, kind: row.kind, resumed: row.isResumed }, 'run taken')
    await run.start()
  }

  /** What a run may send of its own; `lost` when that was sealed by another secret key. */
  function secretsOf(runId: string, sealed: string | null): RunSecrets | 'lost' {
    return sealed === null ? NO_SECRETS : (openSecrets(runId, sealed) ?? 'lost')
  }

  async function begin(row: TakenRun) {
    if (row.crashes >= MOST_BREAKS) return endEarly(row.runNo, BROKEN)
    const { sealedSecrets, seedUrls, spec } = await store.describe(row.runNo)
    const through = proxyFor(row.teamId, spec.proxySlug)
    if (through === null) return endEarly(row.runNo, withoutProxy(spec.proxySlug))
    const run: CrawlRun = createCrawlRun({
      row,
      spec: spec as CrawlSpec,
      secrets: secretsOf(row.id, sealedSecrets),
      through,
      seedHosts: [...new Set(seedUrls.map(({ url }) => new URL(url).hostname))],
      seedOrigins: [...new Set(seedUrls.filter(({ hops }) => hops === 0).map(({ url }) => hostKey(url)))],
      store: frontierStore(store, row.runNo),
      committer,
      fetcher,
      hosts,
      pool: poolOf(row.runNo),
      robots,
      clock,
      mostWorkMs,
      random,
      siteOf: (host) => getDomain(host) ?? host,
      hostRecords: recordsOf(row.runNo),
      obeysRobots: settings.obeysRobots,
      maxConcurrency: settings.maxConcurrency,
      maxPageBytes: settings.maxPageBytes,
      gone: (why, fault) => leave(row.runNo, why, fault),
      holdBytes: (change) => memory.change(row.teamId, change),
      pump,
      report: (message, fault) => log.error({ run: row.id, err: fault }, message),
    })
    runs.set(row.runNo, { run, since: performance.now(), isSuspect: row.crashes > 0 })
    publish([{ runNo: row.runNo, eventSeq: row.eventSeq, status: 'running' }])
    log.info({ run: row.id, resumed: row.isResumed }, 'run taken')
    await run.start(() => new Promise((resolve) => setImmediate(resolve)))
    // Not before its memory is whole: a lease from half a memory could hand out what has ended.
    if (runs.get(row.runNo)?.run === run) turns.add(run)
    pump()
  }

  function recordsOf(runNo: number): Map<string, HostRecord> {
    const records = hostRecords.get(runNo) ?? new Map<string, HostRecord>()
    hostRecords.set(runNo, records)
    // Those of runs that ended between two slices.
    if (hostRecords.size > MOST_RECORDS) hostRecords.delete(hostRecords.keys().next().value!)
    return records
  }

  function leave(runNo: number, why: RunStatus | 'taken' | 'broken', fault?: unknown) {
    const held = runs.get(runNo)
    if (held === undefined) return
    remove(runNo, held.run)
    if (why !== 'taken') hostRecords.delete(runNo)
    if (why !== 'broken' || held.run.pagesThisSlice > 0) breaks.delete(runNo)
    if (why === 'broken') void (held.run.isTask ? taskBroke : broke)(heldOf(held.run), fault)
    else if (why === 'taken') log.warn({ run: idOf(runNo) }, 'a run was taken by another owner')
    else log.info({ run: idOf(runNo), status: why }, 'run ended')
    claim()
  }

  function remove(runNo: number, run: EngineRun) {
    runs.delete(runNo)
    turns.remove(run)
    full.delete(run.share)
    memory.look()
    idleSince = performance.now()
  }

  /** The memory of a run is worthless: it is made again from the tables after a while, unless that has not helped before. */
  async function broke({ runNo, token, workedMs }: HeldRun, fault: unknown) {
    // A full disk is not the run's fault: the next look finds the run without an owner.
    if (fault instanceof StoreTrouble) return troubled(fault)
    const times = (breaks.get(runNo) ?? 0) + 1
    breaks.set(runNo, times)
    log.error({ run: idOf(runNo), times, err: fault }, 'a run has broken; its memory is made again from the tables')
    if (times >= MOST_BREAKS) breaks.delete(runNo)
    await tryAgain({ runNo, token, workedMs }, times)
  }

  /** A task is started again after a while, unless that has not helped before; its crashes are counted in its row, since some take the engine with them. */
  async function taskBroke(held: HeldRun, fault: unknown) {
    if (fault instanceof StoreTrouble) return troubled(fault)
    const { runNo } = held
    log.error({ run: idOf(runNo), err: fault }, 'a task has broken')
    try {
      await tryAgain(held, await store.countCrash(runNo))
    } catch (trouble) {
      log.error({ run: idOf(runNo), err: trouble }, 'a task that broke could not be written down')
    }
  }

  /** Gives a run that has broken so many times back, to be taken later; after the last time it ends. */
  async function tryAgain(held: HeldRun, times: number) {
    taking.add(held.runNo)
    try {
      if (times >= MOST_BREAKS) await endEarly(held.runNo, BROKEN)
      else await store.release(held, now() + retryDelayMs(times))
    } catch (trouble) {
      // The next look finds the run without an owner.
      troubled(trouble)
    } finally {
      taking.delete(held.runNo)
    }
  }

  /** Ends a run that cannot go on, and says why; what it has is kept. */
  async function endEarly(runNo: number, why: { reason: string; message: string }) {
    const ended = await store.endEarly(runNo, why)
    if (ended !== null) publish([ended])
  }

  // ---- fetching

  /** Starts fetches until there is no room, or nothing that may be asked now. */
  function pump() {
    if (!isOpen) return
    clearTimeout(pumpTimer)
    const at = steady()
    while (!committer.isStuck) {
      const taken = turns.take(at, hasRoom)
      if ('opensAt' in taken) {
        if (taken.opensAt < Infinity) pumpLater(taken.opensAt - at)
        return
      }
      const { found, run } = taken
      const work = found.work().catch((fault: unknown) => {
        log.error({ run: idOf(run.no), url: found.url, err: fault }, 'a URL could not be worked on')
        found.giveUp(fault)
      })
      working.add(work)
      turns.change(run.share, 1)
      void work.finally(() => {
        working.delete(work)
        turns.change(run.share, -1)
        pump()
      })
    }
  }

  function pumpLater(ms: number) {
    pumpTimer = setTimeout(pump, Math.min(Math.max(ms, 1), 60_000))
  }

  /** Waits until the host of a URL may be asked, and counts one request to it. */
  async function keepHostPause(url: string, signal: AbortSignal) {
    const host = hosts.get(hostKey(url))
    // Another request may have taken the turn meanwhile.
    for (let waitMs = hosts.opensAt(host) - steady(); waitMs > 0 && !signal.aborted; waitMs = hosts.opensAt(host) - steady())
      await pause(waitMs, signal)
    hosts.start(host)
    hosts.end(host, null)
  }

  /** Back-pressure of what comes after the fetches, for each share by itself, with a band between stopping and going on. */
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
        fault instanceof StoreTrouble ? troubled(fault) : log.error({ err: fault }, 'the tables could not be looked at'),
      )
      .finally(() => {
        looking = null
        pump()
      })
  }

  async function look() {
    for (const { run } of runs.values()) run.look(steady())
    const canceling = await store.canceling()
    for (const runNo of canceling) cancel(runNo)
    if (performance.now() - lastRenewed > RENEW_MS) await renew()
    // A run between two slices has no owner: canceling it does not wait for its end.
    if (performance.now() - lastReconciled > reconcileMs || canceling.some((runNo) => !isOurs(runNo))) await reconcile()
    if (runs.size === 0 || committer.waiting.pages.total === 0) await store.sweep()
    await handPlacesOver()
    setStuck({ tables: false })
  }

  /** An owner whose lease is lost writes nothing more, and stops that run at once. */
  async function renew() {
    const held = [...runs.values()].map(({ run }) => heldOf(run))
    const lost = await store.renew(held)
    lastRenewed = performance.now()
    for (const { runNo, why } of lost) runs.get(runNo)?.run.lost(why)
  }

  function heldOf(run: EngineRun): HeldRun {
    return { runNo: run.no, token: run.token, workedMs: run.workedMs() }
  }

  function isOurs(runNo: number): boolean {
    return runs.has(runNo) || taking.has(runNo)
  }

  /** What the disk does is told once, and not at each look. */
  function troubled(fault: unknown) {
    if (!stuck.commits && !stuck.tables) log.error({ err: fault }, 'the database cannot be written; it is tried again every half second')
    setStuck({ tables: true })
  }

  function setStuck(change: Partial<typeof stuck>) {
    const was = stuck.commits || stuck.tables
    Object.assign(stuck, change)
    const is = stuck.commits || stuck.tables
    if (is === was) return
    if (!is) log.info({}, 'the database can be written again')
    needs.onStuck?.(is)
  }

  /** Every unfinished run has a job, or an owner; one that is to be stopped and has no owner ends. */
  async function reconcile() {
    lastReconciled = performance.now()
    const { ended, jobsMade } = await store.reconcile([...runs.keys(), ...taking], isFirstReconcile)
    isFirstReconcile = false
    if (ended.length > 0) publish(ended)
    if (jobsMade > 0) claim()
    hosts.trim()
    // What hosts have taught tasks, too; commits of crawls write it anyway.
    if (!committer.isStuck) await committer.flush()
  }

  /** A place goes on to a waiting run when its holder has had its slice. */
  async function handPlacesOver() {
    const waiting = await store.waitingRuns(true)
    for (const { run, since } of runs.values()) {
      if (run.isYielding && run.inHand === 0) await giveBack(run)
      else if (run.pagesThisSlice >= SLICE_PAGES || performance.now() - since >= SLICE_MS) {
        const held = places()
        // A team's own runs take turns; another team gets the place only while it has fewer.
        const isWanted = waiting.some(({ teamId }) => teamId === run.share || held.of(teamId) < held.of(run.share))
        if (held.isFull && isWanted) run.yieldPlace()
      }
    }
    if (waiting.length > 0) claim()
  }

  /** Gives a run back for its next slice, when all that it has done is written. */
  async function giveBack(run: EngineRun) {
    await committer.flush()
    if (runs.get(run.no)?.run !== run || committer.isStuck) return
    const held = heldOf(run)
    taking.add(run.no)
    remove(run.no, run)
    run.drop()
    await store.release(held).finally(() => taking.delete(run.no))
    claim()
  }

  function cancel(runNo: number) {
    runs.get(runNo)?.run.cancel()
  }

  /** Leases nothing more, waits for what is in hand as long as it is told, commits, and lets the runs go; they stay pending. */
  async function close({ graceMs = 10_000 }: { graceMs?: number } = {}) {
    isOpen = false
    closing.abort()
    clearInterval(looker)
    clearTimeout(pumpTimer)
    // What a task tells of a commit that has just been written belongs to it.
    await new Promise((resolve) => setImmediate(resolve))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    const leaving = [...runs.values()].map(({ run }) => (run.isTask ? run.shutDown() : null))
    await Promise.race([Promise.allSettled([...working, ...leaving, opened, claiming, looking, ...starting.values()]), late])
    clearTimeout(timer)
    await committer.flush()
    committer.close()
    await hosts.close()
    for (const { run } of runs.values()) {
      const held = heldOf(run)
      runs.delete(run.no)
      run.drop()
      try {
        await store.release(held)
      } catch (fault) {
        // The next engine finds a run that nobody holds.
        if (!(fault instanceof StoreTrouble)) throw fault
        troubled(fault)
      }
    }
    await fetcher.close()
    await pool.close()
    await egress.close()
  }
}

/**
 * The run to be taken next: of the team with the fewest runs in progress; among equals, of the team that has waited longest since a run of
 * it was taken; within a team the first.
 *
 * @param mayTake  whether there is a place for one more run of that kind and team
 */
export function nextOf(
  waiting: readonly WaitingRun[],
  teamOf: (teamId: string) => { runs: number; servedAt: number },
  mayTake: (kind: string, teamId: string) => boolean,
): WaitingRun | null {
  let best: { run: WaitingRun; runs: number; servedAt: number } | null = null
  for (const run of waiting) {
    const { runs, servedAt } = teamOf(run.teamId)
    const isBetter = best === null || runs < best.runs || (runs === best.runs && servedAt < best.servedAt)
    if (isBetter && mayTake(run.kind, run.teamId)) best = { run, runs, servedAt }
  }
  return best?.run ?? null
}

/** After how long a run that has broken so many times in a row is tried again: 1 s, then 4 s. */
export const retryDelayMs = (times: number) => 1000 * 4 ** (times - 1)
