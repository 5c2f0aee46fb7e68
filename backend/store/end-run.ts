/**
 * The only place where a run ends: a commit with an ending, a cancel of a run without an owner, and the reconciler all call it. The whole
 * end happens in one transaction, so that no reader sees half of it.
 */
import { endOfWaiting } from '#backend/crawler/outcomes.ts'
import { jobKeysOf } from '#backend/platform/queue/queue.ts'
import { writeFeed } from './feed-steps.ts'
import type { RunEnded } from './run-endings.ts'
import type { RunHooks } from './run-hooks.ts'
import type { RunEnding, RunHint } from './run-store.ts'
import { change, one } from './steps.ts'
import type { Steps } from './steps.ts'

/** So many waiting URLs get their outcome in the transaction of the end; `sweep` handles the rest in batches. */
const SWEEP_AT_END = 20_000

/** Event number and status of an ended run. */
export type Ended = { eventSeq: number; status: RunEnding['status'] }

/**
 * Writes status, reason and times; outcomes of waiting URLs; the last feed line; drops the job; and calls the features' hooks.
 *
 * @param isOwner  the run's owner ends it: its token stays, so that a repeated commit is recognised
 * @param used     credits used in total, if a task has reported them
 * @returns  null when the run had ended already; then nothing has changed
 */
export function* endRun(
  { at, ending, isOwner, runNo, used = null }: { runNo: number; ending: RunEnding; at: number; isOwner: boolean; used?: number | null },
  hooks: RunHooks,
): Steps<Ended | null> {
  const { message, reason, status, type } = ending
  // The last feed line has a number, and the end itself the next one.
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
  yield* change('DELETE FROM job WHERE key >= ? AND key < ?', ...jobKeysOf(runNo))
  if (run.parts > 1) {
    yield* change('DELETE FROM run_part WHERE run_no = ?', runNo)
    yield* change('DELETE FROM run_mail WHERE run_no = ?', runNo)
  }
  yield* hooks.onEnd({ runNo, teamId: run.teamId, kind: run.kind, status, kept: run.kept, used })
  yield* tellOfEnd({ runNo, runId: run.id, teamId: run.teamId, kind: run.kind, status, endedAt: at })
  return { eventSeq: run.eventSeq, status }
}

/**
 * Ends a run that cannot continue: finished when it has results, otherwise failed.
 *
 * @param now  read inside the transaction
 * @returns  null when the run had ended already
 */
export function* endEarly(
  runNo: number,
  { message, reason }: { reason: string; message: string },
  now: () => number,
  hooks: RunHooks,
): Steps<RunHint | null> {
  // Locks the row, so that no commit adds results meanwhile.
  const run = yield* one<{ kept: number }>('UPDATE run SET kept = kept WHERE no = ? RETURNING kept', runNo)
  if (run === undefined) return null
  const ending = { status: run.kept > 0 ? ('finished' as const) : ('failed' as const), reason, type: 'error' as const, message }
  const ended = yield* endRun({ runNo, ending, at: now(), isOwner: false }, hooks)
  return ended && { runNo, ...ended }
}

/** Records the end for listeners (`run-endings.ts`), and removes ends that all of them have handled. */
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

/** Gives waiting URLs the outcome that follows from their run's status; returns how many. */
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

/**
 * Stops a run on request. A run that nobody has taken ends at once; a running one is marked, and its owner ends it.
 *
 * @param message  last feed line of a run that ends at once
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
