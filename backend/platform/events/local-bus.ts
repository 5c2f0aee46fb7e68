/** The EventBus within one process. */
import type { EventBus, RunHint } from './event-bus.ts'

export function localBus(): EventBus {
  const listeners = new Map<number, Set<(hint: RunHint) => void>>()
  return { publish, subscribe }

  function publish(hint: RunHint) {
    for (const listener of listeners.get(hint.runNo) ?? []) listener(hint)
  }

  function subscribe(runNo: number, listener: (hint: RunHint) => void) {
    const ofRun = listeners.get(runNo) ?? new Set()
    listeners.set(runNo, ofRun.add(listener))
    return () => {
      ofRun.delete(listener)
      if (ofRun.size === 0) listeners.delete(runNo)
    }
  }
}
