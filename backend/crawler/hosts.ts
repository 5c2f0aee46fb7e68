/**
 * The hosts that the engine speaks to, shared by all its runs: how hard each may be asked, and what its robots file says.
 *
 * One engine process is the only one that asks, so its memory is exact; the rows keep back-off and robots rules over a restart.
 */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { fromStored, toStored } from '#backend/platform/clock.ts'
import type { Clock } from '#backend/platform/clock.ts'
import {
  MAX_RETRY_AFTER_MS,
  afterAnswer,
  afterStart,
  hostDelayMs,
  hostOpenAt,
  hostWidth,
  mayAsk,
  newHostState,
  patienceMs,
  retryWidth,
} from './politeness.ts'
import type { HostLimits, HostSignal, HostState } from './politeness.ts'
import type { StoredRobots } from './robots-cache.ts'

export type Host = {
  key: string
  origin: string
  /** Row number; 0 until the row has been written by a commit. */
  no: number
  state: HostState
  inHand: number
  /** Second and further tries among those in progress. */
  retriesInHand: number
  /** When a URL that has not been asked yet last found no place here. */
  wantedAt: number
  /** Where it was last reached; null before. Names that share an address share its width. */
  address: string | null
  /** Its robots file is being asked for; nothing else is leased meanwhile. */
  askingRobots: boolean
}

export type Hosts = ReturnType<typeof createHosts>

/** Back-off that was written longer ago is forgotten. */
const BACK_OFF_LASTS_MS = 600_000
/** A pause is spread to up to twelve tenths of its length. */
const MOST_SPREAD = 1.2
/** Robots rules hold no longer than a day. */
const MOST_ROBOTS_MS = 86_400_000
/** A robots file that cannot be had is asked for again after a minute, then later, up to an hour. */
const MOST_SILENCE_MS = 3_600_000
/** Whoever waits for a place asks again at least so often. */
const WANTED_MS = 2000

type HostRow = {
  no: number
  host_key: string
  next_at: number
  delay_ms: number
  crawl_delay_ms: number
  closed_until: number
  width: number
  robots: Buffer | null
  robots_until: number | null
}

/**
 * @param addressOf  where an origin (`https://example.com`, default ports left out) was last reached
 * @param limits     for each host, and for each address however many names it has
 */
