/** A team's remaining credits and its running work. */
import { sql } from 'kysely'
import type { Database } from '#backend/platform/database/database.ts'
import { isoOrNull } from './status.ts'

export type Allowance = {
  creditsLeft: number | null
  planCredits: number | null
  maxConcurrent: number | null
  period: { startAt: number; endAt: number | null } | null
}

/** Means "no limit": clients expect a number. */
const UNLIMITED_CREDITS = 1_000_000_000
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * @param allowance       what is left of a team's plan
 * @param maxConcurrency  most fetches at once of one crawl
 */
export function createAccount({
  allowance,
  database,
  maxConcurrency,
  now,
}: {
  allowance: (teamId: string) => Promise<Allowance>
  database: Database
  maxConcurrency: number
  now: () => number
}) {
  return { concurrency, queue, credits, creditHistory, active }

  async function concurrency(teamId: string) {
    const { running } = await unfinished(teamId)
    return { success: true as const, concurrency: running, maxConcurrency: await mostAtOnce(teamId) }
  }

  async function queue(teamId: string) {
    const { running, waiting } = await unfinished(teamId)
    const newest = await database
      .selectFrom('run')
      .where('teamId', '=', teamId)
      .where('endedAt', '>', now() - DAY_MS)
      .where('deletedAt', 'is', null)
      .where('status', '=', 'finished')
      .select(({ fn }) => fn.max<number | null>('endedAt').as('at'))
      .executeTakeFirstOrThrow()
    return {
      success: true as const,
      jobsInQueue: running + waiting,
      activeJobsInQueue: running,
      waitingJobsInQueue: waiting,
      maxConcurrency: await mostAtOnce(teamId),
      mostRecentSuccess: isoOrNull(newest.at),
    }
  }

  async function mostAtOnce(teamId: string): Promise<number> {
    return (await allowance(teamId)).maxConcurrent ?? maxConcurrency
  }

  async function unfinished(teamId: string): Promise<{ running: number; waiting: number }> {
    const { running, waiting } = await database
      .selectFrom('run')
      .where('teamId', '=', teamId)
      .where('kind', '=', 'crawl')
      .where('endedAt', 'is', null)
      .where('deletedAt', 'is', null)
      .select([
        sql<number>`coalesce(sum(CASE WHEN status = 'new' THEN 0 ELSE 1 END), 0)`.as('running'),
        sql<number>`coalesce(sum(CASE WHEN status = 'new' THEN 1 ELSE 0 END), 0)`.as('waiting'),
      ])
      .executeTakeFirstOrThrow()
    return { running, waiting }
  }

  async function credits(teamId: string) {
    const { creditsLeft, period, planCredits } = await allowance(teamId)
    return {
      remaining: creditsLeft ?? UNLIMITED_CREDITS,
      plan: planCredits ?? UNLIMITED_CREDITS,
      start: isoOrNull(period?.startAt ?? null),
      end: isoOrNull(period?.endAt ?? null),
    }
  }

  /** Used credits by calendar month, the oldest first; months without usage are omitted. */
  async function creditHistory(teamId: string) {
    const rows = await database
      .selectFrom('creditEntry')
      .where('teamId', '=', teamId)
      .select([sql<number>`created_at / ${sql.lit(DAY_MS)}`.as('day'), sql<number>`sum(used)`.as('used')])
      .groupBy('day')
      .orderBy('day')
      .execute()
    const months = new Map<number, number>()
    for (const { day, used } of rows) {
      const date = new Date(day * DAY_MS)
      const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
      months.set(month, (months.get(month) ?? 0) + used)
    }
    return [...months].map(([month, used]) => {
      const start = new Date(month)
      const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)
      return { startDate: start.toISOString(), endDate: new Date(end).toISOString(), creditsUsed: used }
    })
  }

  /** Crawls that have not ended, the newest first. */
  async function active(teamId: string) {
    return database
      .selectFrom('run')
      .where('teamId', '=', teamId)
      .where('kind', '=', 'crawl')
      .where('variant', '=', 'single')
      .where('endedAt', 'is', null)
      .where('deletedAt', 'is', null)
      .select(['id', 'label', 'createdAt'])
      .orderBy('no', 'desc')
      .limit(MOST_ACTIVE)
      .execute()
  }
}

const MOST_ACTIVE = 1000
