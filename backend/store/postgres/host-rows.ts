/** Rows of hosts: their numbers (foreign keys in other tables), and their state. */
import { LRUCache } from 'lru-cache'
import { HOST_LEASE_MS, LATEST_HOST_LEASE_MS, WISH_MS } from '../host-lease-times.ts'
import type { HeldHost, HostChanges, StoredHost } from '../run-store.ts'
import { asRows } from './session.ts'
import type { Session, Sessions } from './session.ts'

const MOST_NUMBERS = 20_000

type HostRow = Omit<StoredHost, 'crawlDelayMs'> & { no: number; crawlDelayMs: number }
/** Host numbers by host key. */
export type HostNumbers = ReadonlyMap<string, number>
export type HostRows = ReturnType<typeof createHostRows>

const COLUMNS = `no, host_key AS "hostKey", next_at AS "nextAt", delay_ms AS "penaltyMs", crawl_delay_ms AS "crawlDelayMs",
  closed_until AS "closedUntil", width`

export function createHostRows({ read: inRead, transaction }: Sessions) {
  const known = new LRUCache<string, number>({ max: MOST_NUMBERS })
  return { numbers, read, write, hold, give }

  /**
   * The numbers of hosts; inserts missing rows. Called before the transaction that refers to them, because two transactions that wait for
   * each other's new hosts could deadlock; unused host rows do no harm.
   */
  async function numbers(keys: Iterable<string>): Promise<HostNumbers> {
    const found = new Map<string, number>()
    const missing: string[] = []
    for (const key of new Set(keys)) {
      const no = known.get(key)
      if (no === undefined) missing.push(key)
      else found.set(key, no)
    }
    if (missing.length === 0) return found
    missing.sort()
    const rows = await inRead(async ({ all, run }) => {
      await run('INSERT INTO host (host_key) SELECT unnest(?::text[]) ON CONFLICT (host_key) DO NOTHING', missing)
      return all<{ no: number; hostKey: string }>('SELECT no, host_key AS "hostKey" FROM host WHERE host_key = ANY(?::text[])', missing)
    })
    for (const { hostKey, no } of rows) {
      known.set(hostKey, no)
      found.set(hostKey, no)
    }
    return found
  }

  async function read(keys: readonly string[]): Promise<StoredHost[]> {
    const rows = await inRead(({ all }) => all<HostRow>(`SELECT ${COLUMNS} FROM host WHERE host_key = ANY(?::text[])`, keys))
    return rows.map(({ no, crawlDelayMs, ...host }) => {
      known.set(host.hostKey, no)
      return { ...host, crawlDelayMs: crawlDelayMs || null }
    })
  }

  /** Leases hosts. Those with another owner are omitted, and a wish for them is recorded. */
  async function hold(keys: readonly string[], owner: string, now: number): Promise<HeldHost[]> {
    const nos = await numbers(keys)
    const wanted = keys.map((key) => nos.get(key)!)
    return transaction(async (session) => {
      await lock(session, wanted)
      const rows = await session.all<HostRow & { wishedAt: number }>(
        `UPDATE host SET holder = ?, held_until = ?, wished_at = CASE WHEN holder = ? THEN wished_at ELSE 0 END
          WHERE no = ANY(?::bigint[]) AND (holder IS NULL OR holder = ? OR held_until <= ? OR held_until > ?)
          RETURNING ${COLUMNS}, wished_at AS "wishedAt"`,
        owner,
        now + HOST_LEASE_MS,
        owner,
        wanted,
        owner,
        now,
        now + LATEST_HOST_LEASE_MS,
      )
      const held = new Map(rows.map((row) => [row.no, row]))
      const others = wanted.filter((no) => !held.has(no))
      if (others.length > 0) await session.run('UPDATE host SET wished_at = ? WHERE no = ANY(?::bigint[])', now, others)
      return wanted.flatMap((wantedNo): HeldHost[] => {
        const row = held.get(wantedNo)
        if (row === undefined) return []
        const { crawlDelayMs, no: _, wishedAt, ...host } = row
        return [{ ...host, crawlDelayMs: crawlDelayMs || null, forMs: HOST_LEASE_MS, isWished: Math.abs(now - wishedAt) < WISH_MS }]
      })
    })
  }

  /** Hosts with another owner stay unchanged. */
  async function give(hosts: readonly StoredHost[], owner: string): Promise<void> {
    const nos = await numbers(hosts.map(({ hostKey }) => hostKey))
    await transaction(async (session) => {
      await lock(session, [...nos.values()])
      const given = await session.all<{ no: number }>(
        'UPDATE host SET holder = NULL, held_until = 0 WHERE no = ANY(?::bigint[]) AND holder = ? RETURNING no',
        [...nos.values()],
        owner,
      )
      const ours = new Set(given.map(({ no }) => no))
      await update(
        session,
        hosts.filter(({ hostKey }) => ours.has(nos.get(hostKey)!)),
        nos,
      )
    })
  }

  /** Writes hosts at the end of a transaction. Locks rows in the order of their numbers, so that no two transactions deadlock. */
  async function write(session: Session, { hosts, robots: rules }: HostChanges, nos: HostNumbers): Promise<void> {
    const touched = [...hosts, ...rules].map(({ hostKey }) => nos.get(hostKey)!)
    if (touched.length === 0) return
    await lock(session, touched)
    await update(session, hosts, nos)
    for (const { hostKey, rules: kept, until } of rules)
      await session.run(
        'UPDATE host SET robots = ?, robots_until = ? WHERE no = ?',
        Buffer.from(JSON.stringify(kept)),
        Math.round(until),
        nos.get(hostKey),
      )
  }
}

async function lock({ run }: Session, nos: readonly number[]): Promise<void> {
  if (nos.length > 0) await run('SELECT no FROM host WHERE no = ANY(?::bigint[]) ORDER BY no FOR UPDATE', nos)
}

async function update({ run }: Session, hosts: readonly StoredHost[], nos: HostNumbers): Promise<void> {
  if (hosts.length === 0) return
  const rows = hosts.map(({ closedUntil, crawlDelayMs, hostKey, nextAt, penaltyMs, width }) => ({
    host: nos.get(hostKey),
    next: Math.round(nextAt),
    penalty: Math.round(penaltyMs),
    delay: Math.round(crawlDelayMs ?? 0),
    closed: Math.round(closedUntil),
    width,
  }))
  await run(
    `UPDATE host SET next_at = x.next, delay_ms = x.penalty, crawl_delay_ms = x.delay, closed_until = x.closed, width = x.width
      FROM json_to_recordset(?) AS x(host bigint, next bigint, penalty bigint, delay bigint, closed bigint, width integer)
      WHERE host.no = x.host`,
    asRows(rows),
  )
}