export function createHosts({
  addressOf,
  connection,
  limits,
  clock,
  random,
}: {
  addressOf: (origin: string) => string | null
  connection: SqliteConnection
  limits: HostLimits
  clock: Clock
  random: () => number
}) {
  const { steady, wall } = clock
  const byKey = new Map<string, Host>()
  const byNo = new Map<number, Host>()
  /** Requests in hand by address. */
  const byAddress = new Map<string, number>()
  const changed = new Set<Host>()
  /** Numbered by the commit in hand. */
  const fresh = new Set<Host>()
  const unsavedRobots = new Map<string, StoredRobots>()
  const ofKey = connection.prepare('SELECT * FROM host WHERE host_key = ?')
  const ofNo = connection.prepare('SELECT * FROM host WHERE no = ?')
  const insert = connection.prepare(
    'INSERT INTO host (host_key) VALUES (?) ON CONFLICT (host_key) DO UPDATE SET host_key = excluded.host_key RETURNING no',
  )
  const update = connection.prepare(
    'UPDATE host SET next_at = ?, delay_ms = ?, crawl_delay_ms = ?, closed_until = ?, width = ? WHERE no = ?',
  )
  const updateRobots = connection.prepare('UPDATE host SET robots = ?, robots_until = ? WHERE host_key = ?')
  return {
    get,
    getByNo,
    number,
    rollBack,
    start,
    end,
    isOpen,
    opensAt,
    waitsUntil,
    mayRetry,
    patienceOf: (host: Host) => patienceMs(host.state, limits),
    isWanted,
    setCrawlDelay,
    loadRobots,
    saveRobots,
    write,
    hasChanges: () => changed.size > 0 || unsavedRobots.size > 0,
  }

  function get(key: string): Host {
    return byKey.get(key) ?? remember((ofKey.get(key) as HostRow | undefined) ?? null, key)
  }

  function getByNo(no: number): Host {
    const held = byNo.get(no)
    if (held !== undefined) return held
    const row = ofNo.get(no) as HostRow
    const host = byKey.get(row.host_key) ?? remember(row, row.host_key)
    // Known by its name alone until now: a task has asked it, and whoever started a crawl of it wrote the row.
    host.no = no
    byNo.set(no, host)
    return host
  }

  function remember(row: HostRow | null, key: string): Host {
    const state = newHostState(limits)
    if (row !== null) {
      state.crawlDelayMs = row.crawl_delay_ms || null
      // Back-off that is old says nothing about the host of today.
      if (row.next_at > wall() - BACK_OFF_LASTS_MS) {
        state.penaltyMs = row.delay_ms
        state.width = Math.min(row.width, state.width)
      }
      state.nextAt = fromStored(clock, row.next_at, hostDelayMs(state, limits) * MOST_SPREAD)
      state.closedUntil = fromStored(clock, row.closed_until, MAX_RETRY_AFTER_MS)
    }
    const host: Host = {
      key,
      origin: new URL(key).origin,
      no: row?.no ?? 0,
      state,
      inHand: 0,
      retriesInHand: 0,
      wantedAt: -Infinity,
      address: null,
      askingRobots: false,
    }
    byKey.set(key, host)
    if (host.no > 0) byNo.set(host.no, host)
    return host
  }

  /** The row number of a host, written if need be. Inside the commit that refers to it. */
  function number(host: Host): number {
    if (host.no === 0) {
      host.no = (insert.get(host.key) as { no: number }).no
      byNo.set(host.no, host)
      fresh.add(host)
    }
    return host.no
  }

  /** Forgets the numbers given by a commit that was rolled back; called with `false` they stand. */
  function rollBack(isRolledBack: boolean) {
    if (isRolledBack) {
      for (const host of fresh) {
        byNo.delete(host.no)
        host.no = 0
      }
    }
    fresh.clear()
  }

  /** A request to the host starts; `isRetry` when its URL has been asked before. */
  function start(host: Host, isRetry = false) {
    host.inHand += 1
    if (isRetry) host.retriesInHand += 1
    countAt(host.address, 1)
    host.state = afterStart(host.state, limits, steady(), random())
  }

  /** A request has ended; `signal` is what it taught, null for nothing (it was canceled, or its fault was not the host's). */
  function end(host: Host, signal: HostSignal | null, isRetry = false) {
    host.inHand -= 1
    if (isRetry) host.retriesInHand -= 1
    countAt(host.address, -1)
    learnAddress(host)
    if (signal === null) return
    const before = host.state
    const at = steady()
    host.state = afterAnswer(before, limits, signal, at)
    // Opening a connection takes a while: the pause counts from when the request was sent, as the site sees it.
    const delayMs = hostDelayMs(host.state, limits)
    if (signal.kind === 'good' && delayMs > 0) host.state.nextAt = Math.max(host.state.nextAt, at - signal.firstByteMs + delayMs)
    const { closedUntil, penaltyMs, width } = host.state
    if (closedUntil !== before.closedUntil || penaltyMs !== before.penaltyMs || (width < before.width && penaltyMs > 0)) changed.add(host)
  }

  function learnAddress(host: Host) {
    const address = addressOf(host.origin)
    if (address === null || address === host.address) return
    countAt(host.address, -host.inHand)
    countAt(address, host.inHand)
    host.address = address
  }

  function countAt(address: string | null, change: number) {
    if (address === null || change === 0) return
    const count = (byAddress.get(address) ?? 0) + change
    if (count > 0) byAddress.set(address, count)
    else byAddress.delete(address)
  }

  function isOpen(host: Host, at: number): boolean {
    return !host.askingRobots && mayAsk(host.state, limits, host.inHand, at) && hasPlaceAtAddress(host)
  }

  function hasPlaceAtAddress({ address }: Host): boolean {
    return address === null || (byAddress.get(address) ?? 0) < limits.concurrency
  }

  /** When the pause of a host is over; the past when it keeps none. */
  function opensAt(host: Host): number {
    return hostOpenAt(host.state)
  }

  /** Until when a host that is not open stays closed; Infinity when it waits for a request to end. */
  function waitsUntil(host: Host): number {
    const isFull = host.askingRobots || host.inHand >= hostWidth(host.state, limits) || !hasPlaceAtAddress(host)
    return isFull ? Infinity : hostOpenAt(host.state)
  }

  /** Whether a URL may be asked again: only so many at once that one which has not been asked finds a place. */
  function mayRetry(host: Host): boolean {
    return host.retriesInHand < retryWidth(host.state, limits)
  }

  /** Whether a URL that has not been asked waits for a place at the host, in whichever run. */
  function isWanted(host: Host): boolean {
    return steady() - host.wantedAt < WANTED_MS
  }

  function setCrawlDelay(host: Host, delayMs: number | null) {
    if (host.state.crawlDelayMs === delayMs) return
    host.state = { ...host.state, crawlDelayMs: delayMs }
    changed.add(host)
  }

  function loadRobots(key: string): StoredRobots | null {
    const unsaved = unsavedRobots.get(key)
    if (unsaved !== undefined) return unsaved
    const row = ofKey.get(key) as HostRow | undefined
    if (!row?.robots) return null
    const stored = JSON.parse(row.robots.toString()) as StoredRobots
    const mostMs =
      stored.robots !== null && stored.failures === 0
        ? MOST_ROBOTS_MS
        : Math.min(60_000 * 2 ** Math.max(stored.failures - 1, 0), MOST_SILENCE_MS)
    return { ...stored, until: fromStored(clock, stored.until, mostMs), readAt: fromStored(clock, stored.readAt, 0) }
  }

  function saveRobots(key: string, stored: StoredRobots) {
    unsavedRobots.set(key, stored)
  }

  /** An instant as it is stored; 0 is one that has never been set. */
  function written(instant: number): number {
    return instant === 0 ? 0 : toStored(clock, instant)
  }

  /** Writes what changed. Inside a commit. */
  function write() {
    for (const host of changed) {
      const { nextAt, crawlDelayMs, closedUntil, width: trust, penaltyMs } = host.state
      update.run(written(nextAt), Math.round(penaltyMs), crawlDelayMs ?? 0, written(closedUntil), trust, number(host))
    }
    for (const [key, stored] of unsavedRobots) {
      number(get(key))
      const row = { ...stored, until: toStored(clock, stored.until), readAt: written(stored.readAt) }
      updateRobots.run(Buffer.from(JSON.stringify(row)), row.until, key)
    }
    changed.clear()
    unsavedRobots.clear()
  }
}
