/**
 * The pending URLs of each host of a run that are in memory: a ring of the next few hundred in order of depth. The rest stays in the store
 * and is read ahead when a ring runs low; no lease waits for that read.
 */
import type { PendingPlace, PendingUrl, RunStore } from '#backend/store/run-store.ts'
import { newHostRecord } from './host-record.ts'
import type { HostRecord } from './host-record.ts'
import type { Host, Hosts } from './hosts.ts'
import { AGAIN, PENDING } from './known-urls.ts'
import type { KnownUrls } from './known-urls.ts'

const RING = 256
const LEAST_RING = 8
/** URLs in the rings of all hosts. */
const RINGS_TOGETHER = 8192
/** With fewer URLs left, a ring is refilled. */
const LOW_WATER = 64
/** Hosts that are refilled at the same time. */
const MOST_READS = 8
/** A ring drops its used front after so many URLs. */
const MOST_TAKEN = 64

export type HostQueue = {
  host: Host
  ring: PendingUrl[]
  head: number
  /** Pending URLs on their first try, in the ring or only in the store. */
  pending: number
  /** The approximate position of the first URL that is not in the ring. */
  unread: PendingPlace
  /** Retries that are due; they go behind all first tries. */
  again: PendingUrl[]
  /** Leased URLs of the host. */
  inProgress: number
  record: HostRecord
  /** A refill is being read. */
  isReading: boolean
}

export type PendingUrls = ReturnType<typeof createPendingUrls>

/**
 * @param onRead   called when URLs of a host were read
 * @param records  by host key; kept from one slice of the run to the next
 * @param report   called when a read from the store failed; it is retried
 */
