/**
 * Removes the data of deleted runs and teams, and returns the space to the disk: one short transaction per step.
 *
 * Nothing has to be remembered between steps. The marks (`run.deleted_at`, `team.deleted_at`) are in the database, each step removes the
 * first remaining rows, and the run's own row goes last. So a killed sweep simply continues with its next step.
 *
 * The number of rows per step adapts to how long previous steps held the write lock, and a step that takes too long ends early.
 */
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { jobKeysOf } from '#backend/platform/queue/queue.ts'
import { createBlobDrops } from '../blob-drops.ts'
import type { RunSweep, SweepStep } from '../run-sweep.ts'

/** Target duration of a step, a tenth of what is allowed: on a busy machine it may have to wait for a core. */
const TARGET_MS = 5
const LEAST_ROWS = 10
export const MOST_ROWS = 5000
const FIRST_ROWS = 200
/** A step checks the clock after each of so many groups of rows, so that it can end early on a busy machine. */
const GROUPS = 8
/** Most bytes of page bodies per group: a large body is a chain of thousands of database pages, each freed separately. */
const MOST_BODY_BYTES = 512 * 1024
/** The value of `PRAGMA auto_vacuum` with which free pages can be released in steps. */
const INCREMENTAL = 2

type DeletedRun = { no: number; id: string; team_id: string; kind: string; status: string; kept: number }
/** Removes at most `rows` rows of a run from one table and returns their number; fewer only when these were the last. */
type Removal = { table: string; remove: (runNo: number, rows: number) => number }

/**
 * @param dropBlobs     removes all blobs of a run; may be called again after a crash
 * @param isFollowed    whether the run is still in the text index. Its row stays until then, because the index learns of the deletion from
 *   it
 * @param now           a clock for durations, in milliseconds
 * @param random        see `createBlobDrops`
 */
export function createSqliteSweep({
  connection,
  dropBlobs,
  isFollowed,
  now = () => performance.now(),
  random,
}: {
  connection: SqliteConnection
  dropBlobs: (runNo: number) => Promise<void>
  isFollowed: (run: { no: number; id: string }) => boolean
  now?: () => number
  random?: () => number
}): RunSweep {
  const of = (sql: string) => connection.prepare(sql)
  const nextRun = of(`SELECT no, id, team_id, kind, status, kept FROM run
    WHERE deleted_at IS NOT NULL AND ended_at IS NOT NULL AND no > ? ORDER BY no LIMIT 1`)
  const unfinished = of('SELECT 1 FROM run WHERE deleted_at IS NOT NULL AND ended_at IS NULL LIMIT 1')
  const nextTeam = of(
    'SELECT id FROM team WHERE deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM run WHERE run.team_id = team.id) LIMIT 1',
  )
  const teamLeft = of('SELECT 1 FROM team WHERE deleted_at IS NOT NULL LIMIT 1')
  const busy = of("SELECT 1 FROM run WHERE status IN ('running', 'canceling') AND ended_at IS NULL LIMIT 1")
  const tables = runTables(connection)
  const last = runRow(connection)
  const ofTeam = teamTables(connection)
  const drops = createBlobDrops(dropBlobs, random)
  /** Rows of the next step, by table. */
  const sizes = new Map<string, number>()
  /** The run that is being removed, and how many of its tables are done; one more when its blobs are. */
  let current: { no: number; done: number } = { no: 0, done: 0 }
  /** Runs up to this number wait for the text index, or were handled in this round. */
  let after = 0
  let isWaitingForIndex = false
  return { step, isWaiting, isBusy, waitingForIndex: () => isWaitingForIndex }

  async function step(): Promise<SweepStep | null> {
    for (let run = read(after); run !== undefined; run = read(after)) {
      const done = await stepOf(run)
      if (done !== null) return done
      after = run.no
    }
    const done = removeTeam() ?? vacuum()
    if (done !== null) return done
    after = 0
    drops.endRound()
    return null
  }

  function read(runNo: number): DeletedRun | undefined {
    if (runNo === 0) isWaitingForIndex = false
    return nextRun.get(runNo) as DeletedRun | undefined
  }

  function isWaiting(): boolean {
    return isWaitingForIndex || unfinished.get() !== undefined || teamLeft.get() !== undefined
  }

  function isBusy(): boolean {
    return busy.get() !== undefined
  }

  /** One step of a run; null while it is in the text index, or its blobs cannot be removed. */
  async function stepOf(run: DeletedRun): Promise<SweepStep | null> {
    if (current.no !== run.no) current = { no: run.no, done: 0 }
    while (current.done < tables.length) {
      const { table, remove } = tables[current.done] as Removal
      const done = removeSome(table, (rows) => remove(run.no, rows))
      if (done.rows > 0) return done
      current.done += 1
    }
    if (current.done === tables.length) {
      if (!(await drops.drop(run.no))) return null
      current.done += 1
    }
    if (!isFollowed(run)) return held('run', () => last(run))
    isWaitingForIndex = true
    return null
  }

  function removeTeam(): SweepStep | null {
    const team = nextTeam.get() as { id: string } | undefined
    if (team === undefined) return null
    for (const { table, remove } of ofTeam.tables) {
      const done = removeSome(table, (rows) => remove(team.id, rows))
      if (done.rows > 0) return done
    }
    return held('team', () => ofTeam.last(team.id))
  }

  /** Releases free pages of the file. Does nothing if the file's format does not support it; `npm run admin -- compact` converts it. */
  function vacuum(): SweepStep | null {
    if (freePages() === 0 || connection.pragma('auto_vacuum', { simple: true }) !== INCREMENTAL) return null
    return removeSome('free pages', (pages) => {
      const before = freePages()
      connection.pragma(`incremental_vacuum(${pages})`)
      return before - freePages()
    })
  }

  function freePages(): number {
    return connection.pragma('freelist_count', { simple: true }) as number
  }

  /** Removes rows in small groups, up to the adapted size or until the time is up. */
  function removeSome(table: string, work: (rows: number) => number): SweepStep {
    const size = sizes.get(table) ?? FIRST_ROWS
    const group = Math.max(LEAST_ROWS, Math.ceil(size / GROUPS))
    const done = held(table, (spentMs) => {
      for (let rows = 0; ;) {
        const some = work(group)
        rows += some
        if (some < group || rows >= size || spentMs() >= TARGET_MS) return rows
      }
    })
    const change = Math.min(2, Math.max(0.25, TARGET_MS / Math.max(done.heldMs, 0.01)))
    // A step that ran out of rows says nothing about larger ones.
    if (done.rows >= size || change < 1) sizes.set(table, Math.round(Math.min(MOST_ROWS, Math.max(LEAST_ROWS, size * change))))
    return done
  }

  /** Runs work in a transaction of its own. The wait for the lock does not count, because it delays no other writer. */
  function held(table: string, work: (spentMs: () => number) => number): SweepStep {
    connection.exec('BEGIN IMMEDIATE')
    const from = now()
    try {
      const rows = work(() => now() - from)
      connection.exec('COMMIT')
      return { table, rows, heldMs: now() - from }
    } catch (fault) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw fault
    }
  }
}

