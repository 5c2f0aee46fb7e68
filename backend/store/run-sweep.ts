/** The port through which what deleted runs and teams still hold is removed: one short transaction a step. */

/** What one step did: `rows` of a table, or free pages of the file, and how many milliseconds it held the write lock. */
export type SweepStep = { table: string; rows: number; heldMs: number }

export type RunSweep = {
  /** Does one step. Null when nothing can be done now; the next call begins a new round. */
  step(): Promise<SweepStep | null>
  /** Whether something is marked that cannot be removed yet: a run that has not ended, or that the text index still has. */
  isWaiting(): boolean | Promise<boolean>
  /** Whether anybody else wants the database: a run is being worked on. */
  isBusy(): boolean | Promise<boolean>
  /** Whether the text index still has a run that is to be removed. */
  waitingForIndex(): boolean
}
