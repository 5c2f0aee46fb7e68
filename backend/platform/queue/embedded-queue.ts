/** The RunQueue in our own job table, with in-process wake-ups. */
import type { Transaction } from '#backend/platform/database/database.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { MOST_DELAY_MS, turnOf } from './queue.ts'
import type { Job, RunQueue, WaitingJob, WorkQueue } from './queue.ts'

/** @param wake  tells the engine, in whatever process, to read the table */
export function embeddedQueue({ now, wake }: { now: () => number; wake: () => void }): RunQueue {
  return { enqueue, wake }

  async function enqueue(transaction: Transaction, job: Job) {
    await transaction
      .insertInto('job')
      .values({
        key: job.key,
        kind: job.kind,
        payload: JSON.stringify({ runNo: job.runNo }),
        teamId: job.teamId,
        ...turnOf(job, now()),
        owner: null,
        leaseUntil: null,
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }
}

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
  SELECT job.payload ->> '$.runNo' AS "runNo", job.kind, job.team_id AS "teamId", job.priority < 0 AS "isShort" FROM line, job
  WHERE line.kind IN (SELECT value FROM json_each(:kinds)) AND job.no = coalesce(
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at <= :now
      AND (:withSuspects OR NOT EXISTS (SELECT 1 FROM run WHERE run.no = payload ->> '$.runNo' AND crashes > 0))
      ORDER BY run_at, no LIMIT 1),
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at > :now + ${MOST_DELAY_MS}
      AND (:withSuspects OR NOT EXISTS (SELECT 1 FROM run WHERE run.no = payload ->> '$.runNo' AND crashes > 0))
      ORDER BY run_at, no LIMIT 1))
  ORDER BY job.priority, job.run_at, job.no`

/** @param kinds  kinds of runs that this worker takes */
export function embeddedWorkQueue({
  connection,
  kinds,
  now,
}: {
  connection: Pick<SqliteConnection, 'prepare'>
  kinds: readonly string[]
  now: () => number
}): WorkQueue {
  const due = connection.prepare(DUE_JOBS)
  // ';' follows ':' in ASCII: the range has all slices of this run, but not those of run numbers with the same beginning.
  const drop = connection.prepare('DELETE FROM job WHERE key >= ? AND key < ?')
  const add = connection.prepare(
    'INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
  )
  const wanted = JSON.stringify(kinds)
  return {
    due(withSuspects) {
      const rows = due.all({ kinds: wanted, now: now(), withSuspects: withSuspects ? 1 : 0 }) as (Omit<WaitingJob, 'isShort'> & {
        isShort: number
      })[]
      return rows.map((row) => ({ ...row, isShort: row.isShort === 1 }))
    },
    take: (runNo) => void drop.run(`run:${runNo}:`, `run:${runNo};`),
    releaseAt(job) {
      const { priority, runAt } = turnOf(job, now())
      return add.run(job.key, job.kind, JSON.stringify({ runNo: job.runNo }), job.teamId, priority, runAt).changes > 0
    },
  }
}
