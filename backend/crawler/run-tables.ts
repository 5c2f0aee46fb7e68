/** How the engine reads and takes runs: prepared statements over the tables, no rules. */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { RunStatus } from '#contract/runs.ts'
import { hostKey } from './canonical-url.ts'
import type { Hint } from './committer.ts'
import type { FrontierTables } from './frontier.ts'
import type { RunRow } from './run-crawl.ts'

export function runTables(connection: SqliteConnection) {
  const of = (sql: string) => connection.prepare(sql)
  const jobs = of('SELECT no, payload, team_id FROM job ORDER BY priority, no LIMIT 200')
  const countJobs = of('SELECT count(*) AS waiting FROM job')
  const takeRun =
    of(`UPDATE run SET token = token + 1, owner = ?, lease_until = ?, status = 'running', started_at = coalesce(started_at, ?), deadline_at = coalesce(deadline_at, ?), updated_at = ?
    WHERE no = ? AND status IN ('new', 'running') RETURNING *`)
  const options = of('SELECT options FROM run_options WHERE run_no = ?')
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
  const unfinished = of(`SELECT no, team_id, slice_no, status, updated_at, event_seq FROM run WHERE ended_at IS NULL`)
  const addJob = of(
    `INSERT INTO job (key, kind, payload, team_id, priority, run_at) VALUES (?, 'crawl', ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
  )
  const ofTeam = of('SELECT count(*) AS waiting FROM job WHERE team_id = ?')
  const letGo = of(
    'UPDATE run SET owner = NULL, lease_until = NULL, slice_no = slice_no + 1 WHERE no = ? AND token = ? AND owner = ? RETURNING no, team_id, slice_no',
  )
  const endCanceled =
    of(`UPDATE run SET status = 'canceled', reason = 'canceled', ended_at = ?, updated_at = ?, event_seq = event_seq + 1, token = token + 1, owner = NULL, lease_until = NULL
    WHERE no = ? AND status = 'canceling' RETURNING event_seq`)
  const endBrokenRun =
    of(`UPDATE run SET status = CASE WHEN kept > 0 THEN 'finished' ELSE 'failed' END, reason = 'internal', ended_at = ?, updated_at = ?, event_seq = event_seq + 2, token = token + 1,
    owner = NULL, lease_until = NULL WHERE no = ? AND ended_at IS NULL RETURNING status, event_seq`)
  const feedLine = of('INSERT INTO run_feed (run_no, first_seq, last_seq, messages) VALUES (?, ?, ?, ?)')
  const settleCredit = of("UPDATE credit_entry SET state = 'settled' WHERE run_no = ? AND state = 'held'")
  const dropJobs = of('DELETE FROM job WHERE key >= ? AND key < ?')

  return { nextJob, jobsWaiting, take, describe, frontier, canceling: listCanceling, derive, release, endOrphans, endBroken }

  /** The job to be done next: of the team with the fewest runs in hand, then the oldest. It stays in the table until it is taken. */
  function nextJob(runsOf: (teamId: string) => number): { runNo: number } | null {
    let best: { no: number; payload: string; team_id: string } | null = null
    for (const job of jobs.all() as { no: number; payload: string; team_id: string }[]) {
      if (best === null || runsOf(job.team_id) < runsOf(best.team_id)) best = job
    }
    if (best === null) return null
    return { runNo: (JSON.parse(best.payload) as { runNo: number }).runNo }
  }

  function jobsWaiting(): number {
    return (countJobs.get() as { waiting: number }).waiting
  }

  /** Makes the run ours, with a token that nobody has had, and its job gone; null when it has ended or is being stopped. */
  function take(runNo: number, owner: string, at: number, deadlineAt: number): (RunRow & { isResumed: boolean }) | null {
    return connection
      .transaction(() => {
        dropJobs.run(`run:${runNo}:`, `run:${runNo};`)
        const row = takeRun.get(owner, at + 15_000, at, deadlineAt, at, runNo) as (RunRow & { token: number }) | undefined
        return row === undefined ? null : { ...row, isResumed: row.token > 1 }
      })
      .immediate()
  }

  function describe(runNo: number): { options: unknown; seedHosts: string[]; seedOrigins: string[] } {
    const row = options.get(runNo) as { options: string }
    const seeds = seedUrls.all(runNo) as { url: string; hops: number }[]
    return {
      options: JSON.parse(row.options),
      seedHosts: [...new Set(seeds.map(({ url }) => new URL(url).hostname))],
      seedOrigins: [...new Set(seeds.filter(({ hops }) => hops === 0).map(({ url }) => hostKey(url)))],
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
    for (const run of unfinished.all() as { no: number; team_id: string; slice_no: number; status: string }[]) {
      if (holding.has(run.no) || run.status === 'canceling') continue
      given += addJob.run(`run:${run.no}:${run.slice_no}`, JSON.stringify({ runNo: run.no }), run.team_id, 1, at).changes
    }
    return given
  }

  /** Gives a run back with a job for its next slice, behind the slices that its team has waiting. */
  function release(runNo: number, token: number, owner: string, at: number) {
    connection
      .transaction(() => {
        const run = letGo.get(runNo, token, owner) as { team_id: string; slice_no: number } | undefined
        if (run === undefined) return
        const { waiting: behind } = ofTeam.get(run.team_id) as { waiting: number }
        addJob.run(`run:${runNo}:${run.slice_no}`, JSON.stringify({ runNo }), run.team_id, 1 + behind, at)
      })
      .immediate()
  }

  /** Ends runs that are being stopped and have no owner here. URLs that still wait get their end from the sweep. */
  function endOrphans(held: number[], at: number, graceMs: number): Hint[] {
    const holding = new Set(held)
    const hints: Hint[] = []
    for (const run of unfinished.all() as { no: number; status: string; updated_at: number }[]) {
      if (run.status !== 'canceling' || (holding.has(run.no) && at - run.updated_at < graceMs)) continue
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

  /** Ends a run that cannot be gone on with; what it has is kept. Null: it had ended. */
  function endBroken(runNo: number, at: number): Hint | null {
    return connection
      .transaction(() => {
        const ended = endBrokenRun.get(at, at, runNo) as { status: RunStatus; event_seq: number } | undefined
        if (ended === undefined) return null
        const seq = ended.event_seq - 1
        const timestamp = new Date(at).toISOString().replace('Z', '000Z')
        const message = 'The crawl was ended: a fault of ours keeps it from going on'
        feedLine.run(runNo, seq, seq, JSON.stringify([{ id: String(seq), type: 'error', message, timestamp, metadata: {}, seq }]))
        settleCredit.run(runNo)
        dropJobs.run(`run:${runNo}:`, `run:${runNo};`)
        return { runNo, eventSeq: ended.event_seq, status: ended.status }
      })
      .immediate()
  }
}
