/** Takes runs as long as there are places: of the share with the fewest runs first, and one of each share at a time. */
import { LRUCache } from 'lru-cache'
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { RunStore, TakenRun, WaitingRun } from '#backend/store/run-store.ts'
import type { EngineLog } from './engine-means.ts'
import type { EngineTrouble } from './engine-trouble.ts'
import type { HeldRuns } from './held-runs.ts'

/** Shares and teams whose last turn is remembered. */
const MOST_SERVED = 20_000

/**
 * @param begin   starts work on a run; rejects when that fails
 * @param failed  called when `begin` has rejected
 * @param isOpen  whether runs may be taken
 * @param isTask  whether runs of a kind are tasks
 */
export function createRunTaker({
  begin,
  failed,
  held,
  isOpen,
  isTask,
  log,
  store,
  trouble,
}: {
  begin: (row: TakenRun) => Promise<void>
  failed: (row: TakenRun, fault: unknown) => Promise<void>
  held: HeldRuns
  isOpen: () => boolean
  isTask: (kind: string) => boolean
  log: EngineLog
  store: RunStore
  trouble: EngineTrouble
}) {
  /** Runs that are being started, at most one per line. */
  const starting = new Map<string, Promise<void>>()
  /** When each share, and each team, was last served, counted in runs taken. */
  const served = new LRUCache<string, number>({ max: MOST_SERVED })
  let turn = 0
  /** Suspects that are being started: other suspects wait for them too. */
  let suspectsStarting = 0
  let claiming: Promise<void> | null = null
  let claimAgain = false
  return {
    claim,
    /** Promises of everything under way. */
    inProgress: () => [claiming, ...starting.values()],
  }

  /** Takes runs: called when there may be a new run, or a free place. */
  function claim() {
    if (!isOpen()) return
    if (claiming !== null) {
      claimAgain = true
      return
    }
    claiming = claimAll()
      .then(() => trouble.set({ takes: false }))
      .catch((fault: unknown) =>
        fault instanceof StoreTrouble ? trouble.troubled(fault, 'takes') : log.error({ err: fault }, 'a run could not be taken'),
      )
      .finally(() => {
        claiming = null
        if (!claimAgain) return
        claimAgain = false
        claim()
      })
  }

  async function claimAll() {
    while (isOpen()) {
      const welcomesSuspects = !holdsSuspect()
      const waiting = await store.waitingRuns(welcomesSuspects, held.numbers())
      // A suspect may have started while the store answered.
      if (welcomesSuspects && holdsSuspect()) continue
      // Counted after the store has answered: a run that was starting may occupy its place by now.
      const places = held.places()
      const mayTake = (run: WaitingRun) => {
        if (starting.has(lineOf(run))) return false
        if (isShort(run)) return held.mayTakeShort(run.share)
        // Parts of one run share a place.
        return places.mayTake(run.share) || held.holdsPartOf(run.runNo)
      }
      const next = nextOf(waiting, { mayTake, runsOf: places.of, servedAt: (key) => served.get(key) ?? 0 })
      if (next === null || !isOpen()) return
      turn += 1
      for (const key of [next.share, next.teamId]) served.set(key, turn)
      held.taking.add(next.runNo)
      const row = await store.take(next.runNo).finally(() => held.taking.delete(next.runNo))
      if (row === null) continue
      held.name(row)
      held.taking.add(row.runNo)
      starting.set(lineOf(next), start(row, lineOf(next)))
    }
  }

  function holdsSuspect(): boolean {
    return suspectsStarting > 0 || held.holdsSuspect()
  }

  function isShort(run: WaitingRun): boolean {
    return run.isShort || isTask(run.kind)
  }

  /** The line of a run: its share, and whether it is short. */
  function lineOf(run: WaitingRun): string {
    return isShort(run) ? `short ${run.share}` : run.share
  }

  /** Starts a run. Reading a large crawl from the tables takes seconds: runs of other lines start meanwhile, those of its own line wait. */
  async function start(row: TakenRun, line: string) {
    const isSuspect = row.crashes > 0
    if (isSuspect) suspectsStarting += 1
    try {
      await begin(row)
    } catch (fault) {
      await failed(row, fault)
    } finally {
      if (isSuspect) suspectsStarting -= 1
      held.taking.delete(row.runNo)
      starting.delete(line)
      claim()
    }
  }
}

/**
 * The next run to take: of the share with the fewest runs in progress, then of the one that was served longest ago. Within a share, teams
 * take turns; within a team the first run is next.
 *
 * @param mayTake   whether there is a place for the run
 * @param runsOf    how many runs of a share are in progress
 * @param servedAt  when a share or a team was last served
 */
export function nextOf(
  waiting: readonly WaitingRun[],
  of: { mayTake: (run: WaitingRun) => boolean; runsOf: (share: string) => number; servedAt: (key: string) => number },
): WaitingRun | null {
  let best: { run: WaitingRun; order: number[] } | null = null
  for (const run of waiting) {
    const order = [of.runsOf(run.share), of.servedAt(run.share), of.servedAt(run.teamId)]
    if ((best === null || isBefore(order, best.order)) && of.mayTake(run)) best = { run, order }
  }
  return best?.run ?? null
}

/** Whether the first number that differs is lower. */
function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((number, index) => number !== other[index])
  return at >= 0 && one[at]! < other[at]!
}
