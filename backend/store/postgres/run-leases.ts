/** The leases of this engine on whole runs and on parts of runs, and its share of the parts. */
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'
import { MOST_DELAY_MS } from '#backend/platform/queue/queue.ts'
import { runLeases as leasesOfRuns } from '../run-leases.ts'
import { LATEST_LEASE_MS, LEASE_MS, lostAt } from '../run-store.ts'
import type { HeldRun, LostRun, RunHint, TakenRun, WaitingRun } from '../run-store.ts'
import type { StepRunner } from '../shared-calls.ts'
import { asRows } from './session.ts'
import type { createPartRows } from './run-part-rows.ts'
import { partOf } from '../run-parts.ts'
import type { Sessions } from './session.ts'
import type { RunStatus } from '#contract/runs.ts'
import type { RunHooks } from '../run-hooks.ts'

const RUN_OF_JOB = "(payload::json ->> 'runNo')::bigint"
/** The lowest 29 bits are the run's number; the others identify its part. */
const WHOLE_RUN = `(${RUN_OF_JOB} & 536870911)`
/**
 * Parameters: whether runs with a crash may be taken; runs of which this engine already has its fair share; and the age from which any
 * engine with a place may take a job.
 */
const IS_WELCOME = `(?::boolean OR NOT EXISTS (SELECT 1 FROM run WHERE run.no = ${WHOLE_RUN} AND crashes > 0))
      AND (${RUN_OF_JOB} < 536870912 OR ${WHOLE_RUN} <> ALL(?::bigint[]) OR run_at <= ?)`
/** After this time an engine takes more than its fair share of a run, because the others may have no place. */
const LEFT_OVER_MS = 3000

/**
 * A line has the waiting jobs of one team, kind and priority. The index has the lines one after the other, each ordered by time: one index
 * step finds the next line, another one the first due job in it.
 */
const DUE_JOBS = `
  WITH RECURSIVE line(team_id, kind, priority) AS (
    (SELECT team_id, kind, priority FROM job ORDER BY team_id, kind, priority LIMIT 1)
    UNION ALL
    SELECT next.team_id, next.kind, next.priority FROM line, LATERAL (
      SELECT team_id, kind, priority FROM job WHERE (team_id, kind, priority) > (line.team_id, line.kind, line.priority)
      ORDER BY team_id, kind, priority LIMIT 1) AS next)
  SELECT ${RUN_OF_JOB} AS "runNo", job.kind, job.team_id AS "teamId", ${shareOfTeam('job.team_id')} AS share, job.priority < 0 AS "isShort" FROM line, job
  WHERE line.kind = ANY(?::text[]) AND job.no = coalesce(
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at <= ?
      AND ${IS_WELCOME} ORDER BY run_at, no LIMIT 1),
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at > ?
      AND ${IS_WELCOME} ORDER BY run_at, no LIMIT 1))
  ORDER BY job.priority, job.run_at, job.no`

