/** The RunSweep port: removes the data of deleted runs and teams, in one short transaction per step. */

/** The result of a step: removed `rows` of a table, or freed pages of the file, and the milliseconds of the write lock. */
export type SweepStep = { table: string; rows: number; heldMs: number }

export type RunSweep = {
  /** Does one step. Null when nothing can be done now; the next call starts a new round. */
  step(): Promise<SweepStep | null>
  /** Whether something marked cannot be removed yet: a run that has not ended, or that is still in the text index. */
  isWaiting(): boolean | Promise<boolean>
  /** Whether others need the database: a run is being worked on. */
  isBusy(): boolean | Promise<boolean>
  /** Whether a run that should be removed is still in the text index. */
  waitingForIndex(): boolean
}
