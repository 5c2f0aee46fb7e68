/** What the backend needs from the database with its state, SQLite or PostgreSQL. */
import type { BackendConfig, Log } from './config.ts'
import type { EngineStart } from './engine-host.ts'
import type { AskRow } from './platform/database/ask-row.ts'
import type { Database } from './platform/database/database.ts'
import type { Readers } from './platform/database/readers.ts'
import type { Purpose } from './platform/secrets.ts'
import type { SweepHost } from './removal/sweep-host.ts'
import type { IndexHost } from './searches/own-index/index-host.ts'
import type { OwnSearch } from './searches/own-index/own-search.ts'
import type { RunStore } from './store/run-store.ts'
import type { createSqliteRunStore } from './store/sqlite/sqlite-run-store.ts'

/** Fast queries of the tables, which decide whether a thread or a process is started. */
export type Looks = {
  /** Changes with each run that is deleted or removed. */
  deletedRuns: () => string
  firstDeletedRun: () => number | undefined
  hasDeletedTeams: () => boolean
  hasPages: () => boolean
  hasUnfinishedRuns: () => boolean
  /** Registers a function that is called when other processes may have left work. */
  onUnfinished: (call: () => void) => void
}

export type State = {
  database: Database
  readers: Readers
  looks: Looks
  /** Makes a call of the start, and repeats it while the database cannot be reached. */
  untilReachable: <T>(call: () => Promise<T>) => Promise<T>
  /** Of an SQLite database; absent for one in memory. */
  file?: string
  /** The folder whose disk is watched. */
  folder: string
  /** How the engine's process finds the database. */
  ofEngine: Pick<EngineStart, 'database' | 'notes' | 'owner'>
  openIndex: () => IndexHost
  /** @param onDamage  called when the index cannot be read and must be rebuilt */
  openSearch: (onDamage: () => void) => OwnSearch
  /** @param onWaiting  called when marked runs are still in the text index */
  openSweeper: (onWaiting: () => void) => SweepHost
  /** Call it last. */
  close: () => Promise<void>
}

export type OpenState = (needs: {
  config: BackendConfig
  keyFor: (purpose: Purpose) => Buffer
  log: Log
  now: () => number
  onFault: (fault: unknown) => void
}) => Promise<State>

/** What the engine's process needs from its database. */
export type EngineState = {
  ask: AskRow
  ownSearch: OwnSearch
  /** The wall clock of leases. */
  now: () => number
  createStore: (needs: StoreNeeds) => RunStore
  /** Call it last. */
  close: () => Promise<void>
}
type StoreNeeds = Omit<Parameters<typeof createSqliteRunStore>[0], 'connection'>
