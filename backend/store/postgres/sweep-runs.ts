/**
 * Removes the data of deleted runs and teams from PostgreSQL: one short transaction per step. A sweep needs nothing but the marks to
 * continue, and two concurrent sweeps just find less to do. The server's own vacuum frees the space.
 */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import { jobKeysOf } from '#backend/platform/queue/queue.ts'
import { createBlobDrops } from '../blob-drops.ts'
import type { RunSweep, SweepStep } from '../run-sweep.ts'
import { createSessions } from './session.ts'
import type { Session } from './session.ts'

/** Rows per step: a few milliseconds for the server. */
const ROWS = 1000
/** Fewer for bodies, which are large and stored out of line. */
const BODIES = 200

type DeletedRun = { no: number; id: string; teamId: string; kind: string; status: string; kept: number }
type Table = { table: string; key: string; rows: number; of: (runNo: number) => string }

const inRange = (column: string) => (runNo: number) => `${column} BETWEEN ${runNo * PAGES_PER_RUN} AND ${(runNo + 1) * PAGES_PER_RUN - 1}`
const ofRun = (runNo: number) => `run_no = ${runNo}`

/** The tables with a run's data besides its own row, the largest first. */
const TABLES: readonly Table[] = [
  { table: 'page_body', key: 'page_no', rows: BODIES, of: inRange('page_no') },
  { table: 'page_words', key: 'page_no', rows: ROWS, of: inRange('page_no') },
  { table: 'page', key: 'no', rows: ROWS, of: inRange('no') },
  { table: 'run_url', key: 'seq', rows: ROWS, of: ofRun },
  { table: 'sitemap_url', key: 'seq', rows: ROWS, of: ofRun },
  { table: 'run_feed', key: 'first_seq', rows: ROWS, of: ofRun },
  // Messages that contain its pages, and those of endpoints that belong to it alone.
  { table: 'webhook_delivery', key: 'no', rows: ROWS, of: ofRun },
  // Rows before blobs, so that no link leads to a missing file.
  { table: 'run_blob', key: 'id', rows: ROWS, of: ofRun },
]

/** @param dropBlobs  removes all blobs of a run; may be called again after a crash */
export function createPostgresSweep({ dropBlobs, pool }: { pool: PostgresPool; dropBlobs: (runNo: number) => Promise<void> }): RunSweep {
  const { read, transaction } = createSessions(pool)
  const drops = createBlobDrops(dropBlobs)
  /** The run that is being removed, and how many of its tables are done. */
  let current = { no: 0, done: 0 }
  /** Runs up to this number were handled in this round. */
  let after = 0
  const is = (sql: string) => read(async ({ get }) => (await get(sql)) !== undefined)
  return {
    step,
    isWaiting: () => is('SELECT 1 FROM run WHERE deleted_at IS NOT NULL AND ended_at IS NULL LIMIT 1'),
    isBusy: () => is("SELECT 1 FROM run WHERE status IN ('running', 'canceling') AND ended_at IS NULL LIMIT 1"),
    waitingForIndex: () => false,
  }

  async function step(): Promise<SweepStep | null> {
    for (let run = await nextRun(); run !== undefined; run = await nextRun()) {
      const done = await stepOf(run)
      if (done !== null) return done
      after = run.no
    }
    const done = await removeTeam()
    if (done !== null) return done
    after = 0
    drops.endRound()
    return null
  }

  function nextRun(): Promise<DeletedRun | undefined> {
    return read(({ get }) =>
      get<DeletedRun>(
        `SELECT no, id, team_id AS "teamId", kind, status, kept FROM run
          WHERE deleted_at IS NOT NULL AND ended_at IS NOT NULL AND no > ? ORDER BY no LIMIT 1`,
        after,
      ),
    )
  }

  /** One step of a run; null while its blobs cannot be removed. */
  async function stepOf(run: DeletedRun): Promise<SweepStep | null> {
    if (current.no !== run.no) current = { no: run.no, done: 0 }
    for (let part = TABLES[current.done]; part !== undefined; part = TABLES[current.done]) {
      const { key, of, rows, table } = part
      const done = await held(table, ({ run: write }) =>
        write(
          `DELETE FROM ${table} WHERE ${of(run.no)} AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${of(run.no)} ORDER BY ${key} LIMIT ${rows})`,
        ),
      )
      if (done.rows > 0) return done
      current.done += 1
    }
    if (!(await drops.drop(run.no))) return null
    return held('run', (session) => removeRow(session, run))
  }

  async function removeTeam(): Promise<SweepStep | null> {
    const team = await read(({ get }) =>
      get<{ id: string }>(
        'SELECT id FROM team WHERE deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM run WHERE run.team_id = team.id) LIMIT 1',
      ),
    )
    if (team === undefined) return null
    for (const [table, key] of [
      ['credit_entry', 'run_no'],
      ['team_word', 'word'],
    ] as const) {
      const done = await held(table, ({ run }) =>
        run(
          `DELETE FROM ${table} WHERE team_id = ? AND ${key} IN (SELECT ${key} FROM ${table} WHERE team_id = ? LIMIT ${ROWS})`,
          team.id,
          team.id,
        ),
      )
      if (done.rows > 0) return done
    }
    return held('team', ({ run }) => run('DELETE FROM team WHERE id = ?', team.id))
  }

  async function held(table: string, work: (session: Session) => Promise<number>): Promise<SweepStep> {
    const from = performance.now()
    const rows = await transaction(work)
    return { table, rows, heldMs: performance.now() - from }
  }
}

/** Removes the row of a run and its single rows in other tables. Its ledger entry stays for the usage statistics. */
async function removeRow({ run: write }: Session, { id, kept, kind, no, status, teamId }: DeletedRun): Promise<number> {
  // The row first: if it could be deleted, no indexer is at work on the run, and none can begin.
  const removed = await write('DELETE FROM run WHERE no = ?', no)
  if (removed === 0) return 0
  await write(
    'UPDATE credit_entry SET removed_run_id = ?, removed_kind = ?, removed_status = ?, removed_kept = ? WHERE run_no = ? AND team_id = ?',
    id,
    kind,
    status,
    kept,
    no,
    teamId,
  )
  for (const table of ['run_options', 'search_result', 'model_use', 'webhook_endpoint', 'run_words', 'run_part', 'run_mail'])
    await write(`DELETE FROM ${table} WHERE run_no = ?`, no)
  await write(`DELETE FROM page_words WHERE ${inRange('page_no')(no)}`)
  await write('DELETE FROM job WHERE key >= ? AND key < ?', ...jobKeysOf(no))
  return removed
}
