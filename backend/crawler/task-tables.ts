/**
 * What the engine writes of a run that is one task: lines, counts and the end, each in a transaction that first proves by the run's token
 * that the run is still ours.
 *
 * Credits: unless the task says how many, all that were held are used from the first result on, and at a good end. A run that failed has
 * used none.
 */
import type { RunStatus } from '#contract/runs.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { FeedLine } from './changes.ts'
import { createFeedWriter } from './feed-writer.ts'
import type { TaskChange, TaskEnding } from './task.ts'

/** A run as its owner knows it; `kept` and `eventSeq` are as committed. */
export type HeldTask = { no: number; teamId: string; token: number; kept: number; eventSeq: number; workedMs: () => number }

export type Refusal = 'canceling' | 'taken'
export type LastLine = Pick<TaskEnding, 'reason' | 'type' | 'message'> & { status: 'finished' | 'failed' | 'canceled' }
type Write = (connection: SqliteConnection) => void

export type TaskTables = ReturnType<typeof createTaskTables>

export function createTaskTables({ connection, leaseMs, now }: { connection: SqliteConnection; leaseMs: number; now: () => number }) {
  const of = (sql: string) => connection.prepare(sql)
  const renewLease = of("UPDATE run SET lease_until = ?, worked_ms = ? WHERE no = ? AND token = ? AND status = 'running'")
  const fence = of(
    'UPDATE run SET kept = kept + ?, crashes = CASE WHEN ? > 0 THEN 0 ELSE crashes END, event_seq = ?, updated_at = ?, lease_until = ?, worked_ms = ? WHERE no = ? AND token = ? AND status = ? AND ended_at IS NULL',
  )
  const endRun = of(
    'UPDATE run SET status = ?, reason = ?, ended_at = ?, settled = known, owner = NULL, lease_until = NULL WHERE no = ? AND token = ?',
  )
  const statusOf = of('SELECT status, token FROM run WHERE no = ?')
  const creditOf = of('SELECT requested, used FROM credit_entry WHERE run_no = ?')
  const setUsed = of('UPDATE credit_entry SET used = ? WHERE run_no = ?')
  const settle = of("UPDATE credit_entry SET state = 'settled' WHERE run_no = ? AND state = 'held'")
  const usage = of(
    'INSERT INTO usage_day (team_id, day, pages, runs, credits) VALUES (?, ?, 0, 0, ?) ON CONFLICT (team_id, day) DO UPDATE SET credits = credits + excluded.credits',
  )
  const dropJobs = of('DELETE FROM job WHERE key >= ? AND key < ?')
  const countCrash = of('UPDATE run SET crashes = crashes + 1 WHERE no = ? AND ended_at IS NULL RETURNING crashes')
  const writeFeed = createFeedWriter(connection)
  return { renew, commit, end, crash }

  /** Null: the run is ours for another while. */
  function renew(run: HeldTask): Refusal | null {
    return renewLease.run(now() + leaseMs, run.workedMs(), run.no, run.token).changes > 0 ? null : whyRefused(run)
  }

  /** Writes lines and whatever else, and counts it; null when done, and then `run` stands as committed. */
  function commit(run: HeldTask, lines: FeedLine[], write: Write, { kept = 0, used }: TaskChange): Refusal | null {
    return inTransaction(run, () => {
      const eventSeq = run.eventSeq + lines.length
      if (!isOurs(run, 'running', kept, eventSeq)) return null
      write(connection)
      if (used !== undefined) spend(run, () => used)
      else if (kept > 0) spend(run, ({ requested }) => requested)
      writeFeed(run.no, run.eventSeq, lines)
      return { kept: run.kept + kept, eventSeq }
    })
  }

  /** Ends the run: what is written, its last lines, status, credits and jobs are one. */
  function end(run: HeldTask, lines: FeedLine[], last: LastLine, write: Write, { kept = 0, used }: TaskChange): Refusal | null {
    return inTransaction(run, () => {
      const feed = [...lines, { type: last.type, message: last.message, at: now(), metadata: {} }]
      // The terminal event has the last number.
      const eventSeq = run.eventSeq + feed.length + 1
      if (!isOurs(run, last.status === 'canceled' ? 'canceling' : 'running', kept, eventSeq)) return null
      write(connection)
      if (last.status === 'finished') spend(run, (entry) => used ?? (entry.used || entry.requested))
      if (last.status === 'failed') spend(run, () => 0)
      writeFeed(run.no, run.eventSeq, feed)
      endRun.run(last.status satisfies RunStatus, last.reason, now(), run.no, run.token)
      settle.run(run.no)
      dropJobs.run(`run:${run.no}:`, `run:${run.no};`)
      return { kept: run.kept + kept, eventSeq }
    })
  }

  /** The task has broken: how often by now. */
  function crash(runNo: number): number {
    return (countCrash.get(runNo) as { crashes: number } | undefined)?.crashes ?? 0
  }

  function isOurs(run: HeldTask, status: string, kept: number, eventSeq: number): boolean {
    return fence.run(kept, kept, eventSeq, now(), now() + leaseMs, run.workedMs(), run.no, run.token, status).changes > 0
  }

  /** Null of `work` means that the fence has held. */
  function inTransaction(run: HeldTask, work: () => Pick<HeldTask, 'kept' | 'eventSeq'> | null): Refusal | null {
    const written = connection.transaction(work).immediate()
    if (written === null) return whyRefused(run)
    Object.assign(run, written)
    return null
  }

  function whyRefused(run: HeldTask): Refusal {
    const row = statusOf.get(run.no) as { status: string; token: number } | undefined
    return row?.status === 'canceling' && row.token === run.token ? 'canceling' : 'taken'
  }

  /** Sets what the run has used in all; the day's total moves by the difference. */
  function spend(run: HeldTask, amount: (entry: { requested: number; used: number }) => number) {
    const entry = creditOf.get(run.no) as { requested: number; used: number }
    const used = Math.min(amount(entry), entry.requested)
    if (used === entry.used) return
    setUsed.run(used, run.no)
    usage.run(run.teamId, new Date(now()).toISOString().slice(0, 10), used - entry.used)
  }
}
