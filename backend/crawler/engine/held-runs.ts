/** The runs that an engine works on, and whether it has a place for one more. */
import { LRUCache } from 'lru-cache'
import type { HeldRun, TakenRun } from '#backend/store/run-store.ts'
import { partOf, wholeRun } from '#backend/store/run-parts.ts'
import { countPlaces } from './places.ts'
import type { CrawlRun } from '#backend/crawler/crawl/run-crawl.ts'
import type { TaskRun } from '#backend/crawler/tasks/run-task.ts'

/** With more memory in known URLs no further run is taken. */
const MOST_KNOWN_BYTES = 250 * 1024 * 1024
const MOST_NAMES = 10_000
/** A suspect that has run for so long without a crash no longer makes other suspects wait. */
const SUSPECT_ALONE_MS = 10_000
/** Most short runs in progress, as a multiple of the places; each share may have as many as there are places. */
const SHORT_PER_PLACE = 8

export type EngineRun = CrawlRun | TaskRun
/** A suspect was at work when an engine died, and has committed nothing since. */
export type InProgress = { run: EngineRun; since: number; isSuspect: boolean }

export type HeldRuns = ReturnType<typeof createHeldRuns>

/** @param most  places for runs */
export function createHeldRuns({ most }: { most: number }) {
  const runs = new Map<number, InProgress>()
  /** Leased by this engine but not being worked on: being taken or released. */
  const taking = new Set<number>()
  /** The public ids of runs, for the log. */
  const names = new LRUCache<number, string>({ max: MOST_NAMES })
  let idleSince = performance.now()
  return {
    taking,
    add,
    remove,
    get: (runNo: number) => runs.get(runNo)?.run,
    all: () => runs.values(),
    /** Numbers of all runs that this engine has leased. */
    numbers: () => [...runs.keys(), ...taking],
    has: (runNo: number) => runs.has(runNo),
    isOurs: (runNo: number) => runs.has(runNo) || taking.has(runNo),
    name: ({ id, runNo }: TakenRun) => void names.set(runNo, id),
    idOf: (runNo: number) => names.get(runNo) ?? String(runNo),
    places,
    holdsSuspect,
    mayTakeShort,
    holdsPartOf,
    get size() {
      return runs.size
    },
    /** Milliseconds since the last run left; 0 while there is one. */
    idleMs: () => (runs.size > 0 ? 0 : performance.now() - idleSince),
  }

  function add(run: EngineRun, isSuspect: boolean) {
    runs.set(run.no, { run, since: performance.now(), isSuspect })
  }

  function remove(runNo: number) {
    runs.delete(runNo)
    idleSince = performance.now()
  }

  function places() {
    const parted = new Set<number>()
    const placed = [...runs.values()].map(({ run }) => ({
      share: run.share,
      hasNoPlace: run.isShort || (partOf(run.no) !== null && parted.size === parted.add(wholeRun(run.no)).size),
      isYielding: run.isYielding,
      knownBytes: run.knownBytes,
    }))
    return countPlaces(placed, { most, mostBytes: MOST_KNOWN_BYTES })
  }

  /** Suspects run one after the other, so that the one that crashes the engine does not take others with it. */
  function holdsSuspect(): boolean {
    const at = performance.now()
    for (const { run, since, isSuspect } of runs.values())
      if (isSuspect && run.pagesThisSlice === 0 && at - since < SUSPECT_ALONE_MS) return true
    return false
  }

  /** Whether this engine holds a part of the run. */
  function holdsPartOf(runNo: number): boolean {
    if (partOf(runNo) === null) return false
    for (const no of runs.keys()) if (partOf(no) !== null && wholeRun(no) === wholeRun(runNo)) return true
    return false
  }

  /** Whether a share may start one more short run. Short runs need no place: a single page should not wait for the slice of a crawl. */
  function mayTakeShort(share: string): boolean {
    const short = [...runs.values()].filter(({ run }) => run.isShort)
    const own = short.filter(({ run }) => run.share === share)
    return own.length < most && short.length < SHORT_PER_PLACE * most
  }
}

/** The fields of a held run that the store needs. */
export const heldOf = (run: EngineRun): HeldRun => ({ runNo: run.no, token: run.token, workedMs: run.workedMs() })
