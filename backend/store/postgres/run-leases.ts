/** Which engine works on which run: leases, the jobs of waiting runs, and runs whose owner has died. */
import { MOST_DELAY_MS, sliceKey, turnOf } from '#backend/platform/queue/queue.ts'
import { endRun } from '../end-run.ts'
import type { RunHooks } from '../run-hooks.ts'
import { CANCELED, CANCEL_GRACE_MS, LATEST_LEASE_MS, LEASE_MS, lostAt } from '../run-store.ts'
import type { HeldRun, LostRun, RunHint, TakenRun, WaitingRun } from '../run-store.ts'
import { asRows } from './session.ts'
import type { createPartRows } from './run-part-rows.ts'
import { partOf, wholeRun } from '../run-parts.ts'
import type { Session, Sessions } from './session.ts'
import type { RunStatus } from '#contract/runs.ts'

type FreeRun = { runNo: number; kind: string; teamId: string; sliceNo: number }

/** Parameters: now, and the latest plausible end of a lease. */
const IS_LEASED = '(owner IS NOT NULL AND coalesce(lease_until, 0) > ? AND lease_until <= ?)'

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
  SELECT ${RUN_OF_JOB} AS "runNo", job.kind, job.team_id AS "teamId", job.priority < 0 AS "isShort" FROM line, job
  WHERE line.kind = ANY(?::text[]) AND job.no = coalesce(
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at <= ?
      AND ${IS_WELCOME} ORDER BY run_at, no LIMIT 1),
    (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind AND priority = line.priority AND run_at > ?
      AND ${IS_WELCOME} ORDER BY run_at, no LIMIT 1))
  ORDER BY job.priority, job.run_at, job.no`

export function runLeases(needs: {
  sessions: Sessions
  parts: ReturnType<typeof createPartRows>
  hooks: RunHooks
  kinds: readonly string[]
  owner: string
  now: () => number
}) {
  const { hooks, kinds, now, owner, parts, sessions } = needs
  const { read, transaction } = sessions
  /** Engines that share divided runs, this one included. */
  let engines = 1
  return { voidAll, countCrashes, countCrash, waiting, take, renew, release, canceling, reconcile, engines: () => engines }

  async function voidAll(): Promise<void> {
    await transaction(({ run }) => run('UPDATE run SET lease_until = 0 WHERE ended_at IS NULL AND owner IS NOT NULL'))
  }

  async function countCrashes(suspects: readonly number[] | null): Promise<void> {
    await parts.countCrashes(suspects)
    const wholes = suspects?.filter((no) => partOf(no) === null) ?? null
    await transaction(({ run }) =>
      run(
        `UPDATE run SET crashes = crashes + 1
          WHERE ended_at IS NULL AND owner IS NOT NULL AND (?::bigint[] IS NULL OR no = ANY(?::bigint[]))`,
        wholes,
        wholes,
      ),
    )
  }

  async function countCrash(runNo: number): Promise<number> {
    const counted = await transaction(({ get }) =>
      get<{ crashes: number }>('UPDATE run SET crashes = crashes + 1 WHERE no = ? AND ended_at IS NULL RETURNING crashes', wholeRun(runNo)),
    )
    return counted?.crashes ?? 0
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
    return cut === null ? takeWhole(runNo) : parts.take(cut)
  }

  function takeWhole(runNo: number): Promise<TakenRun | null> {
    return transaction(async ({ get, run }) => {
      const at = now()
      const taken = await get<Omit<TakenRun, 'isResumed'>>(
        `UPDATE run SET token = token + 1, owner = ?, lease_until = ?, status = 'running',
            started_at = coalesce(started_at, ?), updated_at = ?
          WHERE no = ? AND status IN ('new', 'running') AND parts = 1 AND (owner = ? OR NOT ${IS_LEASED})
          RETURNING no AS "runNo", id, team_id AS "teamId", kind, label, page_limit AS "pageLimit", token, commit_no AS "commitNo", kept,
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
      // Keys of parts' jobs contain a `p`: they stay, in case the run has been divided since it was offered.
      await run("DELETE FROM job WHERE key >= ? AND key < ? AND strpos(key, 'p') = 0", `run:${runNo}:`, `run:${runNo};`)
      return taken === undefined ? null : { ...taken, isResumed: taken.token > 1 }
    })
  }

  async function renew(held: readonly HeldRun[]): Promise<LostRun[]> {
    const cut = held.filter(({ runNo }) => partOf(runNo) !== null)
    const whole = held.filter(({ runNo }) => partOf(runNo) === null)
    return [...(await renewWhole(whole)), ...(await parts.renew(cut))]
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
    await (partOf(given.runNo) === null ? releaseWhole(given, dueAt) : parts.release(given, dueAt))
  }

  async function releaseWhole({ runNo, token, workedMs }: HeldRun, dueAt?: number): Promise<void> {
    await transaction(async (session) => {
      const given = await session.get<FreeRun>(
        `UPDATE run SET owner = NULL, lease_until = NULL, slice_no = slice_no + 1, worked_ms = ?
          WHERE no = ? AND token = ? AND owner = ? AND ended_at IS NULL
          RETURNING no AS "runNo", kind, team_id AS "teamId", slice_no AS "sliceNo"`,
        Math.round(workedMs),
        runNo,
        token,
        owner,
      )
      if (given !== undefined) await makeJob(session, given, dueAt)
    })
  }

  /** Returns how many it created: one or none. */
  function makeJob({ run }: Session, { kind, runNo, sliceNo, teamId }: FreeRun, dueAt?: number): Promise<number> {
    const { priority, runAt } = turnOf(dueAt === undefined ? {} : { dueAt }, now())
    return run(
      'INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
      sliceKey(runNo, sliceNo),
      kind,
      JSON.stringify({ runNo }),
      teamId,
      priority,
      Math.round(runAt),
    )
  }

  async function canceling(): Promise<number[]> {
    const rows = await read(({ all }) => all<{ no: number }>("SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling'"))
    return rows.map(({ no }) => no)
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
    const ended = await endCanceled(held, at)
    return { jobsMade: partJobs + (await makeLostJobs(held, isFirst, at)), ended, surplus }
  }

  /**
   * Whether no engine works on a run: a condition, and its parameters. The list of held runs is from the time `at`; runs that this engine
   * has taken since then are missing from it, but their lease is later.
   */
  function orphans(held: readonly number[], at: number): [condition: string, parameters: unknown[]] {
    return [
      `(NOT ${IS_LEASED} OR (owner = ? AND no <> ALL(?::bigint[]) AND lease_until < ?))`,
      [at, at + LATEST_LEASE_MS, owner, held, at + LEASE_MS],
    ]
  }

  async function endCanceled(held: readonly number[], at: number): Promise<RunHint[]> {
    const [isOrphan, parameters] = orphans(held, at)
    const toBeEnded = await read(({ all }) =>
      all<{ no: number }>(
        `SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling' AND (${isOrphan} OR abs(? - updated_at) >= ${CANCEL_GRACE_MS})`,
        ...parameters,
        at,
      ),
    )
    const ended: RunHint[] = []
    for (const { no: runNo } of toBeEnded) {
      const end = await transaction(({ steps }) => steps(endRun({ runNo, ending: CANCELED, at, isOwner: false }, hooks)), {
        endsRuns: true,
      })
      if (end !== null) ended.push({ runNo, ...end })
    }
    return ended
  }

  /** Creates a job for each unfinished run that has neither one nor an owner; returns how many. */
  async function makeLostJobs(held: readonly number[], isFirst: boolean, at: number): Promise<number> {
    const [isOrphan, parameters] = orphans(held, at)
    // A run that was never taken can have lost its job only before this engine started.
    const statuses = isFirst ? ['running', 'new'] : ['running']
    const abandoned = await read(({ all }) =>
      // A run with a job is waiting. The row is checked again when the job is created, because another engine may have taken the run.
      all<FreeRun>(
        `SELECT no AS "runNo", kind, team_id AS "teamId", slice_no AS "sliceNo" FROM run
          WHERE ended_at IS NULL AND parts = 1 AND status = ANY(?::text[]) AND ${isOrphan}
            AND NOT EXISTS (SELECT 1 FROM job WHERE key = 'run:' || run.no || ':' || run.slice_no)`,
        statuses,
        ...parameters,
      ),
    )
    if (abandoned.length === 0) return 0
    return transaction(async (session) => {
      let made = 0
      for (const one of abandoned) {
        const isStillFree = await session.get(
          `SELECT 1 FROM run WHERE no = ? AND ended_at IS NULL AND ${isOrphan} FOR UPDATE`,
          one.runNo,
          ...parameters,
        )
        if (isStillFree !== undefined) made += await makeJob(session, one)
      }
      return made
    })
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
