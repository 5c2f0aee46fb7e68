/** The EventBus within one process. */
import type { EventBus, RunHint } from './event-bus.ts'

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
