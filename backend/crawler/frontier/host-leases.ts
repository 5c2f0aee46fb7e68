/**
 * Leases hosts where several engines work on one database: only the engine with a host's lease sends it requests, so that the host's limits
 * hold for all engines together.
 *
 * A host is leased when it is needed, renewed while it is used, and released when it is idle, or when another engine has asked for it and
 * this one has had a turn.
 */
import type { RunStore, StoredHost } from '#backend/store/run-store.ts'

const TEND_MS = 200
/** No request starts in the last so many milliseconds of a lease. */
const MARGIN_MS = 1000
const RENEW_BEFORE_MS = 3000
/** An unused host is released after this time. */
const IDLE_MS = 1000
/** How long an engine may keep a host that another engine has asked for. */
const TURN_MS = 2000
/** After giving a host back on request, an engine does not ask for it again for so long. */
const LEAVE_MS = 600

type HostLease = { since: number; until: number; isWished: boolean; isLeaving: boolean }

export function createHostLeases(needs: {
  store: Pick<RunStore, 'holdHosts' | 'giveHosts'>
  steady: () => number
  /** The host's state, to be stored. */
  read: (hostKey: string) => StoredHost
  /** Requests in progress at the host. */
  inProgress: (hostKey: string) => number
  /** Called when a lease begins, with the stored state of the host. */
  granted: (stored: StoredHost) => void
  report: (message: string, fault: unknown) => void
}) {
  const { store, steady, read, inProgress, granted, report } = needs
  const leases = new Map<string, HostLease>()
  /** When each host was last needed, or found closed. */
  const wanted = new Map<string, number>()
  const notBefore = new Map<string, number>()
  let tending: Promise<void> | null = null
  const timer = setInterval(() => {
    tending ??= tend()
      .catch((fault: unknown) => report('hosts could not be leased; it is tried again', fault))
      .finally(() => (tending = null))
  }, TEND_MS)
  return { mayAsk, holds, close }

  /** Whether a request to the host may start now. Asking marks the host as needed. */
  function mayAsk(hostKey: string, at: number): boolean {
    wanted.set(hostKey, at)
    return holds(hostKey, at)
  }

  function holds(hostKey: string, at: number): boolean {
    const lease = leases.get(hostKey)
    return lease !== undefined && !lease.isLeaving && at < lease.until - MARGIN_MS
  }

  async function tend() {
    const at = steady()
    for (const lease of leases.values()) if (lease.isWished && at - lease.since >= TURN_MS) lease.isLeaving = true
    await give([...leases].filter(([hostKey, { isLeaving }]) => inProgress(hostKey) === 0 && (isLeaving || isIdle(hostKey, at))))
    await take([...wanted.keys()].filter((hostKey) => isToBeHeld(hostKey, at)))
    for (const [hostKey, last] of wanted) if (at - last >= IDLE_MS && !leases.has(hostKey)) wanted.delete(hostKey)
    for (const [hostKey, instant] of notBefore) if (instant <= at) notBefore.delete(hostKey)
  }

  function isIdle(hostKey: string, at: number): boolean {
    return at - (wanted.get(hostKey) ?? -Infinity) >= IDLE_MS
  }

  function isToBeHeld(hostKey: string, at: number): boolean {
    const lease = leases.get(hostKey)
    if (lease !== undefined) return lease.until - at < RENEW_BEFORE_MS && (inProgress(hostKey) > 0 || !isIdle(hostKey, at))
    return !isIdle(hostKey, at) && (notBefore.get(hostKey) ?? -Infinity) <= at
  }

  async function give(some: [string, HostLease][]) {
    if (some.length === 0) return
    for (const [hostKey, { isLeaving }] of some) {
      leases.delete(hostKey)
      if (isLeaving) notBefore.set(hostKey, steady() + LEAVE_MS)
    }
    await store.giveHosts(some.map(([hostKey]) => read(hostKey)))
  }

  async function take(keys: string[]) {
    if (keys.length === 0) return
    const before = steady()
    for (const { forMs, isWished, ...stored } of await store.holdHosts(keys)) {
      const lease = leases.get(stored.hostKey)
      if (lease !== undefined) Object.assign(lease, { until: before + forMs, isWished })
      else {
        leases.set(stored.hostKey, { since: before, until: before + forMs, isWished, isLeaving: false })
        granted(stored)
      }
    }
  }

  /** Releases all hosts. */
  async function close() {
    clearInterval(timer)
    await tending
    await give([...leases]).catch((fault: unknown) => report('hosts could not be released', fault))
  }
}
