/**
 * How long ended runs are kept: the smaller number of days of the installation's and the team's setting. The days count from the end of a
 * run; unfinished runs stay.
 */
import { setImmediate } from 'node:timers/promises'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { sql } from 'kysely'

type RetentionDays = { team: number | null; installation: number | null; effective: number | null }

/** Runs older than `days`. `bytes` is the size of their stored pages, estimated from a sample when `isEstimate`. */
type Expired = { days: number | null; runs: number; pages: number; bytes: number; isEstimate: boolean; oldestAt: number | null }

const DAY_MS = 24 * 60 * 60 * 1000
const RUNS_AT_ONCE = 50
const TEAMS_AT_ONCE = 200
/** Size of the sample for the estimate: most pages, and most runs. */
const MOST_MEASURED = 1000
const MOST_SAMPLED_RUNS = 2000
const MEASURED_AT_ONCE = 250

/**
 * @param deleteRuns        marks runs as deleted, by their numbers
 * @param installationDays  set by the operator; 0 keeps everything
 * @param lists             connection for long reads
 */
export function createRetention({
  database,
  deleteRuns,
  installationDays,
  lists = database,
  now,
}: {
  database: Database
  deleteRuns: (nos: readonly number[]) => Promise<number>
  installationDays: number
  lists?: Database
  now: () => number
}) {
  const installation = installationDays === 0 ? null : installationDays
  return { daysOf, setDays, expired, deleteExpired }

  async function daysOf(teamId: string): Promise<RetentionDays> {
    const { retentionDays: team } = await database
      .selectFrom('team')
      .select('retentionDays')
      .where('id', '=', teamId)
      .executeTakeFirstOrThrow()
    return { team, installation, effective: stricter(team, installation) }
  }

  /** Sets the team's days. Null leaves it to the installation's setting. */
  async function setDays(teamId: string, days: number | null): Promise<void> {
    await database.updateTable('team').set({ retentionDays: days, updatedAt: now() }).where('id', '=', teamId).execute()
  }

  /**
   * What a number of days would delete now; null days: nothing.
   *
   * @param teamId  null for all teams
   */
  async function expired(teamId: string | null, days: number | null): Promise<Expired> {
    if (days === null) return { days, runs: 0, pages: 0, bytes: 0, isEstimate: false, oldestAt: null }
    const { runs, pages, oldestAt } = await olderThan(lists, teamId, days)
      .select(({ fn }) => [
        fn.countAll<number>().as('runs'),
        sql<number>`coalesce(sum(CASE kind WHEN 'crawl' THEN kept ELSE 0 END), 0)`.as('pages'),
        fn.min<number | null>('endedAt').as('oldestAt'),
      ])
      .executeTakeFirstOrThrow()
    const measured = pages === 0 ? { pages: 0, bytes: 0 } : await measure(teamId, days)
    const isEstimate = measured.pages < pages
    const bytes = isEstimate && measured.pages > 0 ? Math.round((measured.bytes / measured.pages) * pages) : measured.bytes
    return { days, runs, pages, bytes, isEstimate, oldestAt }
  }

  /** The stored bytes of sampled pages, evenly spread over the sampled runs. */
  async function measure(teamId: string | null, days: number): Promise<{ pages: number; bytes: number }> {
    const rows = await olderThan(lists, teamId, days)
      .where('kind', '=', 'crawl')
      .where('kept', '>', 0)
      .select(['no', 'kept'])
      .orderBy('endedAt')
      .limit(MOST_SAMPLED_RUNS)
      .execute()
    const total = rows.reduce((sum, { kept }) => sum + kept, 0)
    const nos: number[] = []
    for (let at = 0, run = 0, before = 0; nos.length < Math.min(total, MOST_MEASURED); at += 1) {
      const wanted = total <= MOST_MEASURED ? at : Math.floor((at * total) / MOST_MEASURED)
      while (wanted >= before + rows[run]!.kept) before += rows[run++]!.kept
      nos.push(rows[run]!.no * PAGES_PER_RUN + 1 + wanted - before)
    }
    const measured = { pages: 0, bytes: 0 }
    for (let at = 0; at < nos.length; at += MEASURED_AT_ONCE) {
      const some = await lists
        .selectFrom('pageBody')
        .where('pageNo', 'in', nos.slice(at, at + MEASURED_AT_ONCE))
        .select(({ fn }) => [fn.countAll<number>().as('pages'), sql<number | null>`sum(octet_length(body))`.as('bytes')])
        .executeTakeFirstOrThrow()
      measured.pages += some.pages
      measured.bytes += some.bytes ?? 0
    }
    return measured
  }

  /** Marks expired runs of all teams as deleted; returns their number. */
  async function deleteExpired(): Promise<number> {
    let deleted = 0
    for (let after = '', isMore = true; isMore;) {
      let query = database.selectFrom('team').select(['id', 'retentionDays']).where('id', '>', after).where('deletedAt', 'is', null)
      if (installation === null) query = query.where('retentionDays', 'is not', null)
      const teams = await query.orderBy('id').limit(TEAMS_AT_ONCE).execute()
      for (const { id, retentionDays } of teams) deleted += await deleteExpiredOf(id, stricter(retentionDays, installation))
      after = teams.at(-1)?.id ?? after
      isMore = teams.length === TEAMS_AT_ONCE
      await setImmediate()
    }
    return deleted
  }

  async function deleteExpiredOf(teamId: string, days: number | null): Promise<number> {
    if (days === null) return 0
    let deleted = 0
    for (;;) {
      const rows = await olderThan(database, teamId, days).select('no').orderBy('endedAt').limit(RUNS_AT_ONCE).execute()
      if (rows.length > 0) deleted += await deleteRuns(rows.map(({ no }) => no))
      if (rows.length < RUNS_AT_ONCE) return deleted
    }
  }

  function olderThan(rows: Database, teamId: string | null, days: number) {
    const query = rows
      .selectFrom('run')
      .where('endedAt', '<', now() - days * DAY_MS)
      .where('deletedAt', 'is', null)
    return teamId === null ? query : query.where('teamId', '=', teamId)
  }
}

export type Retention = ReturnType<typeof createRetention>

const stricter = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other)
