/** Who works on which run: leases, the jobs of runs that wait, and what becomes of a run whose owner is gone. */
import { sliceKey } from '#backend/platform/queue/queue.ts'
import { dropJobs, endRun } from '../end-run.ts'
import type { RunHooks } from '../run-hooks.ts'
import { LEASE_MS } from '../run-store.ts'
import type { HeldRun, LostRun, RunEnding, RunHint, TakenRun, WaitingRun } from '../run-store.ts'
import type { Statements } from './statements.ts'

/** After so long a run that is to be stopped is ended here, whatever its owner does. */
const CANCEL_GRACE_MS = 10_000
const CANCELED: RunEnding = { status: 'canceled', reason: 'canceled', type: 'warning', message: 'Canceled' }

type FreeRun = { runNo: number; kind: string; teamId: string; sliceNo: number }

/** A lease that ends later than any that could have been given now was given under another time. */
const IS_LEASED = `(owner IS NOT NULL AND coalesce(lease_until, 0) > :now AND lease_until <= :now + ${LEASE_MS})`

export function runLeases(needs: { statements: Statements; hooks: RunHooks; kinds: readonly string[]; owner: string; now: () => number }) {
  const { hooks, now, owner, statements } = needs
  const { of, run, steps, transaction } = statements
  const kinds = JSON.stringify(needs.kinds)
  // The first job of each team and kind, however many wait behind it: one step along the index for each.
  const nextJobs = of(`WITH RECURSIVE line(team_id, kind) AS (
      SELECT * FROM (SELECT team_id, kind FROM job ORDER BY team_id, kind LIMIT 1)
      UNION ALL
      SELECT next.team_id, next.kind FROM line, job AS next WHERE next.no = (
        SELECT no FROM job WHERE (team_id, kind) > (line.team_id, line.kind) ORDER BY team_id, kind LIMIT 1))
    SELECT job.payload ->> '$.runNo' AS "runNo", job.kind, job.team_id AS "teamId" FROM line, job
    WHERE line.kind IN (SELECT value FROM json_each(?))
      AND job.no = (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind
        AND (? OR NOT EXISTS (SELECT 1 FROM run WHERE run.no = payload ->> '$.runNo' AND crashes > 0)) ORDER BY priority, no LIMIT 1)
    ORDER BY job.priority, job.no`)
  const anyJob = of('SELECT 1 FROM job WHERE kind IN (SELECT value FROM json_each(?)) LIMIT 1')
  const takeRun = of(`UPDATE run SET token = token + 1, owner = :owner, lease_until = :until, status = 'running',
      started_at = coalesce(started_at, :now), updated_at = :now
    WHERE no = :runNo AND status IN ('new', 'running') AND (owner = :owner OR NOT ${IS_LEASED})
    RETURNING no AS "runNo", id, team_id AS "teamId", kind, label, page_limit AS "pageLimit", token, commit_no AS "commitNo", kept,
      event_seq AS "eventSeq", worked_ms AS "workedMs", url_salt AS "urlSalt", crashes`)
  const renewLease = of(
    'UPDATE run SET lease_until = ?, worked_ms = ? WHERE no = ? AND token = ? AND ended_at IS NULL RETURNING status',
  ).pluck()
  const letGo = of(`UPDATE run SET owner = NULL, lease_until = NULL, slice_no = slice_no + 1, worked_ms = ?
    WHERE no = ? AND token = ? AND owner = ? AND ended_at IS NULL
    RETURNING no AS "runNo", kind, team_id AS "teamId", slice_no AS "sliceNo"`)
  const addJob = of(
    'INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
  )
  const jobsOfTeam = of('SELECT count(*) FROM job WHERE team_id = ?').pluck()
  const canceling = of("SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling'").pluck()
  const toBeEnded = of(`SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling'
    AND (NOT ${IS_LEASED} OR (owner = :owner AND no NOT IN (SELECT value FROM json_each(:held))) OR abs(:now - updated_at) >= ${CANCEL_GRACE_MS})`).pluck()
  const free = of(`SELECT no AS "runNo", kind, team_id AS "teamId", slice_no AS "sliceNo" FROM run
    WHERE ended_at IS NULL AND (status = 'running' OR (status = 'new' AND :isFirst))
      AND (NOT ${IS_LEASED} OR (owner = :owner AND no NOT IN (SELECT value FROM json_each(:held))))
      AND NOT EXISTS (SELECT 1 FROM job WHERE key = 'run:' || run.no || ':' || run.slice_no)`)
  return { voidAll, countCrashes, countCrash, waiting, hasWaiting, take, renew, release, canceling: listCanceling, reconcile }

  function voidAll() {
    run('UPDATE run SET lease_until = 0 WHERE ended_at IS NULL AND owner IS NOT NULL')
  }

  function countCrashes(suspects: readonly number[] | null) {
    const listed = suspects === null ? null : JSON.stringify(suspects)
    run(
      `UPDATE run SET crashes = crashes + 1
        WHERE ended_at IS NULL AND owner IS NOT NULL AND (? IS NULL OR no IN (SELECT value FROM json_each(?)))`,
      listed,
      listed,
    )
  }

  function countCrash(runNo: number): number {
    const counted = statements.get<{ crashes: number }>(
      'UPDATE run SET crashes = crashes + 1 WHERE no = ? AND ended_at IS NULL RETURNING crashes',
      runNo,
    )
    return counted?.crashes ?? 0
  }

  function waiting(withSuspects: boolean): WaitingRun[] {
    return nextJobs.all(kinds, withSuspects ? 1 : 0) as WaitingRun[]
  }

  function hasWaiting(): boolean {
    return anyJob.get(kinds) !== undefined
  }

  function take(runNo: number): TakenRun | null {
    return transaction(() => {
      steps(dropJobs(runNo))
      const at = now()
      const taken = takeRun.get({ runNo, owner, now: at, until: at + LEASE_MS }) as Omit<TakenRun, 'isResumed'> | undefined
      return taken === undefined ? null : { ...taken, isResumed: taken.token > 1 }
    })
  }

  function renew(held: readonly HeldRun[]): LostRun[] {
    return transaction(() => {
      const until = now() + LEASE_MS
      return held.flatMap(({ runNo, token, workedMs }): LostRun[] => {
        const status = renewLease.get(until, workedMs, runNo, token)
        if (status === 'running') return []
        return [{ runNo, why: status === 'canceling' ? 'canceling' : 'taken' }]
      })
    })
  }

  /** The job of the next slice stands behind those that the team has waiting. */
  function release({ runNo, token, workedMs }: HeldRun, at = now()) {
    transaction(() => {
      const given = letGo.get(workedMs, runNo, token, owner) as FreeRun | undefined
      if (given !== undefined) makeJob(given, 1 + (jobsOfTeam.get(given.teamId) as number), at)
    })
  }

  /** Gives how many it made: one or none. */
  function makeJob({ kind, runNo, sliceNo, teamId }: FreeRun, priority: number, at: number): number {
    return addJob.run(sliceKey(runNo, sliceNo), kind, JSON.stringify({ runNo }), teamId, priority, at).changes
  }

  function listCanceling(): number[] {
    return canceling.all() as number[]
  }

  function reconcile(held: readonly number[], isFirst: boolean): { jobsMade: number; ended: RunHint[] } {
    const at = now()
    const mine = { now: at, owner, held: JSON.stringify(held) }
    const ended: RunHint[] = []
    for (const runNo of toBeEnded.all(mine) as number[]) {
      const end = transaction(() => steps(endRun({ runNo, ending: CANCELED, at, isOwner: false }, hooks)))
      if (end !== null) ended.push({ runNo, ...end })
    }
    const abandoned = free.all({ ...mine, isFirst: isFirst ? 1 : 0 }) as FreeRun[]
    if (abandoned.length === 0) return { jobsMade: 0, ended }
    const jobsMade = transaction(() => abandoned.reduce((made, one) => made + makeJob(one, 1, at), 0))
    return { jobsMade, ended }
  }
}
