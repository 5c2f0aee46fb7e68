/**
 * Which URL of a run comes next. The memory of the run's one owner over what the store holds.
 *
 * A URL is pending until it is settled; what is in hand is known here and nowhere else, so handing out a URL writes nothing and a
 * crash needs no repair. Every URL is known by its key in a hot set; state, depth and length of its title lie in flat arrays by
 * seq. Each host has a ring of the next few hundred pending URLs in order of depth; the rest waits in the table and is read back
 * when the ring is empty. Memory is ahead of the store by what lies in `changes` and in the commit on its way.
 * `lease` never waits for the store: a ring that runs low is filled up meanwhile.
 *
 * Rule: if a commit fails, the whole memory is thrown away and made again from the store.
 */
import type { KnownUrl, PendingPlace, PendingUrl, RunChanges, RunStore } from '#backend/store/run-store.ts'
import type { Host, Hosts } from './hosts.ts'
import { createHostTurns } from './host-turns.ts'
import type { TurnKey } from './host-turns.ts'
import { createHotSet } from './hot-set.ts'
import { LINK_STRIDE } from './page-rules.ts'
import type { LinkBlock } from './page-rules.ts'
import { hostKey } from './canonical-url.ts'
import { fromStored, toStored } from '#backend/platform/clock.ts'
import type { Clock } from '#backend/platform/clock.ts'
import {
  MAX_RETRY_AFTER_MS,
  DEAD_AFTER_MS,
  DEAD_AFTER_PROBES,
  DEAD_STRANGER_AFTER_MS,
  MOST_SUSPECT_AFTER,
  SUSPECT_AFTER,
  TOO_BUSY_AFTER,
  probeWaitMs,
} from './politeness.ts'
import { urlPattern } from './traps.ts'
import { LATE } from './late.ts'

/** What is remembered of a URL, by seq. */
const PENDING = 0
const IN_HAND = 1
const ENDED = 2
const KEPT = 3
const TOO_DEEP = 4
const WAITING = 5
/** Known but never asked: outside the scope, or a trap. */
const LISTED = 6
/** To be asked again, and due. */
const AGAIN = 7

/** In the hot set: the key of a kept page's final URL that is no row of its own. */
const ALIAS = -2

const RING = 256
/** With fewer URLs left a ring asks for more. */
const LOW_WATER = 64
/** Hosts whose URLs are being read at once. */
const MOST_READS = 8
/** Hosts that wait for something are looked at so often, in case nothing has told that it has happened. */
const RECHECK_MS = 500
/** When a request ends at an address, so many of the hosts there that wait for a place are looked at. */
const WOKEN_AT_ADDRESS = 4
/** Known URLs that are read at once. */
const KEYS_AT_ONCE = 50_000
const RINGS_TOGETHER = 8192
const MOST_TITLE = 100
const MOST_PATTERNS = 50_000
const MOST_HOSTS_OF_SITE = 500

export type Lease = { seq: number; url: string; depth: number; tries: number; hops: number; isSeed: boolean; host: Host }

type HostQueue = {
  host: Host
  ring: PendingUrl[]
  head: number
  /** Pending URLs that have not been asked: those of the ring and those that only the table has. */
  pending: number
  /** About the place of the first URL that is not in the ring. */
  unread: PendingPlace
  /** URLs to be asked again, and due: behind all that have not been asked. */
  again: PendingUrl[]
  inHand: number
  record: HostRecord
  /** More is being read. */
  isReading: boolean
}

/** What a run has learned about whether a host answers; it outlives the memory of the run's URLs. */
export type HostRecord = {
  /** The host has answered something. */
  hasAnswered: boolean
  /** Different URLs in a row that brought no answer. */
  unanswered: number
  /** So many of them make the host suspect. */
  suspectAfter: number
  /** Set while the host is left alone but for probes. */
  suspect: null | { since: number; probes: number; nextAt: number; isProbing: boolean }
  /** "Too much" in a row, without another answer between. */
  busyInRow: number
  /** Why the rest of the host's URLs is not asked. */
  closed: null | { outcome: 'host_dead' | 'host_busy'; detail: string }
}
type Pattern = { added: number; lastHash: string; sameInRow: number; strangeRedirects: number; closed: null | 'same' | 'redirects' }

