/**
 * Rows of parts of runs: who works on which part, and how a run is divided. The row of the run is always locked before those of its parts.
 */
import { shareOfTeam } from '#backend/platform/database/share-of-team.ts'
import { MOST_DELAY_MS, turnOf } from '#backend/platform/queue/queue.ts'
import { LATEST_LEASE_MS, LEASE_MS } from '../run-store.ts'
import type { HeldRun, LostRun, TakenRun } from '../run-store.ts'
import { partNumber, partOf, partOfUrl, storedSeq } from '../run-parts.ts'
import type { MailedUrl, PartMail, RunPart } from '../run-parts.ts'
import { asRows } from './session.ts'
import type { Session, Sessions } from './session.ts'

/** A larger run stays whole: dividing its URLs would take longer than its lease. */
const MOST_URLS_DEALT = 200_000
/** A part with fewer unused pages in its grant gets more. */
const LEAST_ALLOWED = 32
/** Most pages per grant. */
const MOST_GRANTED = 500

export type FreePart = RunPart & { kind: string; teamId: string; sliceNo: number }
type PartRows = { owner: string | null; part: number; sliceNo: number }

export function createPartRows({ now, owner, sessions }: { sessions: Sessions; owner: string; now: () => number }) {
  const { read, transaction } = sessions
  return { countCrashes, cut, mail, take, renew, release, reconcile, makeJob }

  /** Divides the URLs of a run, and creates a job for each part. */
  function cut({ runNo, token, workedMs }: HeldRun, parts: number): Promise<boolean> {
    return transaction(async (session) => {
      const run = await session.get<{ kept: number; known: number; kind: string; teamId: string }>(
        `SELECT kept, known, kind, team_id AS "teamId" FROM run
          WHERE no = ? AND token = ? AND owner = ? AND status = 'running' AND ended_at IS NULL AND parts = 1 FOR UPDATE`,
        runNo,
        token,
        owner,
      )
      if (run === undefined || run.known > MOST_URLS_DEALT) return false
      const urls = await session.all<{ seq: number; url: string }>('SELECT seq, url FROM run_url WHERE run_no = ? ORDER BY seq', runNo)
      const counts = Array.from({ length: parts }, () => 0)
      const moved = urls.map(({ seq, url }) => {
        const part = partOfUrl(url, parts)
        const count = counts[part]!
        counts[part] = count + 1
        return { seq, to: storedSeq({ runNo, part, parts }, count) }
      })
      // Renumber through negative numbers, so that no two URLs collide.
      await session.run('UPDATE run_url SET seq = -1 - seq WHERE run_no = ?', runNo)
      await session.run(
        `UPDATE run_url SET seq = x."to" FROM json_to_recordset(?) AS x(seq bigint, "to" bigint) WHERE run_no = ? AND run_url.seq = -1 - x.seq`,
        asRows(moved),
        runNo,
      )
      await session.run(
        'UPDATE run SET parts = ?, token = token + 1, owner = NULL, lease_until = NULL, slice_no = slice_no + 1, worked_ms = ? WHERE no = ?',
        parts,
        Math.round(workedMs),
        runNo,
      )
      // Pages kept so far count for the first part.
      await session.run(
        `INSERT INTO run_part (run_no, part, kept, allowed, worked_ms)
          SELECT ?::bigint, part, CASE WHEN part = 0 THEN ?::bigint ELSE 0 END, CASE WHEN part = 0 THEN ?::bigint ELSE 0 END, ?::bigint
          FROM generate_series(0, ?::integer - 1) AS part`,
        runNo,
        run.kept,
        run.kept,
        Math.round(workedMs),
        parts,
      )
      for (let part = 0; part < parts; part += 1) await makeJob(session, { ...run, runNo, part, parts, sliceNo: 1 })
      return true
    })
  }

  async function mail(no: number, after: number, limit: number): Promise<PartMail> {
    const { part, runNo } = partOf(no)!
    return read(async ({ all, get }) => {
      const rows = await all<Omit<MailedUrl, 'isSeed'> & { isSeed: number }>(
        `SELECT no, key_hi AS hi, key_lo AS lo, url, title, depth, hops, is_seed AS "isSeed", outcome, detail FROM run_mail
          WHERE run_no = ? AND part = ? AND no > ? ORDER BY no LIMIT ?`,
        runNo,
        part,
        after,
        limit,
      )
      const state = await get<{ pages: number; atWork: number; isRunning: number; mailed: number }>(
        `SELECT page_limit - sum(allowed) AS pages, sum(CASE WHEN rest = 0 THEN 1 ELSE 0 END) AS "atWork",
          status = 'running' AND ended_at IS NULL AS "isRunning", (SELECT count(*) FROM (SELECT 1 FROM run_mail WHERE run_no = run.no LIMIT 1) AS x) AS mailed
          FROM run JOIN run_part ON run_part.run_no = run.no WHERE run.no = ? GROUP BY run.no`,
        runNo,
      )
      return {
        urls: rows.map((row) => ({ ...row, isSeed: row.isSeed === 1 })),
        canKeep: state !== undefined && Number(state.pages) > 0,
        isOver: state === undefined || state.isRunning === 0 || (Number(state.atWork) === 0 && Number(state.mailed) === 0),
      }
    })
  }

  /** Counts crashes per part: progress of other parts does not clear a page that crashes its engine. */
  async function countCrashes(suspects: readonly number[] | null): Promise<void> {
    const named = suspects?.flatMap((no) => partOf(no) ?? []) ?? null
    if (named?.length === 0) return
    const which = named === null ? 'owner = ?' : '(run_no, part) IN (SELECT * FROM json_to_recordset(?) AS x("runNo" bigint, part integer))'
    await transaction(({ run }) => run(`UPDATE run_part SET crashes = crashes + 1 WHERE ${which}`, named === null ? owner : asRows(named)))
  }

  function take(cutRun: RunPart): Promise<TakenRun | null> {
    const { part, runNo } = cutRun
    return transaction(async (session) => {
      const at = now()
      const run = await session.get<Omit<TakenRun, 'isResumed' | 'token' | 'commitNo' | 'kept' | 'workedMs' | 'allowed' | 'crashes'>>(
        `SELECT id, team_id AS "teamId", ${shareOfTeam('run.team_id')} AS share, kind, label, page_limit AS "pageLimit", event_seq AS "eventSeq", url_salt AS "urlSalt"
          FROM run WHERE no = ? AND status = 'running' AND ended_at IS NULL FOR UPDATE`,
        runNo,
      )
      await session.run('DELETE FROM job WHERE key >= ? AND key < ?', `run:${runNo}:${part}p`, `run:${runNo}:${part}q`)
      if (run === undefined) return null
      const taken = await session.get<Pick<TakenRun, 'token' | 'commitNo' | 'kept' | 'workedMs' | 'crashes'>>(
        `UPDATE run_part SET token = token + 1, owner = ?, lease_until = ?, rest = 0
          WHERE run_no = ? AND part = ?
            AND (owner IS NULL OR owner = ? OR coalesce(lease_until, 0) <= ? OR lease_until > ?)
          RETURNING token, commit_no AS "commitNo", kept, worked_ms AS "workedMs", crashes`,
        owner,
        at + LEASE_MS,
        runNo,
        part,
        owner,
        at,
        at + LATEST_LEASE_MS,
      )
      if (taken === undefined) return null
      const allowed = await grant(session, cutRun, run.pageLimit)
      return { ...run, ...taken, runNo: partNumber(cutRun), isResumed: true, allowed }
    })
  }

  async function renew(held: readonly HeldRun[]): Promise<LostRun[]> {
    if (held.length === 0) return []
    const rows = held.map(({ runNo, token, workedMs }) => ({ ...partOf(runNo)!, token, worked: Math.round(workedMs) }))
    const renewed = await transaction(async ({ all, run }) => {
      await run('SELECT 1 FROM run WHERE no = ANY(?::bigint[]) ORDER BY no FOR UPDATE', [...new Set(rows.map(({ runNo }) => runNo))])
      return all<RunPart & { status: string }>(
        `UPDATE run_part SET lease_until = ?, worked_ms = x.worked
          FROM json_to_recordset(?) AS x("runNo" bigint, part integer, token bigint, worked bigint), run
          WHERE run_part.run_no = x."runNo" AND run_part.part = x.part AND run_part.token = x.token AND run.no = run_part.run_no AND run.ended_at IS NULL
          RETURNING run_part.run_no AS "runNo", run_part.part, run.parts, run.status`,
        now() + LEASE_MS,
        asRows(rows),
      )
    })
    const statuses = new Map(renewed.map((row) => [partNumber(row), row.status]))
    return held.flatMap(({ runNo }): LostRun[] => {
      const status = statuses.get(runNo)
      if (status === 'running') return []
      return [{ runNo, why: status === 'canceling' ? 'canceling' : 'taken' }]
    })
  }

  async function release({ runNo: no, token, workedMs }: HeldRun, dueAt?: number): Promise<void> {
    const cutRun = partOf(no)!
    await transaction(async (session) => {
      const run = await session.get<{ kind: string; teamId: string }>(
        'SELECT kind, team_id AS "teamId" FROM run WHERE no = ? AND ended_at IS NULL FOR UPDATE',
        cutRun.runNo,
      )
      const given = await session.get<{ rest: number; sliceNo: number }>(
        `UPDATE run_part SET owner = NULL, lease_until = NULL, slice_no = slice_no + 1, worked_ms = ?
          WHERE run_no = ? AND part = ? AND token = ? AND owner = ? RETURNING rest, slice_no AS "sliceNo"`,
        Math.round(workedMs),
        cutRun.runNo,
        cutRun.part,
        token,
        owner,
      )
      // A resting part waits until another part wakes it.
      if (run !== undefined && given?.rest === 0) await makeJob(session, { ...cutRun, ...run, sliceNo: given.sliceNo }, dueAt)
    })
  }

  /** Creates a job for each part that has work and no owner; returns how many. */
  async function reconcile(): Promise<number> {
    const at = now()
    const isFree = '(run_part.owner IS NULL OR coalesce(run_part.lease_until, 0) <= ? OR run_part.lease_until > ?)'
    const cutRuns = "run.parts > 1 AND run.ended_at IS NULL AND run.status = 'running'"
    // When no part of a run has work, one of them checks again: the engine that should have ended the run may have died.
    const abandoned = await read(({ all }) =>
      all<{ runNo: number; part: number }>(
        `SELECT run_no AS "runNo", part FROM run_part JOIN run ON run.no = run_no WHERE ${cutRuns} AND ${isFree}
            AND NOT EXISTS (SELECT 1 FROM job WHERE key = 'run:' || run_no || ':' || part || 'p' || run_part.slice_no)
            AND (rest = 0 OR (part = 0 AND NOT EXISTS (SELECT 1 FROM run_part AS other WHERE other.run_no = run.no AND other.rest = 0)))`,
        at,
        at + LATEST_LEASE_MS,
      ),
    )
    let made = 0
    for (const { part, runNo } of abandoned)
      made += await transaction(async (session) => {
        const run = await session.get<{ kind: string; parts: number; teamId: string }>(
          `SELECT kind, parts, team_id AS "teamId" FROM run WHERE no = ? AND ${cutRuns} FOR UPDATE`,
          runNo,
        )
        if (run === undefined) return 0
        const free = await session.get<{ sliceNo: number }>(
          `SELECT slice_no AS "sliceNo" FROM run_part WHERE run_no = ? AND part = ? AND ${isFree}`,
          runNo,
          part,
          at,
          at + LATEST_LEASE_MS,
        )
        return free === undefined ? 0 : makeJob(session, { ...run, ...free, runNo, part })
      })
    return made
  }

  /** Returns how many it created: one or none. */
  function makeJob({ run }: Session, { kind, part, parts, runNo, sliceNo, teamId }: FreePart, dueAt = now()): Promise<number> {
    const { priority, runAt } = turnOf({ dueAt: Math.min(dueAt, now() + MOST_DELAY_MS) }, now())
    return run(
      'INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
      `run:${runNo}:${part}p${sliceNo}`,
      kind,
      JSON.stringify({ runNo: partNumber({ runNo, part, parts }) }),
      teamId,
      priority,
      Math.round(runAt),
    )
  }
}

