/**
 * The end of a run, the only one: a commit with an ending, a cancel of a run without an owner, and the reconciler all come here. What
 * belongs to an end happens in one transaction, so that no reader sees half of it.
 */
import { endOfWaiting } from '#backend/crawler/outcomes.ts'
import { writeFeed } from './feed-steps.ts'
import type { RunEnded } from './run-endings.ts'
import type { RunHooks } from './run-hooks.ts'
import type { RunEnding } from './run-store.ts'
import { change, one } from './steps.ts'
import type { Steps } from './steps.ts'

/** URLs that still wait get their outcome in the transaction of the end up to here; `sweep` does the rest in batches. */
export const SWEEP_AT_END = 20_000

/** Number and row of a run that has ended. */
export type Ended = { eventSeq: number; status: RunEnding['status'] }

/**
 * Status, reason and times; outcomes of URLs that still waited; the job; the last line of the feed; and whatever features do at an end.
 *
 * @param isOwner  the run's owner ends it: its token stays the last, so that the repeated commit is recognised
 * @param used     credits used in all, when a task has said so
 * @returns  null when the run had ended; then nothing has changed
 */
export function* endRun(
  { at, ending, isOwner, runNo, used = null }: { runNo: number; ending: RunEnding; at: number; isOwner: boolean; used?: number | null },
  hooks: RunHooks,
): Steps<Ended | null> {
  const { message, reason, status, type } = ending
  // The last line of the feed has a number, and the end itself has the one after it.
  const run = yield* one<{ eventSeq: number; id: string; teamId: string; kind: string; kept: number; open: number; parts: number }>(
    `UPDATE run SET status = ?, reason = ?, ended_at = ?, updated_at = ?, event_seq = event_seq + 2, token = token + ?, owner = NULL, lease_until = NULL
      WHERE no = ? AND ended_at IS NULL
      RETURNING event_seq AS "eventSeq", id, team_id AS "teamId", kind, kept, known - settled AS open, parts`,
    status,
    reason,
    at,
    at,
    isOwner ? 0 : 1,
    runNo,
  )
  if (run === undefined) return null
  if (run.open > 0) {
    const swept = yield* sweepUrls(runNo, status, SWEEP_AT_END)
    yield* change('UPDATE run SET settled = settled + ? WHERE no = ?', swept, runNo)
  }
  yield* writeFeed(runNo, run.eventSeq - 2, [{ type, message, at, metadata: {} }])
  yield* dropJobs(runNo)
  if (run.parts > 1) {
    yield* change('DELETE FROM run_part WHERE run_no = ?', runNo)
    yield* change('DELETE FROM run_mail WHERE run_no = ?', runNo)
  }
  yield* hooks.onEnd({ runNo, teamId: run.teamId, kind: run.kind, status, kept: run.kept, used })
  yield* tellOfEnd({ runNo, runId: run.id, teamId: run.teamId, kind: run.kind, status, endedAt: at })
  return { eventSeq: run.eventSeq, status }
}

/** Notes the end for those who listen to ends (`run-endings.ts`), and forgets ends that all of them have heard of. */
function* tellOfEnd({ endedAt, kind, runId, runNo, status, teamId }: RunEnded): Steps<void> {
  yield* change(
    'INSERT INTO run_ending (run_no, run_id, team_id, kind, status, ended_at) VALUES (?, ?, ?, ?, ?, ?)',
    runNo,
    runId,
    teamId,
    kind,
    status,
    endedAt,
  )
  yield* change(`DELETE FROM run_ending WHERE no < (SELECT max(no) FROM run_ending)
    AND no <= coalesce((SELECT min(place) FROM run_ending_listener), (SELECT max(no) FROM run_ending))`)
}

/** Gives URLs that still wait the outcome that follows from how their run ended; gives how many. */
export function* sweepUrls(runNo: number, status: string, limit: number): Steps<number> {
  const outcome = endOfWaiting(status)
  const of = (state: 0 | 1) =>
    change(
      `UPDATE run_url SET state = 3, due_at = NULL, outcome = ?
        WHERE run_no = ? AND seq IN (SELECT seq FROM run_url WHERE run_no = ? AND state = ${state} LIMIT ?)`,
      outcome,
      runNo,
      runNo,
      limit,
    )
  return (yield* of(0)) + (yield* of(1))
}

/** Removes the jobs of all slices of a run. */
export function* dropJobs(runNo: number): Steps<void> {
  // ';' follows ':' in ASCII: all slices of this run, and of no run whose number begins like it.
  yield* change('DELETE FROM job WHERE key >= ? AND key < ?', `run:${runNo}:`, `run:${runNo};`)
}

/**
 * Stops a run on request. One that has not been taken ends at once; one that runs is marked, and its owner ends it.
 *
 * @param message  last line of the feed of a run that ends at once
 * @returns  its status afterwards and the number of its last event; null when there is no such run
 */
export function* cancelRun(
  runNo: number,
  at: number,
  hooks: RunHooks,
  message = 'Canceled before it started.',
): Steps<{ status: string; eventSeq: number } | null> {
  const run = yield* one<{ status: string; eventSeq: number }>('SELECT status, event_seq AS "eventSeq" FROM run WHERE no = ?', runNo)
  if (run === undefined) return null
  if (run.status === 'new') {
    const ending: RunEnding = { status: 'canceled', reason: 'canceled', type: 'warning', message }
    return (yield* endRun({ runNo, ending, at, isOwner: false }, hooks)) ?? run
  }
  if (run.status !== 'running') return run
  yield* change("UPDATE run SET status = 'canceling', updated_at = ? WHERE no = ? AND ended_at IS NULL", at, runNo)
  return { ...run, status: 'canceling' }
}
