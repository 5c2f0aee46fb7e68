/**
 * The hosts that the engine sends requests to, shared by all its runs: how fast each may be asked, and its robots rules.
 *
 * Only one engine asks a host, so its in-memory state is exact; the store keeps back-off and robots rules over a restart. A host exists as
 * soon as a run names it, and stays closed until its stored state has been read.
 */
import { fromStored, toStored } from '#backend/platform/clock.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { HostChanges, RunStore, StoredHost } from '#backend/store/run-store.ts'
import { pause } from '#backend/crawler/engine/pause.ts'
import { createUsageByShare } from '#backend/crawler/engine/usage-by-share.ts'
import type { UsageByShare } from '#backend/crawler/engine/usage-by-share.ts'
import { WANTED_MS, createAddressPlaces } from './address-places.ts'
import { createHostLeases } from './host-leases.ts'
import {
  MAX_RETRY_AFTER_MS,
  afterAnswer,
  afterEnd,
  afterStart,
  hostOpenAt,
  hostWidth,
  mayAsk,
  newHostState,
  patienceMs,
  pauseOf,
  retryWidth,
} from './politeness.ts'
import type { HostLimits, HostSignal, HostState } from './politeness.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import type { StoredRobots } from '#backend/crawler/robots/robots-cache.ts'

export type Host = {
  key: string
  /** The share that asks it through its own proxy; null for the host as all others ask it. */
  share: string | null
  origin: string
  state: HostState
  inProgress: number
  /** The same by the share whose run sends them. */
  inProgressOf: UsageByShare
  /** Retries among the requests in progress. */
  retriesInProgress: number
  /** When a URL on its first try last found no place here. */
  wantedAt: number
  /** The address last connected to; null before. Names that share an address share its width. */
  address: string | null
  /** Its robots file is being fetched; nothing else is leased meanwhile. */
  askingRobots: boolean
  /** Its stored state has been read. */
  isLoaded: boolean
  /** Number of runs that name it; at 0 it may be forgotten. */
  holders: number
}

export type Hosts = ReturnType<typeof createHosts>

/** Most hosts without a run that are remembered. */
const MOST_HOSTS = 2000
/** Stored back-off older than this is ignored. */
const BACK_OFF_LASTS_MS = 600_000
/** Wait before the store is asked again. */
const AGAIN_MS = 1000
/** The longest random pause, as a multiple of the pause itself. */
const MOST_SPREAD = 1.2
/** Requests that no share is named for. */
const NO_SHARE = ''
/** Robots rules are valid for at most a day. */
const MOST_ROBOTS_MS = 86_400_000
/** A robots file that cannot be fetched is tried again after a minute, then later, up to an hour. */
const MOST_SILENCE_MS = 3_600_000

/**
 * @param addressOf  returns the address at which an origin (`https://example.com`, without default ports) was last reached
 * @param limits     per host, and per address however many names it has
 */
