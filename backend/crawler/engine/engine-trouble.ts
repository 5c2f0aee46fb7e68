/** Tracks whether the engine can read and write its store. Logs trouble with the disk or the database once, not at every attempt. */
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { EngineLog } from './engine-means.ts'

export type EngineTrouble = ReturnType<typeof createEngineTrouble>

/** @param onStuck  called when the store can no longer be written, and when it can again */
export function createEngineTrouble({ log, onStuck }: { log: EngineLog; onStuck: ((isStuck: boolean) => void) | undefined }) {
  const stuck = { commits: false, tables: false }
  /** Messages about the store since it could last be read. */
  const said = new Set<string>()
  return { report, troubled, set }

  /** Logs an error. In an outage of the store, every part of every run reports the same one several times a second: it is logged once. */
  function report(message: string, fault: unknown, facts: object = {}) {
    if (fault instanceof StoreTrouble) {
      if (said.has(message)) return
      said.add(message)
    }
    log.error({ ...facts, err: fault }, message)
  }

  /** Notes that a read or write failed. */
  function troubled(fault: unknown) {
    if (!stuck.commits && !stuck.tables) log.error({ err: fault }, 'the database cannot be written; retrying every half second')
    set({ tables: true })
  }

  function set(change: Partial<typeof stuck>) {
    if (change.tables === false) said.clear()
    const was = stuck.commits || stuck.tables
    Object.assign(stuck, change)
    const is = stuck.commits || stuck.tables
    if (is === was) return
    if (!is) log.info({}, 'the database can be written again')
    onStuck?.(is)
  }
}
