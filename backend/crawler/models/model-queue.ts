/**
 * Which call to a model goes out next. There are few slots: the share with the fewest calls in progress goes first. When an endpoint asks
 * for a pause, all teams keep it.
 */
import { createFairQueue } from '#backend/crawler/engine/fair-queue.ts'

type Waiting = { share: string; endpoint: string; resolve: (release: (() => void) | null) => void }

export type ModelQueue = ReturnType<typeof createModelQueue>

export function createModelQueue({ now, slots }: { now: () => number; slots: number }) {
  const line = createFairQueue<Waiting>()
  const heldUntil = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  return {
    turn,
    slots,
    /** Sends nothing to an endpoint before this instant. */
    hold(endpoint: string, until: number) {
      heldUntil.set(endpoint, Math.max(until, heldUntil.get(endpoint) ?? 0))
    },
    close: () => clearTimeout(timer),
  }

  /** Resolves to a function that frees the slot; null when the signal aborted before. */
  function turn(share: string, endpoint: string, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return Promise.resolve(null)
    return new Promise((resolve) => {
      const leave = () => {
        line.remove(one)
        resolve(null)
      }
      const one: Waiting = {
        share,
        endpoint,
        resolve(release) {
          signal.removeEventListener('abort', leave)
          resolve(release)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      line.push(one)
      pump()
    })
  }

  function pump() {
    clearTimeout(timer)
    while (line.working < slots) {
      const at = now()
      const next = line.next(({ endpoint }) => opensAt(endpoint, at))
      if (next === null) return
      if ('opensAt' in next) {
        timer = setTimeout(pump, Math.max(1, next.opensAt - at)).unref()
        return
      }
      begin(next)
    }
  }

  /** When an endpoint may be called; null: now. */
  function opensAt(endpoint: string, at: number): number | null {
    const until = heldUntil.get(endpoint) ?? 0
    if (until > at) return until
    heldUntil.delete(endpoint)
    return null
  }

  function begin(one: Waiting) {
    line.begin(one)
    let isOver = false
    one.resolve(() => {
      if (isOver) return
      isOver = true
      line.end(one)
      pump()
    })
  }
}