export function createHosts({
  addressOf,
  store,
  limits,
  clock,
  random,
  isShared = false,
  report,
}: {
  addressOf: (origin: string) => string | null
  store: Pick<RunStore, 'hosts' | 'robots' | 'holdHosts' | 'giveHosts'>
  limits: HostLimits
  clock: Clock
  random: () => number
  /** Other engines ask hosts too: a host needs a lease. */
  isShared?: boolean
  /** Called when a read from the store failed; it is retried. */
  report: (message: string, fault: unknown) => void
}) {
  const { steady, wall } = clock
  const byKey = new Map<string, Host>()
  const addresses = createAddressPlaces({ most: limits.concurrency, now: steady })
  const changed = new Set<Host>()
  const unsavedRobots = new Map<string, StoredRobots>()
  /** Hosts whose stored state has yet to be read. */
  let unloaded: Host[] = []
  let loading: Promise<void> | null = null
  const stop = new AbortController()
  const listeners = new Set<(host: Host) => void>()
  const inProgressOf = (key: string) => byKey.get(key)?.inProgress ?? 0
  const leases = isShared
    ? createHostLeases({ store, steady, read: (key) => storedOf(getStored(key)), inProgress: inProgressOf, granted: leased, report })
    : null
  return {
    get,
    hold,
    release,
    loaded,
    watch,
    trim,
    close,
    start,
    end,
    hop,
    isOpen,
    opensAt,
    waitsUntil,
    mayRetry,
    patienceOf: (host: Host) => patienceMs(host.state, limits),
    isWanted,
    setAskingRobots,
    setCrawlDelay,
    loadRobots,
    saveRobots,
    takeChanges,
    hasChanges: () => changed.size > 0 || unsavedRobots.size > 0,
    get size() {
      return byKey.size
    },
  }

  /** The host of a key, as a share asks it through its own proxy or, with null, as all others do; for a new one, its stored state is read. */
  function get(key: string, share: string | null = null): Host {
    const held = byKey.get(stateKey({ key, share }))
    if (held !== undefined) return held
    const host: Host = {
      key,
      share,
      origin: new URL(key).origin,
      state: newHostState(limits),
      inProgress: 0,
      inProgressOf: createUsageByShare(),
      retriesInProgress: 0,
      wantedAt: -Infinity,
      address: null,
      askingRobots: false,
      isLoaded: false,
      holders: 0,
    }
    byKey.set(stateKey(host), host)
    unloaded.push(host)
    loading ??= Promise.resolve().then(load)
    return host
  }

  /** Like `get`, for a run: the host is remembered until `release`. */
  function hold(key: string, share: string | null = null): Host {
    const host = get(key, share)
    host.holders += 1
    return host
  }

  function release(host: Host) {
    host.holders -= 1
  }

  function getStored(stateKeyOfHost: string): Host {
    const [key, share = null] = stateKeyOfHost.split(' ')
    return get(key!, share)
  }

  /** Resolves when the stored state of all hosts named so far has been read. */
  async function loaded(): Promise<void> {
    while (loading !== null) await loading
  }

  async function load() {
    const hosts = unloaded
    unloaded = []
    try {
      const stored = new Map((await store.hosts(hosts.map(stateKey))).map((one) => [one.hostKey, one]))
      for (const host of hosts) {
        const known = stored.get(stateKey(host))
        if (known !== undefined) host.state = stateOf(known)
        host.isLoaded = true
      }
    } catch (fault) {
      report('what is known of hosts could not be read; it is tried again', fault)
      unloaded.push(...hosts)
      await pause(AGAIN_MS, stop.signal)
    }
    loading = unloaded.length > 0 && !stop.signal.aborted ? load() : null
    for (const host of hosts) if (host.isLoaded) tell(host)
  }

  function stateOf(stored: StoredHost): HostState {
    const state = newHostState(limits)
    state.crawlDelayMs = stored.crawlDelayMs
    // Old back-off says nothing about the host's present state.
    if (stored.nextAt > wall() - BACK_OFF_LASTS_MS) {
      state.penaltyMs = stored.penaltyMs
      state.width = Math.min(stored.width, state.width)
    }
    state.nextAt = fromStored(clock, stored.nextAt, pauseOf(state, limits) * MOST_SPREAD)
    state.closedUntil = fromStored(clock, stored.closedUntil, MAX_RETRY_AFTER_MS)
    return state
  }

  /** Resets what another engine may have changed meanwhile. */
  function leased(stored: StoredHost) {
    const host = getStored(stored.hostKey)
    host.state = stateOf(stored)
    host.state.nextAt = Math.max(host.state.nextAt, steady() + pauseOf(host.state, limits))
    tell(host)
  }

  async function close() {
    stop.abort()
    await leases?.close()
  }

  /** Calls `listener` whenever a host may have opened early: a request ended, or something was learned. */
  function watch(listener: (host: Host) => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function tell(host: Host) {
    for (const listener of listeners) listener(host)
  }

  /** Forgets hosts without a run and without a pause, when there are many. */
  function trim() {
    if (byKey.size <= MOST_HOSTS) return
    const at = steady()
    for (const host of byKey.values()) {
      const isIdle = host.holders === 0 && host.inProgress === 0 && host.isLoaded && !host.askingRobots
      if (isIdle && hostOpenAt(host.state) <= at && !changed.has(host)) byKey.delete(stateKey(host))
      if (byKey.size <= MOST_HOSTS) return
    }
  }

  /** A request of a share's run to the host starts; `isRetry` when it is not the URL's first try. */
  function start(host: Host, isRetry = false, share = NO_SHARE) {
    host.inProgress += 1
    host.inProgressOf.change(share, 1)
    if (isRetry) host.retriesInProgress += 1
    countAt(host, share, 1)
    host.state = afterStart(host.state, limits, steady(), random())
  }

  /** A request has ended. `signal` is what it says about the host; null for nothing (canceled, or not the host's fault). */
  function end(host: Host, signal: HostSignal | null, isRetry = false, share = NO_SHARE) {
    host.inProgress -= 1
    host.inProgressOf.change(share, -1)
    if (isRetry) host.retriesInProgress -= 1
    countAt(host, share, -1)
    learnAddress(host)
    if (signal !== null) learn(host, signal)
    host.state = afterEnd(host.state, limits, steady())
    tell(host)
  }

  /**
   * Waits before following a redirect within a host, which counts like a request: the redirecting answer has ended, and the next request
   * waits the pause.
   *
   * @returns false when the signal aborted meanwhile
   */
  async function hop(host: Host, signal: AbortSignal): Promise<boolean> {
    host.state = afterEnd(host.state, limits, steady())
    // Loops, because another request may take the turn meanwhile.
    for (let waitMs = opensAt(host) - steady(); waitMs > 0 && !signal.aborted; waitMs = opensAt(host) - steady())
      await pause(waitMs, signal)
    if (signal.aborted) return false
    start(host)
    end(host, null)
    return true
  }

  function learn(host: Host, signal: HostSignal) {
    const before = host.state
    host.state = afterAnswer(before, limits, signal, steady())
    const { closedUntil, penaltyMs, width } = host.state
    if (closedUntil !== before.closedUntil || penaltyMs !== before.penaltyMs || (width < before.width && penaltyMs > 0)) changed.add(host)
  }

  function learnAddress(host: Host) {
    const address = addressOf(host.origin)
    if (address === null || address === host.address) return
    for (const [share, inProgress] of host.inProgressOf.all()) countAt(host, share, -inProgress)
    host.address = address
    for (const [share, inProgress] of host.inProgressOf.all()) countAt(host, share, inProgress)
  }

  function countAt(host: Host, share: string, change: number) {
    if (host.address !== null) addresses.change(placeOf(host, host.address), share, change)
  }

  /** Whether a run of the share may ask the host now. */
  function isOpen(host: Host, at: number, share = NO_SHARE): boolean {
    const isOurs = leases === null || leases.mayAsk(stateKey(host), at)
    if (!isOurs || !host.isLoaded || host.askingRobots) return false
    if (mayAsk(host.state, limits, host.inProgress, at)) return hasPlaceAtAddress(host, share)
    if (host.address !== null && at >= hostOpenAt(host.state)) addresses.want(placeOf(host, host.address), share)
    return false
  }

  function hasPlaceAtAddress(host: Host, share: string): boolean {
    return host.address === null || addresses.mayTake(placeOf(host, host.address), share)
  }

  /** When the host's pause is over; in the past when there is none. */
  function opensAt(host: Host): number {
    return hostOpenAt(host.state)
  }

  /** When a closed host opens again; Infinity when a request has to end first. */
  function waitsUntil(host: Host, share = NO_SHARE): number {
    const isOurs = leases === null || leases.holds(stateKey(host), steady())
    const isFull =
      !isOurs || !host.isLoaded || host.askingRobots || host.inProgress >= hostWidth(host.state, limits) || !hasPlaceAtAddress(host, share)
    return isFull ? Infinity : hostOpenAt(host.state)
  }

  /** Whether a retry may start: enough places stay free for first tries. */
  function mayRetry(host: Host): boolean {
    return host.retriesInProgress < retryWidth(host.state, limits)
  }

  /** Whether a URL on its first try waits for a place at the host, in any run. */
  function isWanted(host: Host): boolean {
    return steady() - host.wantedAt < WANTED_MS
  }

  /** While its robots file is being fetched, the host gets no other request. */
  function setAskingRobots(host: Host, isAsking: boolean) {
    host.askingRobots = isAsking
    if (!isAsking) tell(host)
  }

  function setCrawlDelay(host: Host, delayMs: number | null) {
    if (host.state.crawlDelayMs === delayMs) return
    host.state = { ...host.state, crawlDelayMs: delayMs }
    changed.add(host)
  }

  async function loadRobots(key: string): Promise<StoredRobots | null> {
    const unsaved = unsavedRobots.get(key)
    if (unsaved !== undefined) return unsaved
    const stored = await storedRobots(key)
    if (stored === null) return null
    const mostMs =
      stored.robots !== null && stored.failures === 0
        ? MOST_ROBOTS_MS
        : Math.min(60_000 * 2 ** Math.max(stored.failures - 1, 0), MOST_SILENCE_MS)
    return { ...stored, until: fromStored(clock, stored.until, mostMs), readAt: fromStored(clock, stored.readAt, 0) }
  }

  /** Waits for a database in trouble, which leases and commits report: a URL must not end because of it. */
  async function storedRobots(key: string): Promise<StoredRobots | null> {
    for (;;) {
      try {
        return (await store.robots(key)) as StoredRobots | null
      } catch (fault) {
        if (!(fault instanceof StoreTrouble) || stop.signal.aborted) throw fault
        await pause(AGAIN_MS, stop.signal)
      }
    }
  }

  function saveRobots(key: string, stored: StoredRobots) {
    unsavedRobots.set(key, stored)
  }

  /** Converts an instant for the store; 0 stays "never". */
  function written(instant: number): number {
    return instant === 0 ? 0 : toStored(clock, instant)
  }

  function storedOf({ key, share, state: { nextAt, crawlDelayMs, closedUntil, width, penaltyMs } }: Host): StoredHost {
    return { hostKey: stateKey({ key, share }), nextAt: written(nextAt), penaltyMs, crawlDelayMs, closedUntil: written(closedUntil), width }
  }

  /** Returns the changes since the last call, as values that the commit owns. */
  function takeChanges(): HostChanges {
    const hosts = [...changed].map(storedOf)
    const robots = [...unsavedRobots].map(([hostKey, stored]) => {
      const rules = { ...stored, until: toStored(clock, stored.until), readAt: written(stored.readAt) }
      return { hostKey, until: rules.until, rules }
    })
    changed.clear()
    unsavedRobots.clear()
    return { hosts, robots }
  }
}

/** Under which a host's state is kept and stored. */
const stateKey = ({ key, share }: Pick<Host, 'key' | 'share'>) => (share === null ? key : `${key} ${share}`)

/** The key of a host's address, as it is asked through the proxy of a share or by all others. */
const placeOf = ({ share }: Host, address: string) => stateKey({ key: address, share })

/**
 * The hosts as a run of a share asks them, through this proxy. What a proxy of a team has answered itself cannot be told from what the site
 * answered, so pauses, back-off, places and `Crawl-delay` count for its share only: else its proxy could close a host for all others.
 */
export function hostsThrough(hosts: Hosts, proxy: Proxy | null, share = NO_SHARE): Hosts {
  const owner = proxy?.share ?? null
  return {
    ...hosts,
    get size() {
      return hosts.size
    },
    get: (key) => hosts.get(key, owner),
    hold: (key) => hosts.hold(key, owner),
    isOpen: (host, at) => hosts.isOpen(host, at, share),
    waitsUntil: (host) => hosts.waitsUntil(host, share),
    start: (host, isRetry) => hosts.start(host, isRetry, share),
    end: (host, signal, isRetry) => hosts.end(host, signal, isRetry, share),
  }
}