/** The tables with a run's data besides its own row, the largest first. */
function runTables(connection: SqliteConnection): Removal[] {
  const of = (sql: string) => connection.prepare(sql)
  const bodies = of('SELECT page_no, octet_length(body) AS bytes FROM page_body WHERE page_no > ? AND page_no < ? ORDER BY page_no LIMIT ?')
  const dropBodies = of('DELETE FROM page_body WHERE page_no > ? AND page_no <= ?')
  return [
    {
      table: 'page_body',
      remove(runNo, rows) {
        const first = runNo * PAGES_PER_RUN
        let bytes = 0
        let upTo: number | null = null
        for (const body of bodies.iterate(first, first + PAGES_PER_RUN, rows) as IterableIterator<{ page_no: number; bytes: number }>) {
          bytes += body.bytes
          if (upTo !== null && bytes > MOST_BODY_BYTES) break
          upTo = body.page_no
        }
        return upTo === null ? 0 : dropBodies.run(first, upTo).changes
      },
    },
    keyed('page', 'no', (runNo) => [runNo * PAGES_PER_RUN, (runNo + 1) * PAGES_PER_RUN - 1]),
    ofRun('run_url', 'seq'),
    ofRun('sitemap_url', 'seq'),
    ofRun('run_feed', 'first_seq'),
    // Messages that contain its pages, and those of endpoints that belong to it alone.
    ofRun('webhook_delivery', 'no'),
    // Rows before blobs, so that no link leads to a missing file.
    ofRun('run_blob', 'id'),
  ]

  function keyed(table: string, key: string, range: (runNo: number) => [number, number]): Removal {
    const remove = of(
      `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key} LIMIT ?)`,
    )
    return { table, remove: (runNo, rows) => remove.run(...range(runNo), rows).changes }
  }

  function ofRun(table: string, key: string): Removal {
    const remove = of(
      `DELETE FROM ${table} WHERE run_no = ? AND ${key} IN (SELECT ${key} FROM ${table} WHERE run_no = ? ORDER BY ${key} LIMIT ?)`,
    )
    return { table, remove: (runNo, rows) => remove.run(runNo, runNo, rows).changes }
  }
}

/** Removes the row of a run and its single rows in other tables. Its ledger entry stays for the usage statistics. */
function runRow(connection: SqliteConnection): (run: DeletedRun) => number {
  const of = (sql: string) => connection.prepare(sql)
  const remember = of(
    'UPDATE credit_entry SET removed_run_id = ?, removed_kind = ?, removed_status = ?, removed_kept = ? WHERE run_no = ? AND team_id = ?',
  )
  const beside = [
    of('DELETE FROM run_options WHERE run_no = ?'),
    of('DELETE FROM search_result WHERE run_no = ?'),
    of('DELETE FROM model_use WHERE run_no = ?'),
    of('DELETE FROM webhook_endpoint WHERE run_no = ?'),
  ]
  const jobs = of('DELETE FROM job WHERE key >= ? AND key < ?')
  const remove = of('DELETE FROM run WHERE no = ?')
  return ({ no, id, team_id: teamId, kind, status, kept }) => {
    remember.run(id, kind, status, kept, no, teamId)
    for (const statement of beside) statement.run(no)
    jobs.run(...jobKeysOf(no))
    return remove.run(no).changes
  }
}

/** Removes what is left of a team after its last run: its ledger; its subscriptions are deleted with its row. */
function teamTables(connection: SqliteConnection) {
  const of = (sql: string) => connection.prepare(sql)
  const ledger = of('DELETE FROM credit_entry WHERE run_no IN (SELECT run_no FROM credit_entry WHERE team_id = ? LIMIT ?)')
  const team = of('DELETE FROM team WHERE id = ?')
  return {
    tables: [{ table: 'credit_entry', remove: (teamId: string, rows: number) => ledger.run(teamId, rows).changes }],
    last: (teamId: string) => team.run(teamId).changes,
  }
}
