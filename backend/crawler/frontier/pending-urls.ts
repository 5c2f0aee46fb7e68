/**
 * The pending URLs of each host of a run, as far as they are in memory: a ring of the next few hundred in order of depth. The rest waits in
 * the store and is read ahead when a ring runs low; no lease waits for that read.
 */
import type { PendingPlace, PendingUrl } from '#backend/store/run-store.ts'
import type { FrontierStore } from './frontier-store.ts'
import { newHostRecord } from './host-record.ts'
import type { HostRecord } from './host-record.ts'
import type { Host, Hosts } from './hosts.ts'
import { AGAIN, PENDING } from './known-urls.ts'
import type { KnownUrls } from './known-urls.ts'

const RING = 256
const LEAST_RING = 8
/** Of all hosts. */
const RINGS_TOGETHER = 8192
/** With fewer URLs left a ring asks for more. */
const LOW_WATER = 64
/** Hosts whose URLs are being read at once. */
const MOST_READS = 8
/** URLs at the front of a ring that were taken, before the ring is cut. */
const MOST_TAKEN = 64

export type HostQueue = {
  host: Host
  ring: PendingUrl[]
  head: number
  /** Pending URLs that have not been asked: those of the ring and those that only the store has. */
  pending: number
  /** About the place of the first URL that is not in the ring. */
  unread: PendingPlace
  /** URLs to be asked again, and due: behind all that have not been asked. */
  again: PendingUrl[]
  /** URLs that are handed out and have not ended. */
  inHand: number
  record: HostRecord
  /** More is being read. */
  isReading: boolean
}

export type PendingUrls = ReturnType<typeof createPendingUrls>

/**
 * @param onRead   told that URLs of a host were read
 * @param records  by host key; kept from one slice of the run to the next
 * @param report   told when the store cannot be read; the read is made again
 */
export function createPendingUrls({
  hosts,
  known,
  onRead,
  records,
  report,
  store,
}: {
  hosts: Hosts
  known: KnownUrls
  onRead: (queue: HostQueue) => void
  records: Map<string, HostRecord>
  report: (message: string, fault: unknown) => void
  store: Pick<FrontierStore, 'pendingUrls'>
}) {
  const queues = new Map<string, HostQueue>()
  /** Hosts of which the store has nothing more to read; what is missing comes with the next commit. */
  const dry = new Set<HostQueue>()
  /** URLs of all hosts: pending, and due again. */
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
    /** More of the host is needed, and neither being read nor missing in the store: too many others are being read. */
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
        inHand: 0,
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
   * A new URL: into the ring as long as the ring holds all that is pending; else the store keeps it.
   *
   * @param isFirst  before all others
   * @returns        whether it is the next of its host
   */
  function add(queue: HostQueue, url: PendingUrl, isFirst: boolean): boolean {
    const { head, ring } = queue
    const isWhole = ring.length - head === queue.pending
    addPending(queue, 1)
    if (isFirst) ring.splice(head, 0, url)
    else if (isWhole && ring.length - head < ringSize()) insert(queue, url)
    return ring[queue.head] === url
  }

  /** Pending URLs that the store has, the first of them at `first`. */
  function addStored(queue: HostQueue, count: number, first: PendingPlace) {
    queue.unread = first
    addPending(queue, count)
  }

  /** A URL that is due again, behind the others. */
  function addAgain(queue: HostQueue, url: PendingUrl) {
    again += 1
    queue.again.push(url)
  }

  /** Takes the first URL out, or with `isRetry` the first that is due again. */
  function take(queue: HostQueue, url: PendingUrl, isRetry: boolean) {
    queue.inHand += 1
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

  /** Puts a URL back that was taken, before the others. */
  function putBack(queue: HostQueue, url: PendingUrl) {
    if (url.tries > 0) {
      queue.again.unshift(url)
      again += 1
    } else {
      queue.ring.splice(queue.head, 0, url)
      addPending(queue, 1)
    }
  }

  /** A pending URL has ended without having been taken. Where it stands, its state says that it is to be passed over. */
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

  /** How many URLs each host may have in memory. */
  function ringSize(): number {
    return Math.max(LEAST_RING, Math.min(RING, Math.floor(RINGS_TOGETHER / queues.size)))
  }

  /** Null: there is none in memory, and more is being read if there is more. */
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

  /** Fills the ring of a host up from the store, unless many are being filled. */
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
      const urls: PendingUrl[] = await store.pendingUrls(queue.host.key, after, limit)
      const inRing = new Set(queue.ring.slice(queue.head).map(({ seq }) => seq))
      // Leased URLs, and those that ended since the last commit, still read as pending.
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

  /** A commit has been written: gives the hosts that were missing something, which may be there now. */
  function committed(): HostQueue[] {
    const missing = [...dry]
    dry.clear()
    return missing
  }

  /** This engine no longer works on the run: its hosts may be forgotten. */
  function close() {
    isLeft = true
    for (const { host } of queues.values()) hosts.release(host)
  }
}

const comesBefore = (one: PendingUrl, other: PendingUrl) => one.rank < other.rank || (one.rank === other.rank && one.seq < other.seq)
