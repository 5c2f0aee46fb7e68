/**
 * Decides which URL of a run comes next: the in-memory state of the run's one owner, over the rows in the store.
 *
 * A URL is pending until it is settled. Only this module knows which URLs are leased, so a lease writes nothing and a crash needs no
 * repair. Every URL is known by its key (`known-urls.ts`). Each host has a queue of pending URLs in order of depth (`pending-urls.ts`), and
 * a turn (`host-order.ts`). The memory is ahead of the store by the rows in `changes` and in the commit being written. `lease` never waits
 * for the store: a queue that runs low is refilled in the background.
 *
 * Rule: after a failed commit, the whole memory is discarded and rebuilt from the store.
 */
import type { KnownUrl, PendingUrl, RunChanges, RunStore } from '#backend/store/run-store.ts'
import { fromStored, toStored } from '#backend/platform/clock.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { createOtherParts } from './other-parts.ts'
import type { RunPart } from '#backend/store/run-parts.ts'
import { createUrlAdding } from './add-urls.ts'
import { createHostOrder } from './host-order.ts'
import { createPendingUrls } from './pending-urls.ts'
import type { HostQueue } from './pending-urls.ts'
import { closeDead, isDead, noteAnswer, noteBusy, noteProbe, noteSilence } from './host-record.ts'
import type { HostRecord } from './host-record.ts'
import type { Host, Hosts } from './hosts.ts'
import { AGAIN, ALIAS, ENDED, IN_PROGRESS, KEPT, LISTED, PENDING, TOO_DEEP, UNKNOWN, WAITING, createKnownUrls } from './known-urls.ts'
import { LATE } from './rank.ts'
import type { TrapOutcome } from '#backend/crawler/outcomes.ts'
import { MAX_RETRY_AFTER_MS } from './politeness.ts'
import { createRunTraps } from './run-traps.ts'
import { createWaitingUrls } from './waiting-urls.ts'

/** Known URLs that are read in one query. */
const KEYS_AT_ONCE = 50_000

export type UrlLease = { seq: number; url: string; depth: number; tries: number; hops: number; isSeed: boolean; host: Host }

export type FrontierOptions = {
  maxDepth: number
  pageLimit: number
  hosts: Hosts
  runNo: number
  /** Each answer includes every committed row. */
  store: Pick<RunStore, 'knownUrls' | 'pageKeys' | 'pendingByHost' | 'pendingUrls' | 'waitingUrls'>
  siteOf: (host: string) => string
  seedHosts: Set<string>
  /** Which part of a run this is; absent when the run is whole. */
  part?: RunPart | null
  /** By host key; kept from one slice of the run to the next. */
  records?: Map<string, HostRecord>
  /** `lease`, `retryAt` and so on take instants of its steady clock; the store holds wall-clock times. */
  clock: Clock
  /** Called when URLs were read ahead: there may be something to lease. */
  onRead?: () => void
  /** Called when a read from the store failed; it is retried. */
  report?: (message: string, fault: unknown) => void
}

export type Frontier = ReturnType<typeof createFrontier>

