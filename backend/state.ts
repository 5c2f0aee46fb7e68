/** What the backend asks of the database that holds its state, whichever it is. */
import type { BackendConfig, Log } from './config.ts'
import type { Database } from './platform/database/database.ts'
import type { Readers } from './platform/database/readers.ts'
import type { Purpose } from './platform/secrets.ts'
import type { SweepHost } from './removal/sweep-host.ts'
import type { IndexHost } from './searches/own-index/index-host.ts'
import type { OwnSearch } from './searches/own-index/own-search.ts'

/** Small questions about the tables, answered at once: they decide whether a thread or a process is started. */
export type Looks = {
  /** Changes with each run that is deleted or removed. */
  deletedRuns: () => string
  firstDeletedRun: () => number | undefined
  hasDeletedTeams: () => boolean
  hasPages: () => boolean
  hasUnfinishedRuns: () => boolean
  /** Calls when other processes may have left work that nobody here was told of. */
  onUnfinished: (call: () => void) => void
}

/** How the engine's process finds the database. */
export type EngineState = {
  /** The path of a file, or the address of a PostgreSQL. */
  database: string
  /** Where the engine notes what it is at work on; absent: beside the file. */
  notes?: string
  /** By what name the engine leases runs and hosts; absent: it is alone, and takes a new name each time. */
  owner?: string
}

export type State = {
  database: Database
  readers: Readers
  looks: Looks
  /** The folder whose disk is watched. */
  folder: string
  ofEngine: EngineState
  openIndex: () => IndexHost
  /** @param onDamage  the index cannot be read and has to be made anew */
  openSearch: (onDamage: () => void) => OwnSearch
  /** @param onWaiting  marked runs are still in the text index */
  openSweeper: (onWaiting: () => void) => SweepHost
  /** The last to be closed. */
  close: () => Promise<void>
}

export type OpenState = (needs: {
  config: BackendConfig
  keyFor: (purpose: Purpose) => Buffer
  log: Log
  now: () => number
  onFault: (fault: unknown) => void
}) => Promise<State>