/**
 * Grants pages of the run's limit to a part that has few left, from those that are granted to no part. Returns the part's total. The row of
 * the run must be locked.
 */
export async function grant({ get }: Session, { part, parts, runNo }: RunPart, pageLimit: number): Promise<number> {
  const row = await get<{ allowed: number }>(
    `UPDATE run_part SET allowed = allowed + CASE WHEN allowed - kept >= ? OR promised.pages <= 0 THEN 0
        ELSE least(promised.pages, greatest(1, least(?, promised.pages / ?::bigint))) END
      FROM (SELECT ?::bigint - sum(allowed)::bigint AS pages FROM run_part WHERE run_no = ?) AS promised
      WHERE run_no = ? AND part = ? RETURNING allowed`,
    LEAST_ALLOWED,
    MOST_GRANTED,
    2 * parts,
    pageLimit,
    runNo,
    runNo,
    part,
  )
  return row!.allowed
}

/** Wakes resting parts; those without an owner get a job. */
export async function wakeParts(
  session: Session,
  rows: { makeJob: (session: Session, part: FreePart) => Promise<number> },
  run: Omit<FreePart, 'part' | 'sliceNo'>,
  which: string,
  ...values: unknown[]
): Promise<void> {
  const woken = await session.all<PartRows>(
    `UPDATE run_part SET rest = 0 WHERE run_no = ? AND ${which} RETURNING owner, part, slice_no AS "sliceNo"`,
    run.runNo,
    ...values,
  )
  for (const { owner, part, sliceNo } of woken) if (owner === null) await rows.makeJob(session, { ...run, part, sliceNo })
}
