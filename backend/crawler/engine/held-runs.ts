/** The runs that an engine works on, and whether there is a place for one more. */
import { LRUCache } from 'lru-cache'
import type { HeldRun, TakenRun } from '#backend/store/run-store.ts'
import { partOf, wholeRun } from '#backend/store/run-parts.ts'
import { countPlaces } from './places.ts'
import type { CrawlRun } from '#backend/crawler/crawl/run-crawl.ts'
import type { TaskRun } from '#backend/crawler/tasks/run-task.ts'

/** Memory of known URLs over which no further run is taken. */
const MOST_KNOWN_BYTES = 250 * 1024 * 1024
const MOST_NAMES = 10_000
/** After this a suspect that is still at it no longer keeps other suspects waiting. */
const SUSPECT_ALONE_MS = 10_000
/** Most short runs in progress, as a multiple of the places; of one team no more than there are places. */
const SHORT_PER_PLACE = 8

export type EngineRun = CrawlRun | TaskRun
/** A suspect was at work when an engine died, and has committed nothing since. */
export type InHand = { run: EngineRun; since: number; isSuspect: boolean }

export type HeldRuns = ReturnType<typeof createHeldRuns>

/** @param most  places for runs */
export function createHeldRuns({ most }: { most: number }) {
  const runs = new Map<number, InHand>()
  /** Leased by this engine, but not being worked on: being taken or released. */
  const taking = new Set<number>()
  /** The names of runs outside, by which the log knows them. */
  const names = new LRUCache<number, string>({ max: MOST_NAMES })
  let idleSince = performance.now()
  return {
    taking,
    add,
    remove,
    get: (runNo: number) => runs.get(runNo)?.run,
    all: () => runs.values(),
    /** Numbers of all that this engine has leased. */
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

  /** Suspects are taken one after the other, so that the one that brings the engine down does not take others with it. */
  function holdsSuspect(): boolean {
    const at = performance.now()
    for (const { run, since, isSuspect } of runs.values())
      if (isSuspect && run.pagesThisSlice === 0 && at - since < SUSPECT_ALONE_MS) return true
    return false
  }

  /** Whether a part of the same run is held. */
  function holdsPartOf(runNo: number): boolean {
    if (partOf(runNo) === null) return false
    for (const no of runs.keys()) if (partOf(no) !== null && wholeRun(no) === wholeRun(runNo)) return true
    return false
  }

  /** Whether a team may have one more short run in progress: they need no place, since nobody should wait for a page until a crawl has had its slice. */
  function mayTakeShort(teamId: string): boolean {
    const short = [...runs.values()].filter(({ run }) => run.isShort)
    const ofTeam = short.filter(({ run }) => run.share === teamId)
    return ofTeam.length < most && short.length < SHORT_PER_PLACE * most
  }
}

/** What the store needs to know of a held run. */
export const heldOf = (run: EngineRun): HeldRun => ({ runNo: run.no, token: run.token, workedMs: run.workedMs() })
