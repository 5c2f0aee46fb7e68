/** The EventBus port: delivers small payloads at most once, in order per topic and sender. Never the source of truth. */

/** Tells watchers of a commit where the run stands. They read what they show from the tables. */
export type RunHint = { runNo: number; eventSeq: number; status: string }

export type EventBus = {
  publish(hint: RunHint): void
  /** Calls `listener` for each hint about the run until the returned function is called. */
  subscribe(runNo: number, listener: (hint: RunHint) => void): () => void
  /** Calls `listener` for each hint about any run until the returned function is called. */
  subscribeAll(listener: (hint: RunHint) => void): () => void
}