/** Where a redirect leads. */
type RedirectTarget = { hi: number; lo: number; url: string; depth: number; hops: number; isSeed: boolean }

/** What the frontier of one run reads back; each answer holds every committed row. */
export type FrontierStore = {
  [read in 'knownUrls' | 'pageKeys' | 'pendingByHost' | 'pendingUrls' | 'waitingUrls']: RunStore[read] extends (
    runNo: number,
    ...rest: infer Rest
  ) => infer Answer
    ? (...rest: Rest) => Answer
    : never
}

export const frontierStore = (store: RunStore, runNo: number): FrontierStore => ({
  knownUrls: (after, limit) => store.knownUrls(runNo, after, limit),
  pageKeys: () => store.pageKeys(runNo),
  pendingByHost: () => store.pendingByHost(runNo),
  pendingUrls: (hostKey, after, limit) => store.pendingUrls(runNo, hostKey, after, limit),
  waitingUrls: () => store.waitingUrls(runNo),
})

export type FrontierOptions = {
  maxDepth: number
  pageLimit: number
  hosts: Hosts
  store: FrontierStore
  siteOf: (host: string) => string
  seedHosts: Set<string>
  /** By host key; kept from one slice of the run to the next. */
  records?: Map<string, HostRecord>
  /** `lease`, `retryAt` and the like are told instants of its steady clock; the store holds those of the wall. */
  clock: Clock
  /** URLs that were read ahead have come: there may be something to hand out. */
  onRead?: () => void
  /** Told when the store cannot be read; the read is made again. */
  report?: (message: string, fault: unknown) => void
}

/** What the committer calls a URL that this frontier has put behind all others. */
export type Frontier = ReturnType<typeof createFrontier>

