/** Tracks whether the engine can write to its store. Logs trouble with the disk once, not at every attempt. */
import type { EngineLog } from './engine-means.ts'

export type EngineTrouble = ReturnType<typeof createEngineTrouble>

/** @param onStuck  called when the store can no longer be written, and when it can again */
export function createEngineTrouble({ log, onStuck }: { log: EngineLog; onStuck: ((isStuck: boolean) => void) | undefined }) {
  const stuck = { commits: false, tables: false }
  return { troubled, set }

  /** Notes that a read or write failed. */
  function troubled(fault: unknown) {
    if (!stuck.commits && !stuck.tables) log.error({ err: fault }, 'the database cannot be written; retrying every half second')
    set({ tables: true })
  }

  function set(change: Partial<typeof stuck>) {
    const was = stuck.commits || stuck.tables
    Object.assign(stuck, change)
    const is = stuck.commits || stuck.tables
    if (is === was) return
    if (!is) log.info({}, 'the database can be written again')
    onStuck?.(is)
  }
}