export function runLeases(needs: {
  runner: StepRunner
  sessions: Sessions
  parts: ReturnType<typeof createPartRows>
  hooks: RunHooks
  kinds: readonly string[]
  owner: string
  now: () => number
}) {
  const { kinds, now, owner, parts, sessions } = needs
  const { read, transaction } = sessions
  const whole = leasesOfRuns(needs)
  /** Engines that share divided runs, this one included. */
  let engines = 1
  return { voidAll: whole.voidAll, countCrashes, waiting, take, renew, release, reconcile, engines: () => engines }

  async function countCrashes(suspects: readonly number[] | null): Promise<void> {
    await parts.countCrashes(suspects)
    await whole.countCrashes(suspects?.filter((no) => partOf(no) === null) ?? null)
  }

  async function waiting(withSuspects: boolean, held: readonly number[] = []): Promise<WaitingRun[]> {
    const at = now()
    const full = [...partsHeld(held)].filter(([, of]) => of.length >= fairPart(of)).map(([runNo]) => runNo)
    const welcome = [withSuspects, full, at - LEFT_OVER_MS]
    const rows = await read(({ all }) =>
      all<Omit<WaitingRun, 'isShort'> & { isShort: number }>(DUE_JOBS, kinds, at, ...welcome, at + MOST_DELAY_MS, ...welcome),
    )
    return rows.map((row) => ({ ...row, isShort: row.isShort === 1 }))
  }

  /** The number of a run's parts for this engine, when all engines get equally many. */
  function fairPart(held: readonly number[]): number {
    return Math.ceil(partOf(held[0]!)!.parts / engines)
  }

  function take(runNo: number): Promise<TakenRun | null> {
    const cut = partOf(runNo)
    return cut === null ? whole.take(runNo) : parts.take(cut)
  }

  async function renew(held: readonly HeldRun[]): Promise<LostRun[]> {
    const cut = held.filter(({ runNo }) => partOf(runNo) !== null)
    const uncut = held.filter(({ runNo }) => partOf(runNo) === null)
    return [...(await renewWhole(uncut)), ...(await parts.renew(cut))]
  }

  async function renewWhole(held: readonly HeldRun[]): Promise<LostRun[]> {
    if (held.length === 0) return []
    const rows = held.map(({ runNo, token, workedMs }) => ({ no: runNo, token, worked: Math.round(workedMs) }))
    const found = await transaction(async ({ all, run }) => {
      // In the order in which commits lock runs, or a commit and this would wait for each other.
      const locked = await all<{ no: number; status: RunStatus; token: number }>(
        'SELECT no, status, token FROM run WHERE no = ANY(?::bigint[]) ORDER BY no FOR UPDATE',
        rows.map(({ no }) => no),
      )
      await run(
        `UPDATE run SET lease_until = ?, worked_ms = x.worked FROM json_to_recordset(?) AS x(no bigint, token bigint, worked bigint)
          WHERE run.no = x.no AND run.token = x.token AND ended_at IS NULL`,
        now() + LEASE_MS,
        asRows(rows),
      )
      return locked
    })
    const runs = new Map(found.map((run) => [run.no, run]))
    return held.flatMap((run) => lostAt(run, runs.get(run.runNo)))
  }

  async function release(given: HeldRun, dueAt?: number): Promise<void> {
    await (partOf(given.runNo) === null ? whole : parts).release(given, dueAt)
  }

  async function reconcile(
    held: readonly number[],
    isFirst: boolean,
    hasPlace = true,
  ): Promise<{ jobsMade: number; ended: RunHint[]; surplus: number[] }> {
    const at = now()
    await meet(held, hasPlace, at)
    const surplus = [...partsHeld(held).values()].flatMap((of) => of.slice(fairPart(of)))
    const partJobs = await parts.reconcile()
    const { ended, jobsMade } = await whole.reconcile(held, isFirst, at)
    return { jobsMade: partJobs + jobsMade, ended, surplus }
  }

  /** Announces this engine, and counts the engines that share divided runs. */
  async function meet(held: readonly number[], hasPlace: boolean, at: number): Promise<void> {
    const shares = hasPlace || held.some((no) => partOf(no) !== null)
    engines = await transaction(async ({ get, run }) => {
      await run(
        `INSERT INTO engine (owner, seen_until, has_place) VALUES (?, ?, ?)
          ON CONFLICT (owner) DO UPDATE SET seen_until = excluded.seen_until, has_place = excluded.has_place`,
        owner,
        at + LEASE_MS,
        shares ? 1 : 0,
      )
      await run('DELETE FROM engine WHERE owner <> ? AND (seen_until <= ? OR seen_until > ?)', owner, at, at + LATEST_LEASE_MS)
      const { others } = (await get<{ others: number }>('SELECT count(*) AS others FROM engine WHERE has_place = 1 AND owner <> ?', owner))!
      return others + 1
    })
  }
}

/** The held parts, by run. */
function partsHeld(held: readonly number[]): Map<number, number[]> {
  const byRun = new Map<number, number[]>()
  for (const no of held) {
    const cut = partOf(no)
    if (cut === null) continue
    const of = byRun.get(cut.runNo)
    if (of === undefined) byRun.set(cut.runNo, [no])
    else of.push(no)
  }
  return byRun
}