export function createFrontier(options: FrontierOptions) {
  const { clock, maxDepth, pageLimit, hosts, store, siteOf, seedHosts, records = new Map(), onRead = () => undefined } = options
  const { report = () => undefined } = options
  const keys = createHotSet()
  let states = new Uint8Array(1024)
  let depths = new Uint16Array(1024)
  let titleLengths = new Uint8Array(1024)
  let known = 0
  let outside = 0
  let dropped = 0
  let inHand = 0
  let retriesInHand = 0
  /** URLs of all hosts: pending, and due again. */
  let pending = 0
  let again = 0
  let reads = 0
  let recheckedAt = -Infinity
  let isLeft = false
  const queues = new Map<string, HostQueue>()
  /** Hosts of which the store has nothing more to read; what is missing comes with the next commit. */
  const dry = new Set<HostQueue>()
  const turns = createHostTurns<HostQueue>()
  /** Hosts that found no place, by the address that they share with others. */
  const waitingAt = new Map<string, Set<HostQueue>>()
  const unwatch = hosts.watch(hasChanged)
  const waiting: { dueAt: number; url: PendingUrl; queue: HostQueue }[] = []
  const patterns = new Map<string, Pattern>()
  const sites = new Map<string, Set<string>>()
  const knownLimit = Math.min(Math.max(50 * pageLimit, 20_000), 5_000_000)
  const outsideLimit = Math.min(Math.max(5 * pageLimit, 5_000), 200_000)
  const redirectLimit = Math.max(10, Math.floor(pageLimit * 0.3))
  const patternLimit = Math.max(200, Math.floor(pageLimit * 0.3))
  return {
    rebuild,
    addLinks,
    addTarget,
    lease,
    giveBack,
    retryAt,
    settle,
    keepAs,
    answered,
    unanswered,
    tooBusy,
    hasAnswered: (lease: Lease) => queueOf(lease.host).record.hasAnswered,
    isWantedByOthers,
    probed,
    isClosed,
    sawContent,
    sawRedirect,
    hasPage,
    depthOf: (seq: number) => depths[seq]!,
    isInHand: (lease: Lease) => states[lease.seq] === IN_HAND,
    /** URLs handed out and not yet ended. */
    get inHand() {
      return inHand
    },
    get known() {
      return known
    },
    /** Links that were not even listed, because the run knows too many. */
    get dropped() {
      return dropped
    },
    get bytes() {
      return keys.bytes + states.length * 4
    },
    isDrained,
    committed,
    close,
    /** Second and further tries among those in progress. */
    get retriesInHand() {
      return retriesInHand
    },
    nextDueAt: () => waiting[0]?.dueAt ?? Infinity,
  }

  // ---- from the store

  /** Makes the memory from the store: 50,000 keys at a time, so that the event loop goes on. */
  async function rebuild(breathe: () => Promise<void>) {
    for (let after = -1; ;) {
      const urls = await store.knownUrls(after, KEYS_AT_ONCE)
      for (const known of urls) recall(known)
      if (urls.length < KEYS_AT_ONCE) break
      after = urls.at(-1)!.seq
      await breathe()
    }
    for (const { hi, lo } of await store.pageKeys()) if (keys.find(hi, lo) === -1) keys.add(hi, lo, ALIAS)
    for (const { first, hostKey: key, pending: ofHost } of await store.pendingByHost()) {
      const queue = queueOf(hosts.get(key))
      queue.unread = first
      addPending(queue, ofHost)
      stand(queue)
    }
    for (const { dueAt, hostKey: key, ...url } of await store.waitingUrls())
      wait(url, queueOf(hosts.get(key)), fromStored(clock, dueAt, MAX_RETRY_AFTER_MS))
    await hosts.loaded()
  }

  function recall({ hi, lo, outcome, rank, seq, state, titleLength, url }: KnownUrl) {
    remember(seq, hi, lo, rank % LATE, titleLength)
    if (outcome === 'out_of_scope') outside += 1
    else countPattern(urlPattern(url))
    if (state === 'pending') states[seq] = PENDING
    else if (state === 'waiting') states[seq] = WAITING
    else if (outcome === 'kept') states[seq] = KEPT
    else if (outcome === 'depth') states[seq] = TOO_DEEP
    else states[seq] = state === 'listed' ? LISTED : ENDED
  }

  // ---- adding

  /**
   * Takes the links of a page: unknown ones become rows, a shorter title or a shallower depth is noted for known ones.
   * @param depth  of the page that they stand on
   */
  function addLinks({ numbers, text, notes }: LinkBlock, depth: number, changes: RunChanges) {
    let from = 0
    for (let at = 0; at < numbers.length; at += LINK_STRIDE) {
      const urlEnd = numbers[at + 2]!
      const titleEnd = numbers[at + 3]!
      const start = from
      from = titleEnd
      const hi = numbers[at]!
      const lo = numbers[at + 1]!
      const seq = keys.find(hi, lo)
      if (seq >= 0) {
        const length = Math.min(titleEnd - urlEnd, MOST_TITLE)
        const before = titleLengths[seq]!
        if (length > 0 && (before === 0 || length < before)) {
          titleLengths[seq] = length
          changes.retitled.set(seq, text.slice(urlEnd, urlEnd + length))
        }
        if (depth + 1 < depths[seq]!) comeCloser(seq, depth + 1, text.slice(start, urlEnd), changes)
      } else if (seq === -1) {
        const note = numbers[at + 4]!
        const title = text.slice(urlEnd, Math.min(titleEnd, urlEnd + MOST_TITLE))
        append(
          {
            hi,
            lo,
            url: text.slice(start, urlEnd),
            title,
            depth: depth + 1,
            note: note === 0 ? null : notes[note - 1]!,
            hops: 0,
            isSeed: false,
            first: false,
          },
          changes,
        )
      }
    }
  }

  /**
   * Adds where a redirect to another host leads, at the depth and in the place of the one that was redirected. A row that was only
   * listed becomes pending: one that lay too deep, and any that a submitted URL leads to. False: it is known, and has had its turn or will.
   */
  function addTarget(target: RedirectTarget, changes: RunChanges): boolean {
    const seq = keys.find(target.hi, target.lo)
    if (seq === -1) {
      append({ ...target, title: '', note: null, first: true }, changes)
      return true
    }
    const state = seq === ALIAS ? KEPT : states[seq]
    const isListed = state === TOO_DEEP || (state === LISTED && target.isSeed)
    if (!isListed || target.depth > maxDepth) return false
    reopen(seq, target, changes)
    return true
  }

  function reopen(seq: number, { depth, hops, isSeed, url }: Omit<RedirectTarget, 'hi' | 'lo'>, changes: RunChanges) {
    depths[seq] = depth
    states[seq] = PENDING
    changes.reopened += 1
    const queue = queueOf(hosts.get(hostKey(url)))
    changes.closer.set(seq, { depth, hostKey: queue.host.key, hops, isSeed })
    push(queue, { seq, url, rank: depth, tries: 0, hops, isSeed }, false)
  }

  type NewUrl = {
    hi: number
    lo: number
    url: string
    title: string
    depth: number
    note: { outcome: string; detail: string } | null
    hops: number
    isSeed: boolean
    first: boolean
  }

  function append(link: NewUrl, changes: RunChanges) {
    const isOutside = link.note?.outcome === 'out_of_scope'
    if (!link.isSeed && (isOutside ? outside >= outsideLimit : known - outside >= knownLimit)) {
      dropped += 1
      return
    }
    if (isOutside) outside += 1
    let { note } = link
    let rank = link.depth
    let key = ''
    if (note === null) {
      key = hostKey(link.url)
      // What was submitted is never filtered, nor where it leads.
      if (link.isSeed) countPattern(urlPattern(link.url))
      else if (isOneHostTooMany(key)) note = { outcome: 'trap:host', detail: `more than ${MOST_HOSTS_OF_SITE} hosts of one site` }
      else if (link.depth > maxDepth) note = { outcome: 'depth', detail: `deeper than ${maxDepth}` }
      // Large sites are one pattern: its URLs beyond a share are not dropped, they wait behind all others.
      else if (countPattern(urlPattern(link.url)) > patternLimit) rank += LATE
    }
    const seq = known
    remember(seq, link.hi, link.lo, link.depth, link.title.length)
    states[seq] = note === null ? PENDING : note.outcome === 'depth' ? TOO_DEEP : LISTED
    const queue = note === null ? queueOf(hosts.get(key)) : null
    changes.added.push({
      seq,
      hi: link.hi,
      lo: link.lo,
      hostKey: queue?.host.key ?? null,
      rank,
      outcome: note?.outcome ?? null,
      detail: note?.detail ?? null,
      hops: link.hops,
      isSeed: link.isSeed,
      url: link.url,
      title: link.title,
    })
    if (queue !== null) push(queue, { seq, url: link.url, rank, tries: 0, hops: link.hops, isSeed: link.isSeed }, link.first)
  }

  function remember(seq: number, hi: number, lo: number, depth: number, titleLength: number) {
    if (seq >= states.length) {
      states = enlarged(states, new Uint8Array(states.length * 2))
      depths = enlarged(depths, new Uint16Array(depths.length * 2))
      titleLengths = enlarged(titleLengths, new Uint8Array(titleLengths.length * 2))
    }
    keys.add(hi, lo, seq)
    depths[seq] = Math.min(depth, 65_535)
    titleLengths[seq] = Math.min(titleLength, 255)
    known = Math.max(known, seq + 1)
  }

  /** A slow page can show that a URL lies closer than was thought. */
  function comeCloser(seq: number, depth: number, url: string, changes: RunChanges) {
    const state = states[seq]
    if (state === KEPT || state === ENDED || state === LISTED || (state === TOO_DEEP && depth > maxDepth)) return
    if (state === TOO_DEEP) return reopen(seq, { depth, hops: 0, isSeed: false, url }, changes)
    depths[seq] = depth
    // A URL that was too deep a moment ago stays one that becomes pending with this commit.
    changes.closer.set(seq, { hostKey: null, hops: 0, isSeed: false, ...changes.closer.get(seq), depth })
  }

  /** Into the ring as long as the ring holds all that is pending; else the table keeps it. */
  function push(queue: HostQueue, url: PendingUrl, first: boolean) {
    const { ring, head } = queue
    const isWhole = ring.length - head === queue.pending
    addPending(queue, 1)
    if (first) ring.splice(head, 0, url)
    else if (isWhole && ring.length - head < ringSize()) insert(queue, url)
    const place = turns.placeOf(queue)
    if (place === null || (place === 'ready' && ring[queue.head] === url)) stand(queue)
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
    return Math.max(8, Math.min(RING, Math.floor(RINGS_TOGETHER / Math.max(queues.size, 1))))
  }

  // ---- handing out

  /**
   * The next URL that may be asked now: of the hosts that are open, the one whose first URL is shallowest and oldest; one that is to be
   * asked again only when there is none that has not been asked. Or a suspect host that it is time to probe. When there is nothing,
   * `opensAt` says when to ask again (Infinity: when something ends).
   *
   * @param mayRetry  false: no URL that is to be asked again
   */
  function lease(now: number, mayRetry = true): { lease: Lease } | { probe: Host } | { opensAt: number } {
    makeDue(now)
    const found = probeAt(now) ?? next(now, mayRetry)
    if (found !== null) return found
    if (giveUpSuspects(now)) return lease(now, mayRetry)
    return { opensAt: Math.min(waiting[0]?.dueAt ?? Infinity, turns.opensAt()) }
  }

  function makeDue(now: number) {
    while (waiting.length > 0 && waiting[0]!.dueAt <= now) {
      const { url, queue } = waiting.shift()!
      states[url.seq] = AGAIN
      again += 1
      queue.again.push(url)
      if (turns.placeOf(queue) !== 'later') stand(queue)
    }
    if (now - recheckedAt < RECHECK_MS) return
    recheckedAt = now
    const blocked = Array.from(turns.blocked)
    for (const queue of blocked) stand(queue)
  }

  /** Looks at hosts whose pause is over; gives one that is to be probed. */
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

  /** The URL that comes first of all hosts that are open. */
  function next(now: number, mayRetry: boolean): { lease: Lease } | null {
    for (let queue = turns.next(); queue !== null; queue = turns.next()) {
      const { host, record } = queue
      const isClosed = record.closed !== null
      if (!hasWork(queue) || (!isClosed && record.suspect !== null)) {
        stand(queue)
        continue
      }
      if (!isClosed && !hosts.isOpen(host, now)) {
        if (queue.pending > 0) host.wantedAt = now
        waitForPlace(queue)
        continue
      }
      const first = queue.pending > 0 ? firstOf(queue) : null
      if (first === null && queue.pending > 0 && !queue.isReading && !dry.has(queue)) {
        // Enough is being read for now: it comes first when that is there.
        turns.setReady(queue, keyOf(queue))
        return null
      }
      // What has not been asked comes first, and is on its way.
      const url = first ?? (queue.isReading ? null : firstAgain(queue))
      if (url === null) {
        turns.block(queue)
        continue
      }
      const isRetry = first === null
      if (isRetry && !isClosed && !mayRetry) {
        // All that follow are to be asked again, too.
        stand(queue)
        return null
      }
      if (isRetry && !isClosed && !hosts.mayRetry(host)) {
        turns.block(queue)
        continue
      }
      const key = { isRetry: isRetry && !isClosed, rank: url.rank, seq: url.seq }
      if (turns.isFirst(key)) return { lease: take(queue, url, isRetry) }
      turns.setReady(queue, key)
    }
    return null
  }

  function take(queue: HostQueue, url: PendingUrl, isRetry: boolean): Lease {
    if (isRetry) {
      queue.again.shift()
      again -= 1
    } else {
      queue.head += 1
      if (queue.head > 64 && queue.head * 2 > queue.ring.length) {
        queue.ring.splice(0, queue.head)
        queue.head = 0
      }
      queue.unread = url
      addPending(queue, -1)
    }
    queue.inHand += 1
    inHand += 1
    if (url.tries > 0) retriesInHand += 1
    states[url.seq] = IN_HAND
    stand(queue)
    return {
      seq: url.seq,
      url: url.url,
      depth: depths[url.seq]!,
      tries: url.tries,
      hops: url.hops,
      isSeed: url.isSeed,
      host: queue.host,
    }
  }

  // ---- the order of hosts

  function hasWork(queue: HostQueue): boolean {
    return queue.pending > 0 || firstAgain(queue) !== null
  }

  /** Puts a host where its turn comes from, by what is known of it now. */
  function stand(queue: HostQueue) {
    const { closed, suspect } = queue.record
    if (!hasWork(queue)) turns.leave(queue)
    else if (closed !== null || suspect === null) turns.setReady(queue, keyOf(queue))
    else turns.setLater(queue, suspect.isProbing ? Infinity : suspect.nextAt)
  }

  /** What the host would hand out, as far as that is in memory. */
  function keyOf(queue: HostQueue): TurnKey {
    const isRetry = queue.pending === 0
    const { rank, seq } = isRetry ? firstAgain(queue)! : (queue.ring[queue.head] ?? queue.unread)
    return { isRetry: isRetry && queue.record.closed === null, rank, seq }
  }

  function waitForPlace(queue: HostQueue) {
    const { host } = queue
    turns.setLater(queue, hosts.waitsUntil(host))
    if (host.address === null || turns.placeOf(queue) !== 'blocked') return
    const others = waitingAt.get(host.address) ?? new Set<HostQueue>()
    waitingAt.set(host.address, others.add(queue))
  }

  /** A host may have opened; so may others that share its address. */
  function hasChanged(host: Host) {
    const queue = queues.get(host.key)
    if (queue !== undefined && turns.placeOf(queue) === 'blocked') stand(queue)
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

  // ---- URLs in memory

  /** Null: there is none in memory, and more is being read if there is more. */
  function firstOf(queue: HostQueue): PendingUrl | null {
    while (queue.head < queue.ring.length && states[queue.ring[queue.head]!.seq] !== PENDING) queue.head += 1
    const left = queue.ring.length - queue.head
    if (left < Math.min(LOW_WATER, ringSize() / 2) && left < queue.pending) readMore(queue)
    if (left > 0) return queue.ring[queue.head]!
    queue.ring.length = 0
    queue.head = 0
    return null
  }

  function firstAgain(queue: HostQueue): PendingUrl | null {
    while (queue.again.length > 0 && states[queue.again[0]!.seq] !== AGAIN) queue.again.shift()
    return queue.again[0] ?? null
  }

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
        () => {
          if (turns.placeOf(queue) === 'blocked') stand(queue)
          onRead()
        },
        (fault: unknown) => report('URLs of a run could not be read; it is tried again', fault),
      )
  }

  async function fill(queue: HostQueue) {
    const limit = ringSize()
    let found = 0
    for (let after: PendingUrl | null = null; found === 0;) {
      const urls: PendingUrl[] = await store.pendingUrls(queue.host.key, after, limit)
      const inRing = new Set(queue.ring.slice(queue.head).map(({ seq }) => seq))
      // Leased URLs, and those that ended since the last commit, still read as pending.
      for (const url of urls) {
        if (states[url.seq] !== PENDING || inRing.has(url.seq)) continue
        insert(queue, url)
        found += 1
      }
      if (urls.length < limit) break
      after = urls.at(-1)!
    }
    if (found === 0) dry.add(queue)
  }

  /** A commit has been written: what a host was missing may be there now. */
  function committed() {
    const missing = [...dry]
    dry.clear()
    for (const queue of missing) if (turns.placeOf(queue) === 'blocked') stand(queue)
  }

  /** This engine no longer works on the run: its hosts may be forgotten. */
  function close() {
    isLeft = true
    unwatch()
    for (const { host } of queues.values()) hosts.release(host)
  }

  /** A leased URL goes back as if it had never been handed out. */
  function giveBack(lease: Lease) {
    const queue = endLease(lease)
    states[lease.seq] = lease.tries > 0 ? AGAIN : PENDING
    if (lease.tries > 0) {
      queue.again.unshift(pendingFrom(lease))
      again += 1
    } else {
      queue.ring.splice(queue.head, 0, pendingFrom(lease))
      addPending(queue, 1)
    }
    if (turns.placeOf(queue) !== 'later') stand(queue)
  }

  /** A leased URL is tried again later, behind those of its host that have not been asked by then. */
  function retryAt(lease: Lease, dueAt: number, changes: RunChanges) {
    const queue = endLease(lease)
    wait({ ...pendingFrom(lease), tries: lease.tries + 1 }, queue, dueAt)
    changes.retries.push({ seq: lease.seq, tries: lease.tries + 1, dueAt: toStored(clock, dueAt) })
  }

  function wait(url: PendingUrl, queue: HostQueue, dueAt: number) {
    states[url.seq] = WAITING
    let at = waiting.length
    while (at > 0 && waiting[at - 1]!.dueAt > dueAt) at -= 1
    waiting.splice(at, 0, { dueAt, url, queue })
  }

  // ---- ending

  /** A leased URL has ended, kept or not. */
  function settle(lease: Lease, isKept: boolean) {
    endLease(lease)
    states[lease.seq] = isKept ? KEPT : ENDED
  }

  /**
   * What it means that a page is kept under a final URL that a redirect led to: `own` nothing, the key is that of the leased URL or
   * new · `duplicate` that page is kept already or in hand · a row: that URL was waiting or listed, and is settled by this page.
   */
  function keepAs(lease: Lease, hi: number, lo: number): 'own' | 'duplicate' | { seq: number; wasListed: boolean } {
    const seq = keys.find(hi, lo)
    if (seq === lease.seq) return 'own'
    if (seq === -1) {
      keys.add(hi, lo, ALIAS)
      return 'own'
    }
    const state = states[seq]
    if (seq === ALIAS || state === KEPT || state === IN_HAND) return 'duplicate'
    if (state === PENDING) addPending(queueOf(lease.host), -1)
    if (state === AGAIN) again -= 1
    if (state === WAITING) {
      const at = waiting.findIndex(({ url }) => url.seq === seq)
      if (at >= 0) waiting.splice(at, 1)
    }
    states[seq] = KEPT
    return { seq, wasListed: state === TOO_DEEP || state === LISTED || state === ENDED }
  }

  /** Whether a URL is known and may still bring a page, or has brought one. */
  function hasPage(hi: number, lo: number): boolean {
    const seq = keys.find(hi, lo)
    return seq !== -1 && (seq === ALIAS || (states[seq] !== ENDED && states[seq] !== LISTED))
  }

  // ---- whether hosts answer

  /** The host has answered, whatever it said. */
  function answered(lease: Lease) {
    const queue = queueOf(lease.host)
    const { record } = queue
    record.hasAnswered = true
    record.unanswered = 0
    record.busyInRow = 0
    record.suspectAfter = SUSPECT_AFTER
    if (record.suspect === null) return
    record.suspect = null
    stand(queue)
  }

  /**
   * Nothing came of a URL: the connection was refused, broken off or silent. Only different URLs count. True when that makes the host
   * suspect: it is left alone until a probe of it is answered.
   */
  function unanswered(lease: Lease, now: number): boolean {
    const queue = queueOf(lease.host)
    const { record } = queue
    if (lease.tries > 0 || record.closed !== null || record.suspect !== null) return false
    record.unanswered += 1
    if (record.unanswered < record.suspectAfter) return false
    record.suspect = { since: now, probes: 0, nextAt: now, isProbing: false }
    stand(queue)
    return true
  }

  /** The host has said "too much". True when it has done so too often in a row: the rest of its URLs is given up. */
  function tooBusy(lease: Lease, detail: string): boolean {
    const queue = queueOf(lease.host)
    const { record } = queue
    const busyInRow = record.busyInRow + 1
    answered(lease)
    record.busyInRow = busyInRow
    if (busyInRow < TOO_BUSY_AFTER || record.closed !== null) return false
    record.closed = { outcome: 'host_busy', detail: `${detail} to ${busyInRow} requests in a row` }
    stand(queue)
    return true
  }

  /** A probe of a suspect host has ended. Any answer proves that it lives. */
  function probed(host: Host, isAlive: boolean, now: number) {
    const queue = queueOf(host)
    const { record } = queue
    if (record.suspect === null) return
    if (isAlive) {
      record.hasAnswered = true
      record.suspect = null
      record.unanswered = 0
      record.suspectAfter = Math.min(record.suspectAfter * 2, MOST_SUSPECT_AFTER)
    } else {
      const probes = record.suspect.probes + 1
      record.suspect = { since: record.suspect.since, probes, nextAt: now + probeWaitMs(probes), isProbing: false }
    }
    stand(queue)
  }

  /** Closes hosts that have been suspect for long enough, when nothing else is left to do. False: there is something to wait for. */
  function giveUpSuspects(now: number): boolean {
    if (inHand > 0) return false
    const isDead = ({ hasAnswered, suspect }: HostRecord) =>
      suspect !== null &&
      !suspect.isProbing &&
      suspect.probes >= DEAD_AFTER_PROBES &&
      now - suspect.since >= (hasAnswered ? DEAD_AFTER_MS : DEAD_STRANGER_AFTER_MS)
    for (const { queue } of waiting) if (!isDead(queue.record)) return false
    const dead: HostQueue[] = []
    for (const queue of queues.values()) {
      if (!hasWork(queue)) continue
      if (!isDead(queue.record)) return false
      dead.push(queue)
    }
    for (const queue of dead) {
      const { record } = queue
      const seconds = Math.round((now - record.suspect!.since) / 1000)
      record.closed = { outcome: 'host_dead', detail: `no answer to ${record.suspect!.probes} probes in ${seconds} s` }
      record.suspect = null
      stand(queue)
    }
    return dead.length > 0
  }

  /** Whether a URL of the same host that has not been asked waits for the place of this one, or any URL when all places are taken. */
  function isWantedByOthers(lease: Lease, isRunFull: boolean): boolean {
    if (queueOf(lease.host).pending > 0 || hosts.isWanted(lease.host)) return true
    if (!isRunFull) return false
    return pending > 0
  }

  /** Why a leased URL need not be asked any more, null when it must. What was submitted is closed by no rule against traps. */
  function isClosed(lease: Lease): { outcome: 'host_dead' | 'host_busy' | `trap:${string}`; detail: string } | null {
    const { closed: closedHost } = queueOf(lease.host).record
    if (closedHost !== null) return closedHost
    const closed = lease.isSeed ? null : patterns.get(urlPattern(lease.url))?.closed
    return closed ? { outcome: `trap:${closed}`, detail: WHY_CLOSED[closed] } : null
  }

  /** Notes what a page held: twenty in a row of one pattern with one content close the pattern. */
  function sawContent(url: string, contentHash: string) {
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined) return
    pattern.sameInRow = pattern.lastHash === contentHash ? pattern.sameInRow + 1 : 1
    pattern.lastHash = contentHash
    if (pattern.sameInRow >= 20) pattern.closed = 'same'
  }

  /**
   * Notes that a URL redirected within its host. Links that lead to addresses which nothing else names, and which are no other spelling
   * of the link, can go on for ever: a pattern may have a share of them.
   */
  function sawRedirect(url: string, target: string, hi: number, lo: number) {
    if (keys.find(hi, lo) !== -1 || stemOf(url) === stemOf(target)) return
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined) return
    pattern.strangeRedirects += 1
    if (pattern.strangeRedirects >= redirectLimit) pattern.closed ??= 'redirects'
  }

  /** Nothing pending, nothing waiting, nothing in hand. */
  function isDrained(): boolean {
    return inHand + waiting.length + pending + again === 0
  }

  function endLease(lease: Lease): HostQueue {
    inHand -= 1
    const queue = queueOf(lease.host)
    queue.inHand -= 1
    if (lease.tries > 0) retriesInHand -= 1
    return queue
  }

  function queueOf(host: Host): HostQueue {
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
    let record = records.get(key)
    if (record === undefined) {
      record = { hasAnswered: false, unanswered: 0, suspectAfter: SUSPECT_AFTER, suspect: null, busyInRow: 0, closed: null }
      records.set(key, record)
    }
    if (record.suspect !== null) record.suspect.isProbing = false
    return record
  }

  function countPattern(name: string): number {
    let pattern = patterns.get(name)
    if (pattern === undefined) {
      pattern = { added: 0, lastHash: '', sameInRow: 0, strangeRedirects: 0, closed: null }
      patterns.set(name, pattern)
      if (patterns.size > MOST_PATTERNS) patterns.delete(patterns.keys().next().value!)
    }
    pattern.added += 1
    return pattern.added
  }

  function isOneHostTooMany(key: string): boolean {
    if (queues.has(key)) return false
    const host = new URL(key).hostname
    if (seedHosts.has(host)) return false
    const site = siteOf(host)
    const ofSite = sites.get(site) ?? new Set()
    sites.set(site, ofSite)
    if (ofSite.has(key)) return false
    if (ofSite.size >= MOST_HOSTS_OF_SITE) return true
    ofSite.add(key)
    return false
  }

  function pendingFrom(lease: Lease): PendingUrl {
    return { seq: lease.seq, url: lease.url, rank: lease.depth, tries: lease.tries, hops: lease.hops, isSeed: lease.isSeed }
  }
}

const comesBefore = (one: PendingUrl, other: PendingUrl) => one.rank < other.rank || (one.rank === other.rank && one.seq < other.seq)

const WHY_CLOSED = {
  same: 'URLs of this form all bring the same page',
  redirects: 'URLs of this form all redirect to addresses that nothing else names',
}

/** The last word of a path, without case and file extension: the same in most spellings of one address. */
function stemOf(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/\/(?:index\.[a-z]+)?$/i, '')
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[a-z]{2,5}$/i, '')
    .toLowerCase()
}

function enlarged<T extends Uint8Array | Uint16Array>(from: T, to: T): T {
  to.set(from)
  return to
}
