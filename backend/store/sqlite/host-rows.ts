/** Rows of hosts: their numbers (foreign keys in other tables), and their state. */
import { LRUCache } from 'lru-cache'
import { HOST_LEASE_MS, LATEST_HOST_LEASE_MS, WISH_MS } from '../host-lease-times.ts'
import type { HeldHost, HostChanges, StoredHost } from '../run-store.ts'
import type { Statements } from './statements.ts'

const MOST_NUMBERS = 20_000

type HostRow = Omit<StoredHost, 'crawlDelayMs'> & { no: number; crawlDelayMs: number }

export type HostRows = ReturnType<typeof createHostRows>

export function createHostRows({ of }: Statements) {
  const numbers = new LRUCache<string, number>({ max: MOST_NUMBERS })
  /** Numbers from the transaction in progress: a rollback makes them invalid. */
  let given: string[] = []
  const noOf = of('SELECT no FROM host WHERE host_key = ?').pluck()
  const insert = of('INSERT INTO host (host_key) VALUES (?) RETURNING no').pluck()
  const select = of(`SELECT host_key AS "hostKey", no, next_at AS "nextAt", delay_ms AS "penaltyMs", crawl_delay_ms AS "crawlDelayMs",
    closed_until AS "closedUntil", width FROM host WHERE host_key IN (SELECT value FROM json_each(?))`)
  const update = of('UPDATE host SET next_at = ?, delay_ms = ?, crawl_delay_ms = ?, closed_until = ?, width = ? WHERE no = ?')
  const updateRobots = of('UPDATE host SET robots = ?, robots_until = ? WHERE no = ?')
  const holdRow = of(`UPDATE host SET holder = :owner, held_until = :until, wished_at = CASE WHEN holder = :owner THEN wished_at ELSE 0 END
    WHERE no = :no AND (holder IS NULL OR holder = :owner OR held_until <= :now OR held_until > :now + ${LATEST_HOST_LEASE_MS})
    RETURNING host_key AS "hostKey", next_at AS "nextAt", delay_ms AS "penaltyMs", crawl_delay_ms AS "crawlDelayMs",
      closed_until AS "closedUntil", width, wished_at AS "wishedAt"`)
  const wish = of('UPDATE host SET wished_at = ? WHERE no = ?')
  const giveRow = of('UPDATE host SET holder = NULL, held_until = 0 WHERE no = ? AND holder = ?')
  return { number, keepNumbers, forgetNumbers, read, write, hold, give }

  /** The number of a host; inserts its row if necessary. Call it inside the transaction that refers to the host. */
  function number(hostKey: string): number {
    let no = numbers.get(hostKey) ?? (noOf.get(hostKey) as number | undefined)
    if (no === undefined) {
      no = insert.get(hostKey) as number
      given.push(hostKey)
    }
    numbers.set(hostKey, no)
    return no
  }

  /** Call after a commit. */
  function keepNumbers() {
    given = []
  }

  /** Call after a rollback. */
  function forgetNumbers() {
    for (const hostKey of given) numbers.delete(hostKey)
    given = []
  }

  function read(keys: readonly string[]): StoredHost[] {
    return (select.all(JSON.stringify(keys)) as HostRow[]).map(({ no, crawlDelayMs, ...host }) => {
      numbers.set(host.hostKey, no)
      return { ...host, crawlDelayMs: crawlDelayMs || null }
    })
  }

  /** Leases hosts, inside a transaction. Those with another owner are omitted, and a wish for them is recorded. */
  function hold(keys: readonly string[], owner: string, now: number): HeldHost[] {
    return keys.flatMap((hostKey): HeldHost[] => {
      const no = number(hostKey)
      const row = holdRow.get({ no, owner, now, until: now + HOST_LEASE_MS }) as (Omit<HostRow, 'no'> & { wishedAt: number }) | undefined
      if (row === undefined) {
        wish.run(now, no)
        return []
      }
      const { crawlDelayMs, wishedAt, ...host } = row
      return [{ ...host, crawlDelayMs: crawlDelayMs || null, forMs: HOST_LEASE_MS, isWished: Math.abs(now - wishedAt) < WISH_MS }]
    })
  }

  /** Inside a transaction. Hosts with another owner stay unchanged. */
  function give(hosts: readonly StoredHost[], owner: string) {
    write({ hosts: hosts.filter(({ hostKey }) => giveRow.run(number(hostKey), owner).changes > 0), robots: [] })
  }

  /** Call inside a transaction. */
  function write(changes: HostChanges) {
    for (const { closedUntil, crawlDelayMs, hostKey, nextAt, penaltyMs, width } of changes.hosts)
      update.run(nextAt, Math.round(penaltyMs), crawlDelayMs ?? 0, closedUntil, width, number(hostKey))
    for (const { hostKey, rules, until } of changes.robots) updateRobots.run(Buffer.from(JSON.stringify(rules)), until, number(hostKey))
  }
}
