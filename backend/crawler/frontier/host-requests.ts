/** Requests of one run that wait for a turn at their hosts, among everything else that the engine fetches. */
import type { Host, Hosts } from './hosts.ts'
import type { HostSignal } from './politeness.ts'
import type { Place } from '#backend/crawler/tasks/task-fetch.ts'

type Waiting = { host: Host; granted: (place: Place | null) => void }

/** Work for the engine to start at once, or when to ask again. */
export type Turn = { url: string; work: () => Promise<void>; giveUp: (fault: unknown) => void } | { opensAt: number }

/** @param pump  notifies the engine that a request is waiting */
export function createHostRequests({ hosts, maxConcurrency, pump }: { hosts: Hosts; maxConcurrency: number; pump: () => void }) {
  /** In the order of arrival. */
  const requests = new Set<Waiting>()
  let inProgress = 0
  return {
    turn,
    turnAt,
    get inProgress() {
      return inProgress
    },
  }

  /** Waits for a turn at a host; the engine gives turns to all its runs in order. Null when the signal aborted first. */
  function turnAt(host: Host, signal: AbortSignal): Promise<Place | null> {
    if (signal.aborted) return Promise.resolve(null)
    const { promise, resolve } = Promise.withResolvers<Place | null>()
    const waiting: Waiting = { host, granted: resolve }
    const abort = () => requests.delete(waiting) && resolve(null)
    signal.addEventListener('abort', abort, { once: true })
    void promise.then(() => signal.removeEventListener('abort', abort))
    requests.add(waiting)
    pump()
    return promise
  }

  /** The first request whose host may be asked now. It takes its place at once. */
  function turn(at: number): Turn {
    let opensAt = Infinity
    if (inProgress >= maxConcurrency) return { opensAt }
    for (const waiting of requests) {
      const { host } = waiting
      if (!hosts.isOpen(host, at)) {
        opensAt = Math.min(opensAt, hosts.waitsUntil(host))
        continue
      }
      requests.delete(waiting)
      hosts.start(host)
      inProgress += 1
      return { url: host.key, work: () => grant(waiting), giveUp: () => undefined }
    }
    return { opensAt }
  }

  /** Resolves when the place was released. */
  function grant({ host, granted }: Waiting): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const release = (signal: HostSignal | null) => {
      hosts.end(host, signal)
      inProgress -= 1
      resolve()
    }
    granted({ release })
    return promise
  }
}
