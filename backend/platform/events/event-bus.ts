/** The EventBus port: at most once, in order per topic and sender, small payloads, never the truth. */

/** What a commit tells those who watch: where the run stands. What they show is read from the tables. */
export type RunHint = { runNo: number; eventSeq: number; status: string }

export type EventBus = {
  publish(hint: RunHint): void
  /** Calls `listener` for each hint about the run until the returned function is called. */
  subscribe(runNo: number, listener: (hint: RunHint) => void): () => void
  /** Calls `listener` for each hint about any run until the returned function is called. */
  subscribeAll(listener: (hint: RunHint) => void): () => void
}
