/** Which engine works on which run: leases, the jobs of waiting runs, and runs whose owner has died. */
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'
import { jobKeysOf, sliceKey, turnOf } from '#backend/platform/queue/queue.ts'
import { endRun } from './end-run.ts'
import type { RunHooks } from './run-hooks.ts'
import { CANCELED, CANCEL_GRACE_MS, LATEST_LEASE_MS, LEASE_MS } from './run-store.ts'
import type { HeldRun, RunHint, TakenRun } from './run-store.ts'
import type { StepRunner } from './shared-calls.ts'
import { all, change, one } from './steps.ts'
import type { Steps } from './steps.ts'

/** A run without an owner. */
export type FreeRun = { runNo: number; kind: string; teamId: string; sliceNo: number }

/** Parameters: now, and the latest plausible end of a lease. */
const IS_LEASED = '(owner IS NOT NULL AND coalesce(lease_until, 0) > ? AND lease_until <= ?)'
/** Numbers, as a parameter in JSON. */
const NUMBERS = '(SELECT CAST(value AS bigint) FROM json_each(?))'
const FREE_RUN = 'no AS "runNo", kind, team_id AS "teamId", slice_no AS "sliceNo"'

/** @param owner  this engine's name in leases */
export function runLeases({
  hooks,
  now,
  owner,
  runner: { read, transaction },
}: {
  hooks: RunHooks
  now: () => number
  owner: string
  runner: StepRunner
}) {
  return {
    voidAll: () => transaction(voidAll()),
    countCrashes: (suspects: readonly number[] | null) => transaction(countCrashes(suspects)),
    take: (runNo: number) => transaction(take(runNo)),
    release: (held: HeldRun, dueAt?: number) => transaction(release(held, dueAt)),
    reconcile,
  }

  function* voidAll(): Steps<void> {
    yield* change('UPDATE run SET lease_until = 0 WHERE ended_at IS NULL AND owner IS NOT NULL')
  }

  function* countCrashes(suspects: readonly number[] | null): Steps<void> {
    const crashed = 'UPDATE run SET crashes = crashes + 1 WHERE ended_at IS NULL AND owner IS NOT NULL'
    if (suspects === null) yield* change(crashed)
    else yield* change(`${crashed} AND no IN ${NUMBERS}`, JSON.stringify(suspects))
  }

  function* take(runNo: number): Steps<TakenRun | null> {
    const at = now()
    const taken = yield* one<Omit<TakenRun, 'isResumed'>>(
      `UPDATE run SET token = token + 1, owner = ?, lease_until = ?, status = 'running',
          started_at = coalesce(started_at, ?), updated_at = ?
        WHERE no = ? AND status IN ('new', 'running') AND parts = 1 AND (owner = ? OR NOT ${IS_LEASED})
        RETURNING no AS "runNo", id, team_id AS "teamId", ${shareOfTeam('run.team_id')} AS share, kind, label, page_limit AS "pageLimit", token, commit_no AS "commitNo", kept,
          event_seq AS "eventSeq", worked_ms AS "workedMs", url_salt AS "urlSalt", crashes`,
      owner,
      at + LEASE_MS,
      at,
      at,
      runNo,
      owner,
      at,
      at + LATEST_LEASE_MS,
    )
    // Locks the run before its jobs, like the end of a run, so that two transactions cannot deadlock.
    yield* dropSlices(runNo)
    return taken === undefined ? null : { ...taken, isResumed: taken.token > 1 }
  }

  function* release({ runNo, token, workedMs }: HeldRun, dueAt?: number): Steps<void> {
    const given = yield* one<FreeRun>(
      `UPDATE run SET owner = NULL, lease_until = NULL, slice_no = slice_no + 1, worked_ms = ?
        WHERE no = ? AND token = ? AND owner = ? AND ended_at IS NULL RETURNING ${FREE_RUN}`,
      Math.round(workedMs),
      runNo,
      token,
      owner,
    )
    if (given !== undefined) yield* addJob(given, now(), dueAt)
  }

  /**
   * See `RunStore`.
   *
   * @param at  when the list of held runs was made
   */
  async function reconcile(held: readonly number[], isFirst: boolean, at = now()): Promise<{ jobsMade: number; ended: RunHint[] }> {
    const ended: RunHint[] = []
    for (const runNo of await read(toBeEnded(held, at))) {
      const end = await transaction(endRun({ runNo, ending: CANCELED, at, isOwner: false }, hooks), { endsRuns: true })
      if (end !== null) ended.push({ runNo, ...end })
    }
    // A run that was never taken can have lost its job only before this engine started.
    const abandoned = await read(abandonedRuns(isFirst ? "'running', 'new'" : "'running'", held, at))
    return { jobsMade: abandoned.length === 0 ? 0 : await transaction(addLostJobs(abandoned, held, at)), ended }
  }

  /**
   * Whether no engine works on a run: a condition, and its parameters. The list of held runs is from the time `at`; runs that this engine
   * has taken since then are missing from it, but their lease is later.
   */
  function orphans(held: readonly number[], at: number): [condition: string, parameters: unknown[]] {
    return [
      `(NOT ${IS_LEASED} OR (owner = ? AND no NOT IN ${NUMBERS} AND lease_until < ?))`,
      [at, at + LATEST_LEASE_MS, owner, JSON.stringify(held), at + LEASE_MS],
    ]
  }

  function* toBeEnded(held: readonly number[], at: number): Steps<number[]> {
    const [isOrphan, parameters] = orphans(held, at)
    const rows = yield* all<{ no: number }>(
      `SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling' AND (${isOrphan} OR abs(? - updated_at) >= ${CANCEL_GRACE_MS})`,
      ...parameters,
      at,
    )
    return rows.map(({ no }) => no)
  }

  /** Unfinished runs that have neither an owner nor a job; a run with a job is waiting. */
  function abandonedRuns(statuses: string, held: readonly number[], at: number): Steps<FreeRun[]> {
    const [isOrphan, parameters] = orphans(held, at)
    return all(
      `SELECT ${FREE_RUN} FROM run WHERE ended_at IS NULL AND parts = 1 AND status IN (${statuses}) AND ${isOrphan}
        AND NOT EXISTS (SELECT 1 FROM job WHERE key = 'run:' || run.no || ':' || run.slice_no)`,
      ...parameters,
    )
  }

  /** Adds a job for each; returns how many. Locks each run and looks again: another engine may have taken it. */
  function* addLostJobs(abandoned: readonly FreeRun[], held: readonly number[], at: number): Steps<number> {
    const [isOrphan, parameters] = orphans(held, at)
    let made = 0
    for (const run of abandoned) {
      const isStillFree = yield* change(
        `UPDATE run SET token = token WHERE no = ? AND ended_at IS NULL AND ${isOrphan}`,
        run.runNo,
        ...parameters,
      )
      if (isStillFree > 0) made += yield* addJob(run, at)
    }
    return made
  }
}

/** Queues the next slice of a run, with `dueAt` not before that instant; returns how many jobs it added: one or none. */
export function addJob({ kind, runNo, sliceNo, teamId }: FreeRun, at: number, dueAt?: number): Steps<number> {
  const { priority, runAt } = turnOf(dueAt === undefined ? {} : { dueAt }, at)
  return change(
    'INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
    sliceKey(runNo, sliceNo),
    kind,
    JSON.stringify({ runNo }),
    teamId,
    priority,
    Math.round(runAt),
  )
}

/** Removes the jobs of a whole run. Keys of parts' jobs contain a `p`: they stay, in case the run has been divided since it was offered. */
export const dropSlices = (runNo: number): Steps<number> =>
  change("DELETE FROM job WHERE key >= ? AND key < ? AND instr(key, 'p') = 0", ...jobKeysOf(runNo))
