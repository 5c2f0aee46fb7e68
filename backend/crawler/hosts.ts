/**
 * The hosts that the engine speaks to, shared by all its runs: how hard each may be asked, and what its robots file says.
 *
 * One engine process is the only one that asks, so its memory is exact; the rows keep back-off and robots rules over a restart.
 */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { afterAnswer, afterStart, hostOpenAt, hostWidth, mayAsk, newHostState } from './politeness.ts'
import type { HostLimits, HostSignal, HostState } from './politeness.ts'
import type { StoredRobots } from './robots-cache.ts'

export type Host = {
  key: string
  /** Row number; 0 until the row has been written by a commit. */
  no: number
  state: HostState
  inHand: number
  /** Its robots file is being asked for; nothing else is leased meanwhile. */
  askingRobots: boolean
}

export type Hosts = ReturnType<typeof createHosts>

type HostRow = {
  no: number
  host_key: string
  next_at: number
  crawl_delay_ms: number
  closed_until: number
  width: number
  robots: Buffer | null
  robots_until: number | null
}

export function createHosts({
  connection,
  limits,
  now,
  random,
}: {
  connection: SqliteConnection
  limits: HostLimits
  now: () => number
  random: () => number
}) {
  const byKey = new Map<string, Host>()
  const byNo = new Map<number, Host>()
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
    width,
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
    return byKey.get(row.host_key) ?? remember(row, row.host_key)
  }

  function remember(row: HostRow | null, key: string): Host {
    const state = newHostState(limits)
    if (row !== null) {
      state.nextAt = row.next_at
      state.closedUntil = row.closed_until
      state.crawlDelayMs = row.crawl_delay_ms || null
    }
    const host: Host = { key, no: row?.no ?? 0, state, inHand: 0, askingRobots: false }
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

  /** A request to the host starts. */
  function start(host: Host) {
    host.inHand += 1
    host.state = afterStart(host.state, limits, now(), random())
  }

  /** A request has ended; `signal` is what it taught, null for nothing (it was canceled, or its fault was not the host's). */
  function end(host: Host, signal: HostSignal | null) {
    host.inHand -= 1
    if (signal === null) return
    const before = host.state
    host.state = afterAnswer(before, limits, signal, now())
    if (host.state.closedUntil !== before.closedUntil || host.state.penaltyMs !== before.penaltyMs) changed.add(host)
  }

  function isOpen(host: Host, at: number): boolean {
    return !host.askingRobots && mayAsk(host.state, limits, host.inHand, at)
  }

  /** When a host that is closed by a pause opens; the past when only its width keeps it closed. */
  function opensAt(host: Host): number {
    return hostOpenAt(host.state)
  }

  function width(host: Host): number {
    return hostWidth(host.state, limits)
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
    return row?.robots ? (JSON.parse(row.robots.toString()) as StoredRobots) : null
  }

  function saveRobots(key: string, stored: StoredRobots) {
    unsavedRobots.set(key, stored)
  }

  /** Writes what changed. Inside a commit. */
  function write() {
    for (const host of changed) {
      const { nextAt, crawlDelayMs, closedUntil, width: trust, penaltyMs } = host.state
      update.run(Math.round(nextAt), Math.round(penaltyMs), crawlDelayMs ?? 0, Math.round(closedUntil), trust, number(host))
    }
    for (const [key, stored] of unsavedRobots) {
      number(get(key))
      updateRobots.run(Buffer.from(JSON.stringify(stored)), stored.until, key)
    }
    changed.clear()
    unsavedRobots.clear()
  }
}
