/** A warning at the start about a clock that is wrong: one that is behind the newest job. */
import type { Database } from '#backend/platform/database/database.ts'

/** Clocks of several processes may differ by this much. */
const MOST_MS = 60_000

/** When the newest job was created; null without one. */
export async function newestRunAt(database: Database): Promise<number | null> {
  const row = await database.selectFrom('run').select('createdAt').orderBy('no', 'desc').limit(1).executeTakeFirst()
  return row?.createdAt ?? null
}

export function clockWarning(now: number, newestRun: number | null): string | null {
  if (newestRun === null || newestRun - now <= MOST_MS) return null
  const [shown, expected] = [now, newestRun].map((time) => new Date(time).toISOString())
  return `the clock of this machine shows ${shown}, but the newest job was created at ${expected}: correct the clock, or schedules and deletions run at wrong times`
}
