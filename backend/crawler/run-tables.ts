/** How the engine reads and takes runs: prepared statements over the tables, no rules. */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { RunStatus } from '#contract/runs.ts'
import { hostKey } from './canonical-url.ts'
import type { Hint } from './committer.ts'
import { createFeedWriter } from './feed-writer.ts'
import type { FrontierTables } from './frontier.ts'
import type { RunRow } from './run-crawl.ts'

/** A run that has just been taken. */
export type TakenRun = RunRow & { kind: string; crashes: number; isResumed: boolean }
type WaitingJob = { no: number; kind: string; payload: string; team_id: string }
type UnfinishedRun = { no: number; kind: string; team_id: string; slice_no: number; status: string; updated_at: number }

/** @param kinds  of the runs that this engine takes */
export function runTables(connection: SqliteConnection, kinds: string[]) {
  const of = (sql: string) => connection.prepare(sql)
  // The first job of each team and kind, however many wait behind it: one step along the index for each.
  const jobs = of(`WITH RECURSIVE line(team_id, kind) AS (
      SELECT * FROM (SELECT team_id, kind FROM job ORDER BY team_id, kind LIMIT 1)
      UNION ALL
      SELECT next.team_id, next.kind FROM line, job AS next WHERE next.no = (
        SELECT no FROM job WHERE (team_id, kind) > (line.team_id, line.kind) ORDER BY team_id, kind LIMIT 1))
    SELECT job.no, job.kind, job.payload, job.team_id FROM line, job
    WHERE line.kind IN (SELECT value FROM json_each(?))
      AND job.no = (SELECT no FROM job WHERE team_id = line.team_id AND kind = line.kind
        AND (? OR NOT EXISTS (SELECT 1 FROM run WHERE run.no = payload ->> '$.runNo' AND crashes > 0)) ORDER BY priority, no LIMIT 1)
    ORDER BY job.priority, job.no`)
  const countJobs = of('SELECT count(*) AS waiting FROM job WHERE kind IN (SELECT value FROM json_each(?))')
  const takeRun =
    of(`UPDATE run SET token = token + 1, owner = ?, lease_until = ?, status = 'running', started_at = coalesce(started_at, ?), updated_at = ?
    WHERE no = ? AND status IN ('new', 'running') RETURNING *`)
  const options = of('SELECT options, seeds, secrets FROM run_options WHERE run_no = ?')
  const seedUrls = of('SELECT url, hops FROM run_url WHERE run_no = ? AND is_seed = 1')
  const keys = of(
    'SELECT seq, key_hi, key_lo, state, depth, outcome, length(title) AS title_length, url FROM run_url WHERE run_no = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  const pageKeys = of('SELECT key_hi, key_lo FROM page WHERE run_no = ?')
  const perHost = of('SELECT host_no, count(*) AS pending FROM run_url WHERE run_no = ? AND state = 0 GROUP BY host_no')
  const waiting = of(
    'SELECT seq, url, depth, tries, hops, is_seed, host_no, due_at FROM run_url WHERE run_no = ? AND state = 1 ORDER BY due_at',
  )
  const pending = of(
    'SELECT seq, url, depth, tries, hops, is_seed, host_no FROM run_url WHERE run_no = ? AND host_no = ? AND state = 0 ORDER BY depth, seq LIMIT ?',
  )
  const canceling = of("SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling'")
  const unfinished = of(`SELECT no, kind, team_id, slice_no, status, updated_at, event_seq FROM run WHERE ended_at IS NULL`)
  const addJob = of(
    `INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
  )
  const ofTeam = of('SELECT count(*) AS waiting FROM job WHERE team_id = ?')
  const letGo = of(
    'UPDATE run SET owner = NULL, lease_until = NULL, slice_no = slice_no + 1, worked_ms = ? WHERE no = ? AND token = ? AND owner = ? RETURNING no, kind, team_id, slice_no',
  )
  const endCanceled =
    of(`UPDATE run SET status = 'canceled', reason = 'canceled', ended_at = ?, updated_at = ?, event_seq = event_seq + 1, token = token + 1, owner = NULL, lease_until = NULL
    WHERE no = ? AND status = 'canceling' RETURNING event_seq`)
  const endEarlyRun =
    of(`UPDATE run SET status = CASE WHEN kept > 0 THEN 'finished' ELSE 'failed' END, reason = ?, ended_at = ?, updated_at = ?, event_seq = event_seq + 2, token = token + 1,
    owner = NULL, lease_until = NULL WHERE no = ? AND ended_at IS NULL RETURNING status, event_seq`)
  const writeFeed = createFeedWriter(connection)
  // A run that failed costs nothing, however far it came.
  const settleCredit =
    of(`UPDATE credit_entry SET state = 'settled', used = CASE (SELECT status FROM run WHERE no = run_no) WHEN 'failed' THEN 0 ELSE used END
    WHERE run_no = ? AND state = 'held'`)
  const dropJobs = of('DELETE FROM job WHERE key >= ? AND key < ?')
  const countCrashes = of(
    'UPDATE run SET crashes = crashes + 1 WHERE ended_at IS NULL AND owner IS NOT NULL AND (? IS NULL OR no IN (SELECT value FROM json_each(?)))',
  )
  const wanted = JSON.stringify(kinds)

  return {
    nextJob,
    jobsWaiting,
    take,
    describe,
    describeTask,
    /** @param suspects  the runs that the engine was at work on when it died; null counts against all that it held */
    countCrashes: (suspects: readonly number[] | null) => {
      const listed = suspects === null ? null : JSON.stringify(suspects)
      countCrashes.run(listed, listed)
    },
    frontier,
    canceling: listCanceling,
    derive,
    release,
    endOrphans,
    endEarly,
  }

  /**
   * The job to be done next: of the team with the fewest runs in hand, then the oldest. It stays in the table until it is taken.
   *
   * @param mayTake         whether there is a place for one more run of that kind and team
   * @param mayTakeSuspect  whether it may be a run with a crash to its name
   */
  function nextJob(
    runsOf: (teamId: string) => number,
    mayTake: (kind: string, teamId: string) => boolean,
    mayTakeSuspect = true,
  ): { runNo: number } | null {
    let best: WaitingJob | null = null
    for (const job of jobs.all(wanted, mayTakeSuspect ? 1 : 0) as WaitingJob[]) {
      if ((best === null || runsOf(job.team_id) < runsOf(best.team_id)) && mayTake(job.kind, job.team_id)) best = job
    }
    return best === null ? null : { runNo: (JSON.parse(best.payload) as { runNo: number }).runNo }
  }

  function jobsWaiting(): number {
    return (countJobs.get(wanted) as { waiting: number }).waiting
  }

  /** Makes the run ours, with a token that nobody has had, and its job gone; null when it has ended or is being stopped. */
  function take(runNo: number, owner: string, at: number): TakenRun | null {
    return connection
      .transaction(() => {
        dropJobs.run(`run:${runNo}:`, `run:${runNo};`)
        const row = takeRun.get(owner, at + 15_000, at, at, runNo) as Omit<TakenRun, 'isResumed'> | undefined
        return row === undefined ? null : { ...row, isResumed: row.token > 1 }
      })
      .immediate()
  }

  function describe(runNo: number): { options: unknown; sealed: string | null; seedHosts: string[]; seedOrigins: string[] } {
    const row = options.get(runNo) as { options: string; secrets: string | null }
    const seeds = seedUrls.all(runNo) as { url: string; hops: number }[]
    return {
      options: JSON.parse(row.options),
      sealed: row.secrets,
      seedHosts: [...new Set(seeds.map(({ url }) => new URL(url).hostname))],
      seedOrigins: [...new Set(seeds.filter(({ hops }) => hops === 0).map(({ url }) => hostKey(url)))],
    }
  }

  /** What was asked of a run that is one task. */
  function describeTask(runNo: number): { options: Record<string, unknown>; sealed: string | null; seeds: string[] } {
    const row = options.get(runNo) as { options: string; seeds: string; secrets: string | null }
    return {
      options: JSON.parse(row.options) as Record<string, unknown>,
      sealed: row.secrets,
      seeds: JSON.parse(row.seeds) as string[],
    }
  }

  function frontier(runNo: number): FrontierTables {
    return {
      keys: (after, limit) => keys.all(runNo, after, limit) as ReturnType<FrontierTables['keys']>,
      pageKeys: () => pageKeys.all(runNo) as ReturnType<FrontierTables['pageKeys']>,
      pendingPerHost: () => perHost.all(runNo) as ReturnType<FrontierTables['pendingPerHost']>,
      waiting: () => waiting.all(runNo) as ReturnType<FrontierTables['waiting']>,
      pendingOf: (hostNo, limit) => pending.all(runNo, hostNo, limit) as ReturnType<FrontierTables['pendingOf']>,
    }
  }

  function listCanceling(): number[] {
    return (canceling.all() as { no: number }[]).map(({ no }) => no)
  }

  /** Gives a job to every unfinished run that nobody holds and that has none. Returns how many it gave. */
  function derive(held: number[], at: number): number {
    const holding = new Set(held)
    let given = 0
    for (const run of unfinished.all() as UnfinishedRun[]) {
      if (holding.has(run.no) || run.status === 'canceling') continue
      given += addJob.run(`run:${run.no}:${run.slice_no}`, run.kind, JSON.stringify({ runNo: run.no }), run.team_id, 1, at).changes
    }
    return given
  }

  /** Gives a run back with a job for its next slice, behind the slices that its team has waiting. */
  function release(runNo: number, token: number, owner: string, at: number, workedMs: number) {
    connection
      .transaction(() => {
        const run = letGo.get(workedMs, runNo, token, owner) as { kind: string; team_id: string; slice_no: number } | undefined
        if (run === undefined) return
        const { waiting: behind } = ofTeam.get(run.team_id) as { waiting: number }
        addJob.run(`run:${runNo}:${run.slice_no}`, run.kind, JSON.stringify({ runNo }), run.team_id, 1 + behind, at)
      })
      .immediate()
  }

  /** Ends runs that are being stopped and have no owner here. URLs that still wait get their end from the sweep. */
  function endOrphans(held: number[], at: number, graceMs: number): Hint[] {
    const holding = new Set(held)
    const hints: Hint[] = []
    for (const run of unfinished.all() as UnfinishedRun[]) {
      // A clock that was set back must not keep a run that is being stopped.
      if (run.status !== 'canceling' || (holding.has(run.no) && Math.abs(at - run.updated_at) < graceMs)) continue
      connection
        .transaction(() => {
          const ended = endCanceled.get(at, at, run.no) as { event_seq: number } | undefined
          if (ended === undefined) return
          settleCredit.run(run.no)
          dropJobs.run(`run:${run.no}:`, `run:${run.no};`)
          hints.push({ runNo: run.no, eventSeq: ended.event_seq, status: 'canceled' satisfies RunStatus })
        })
        .immediate()
    }
    return hints
  }

  /**
   * Ends a run that cannot go on: finished when it has kept pages, otherwise failed, with an error line. Null: it had ended.
   *
   * @param why  the reason in a word, and the message of the line
   */
  function endEarly(runNo: number, at: number, { reason, message }: { reason: string; message: string }): Hint | null {
    return connection
      .transaction(() => {
        const ended = endEarlyRun.get(reason, at, at, runNo) as { status: RunStatus; event_seq: number } | undefined
        if (ended === undefined) return null
        const seq = ended.event_seq - 1
        writeFeed(runNo, seq - 1, [{ type: 'error', message, at, metadata: {} }])
        settleCredit.run(runNo)
        dropJobs.run(`run:${runNo}:`, `run:${runNo};`)
        return { runNo, eventSeq: ended.event_seq, status: ended.status }
      })
      .immediate()
  }
}
