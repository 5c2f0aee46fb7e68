/**
 * The EventBus port, and its adapter within one process. Delivers small payloads at most once, in order per topic and sender. Never the
 * source of truth.
 */

/** Tells watchers of a commit where the run stands. They read what they show from the tables. */
export type RunHint = { runNo: number; eventSeq: number; status: string }

export type EventBus = {
  publish(hint: RunHint): void
  /** Calls `listener` for each hint about the run until the returned function is called. */
  subscribe(runNo: number, listener: (hint: RunHint) => void): () => void
  /** Calls `listener` for each hint about any run until the returned function is called. */
  subscribeAll(listener: (hint: RunHint) => void): () => void
}

/** The bus of one process. */
export function localBus(): EventBus {
  const listeners = new Map<number, Set<(hint: RunHint) => void>>()
  const ofAll = new Set<(hint: RunHint) => void>()
  return { publish, subscribe, subscribeAll }

  function publish(hint: RunHint) {
    for (const listener of listeners.get(hint.runNo) ?? []) listener(hint)
    for (const listener of ofAll) listener(hint)
  }

  function subscribe(runNo: number, listener: (hint: RunHint) => void) {
    const ofRun = listeners.get(runNo) ?? new Set()
    listeners.set(runNo, ofRun.add(listener))
    return () => {
      ofRun.delete(listener)
      if (ofRun.size === 0) listeners.delete(runNo)
    }
  }

  function subscribeAll(listener: (hint: RunHint) => void) {
    ofAll.add(listener)
    return () => void ofAll.delete(listener)
  }
}
