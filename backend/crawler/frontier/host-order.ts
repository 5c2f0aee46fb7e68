/** Which host of a run is next, and when a host may be asked again: applies the state of each host to the turns of `host-turns.ts`. */
import type { PendingUrl } from '#backend/store/run-store.ts'
import type { HostQueue, PendingUrls } from './pending-urls.ts'
import { createHostTurns } from './host-turns.ts'
import type { TurnKey } from './host-turns.ts'
import type { Host, Hosts } from './hosts.ts'
import type { RunTraps } from './run-traps.ts'

/** Waiting hosts are checked at least this often, in case a notification was missed. */
const RECHECK_MS = 500
/** When a request to an address ends, so many of the hosts that wait for that address are checked. */
const WOKEN_AT_ADDRESS = 4

export type HostOrder = ReturnType<typeof createHostOrder>

export function createHostOrder({ hosts, queues, traps }: { hosts: Hosts; queues: PendingUrls; traps: RunTraps }) {
  const turns = createHostTurns<HostQueue>()
  /** Hosts without a place, by the address that they share with others. */
  const waitingAt = new Map<string, Set<HostQueue>>()
  let recheckedAt = -Infinity
  const unwatch = hosts.watch(hasChanged)
  return { stand, standUnlessLater, standIfBlocked, added, recheck, probeAt, next, opensAt: turns.opensAt, close: unwatch }

  /** Places a host in the order, by its current state. */
  function stand(queue: HostQueue) {
    const { closed, suspect } = queue.record
    if (!queues.hasWork(queue)) turns.leave(queue)
    else if (closed !== null || suspect === null) turns.setReady(queue, keyOf(queue))
    else turns.setLater(queue, suspect.isProbing ? Infinity : suspect.nextAt)
  }

  /** The same, except for a host that waits out a pause. */
  function standUnlessLater(queue: HostQueue) {
    if (turns.placeOf(queue) !== 'later') stand(queue)
  }

  function standIfBlocked(queue: HostQueue) {
    if (turns.placeOf(queue) === 'blocked') stand(queue)
  }

  /** Call after adding a URL to a host. */
  function added(queue: HostQueue, isFirst: boolean) {
    const place = turns.placeOf(queue)
    if (place === null || (place === 'ready' && isFirst)) stand(queue)
  }

  /** The sort key of the host's next URL in memory. */
  function keyOf(queue: HostQueue): TurnKey {
    const isRetry = queue.pending === 0
    const { rank, seq } = isRetry ? queues.firstAgain(queue)! : (queue.ring[queue.head] ?? queue.unread)
    return { isRetry: isRetry && queue.record.closed === null, rank, seq }
  }

  function waitForPlace(queue: HostQueue) {
    const { host } = queue
    turns.setLater(queue, hosts.waitsUntil(host))
    if (host.address === null || turns.placeOf(queue) !== 'blocked') return
    const others = waitingAt.get(host.address) ?? new Set<HostQueue>()
    waitingAt.set(host.address, others.add(queue))
  }

  /** Call when a host may have opened; checks hosts at the same address too. */
  function hasChanged(host: Host) {
    const queue = queues.find(host.key)
    if (queue !== undefined) standIfBlocked(queue)
    const others = host.address === null ? undefined : waitingAt.get(host.address)
    if (others === undefined) return
    let woken = 0
    for (const other of others) {
      others.delete(other)
      if (turns.placeOf(other) !== 'blocked') continue
      stand(other)
      if ((woken += 1) === WOKEN_AT_ADDRESS) break
    }
    if (others.size === 0) waitingAt.delete(host.address!)
  }

  /** Checks all waiting hosts now and then. */
  function recheck(now: number) {
    if (now - recheckedAt < RECHECK_MS) return
    recheckedAt = now
    const blocked = Array.from(turns.blocked)
    for (const queue of blocked) stand(queue)
  }

  /** Places hosts whose pause is over; returns one that is due for a probe. */
  function probeAt(now: number): { probe: Host } | null {
    let probe: Host | null = null
    for (const queue of turns.due(now)) {
      const { host, record } = queue
      const opensAt = record.closed !== null || record.suspect === null ? null : suspectOpensAt(queue, now)
      if (opensAt === null) stand(queue)
      else if (probe !== null || opensAt > now) turns.setLater(queue, opensAt)
      else {
        record.suspect!.isProbing = true
        probe = host
        turns.block(queue)
      }
    }
    return probe === null ? null : { probe }
  }

  function suspectOpensAt({ host, record }: HostQueue, now: number): number {
    const { isProbing, nextAt } = record.suspect!
    return isProbing ? Infinity : Math.max(nextAt, hosts.isOpen(host, now) ? 0 : hosts.waitsUntil(host))
  }

  /**
   * The first URL of all open hosts; null when there is none now. Afterwards its host has no place in the order until it is placed again.
   *
   * @param mayRetry  false: no retries
   */
  function next(now: number, mayRetry: boolean): { queue: HostQueue; url: PendingUrl; isRetry: boolean } | null {
    for (let queue = turns.next(); queue !== null; queue = turns.next()) {
      const { host, record } = queue
      const isClosed = record.closed !== null
      if (!queues.hasWork(queue) || (!isClosed && record.suspect !== null)) {
        stand(queue)
        continue
      }
      if (!isClosed && !hosts.isOpen(host, now)) {
        if (queue.pending > 0) host.wantedAt = now
        waitForPlace(queue)
        continue
      }
      const first = queue.pending > 0 ? queues.firstOf(queue) : null
      if (first === null && queues.mustWait(queue)) {
        // More URLs are being read: the host takes its place by them once they arrive.
        turns.setReady(queue, keyOf(queue))
        return null
      }
      // First tries come before retries, and some are being read.
      const url = first ?? (queue.isReading ? null : queues.firstAgain(queue))
      if (url === null) {
        turns.block(queue)
        continue
      }
      if (!isClosed && traps.hasToWait(url, queue.inProgress)) {
        turns.block(queue)
        continue
      }
      const isRetry = first === null
      if (isRetry && !isClosed && !mayRetry) {
        // All further ones are retries as well.
        stand(queue)
        return null
      }
      if (isRetry && !isClosed && !hosts.mayRetry(host)) {
        turns.block(queue)
        continue
      }
      const key = { isRetry: isRetry && !isClosed, rank: url.rank, seq: url.seq }
      if (turns.isFirst(key)) return { queue, url, isRetry }
      turns.setReady(queue, key)
    }
    return null
  }
}