export function createFrontier(options: FrontierOptions) {
  const { clock, maxDepth, pageLimit, hosts, runNo, store, siteOf, seedHosts, records = new Map() } = options
  const { onRead = () => undefined, part = null, report = () => undefined } = options
  const known = createKnownUrls()
  const queues = createPendingUrls({
    hosts,
    known,
    onRead(queue) {
      order.standIfBlocked(queue)
      onRead()
    },
    records,
    report,
    runNo,
    store,
  })
  const traps = createRunTraps({ pageLimit, seedHosts, siteOf })
  const order = createHostOrder({ hosts, queues, traps })
  const waiting = createWaitingUrls<HostQueue>()
  const others = part === null ? null : createOtherParts({ known, part })
  const adding = createUrlAdding({ hosts, known, maxDepth, order, others, pageLimit, queues, traps })
  let inProgress = 0
  let retriesInProgress = 0
  return {
    rebuild,
    addLinks: adding.addLinks,
    addTarget: adding.addTarget,
    receive: adding.receive,
    /** Whether a URL belongs to this part of the run. */
    owns: (url: string) => others === null || others.owns(url),
    isWide,
    lease,
    giveBack,
    retryAt,
    settle,
    keepAs,
    answered,
    unanswered,
    tooBusy,
    hasAnswered: (lease: UrlLease) => queues.of(lease.host).record.hasAnswered,
    isWantedByOthers,
    probed,
    isClosed,
    sawContent: traps.sawContent,
    sawRedirect,
    hasPage,
    isKept,
    depthOf: known.depthOf,
    isInProgress: (lease: UrlLease) => known.stateOf(lease.seq) === IN_PROGRESS,
    /** Leased URLs. */
    get inProgress() {
      return inProgress
    },
    get known() {
      return known.count
    },
    /** Links that were dropped because the run knows too many URLs. */
    get dropped() {
      return adding.dropped
    },
    get bytes() {
      return known.bytes
    },
    isDrained,
    committed,
    close,
    /** Retries among the leased URLs. */
    get retriesInProgress() {
      return retriesInProgress
    },
    nextDueAt: waiting.nextDueAt,
  }

  // ---- from the store

  /** Builds the memory from the store, 50,000 keys at a time, so that the event loop goes on. */
  async function rebuild(breathe: () => Promise<void>) {
    for (let after = -1; ;) {
      const urls = await store.knownUrls(runNo, after, KEYS_AT_ONCE)
      for (const url of urls) recall(url)
      if (urls.length < KEYS_AT_ONCE) break
      after = urls.at(-1)!.seq
      await breathe()
    }
    for (const { hi, lo } of await store.pageKeys(runNo)) if (known.find(hi, lo) === UNKNOWN) known.addAlias(hi, lo)
    for (const { first, hostKey, pending } of await store.pendingByHost(runNo)) {
      const queue = queues.of(hosts.get(hostKey))
      queues.addStored(queue, pending, first)
      order.stand(queue)
    }
    for (const { dueAt, hostKey, ...url } of await store.waitingUrls(runNo))
      wait(url, queues.of(hosts.get(hostKey)), fromStored(clock, dueAt, MAX_RETRY_AFTER_MS))
    await hosts.loaded()
  }

  function recall({ hi, lo, outcome, rank, seq, state, titleLength, url }: KnownUrl) {
    known.add(seq, { hi, lo, depth: rank % LATE, titleLength })
    if (outcome === 'out_of_scope') adding.recallOutside()
    else traps.count(url)
    if (state === 'pending') known.setState(seq, PENDING)
    else if (state === 'waiting') known.setState(seq, WAITING)
    else if (outcome === 'kept') known.setState(seq, KEPT)
    else if (outcome === 'depth') known.setState(seq, TOO_DEEP)
    else known.setState(seq, state === 'listed' ? LISTED : ENDED)
  }

  // ---- leasing

  /**
   * The next URL to fetch: of the open hosts, the one whose first URL is shallowest and oldest; a retry only when there is no other URL. Or
   * a suspect host that is due for a probe. When there is nothing, `opensAt` says when to ask again (Infinity: when something ends).
   *
   * @param mayRetry  false: no retries
   */
  function lease(now: number, mayRetry = true): { lease: UrlLease } | { probe: Host } | { opensAt: number } {
    for (let due = waiting.takeDue(now); due !== null; due = waiting.takeDue(now)) {
      known.setState(due.url.seq, AGAIN)
      queues.addAgain(due.queue, due.url)
      order.standUnlessLater(due.queue)
    }
    order.recheck(now)
    const probe = order.probeAt(now)
    if (probe !== null) return probe
    const found = order.next(now, mayRetry)
    if (found !== null) return { lease: take(found.queue, found.url, found.isRetry) }
    if (giveUpSuspects(now)) return lease(now, mayRetry)
    return { opensAt: Math.min(waiting.nextDueAt(), order.opensAt()) }
  }

  function take(queue: HostQueue, url: PendingUrl, isRetry: boolean): UrlLease {
    const { hops, isSeed, seq, tries } = url
    queues.take(queue, url, isRetry)
    inProgress += 1
    if (tries > 0) retriesInProgress += 1
    known.setState(seq, IN_PROGRESS)
    order.stand(queue)
    return { seq, url: url.url, depth: known.depthOf(seq), tries, hops, isSeed, host: queue.host }
  }

  /** Returns a leased URL as if it had never been leased. */
  function giveBack(lease: UrlLease) {
    const queue = endLease(lease)
    known.setState(lease.seq, lease.tries > 0 ? AGAIN : PENDING)
    queues.putBack(queue, pendingFrom(lease))
    order.standUnlessLater(queue)
  }

  /** Schedules a retry of a leased URL, behind the URLs of its host that are still on their first try. */
  function retryAt(lease: UrlLease, dueAt: number, changes: RunChanges) {
    const queue = endLease(lease)
    wait({ ...pendingFrom(lease), tries: lease.tries + 1 }, queue, dueAt)
    changes.retries.push({ seq: lease.seq, tries: lease.tries + 1, dueAt: toStored(clock, dueAt) })
  }

  function wait(url: PendingUrl, queue: HostQueue, dueAt: number) {
    known.setState(url.seq, WAITING)
    waiting.add({ dueAt, url, queue })
  }

  // ---- ending

  /** Ends a leased URL, kept or not. */
  function settle(lease: UrlLease, isKept: boolean) {
    endLease(lease)
    known.setState(lease.seq, isKept ? KEPT : ENDED)
  }

  function endLease(lease: UrlLease): HostQueue {
    inProgress -= 1
    if (lease.tries > 0) retriesInProgress -= 1
    const queue = queues.of(lease.host)
    queue.inProgress -= 1
    if (traps.isRedirecting) order.standIfBlocked(queue)
    return queue
  }

  /**
   * Tells what it means to keep a page under the final URL of a redirect. `own`: nothing special, the key is new or that of the leased URL.
   * `duplicate`: that page is kept or leased already. A row: that URL was waiting or listed, and this page settles it.
   */
  function keepAs(lease: UrlLease, hi: number, lo: number): 'own' | 'duplicate' | { seq: number; wasListed: boolean } {
    const seq = known.find(hi, lo)
    if (seq === lease.seq) return 'own'
    if (seq === UNKNOWN) {
      known.addAlias(hi, lo)
      return 'own'
    }
    const state = seq === ALIAS ? KEPT : known.stateOf(seq)
    if (state === KEPT || state === IN_PROGRESS) return 'duplicate'
    if (state === PENDING) queues.forgetPending(queues.of(lease.host))
    if (state === AGAIN) queues.forgetAgain()
    if (state === WAITING) waiting.remove(seq)
    known.setState(seq, KEPT)
    return { seq, wasListed: state === TOO_DEEP || state === LISTED || state === ENDED }
  }

  /** Whether a URL is known and its page is kept or may still be fetched. */
  function hasPage(hi: number, lo: number): boolean {
    const seq = known.find(hi, lo)
    if (seq === UNKNOWN || seq === ALIAS) return seq === ALIAS
    const state = known.stateOf(seq)
    return state !== ENDED && state !== LISTED
  }

  /** Whether the page of a URL is kept. */
  function isKept(hi: number, lo: number): boolean {
    const seq = known.find(hi, lo)
    return seq !== UNKNOWN && seq !== ALIAS && known.stateOf(seq) === KEPT
  }

  /** Nothing is pending, waiting for a retry, or leased. */
  function isDrained(): boolean {
    return inProgress + waiting.all.length + queues.pending + queues.again === 0
  }

  /** Whether at least so many hosts have URLs waiting. */
  function isWide(hostCount: number): boolean {
    if (queues.pending < hostCount) return false
    let wide = 0
    for (const queue of queues.all()) if (queue.pending > 0 && (wide += 1) >= hostCount) return true
    return false
  }

  /** Call after each commit: rows that a host could not read before may be there now. */
  function committed() {
    for (const queue of queues.committed()) order.standIfBlocked(queue)
  }

  /** Call when this engine is done with the run: releases its hosts. */
  function close() {
    order.close()
    queues.close()
  }

  // ---- whether hosts answer

  /** Notes that the host answered, whatever it said. */
  function answered(lease: UrlLease) {
    const queue = queues.of(lease.host)
    if (noteAnswer(queue.record)) order.stand(queue)
  }

  /**
   * Notes that a URL got no answer: refused, broken off or silent. Counts different URLs only. True when that makes the host suspect: it gets
   * no request until it answers a probe.
   */
  function unanswered(lease: UrlLease, now: number): boolean {
    const queue = queues.of(lease.host)
    if (lease.tries > 0 || !noteSilence(queue.record, now)) return false
    order.stand(queue)
    return true
  }

  /** Notes a 429 or 503. True after too many in a row: the rest of the host's URLs is given up. */
  function tooBusy(lease: UrlLease, detail: string): boolean {
    const queue = queues.of(lease.host)
    const wasSuspect = queue.record.suspect !== null
    const isGivenUp = noteBusy(queue.record, detail)
    if (wasSuspect || isGivenUp) order.stand(queue)
    return isGivenUp
  }

  /** Notes the end of a probe. Any answer proves that the host is alive. */
  function probed(host: Host, isAlive: boolean, now: number) {
    const queue = queues.of(host)
    noteProbe(queue.record, isAlive, now)
    order.stand(queue)
  }

  /** Closes hosts that have been suspect for long enough, once nothing else is left to do. False: there is something to wait for. */
  function giveUpSuspects(now: number): boolean {
    if (inProgress > 0) return false
    for (const { queue } of waiting.all) if (!isDead(queue.record, now)) return false
    const dead: HostQueue[] = []
    for (const queue of queues.all()) {
      if (!queues.hasWork(queue)) continue
      if (!isDead(queue.record, now)) return false
      dead.push(queue)
    }
    for (const queue of dead) {
      closeDead(queue.record, now)
      order.stand(queue)
    }
    return dead.length > 0
  }

  /** Whether a URL on its first try needs the place of this one: a URL of the same host, or any URL when all places are taken. */
  function isWantedByOthers(lease: UrlLease, isRunFull: boolean): boolean {
    if (queues.of(lease.host).pending > 0 || hosts.isWanted(lease.host)) return true
    return isRunFull && queues.pending > 0
  }

  /** Why a leased URL need not be fetched any more; null when it must. Trap rules do not apply to submitted URLs. */
  function isClosed(lease: UrlLease): { outcome: 'host_dead' | 'host_busy' | TrapOutcome; detail: string } | null {
    const { closed } = queues.of(lease.host).record
    if (closed !== null) return closed
    return lease.isSeed ? null : traps.closedFor(lease.url)
  }

  /** Notes a redirect within a host: to a URL that nothing links to, it may be a trap. */
  function sawRedirect(url: string, target: string, hi: number, lo: number) {
    if (known.find(hi, lo) === UNKNOWN) traps.sawRedirect(url, target)
  }
}

function pendingFrom({ depth, hops, isSeed, seq, tries, url }: UrlLease): PendingUrl {
  return { seq, url, rank: depth, tries, hops, isSeed }
}
