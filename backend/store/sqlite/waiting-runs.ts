/** The runs that wait for an engine, by their jobs. */
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'
import { MOST_DELAY_MS } from '#backend/platform/queue/queue.ts'
import type { WaitingRun } from '../run-store.ts'
import type { Statements } from './statements.ts'

/**
 * A line has the waiting jobs of one team, kind and priority. The index has the lines one after the other, each ordered by time: one index
 * step finds the next line, another one the first due job in it.
 */
export const DUE_JOBS = `
  WITH RECURSIVE line(team_id, kind, priority) AS (
    SELECT * FROM (SELECT team_id, kind, priority FROM job ORDER BY team_id, kind, priority LIMIT 1)
    UNION ALL
    SELECT next.team_id, next.kind, next.priority FROM line, job AS next WHERE next.no = (
      SELECT no FROM job WHERE (team_id, kind, priority) > (line.team_id, line.kind, line.priority)
      ORDER BY team_id, kind, priority LIMIT 1))
  SELECT job.payload ->> '$.runNo' AS "runNo", job.kind, job.team_id AS "teamId", ${shareOfTeam('job.team_id')} AS share, job.priority < 0 AS "isShort" FROM line, job
  WHERE line.kind IN (SELECT value FROM json_each(:kinds)) AND job.no = coalesce(
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at <= :now
      AND (:withSuspects OR NOT EXISTS (SELECT 1 FROM run WHERE run.no = payload ->> '$.runNo' AND crashes > 0))
      ORDER BY run_at, no LIMIT 1),
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at > :now + ${MOST_DELAY_MS}
      AND (:withSuspects OR NOT EXISTS (SELECT 1 FROM run WHERE run.no = payload ->> '$.runNo' AND crashes > 0))
      ORDER BY run_at, no LIMIT 1))
  ORDER BY job.priority, job.run_at, job.no`

/**
 * The waiting runs for `RunStore.waitingRuns`.
 *
 * @param kinds  kinds of runs that this engine takes
 */
export function waitingRuns({ of }: Pick<Statements, 'of'>, { kinds, now }: { kinds: readonly string[]; now: () => number }) {
  const due = of(DUE_JOBS)
  const wanted = JSON.stringify(kinds)
  return (withSuspects: boolean): WaitingRun[] => {
    const rows = due.all({ kinds: wanted, now: now(), withSuspects: withSuspects ? 1 : 0 }) as (Omit<WaitingRun, 'isShort'> & {
      isShort: number
    })[]
    return rows.map((row) => ({ ...row, isShort: row.isShort === 1 }))
  }
}
