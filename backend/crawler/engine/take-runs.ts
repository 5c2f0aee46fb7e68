/** Takes runs as long as there are places: the team with the fewest runs first, one of each team at a time. */
import { LRUCache } from 'lru-cache'
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { RunStore, TakenRun, WaitingRun } from '#backend/store/run-store.ts'
import type { EngineLog } from './engine-needs.ts'
import type { EngineTrouble } from './engine-trouble.ts'
import type { HeldRuns } from './held-runs.ts'

const MOST_TEAMS = 10_000

/**
 * @param begin   begins work on a run; rejects when that cannot be
 * @param failed  told of a run on which work could not begin
 * @param isOpen  whether runs are taken
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
  /** Runs that are being taken up, one of each line. */
  const starting = new Map<string, Promise<void>>()
  /** When a run of each team was taken last, counted in runs. */
  const served = new LRUCache<string, number>({ max: MOST_TEAMS })
  let turn = 0
  /** Suspects that are being taken up: they keep others waiting already. */
  let suspectsStarting = 0
  let claiming: Promise<void> | null = null
  let claimAgain = false
  return {
    claim,
    /** What is under way at this moment. */
    inProgress: () => [claiming, ...starting.values()],
  }

  /** There may be a run to take, or a place. */
  function claim() {
    if (!isOpen()) return
    if (claiming !== null) {
      claimAgain = true
      return
    }
    claiming = claimAll()
      .catch((fault: unknown) =>
        fault instanceof StoreTrouble ? trouble.troubled(fault) : log.error({ err: fault }, 'a run could not be taken'),
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
      // One was taken up while the store was asked.
      if (welcomesSuspects && holdsSuspect()) continue
      // Counted now: a run that was starting while the store was asked may have its place by now.
      const places = held.places()
      const mayTake = (run: WaitingRun) => {
        if (starting.has(lineOf(run))) return false
        if (isShort(run)) return held.mayTakeShort(run.teamId)
        // Parts of one run share a place.
        return places.mayTake(run.teamId) || held.holdsPartOf(run.runNo)
      }
      const next = nextOf(waiting, (teamId) => ({ runs: places.of(teamId), servedAt: served.get(teamId) ?? 0 }), mayTake)
      if (next === null || !isOpen()) return
      served.set(next.teamId, (turn += 1))
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

  /** What waits in a line: the runs of a team, those that are short apart. */
  function lineOf(run: WaitingRun): string {
    return isShort(run) ? `short ${run.teamId}` : run.teamId
  }

  /** A large crawl takes seconds to be read from the tables: other lines' runs are taken meanwhile, those of its own wait. */
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
 * The run to be taken next: of the team with the fewest runs in progress; among equals, of the team that has waited longest since a run of
 * it was taken; within a team the first.
 *
 * @param mayTake  whether there is a place for one more run of that kind and team
 */
export function nextOf(
  waiting: readonly WaitingRun[],
  teamOf: (teamId: string) => { runs: number; servedAt: number },
  mayTake: (run: WaitingRun) => boolean,
): WaitingRun | null {
  let best: { run: WaitingRun; runs: number; servedAt: number } | null = null
  for (const run of waiting) {
    const { runs, servedAt } = teamOf(run.teamId)
    const isBetter = best === null || runs < best.runs || (runs === best.runs && servedAt < best.servedAt)
    if (isBetter && mayTake(run)) best = { run, runs, servedAt }
  }
  return best?.run ?? null
}
