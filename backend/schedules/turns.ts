/**
 * Which schedules a look works on. Owners of teams take turns, so that one with many schedules does not delay the others. Schedules whose
 * last try ended with an error are tried after the others, and in turn.
 */
import { sql } from 'kysely'
import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '#backend/platform/database/database.ts'
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'
import type { ScheduleRow } from './schedules.ts'

const SHARE = sql.raw(shareOfTeam('crawl_schedule.team_id'))

/**
 * @param candidates  the schedules with work
 * @param by          the order within the schedules of an owner
 * @param most        schedules of one look
 * @param isOpen      false while the loop is being closed: nothing more is tried, and errors are not reported
 */
export function createTurns({
  by,
  candidates,
  isOpen,
  most,
  onError,
}: {
  by: 'nextAt' | 'reportedNo'
  candidates: () => SelectQueryBuilder<Tables, 'crawlSchedule', ScheduleRow>
  isOpen: () => boolean
  most: number
  onError: (error: unknown, row: ScheduleRow) => void
}) {
  /** The one whose try was the last is at the end. */
  const failing = new Set<string>()
  return { next, attempt }

  /** The schedules of this look. */
  async function next(): Promise<ScheduleRow[]> {
    const first = await candidates()
      .$if(failing.size > 0, (query) => query.where('crawlSchedule.id', 'not in', [...failing]))
      // The first schedule of each owner, then the second of each, and so on.
      .orderBy(sql`row_number() over (partition by ${SHARE} order by ${sql.ref(`crawlSchedule.${by}`)})`)
      .orderBy(`crawlSchedule.${by}`)
      .limit(most)
      .execute()
    return [...first, ...(await failedBefore(most - first.length))]
  }

  /** Those of the failing schedules that have waited longest. Forgets what is no candidate any more: another process did the work, for example. */
  async function failedBefore(places: number): Promise<ScheduleRow[]> {
    const ids = [...failing].slice(0, places)
    if (ids.length === 0) return []
    const rows = await candidates().where('crawlSchedule.id', 'in', ids).execute()
    const found = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (!found.has(id)) failing.delete(id)
    return rows
  }

  /** Does the work of a schedule. An error is reported and holds up no other schedule. */
  async function attempt(row: ScheduleRow, act: () => Promise<unknown>): Promise<void> {
    if (!isOpen()) return
    try {
      await act()
      failing.delete(row.id)
    } catch (error) {
      // To the end.
      failing.delete(row.id)
      failing.add(row.id)
      if (isOpen()) onError(error, row)
    }
  }
}