export function createPendingUrls({
  hosts,
  known,
  onRead,
  records,
  report,
  runNo,
  store,
}: {
  hosts: Hosts
  known: KnownUrls
  onRead: (queue: HostQueue) => void
  records: Map<string, HostRecord>
  report: (message: string, fault: unknown) => void
  runNo: number
  store: Pick<RunStore, 'pendingUrls'>
}) {
  const queues = new Map<string, HostQueue>()
  /** Hosts with nothing more to read: further URLs come with the next commit. */
  const dry = new Set<HostQueue>()
  /** Pending URLs of all hosts, retries included. */
  let pending = 0
  let again = 0
  let reads = 0
  let isLeft = false
  return {
    of,
    find: (hostKey: string) => queues.get(hostKey),
    all: () => queues.values(),
    add,
    addStored,
    addAgain,
    take,
    putBack,
    forgetPending,
    forgetAgain: () => void (again -= 1),
    firstOf,
    firstAgain,
    hasWork: (queue: HostQueue) => queue.pending > 0 || firstAgain(queue) !== null,
    /** The host needs a refill that has not started because too many others are being read. */
    mustWait: (queue: HostQueue) => queue.pending > 0 && !queue.isReading && !dry.has(queue),
    committed,
    close,
    get pending() {
      return pending
    },
    get again() {
      return again
    },
  }

  function of(host: Host): HostQueue {
    let queue = queues.get(host.key)
    if (queue === undefined) {
      queue = {
        host,
        ring: [],
        head: 0,
        pending: 0,
        unread: { rank: 0, seq: 0 },
        again: [],
        inProgress: 0,
        record: recordOf(host.key),
        isReading: false,
      }
      queues.set(host.key, queue)
      if (!isLeft) hosts.hold(host.key)
    }
    return queue
  }

  function recordOf(key: string): HostRecord {
    const record = records.get(key) ?? newHostRecord()
    records.set(key, record)
    if (record.suspect !== null) record.suspect.isProbing = false
    return record
  }

  // ---- adding and taking

  /**
   * Adds a new URL: to the ring if the ring holds all pending URLs, or later ones; else it stays in the store.
   *
   * @param isFirst  goes before all others
   * @returns        whether it is the next of its host
   */
  function add(queue: HostQueue, url: PendingUrl, isFirst: boolean): boolean {
    const { head, ring } = queue
    const left = ring.length - head
    const isWhole = left === queue.pending
    addPending(queue, 1)
    if (isFirst) ring.splice(head, 0, url)
    else if (isWhole && left < ringSize()) insert(queue, url)
    else if (left > 0 && comesBefore(url, ring.at(-1)!)) {
      insert(queue, url)
      // The last one is read from the store again.
      if (left >= ringSize()) ring.pop()
    }
    return ring[queue.head] === url
  }

  /** Counts pending URLs in the store, the first of them at `first`. */
  function addStored(queue: HostQueue, count: number, first: PendingPlace) {
    queue.unread = first
    addPending(queue, count)
  }

  /** Adds a retry that is due, behind all others. */
  function addAgain(queue: HostQueue, url: PendingUrl) {
    again += 1
    queue.again.push(url)
  }

  /** Removes the first URL, or with `isRetry` the first retry. */
  function take(queue: HostQueue, url: PendingUrl, isRetry: boolean) {
    queue.inProgress += 1
    if (isRetry) {
      queue.again.shift()
      again -= 1
      return
    }
    queue.head += 1
    if (queue.head > MOST_TAKEN && queue.head * 2 > queue.ring.length) {
      queue.ring.splice(0, queue.head)
      queue.head = 0
    }
    queue.unread = url
    addPending(queue, -1)
  }

  /** Puts a URL that was taken back in front of the others. */
  function putBack(queue: HostQueue, url: PendingUrl) {
    if (url.tries > 0) {
      queue.again.unshift(url)
      again += 1
    } else {
      queue.ring.splice(queue.head, 0, url)
      addPending(queue, 1)
    }
  }

  /** Uncounts a pending URL that ended without being taken. Its place in the ring is skipped by its state. */
  function forgetPending(queue: HostQueue) {
    addPending(queue, -1)
  }

  function addPending(queue: HostQueue, change: number) {
    queue.pending += change
    pending += change
  }

  function insert({ head, ring }: HostQueue, url: PendingUrl) {
    let at = ring.length
    while (at > head && comesBefore(url, ring[at - 1]!)) at -= 1
    if (at === ring.length) ring.push(url)
    else ring.splice(at, 0, url)
  }

  /** The ring size of each host. */
  function ringSize(): number {
    return Math.max(LEAST_RING, Math.min(RING, Math.floor(RINGS_TOGETHER / queues.size)))
  }

  /** Null when none is in memory; then a refill has been started if there are more. */
  function firstOf(queue: HostQueue): PendingUrl | null {
    while (queue.head < queue.ring.length && known.stateOf(queue.ring[queue.head]!.seq) !== PENDING) queue.head += 1
    const left = queue.ring.length - queue.head
    if (left < Math.min(LOW_WATER, ringSize() / 2) && left < queue.pending) readMore(queue)
    if (left > 0) return queue.ring[queue.head]!
    queue.ring.length = 0
    queue.head = 0
    return null
  }

  function firstAgain(queue: HostQueue): PendingUrl | null {
    while (queue.again.length > 0 && known.stateOf(queue.again[0]!.seq) !== AGAIN) queue.again.shift()
    return queue.again[0] ?? null
  }

  // ---- reading ahead

  /** Refills the ring of a host, unless too many are being refilled. */
  function readMore(queue: HostQueue) {
    if (queue.isReading || dry.has(queue) || reads >= MOST_READS) return
    queue.isReading = true
    reads += 1
    fill(queue)
      .finally(() => {
        queue.isReading = false
        reads -= 1
      })
      .then(
        () => onRead(queue),
        (fault: unknown) => report('URLs of a run could not be read; it is tried again', fault),
      )
  }

  async function fill(queue: HostQueue) {
    const limit = ringSize()
    let hasFound = false
    for (let after: PendingUrl | null = null; !hasFound;) {
      const urls: PendingUrl[] = await store.pendingUrls(runNo, queue.host.key, after, limit)
      const inRing = new Set(queue.ring.slice(queue.head).map(({ seq }) => seq))
      // The store still shows leased URLs as pending, and URLs that ended since the last commit.
      for (const url of urls) {
        if (known.stateOf(url.seq) !== PENDING || inRing.has(url.seq)) continue
        insert(queue, url)
        hasFound = true
      }
      if (urls.length < limit) break
      after = urls.at(-1)!
    }
    if (!hasFound) dry.add(queue)
  }

  /** After a commit: returns the hosts that waited for rows, which may be there now. */
  function committed(): HostQueue[] {
    const missing = [...dry]
    dry.clear()
    return missing
  }

  /** Call when this engine is done with the run: releases its hosts. */
  function close() {
    isLeft = true
    for (const { host } of queues.values()) hosts.release(host)
  }
}

const comesBefore = (one: PendingUrl, other: PendingUrl) => one.rank < other.rank || (one.rank === other.rank && one.seq < other.seq)
