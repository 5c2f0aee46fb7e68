/** Which engine works on which run: leases, the jobs of waiting runs, and runs whose owner has died. */
import { sliceKey } from '#backend/platform/queue/queue.ts'
import type { WorkQueue } from '#backend/platform/queue/queue.ts'
import { endRun } from '../end-run.ts'
import type { RunHooks } from '../run-hooks.ts'
import { CANCELED, CANCEL_GRACE_MS, LATEST_LEASE_MS, LEASE_MS, lostAt } from '../run-store.ts'
import type { HeldRun, LostRun, RunHint, TakenRun } from '../run-store.ts'
import { joinParts } from './join-parts.ts'
import type { Statements } from './statements.ts'
import type { RunStatus } from '#contract/runs.ts'

type FreeRun = { runNo: number; kind: string; teamId: string; sliceNo: number }

const IS_LEASED = `(owner IS NOT NULL AND coalesce(lease_until, 0) > :now AND lease_until <= :now + ${LATEST_LEASE_MS})`

export function runLeases(needs: { statements: Statements; hooks: RunHooks; queue: WorkQueue; owner: string; now: () => number }) {
  const { hooks, now, owner, queue, statements } = needs
  const { of, run, steps, transaction } = statements
  const takeRun = of(`UPDATE run SET token = token + 1, owner = :owner, lease_until = :until, status = 'running',
      started_at = coalesce(started_at, :now), updated_at = :now
    WHERE no = :runNo AND status IN ('new', 'running') AND (owner = :owner OR NOT ${IS_LEASED})
    RETURNING no AS "runNo", id, team_id AS "teamId", kind, label, page_limit AS "pageLimit", token, commit_no AS "commitNo", kept,
      event_seq AS "eventSeq", worked_ms AS "workedMs", url_salt AS "urlSalt", crashes`)
  const renewLease = of('UPDATE run SET lease_until = ?, worked_ms = ? WHERE no = ? AND token = ? AND ended_at IS NULL')
  const leased = of('SELECT status, token FROM run WHERE no = ?')
  const letGo = of(`UPDATE run SET owner = NULL, lease_until = NULL, slice_no = slice_no + 1, worked_ms = ?
    WHERE no = ? AND token = ? AND owner = ? AND ended_at IS NULL
    RETURNING no AS "runNo", kind, team_id AS "teamId", slice_no AS "sliceNo"`)
  const canceling = of("SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling'").pluck()
  const toBeEnded = of(`SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling'
    AND (NOT ${IS_LEASED} OR (owner = :owner AND no NOT IN (SELECT value FROM json_each(:held)) AND lease_until < :now + ${LEASE_MS}) OR abs(:now - updated_at) >= ${CANCEL_GRACE_MS})`).pluck()
  /** Runs by status that have neither owner nor job; a run with a job is waiting. */
  const free = of(`SELECT no AS "runNo", kind, team_id AS "teamId", slice_no AS "sliceNo" FROM run
    WHERE ended_at IS NULL AND status = :status
      AND (NOT ${IS_LEASED} OR (owner = :owner AND no NOT IN (SELECT value FROM json_each(:held)) AND lease_until < :now + ${LEASE_MS}))
      AND NOT EXISTS (SELECT 1 FROM job WHERE key = 'run:' || run.no || ':' || run.slice_no)`)
  return { voidAll, countCrashes, countCrash, waiting: queue.due, take, renew, release, canceling: listCanceling, reconcile }

  function voidAll() {
    run('UPDATE run SET lease_until = 0 WHERE ended_at IS NULL AND owner IS NOT NULL')
    transaction(() => joinParts(statements))
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

  function take(runNo: number): TakenRun | null {
    return transaction(() => {
      queue.take(runNo)
      const at = now()
      const taken = takeRun.get({ runNo, owner, now: at, until: at + LEASE_MS }) as Omit<TakenRun, 'isResumed'> | undefined
      return taken === undefined ? null : { ...taken, isResumed: taken.token > 1 }
    })
  }

  function renew(held: readonly HeldRun[]): LostRun[] {
    return transaction(() => {
      const until = now() + LEASE_MS
      return held.flatMap((run) => {
        renewLease.run(until, run.workedMs, run.runNo, run.token)
        return lostAt(run, leased.get(run.runNo) as { status: RunStatus; token: number } | undefined)
      })
    })
  }

  function release({ runNo, token, workedMs }: HeldRun, dueAt?: number) {
    transaction(() => {
      const given = letGo.get(workedMs, runNo, token, owner) as FreeRun | undefined
      if (given !== undefined) makeJob(given, dueAt)
    })
  }

  /** Returns how many it created: one or none. */
  function makeJob({ kind, runNo, sliceNo, teamId }: FreeRun, dueAt?: number): number {
    const job = { key: sliceKey(runNo, sliceNo), kind, runNo, teamId, ...(dueAt === undefined ? {} : { dueAt }) }
    return queue.releaseAt(job) ? 1 : 0
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
    // A run that was never taken can have lost its job only before this engine started.
    const statuses = isFirst ? ['running', 'new'] : ['running']
    const abandoned = statuses.flatMap((status) => free.all({ ...mine, status }) as FreeRun[])
    if (abandoned.length === 0) return { jobsMade: 0, ended }
    const jobsMade = transaction(() => abandoned.reduce((made, one) => made + makeJob(one), 0))
    return { jobsMade, ended }
  }
}
