/** Tracks whether the engine can read and write its store. Logs trouble with the disk or the database once, not at every attempt. */
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { EngineLog } from './engine-means.ts'

export type EngineTrouble = ReturnType<typeof createEngineTrouble>

/** @param onStuck  called when the store can no longer be written, and when it can again */
export function createEngineTrouble({ log, onStuck }: { log: EngineLog; onStuck: ((isStuck: boolean) => void) | undefined }) {
  // By the work that fails, since it alone can tell that the trouble is over: a full disk can be read, but no run can be taken.
  const stuck = { commits: false, tables: false, takes: false }
  /** Messages about the store since it last worked. */
  const said = new Set<string>()
  return {
    report,
    troubled,
    set,
    /** Runs could not be taken at the last attempt. */
    get cannotTake() {
      return stuck.takes
    },
  }

  /** Logs an error. In an outage of the store, every part of every run reports the same one several times a second: it is logged once. */
  function report(message: string, fault: unknown, facts: object = {}) {
    if (fault instanceof StoreTrouble) {
      if (said.has(message)) return
      said.add(message)
    }
    log.error({ ...facts, err: fault }, message)
  }

  /** Notes that a read or write failed: by default of the tables that the next look reads. */
  function troubled(fault: unknown, work: 'tables' | 'takes' = 'tables') {
    if (!isStuck()) log.error({ err: fault }, 'the database cannot be written; retrying every half second')
    set({ [work]: true })
  }

  function isStuck(): boolean {
    return Object.values(stuck).includes(true)
  }

  function set(change: Partial<typeof stuck>) {
    const was = isStuck()
    Object.assign(stuck, change)
    const is = isStuck()
    if (change.tables === false && !is) said.clear()
    if (is === was) return
    if (!is) log.info({}, 'the database can be written again')
    onStuck?.(is)
  }
}
