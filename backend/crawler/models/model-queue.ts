/**
 * Which call to a model goes out next. There are few slots: the team with the fewest calls in progress goes first. When an endpoint asks
 * for a pause, all teams keep it.
 */
type Waiting = { share: string; endpoint: string; resolve: (release: (() => void) | null) => void }

export type ModelQueue = ReturnType<typeof createModelQueue>

export function createModelQueue({ now, slots }: { now: () => number; slots: number }) {
  const waiting = new Map<string, Waiting[]>()
  const atWork = new Map<string, number>()
  const heldUntil = new Map<string, number>()
  let inWork = 0
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
        const rest = (waiting.get(share) ?? []).filter((each) => each !== one)
        if (rest.length === 0) waiting.delete(share)
        else waiting.set(share, rest)
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
      const own = waiting.get(share)
      if (own === undefined) waiting.set(share, [one])
      else own.push(one)
      pump()
    })
  }

  function pump() {
    clearTimeout(timer)
    while (inWork < slots) {
      const next = pick()
      if (next === null) return
      if ('opensAt' in next) {
        timer = setTimeout(pump, Math.max(1, next.opensAt - now())).unref()
        return
      }
      begin(next)
    }
  }

  /** The next call: of the team with the fewest in progress; among equals, the team that has waited longest. */
  function pick(): Waiting | { opensAt: number } | null {
    if (waiting.size === 0) return null
    const at = now()
    let opensAt = Infinity
    for (const share of [...waiting.keys()].toSorted((one, other) => (atWork.get(one) ?? 0) - (atWork.get(other) ?? 0)))
      for (const one of waiting.get(share)!) {
        const until = heldUntil.get(one.endpoint) ?? 0
        if (until <= at) {
          heldUntil.delete(one.endpoint)
          return one
        }
        opensAt = Math.min(opensAt, until)
      }
    return { opensAt }
  }

  function begin(one: Waiting) {
    const { share } = one
    const rest = waiting.get(share)!.filter((each) => each !== one)
    // To the end of the map: the team goes behind the others.
    waiting.delete(share)
    if (rest.length > 0) waiting.set(share, rest)
    inWork += 1
    atWork.set(share, (atWork.get(share) ?? 0) + 1)
    let isOver = false
    one.resolve(() => {
      if (isOver) return
      isOver = true
      inWork -= 1
      const left = atWork.get(share)! - 1
      if (left === 0) atWork.delete(share)
      else atWork.set(share, left)
      pump()
    })
  }
}
