/** The state of an installation in PostgreSQL, which several processes may share. Loaded only if one is configured. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBlobs, deleteBlobs } from './platform/blobs/blob-store.ts'
import { directoryBlobs } from './platform/blobs/directory-blobs.ts'
import { openBlobs } from './platform/blobs/open-blobs.ts'
import { DatabaseFault } from './platform/database/check-file.ts'
import { withoutPassword } from './platform/database/kind.ts'
import { openPostgres, postgresDatabase, postgresFault } from './platform/database/postgres/postgres.ts'
import type { PostgresPool } from './platform/database/postgres/postgres.ts'
import { postgresWarnings, readServer } from './platform/database/postgres/postgres-warnings.ts'
import { migratePostgres } from './platform/database/postgres/postgres-schema.ts'
import { localReaders } from './platform/database/readers.ts'
import { isTrouble } from './platform/database/trouble.ts'
import { untilReachable } from './platform/database/until-reachable.ts'
import { READER_FILES } from './reader-files.ts'
import { localSweepHost } from './removal/local-sweep-host.ts'
import { indexHost } from './searches/own-index/index-host.ts'
import { createPostgresSearch } from './searches/postgres-index/search.ts'
import { blobPlaceOf } from './config.ts'
import type { Log } from './config.ts'
import type { Looks, OpenState, State } from './state.ts'
import { createPostgresSweep } from './store/postgres/sweep-runs.ts'

const CONNECTIONS = 10
/** Of the engine, its search over own pages, and the index. */
const CONNECTIONS_OF_WORK = 8
/** Longest wait of an API call for the database. */
const ANSWER_MS = 9000
/** Schema changes of a large installation may take long. */
const MIGRATION_MS = 60 * 60_000
const LOOK_MS = 5000
const DOES_NOT_ANSWER = 'the database does not answer: until it does, calls get 503 and jobs wait'

/** Waits for a server that cannot be reached. Throws when it can be reached but must not be used. */
export const openPostgresState: OpenState = async ({ config, log, now, onFault }): Promise<State> => {
  const { dataDir, databaseUrl: url } = config
  await migrate(url, now, log)
  const pool = openPostgres(url, { answerMs: ANSWER_MS, connections: CONNECTIONS, name: 'api' })
  const database = postgresDatabase(pool, { onFault })
  // The engine and the index have connections of their own, in processes that crawl.
  const needed = CONNECTIONS + (config.role === 'api' ? 0 : CONNECTIONS_OF_WORK)
  for (const warning of postgresWarnings(await untilReachable(() => readServer(pool), { log, url }), { now: now(), needed }))
    log.warn({}, warning)
  const readers = localReaders(database, READER_FILES)
  const { close: closeLooks, ...looks } = await createLooks(pool, log)
  return {
    database,
    readers,
    looks,
    untilReachable: (call) => untilReachable(call, { log, url }),
    folder: dataDir,
    ofEngine: { database: url, notes: join(dataDir, 'engine.work'), owner: ownerOf(dataDir) },
    // The indexer finds its work by itself, and the sweep removes words together with their pages.
    openIndex: () => indexHost({ database: url, deleted: () => '', file: '', hasPages: looks.hasPages, log }),
    openSearch: () => createPostgresSearch({ pool }),
    openSweeper: () => {
      const place = blobPlaceOf(config)
      const blobs = openBlobs(place)
      return localSweepHost({
        before: async () => place.kind === 'folder' && directoryBlobs(place.folder).cleanUp(now()),
        hasWork: () => looks.firstDeletedRun() !== undefined || looks.hasDeletedTeams(),
        sweep: createPostgresSweep({ pool, dropBlobs: (runNo) => deleteBlobs(blobs, runBlobs(runNo)) }),
        warn: (facts, message) => log.warn(facts, message),
      })
    },
    async close() {
      closeLooks()
      await readers.close()
      await database.destroy()
    },
  }
}

/** Throws a `DatabaseFault` when the server can be reached but must not be used. */
async function migrate(url: string, now: () => number, log: Log): Promise<void> {
  const once = async () => {
    const pool = openPostgres(url, { answerMs: MIGRATION_MS, connections: 1, name: 'migration' })
    await migratePostgres(pool, now).finally(() => pool.end())
  }
  await untilReachable(once, { log, url }).catch((fault: Error) => {
    // Later a password is being changed or the database restored; at the start an option is wrong.
    throw fault instanceof DatabaseFault
      ? fault
      : new DatabaseFault(`The database at ${withoutPassword(url)} cannot be used: ${fault.message}`)
  })
}

/**
 * The engine's name. The lock of the data folder allows one process at a time to use it, so the leases of its predecessor are taken over at
 * once.
 */
function ownerOf(dataDir: string): string {
  const file = join(dataDir, 'engine.owner')
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (known !== '') return known
  const owner = randomUUID()
  writeFileSync(file, owner)
  return owner
}

/** Cached answers, a moment old, because other processes change the tables, too. */
async function createLooks(pool: PostgresPool, log: Log): Promise<Looks & { close: () => void }> {
  let seen = { runs: '', firstDeletedRun: null as number | null, hasDeletedTeams: false, hasPages: false, hasUnfinishedRuns: false }
  const listeners: (() => void)[] = []
  let isLooking = false
  let isLost = false
  await look()
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return {
    deletedRuns: () => seen.runs,
    firstDeletedRun: () => seen.firstDeletedRun ?? undefined,
    hasDeletedTeams: () => seen.hasDeletedTeams,
    hasPages: () => seen.hasPages,
    hasUnfinishedRuns: () => seen.hasUnfinishedRuns,
    onUnfinished: (call) => void listeners.push(call),
    close: () => clearInterval(timer),
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const { rows } = await pool.query<Record<'runs', string> & Record<'first' | 'teams' | 'pages' | 'unfinished', number | null>>(
        `SELECT (SELECT count(*) || ' ' || coalesce(sum(no), 0) FROM run WHERE deleted_at IS NOT NULL) AS runs,
          (SELECT min(no) FROM run WHERE deleted_at IS NOT NULL) AS first,
          EXISTS (SELECT 1 FROM team WHERE deleted_at IS NOT NULL) AS teams,
          EXISTS (SELECT 1 FROM page) AS pages,
          EXISTS (SELECT 1 FROM run WHERE ended_at IS NULL) AS unfinished`,
      )
      const [row] = rows
      if (row === undefined) return
      if (isLost) log.info({}, 'the database answers again')
      isLost = false
      seen = {
        runs: row.runs,
        firstDeletedRun: row.first,
        hasDeletedTeams: row.teams === 1,
        hasPages: row.pages === 1,
        hasUnfinishedRuns: row.unfinished === 1,
      }
      if (seen.hasUnfinishedRuns) for (const call of listeners) call()
    } catch (thrown) {
      // Readiness reports it, too. Until then the last answers are used.
      const fault = postgresFault(thrown)
      if (!isTrouble(fault)) log.warn({ err: fault }, 'the state of the database could not be read')
      else if (!isLost) log.warn({ reason: (fault as Error).message }, DOES_NOT_ANSWER)
      isLost ||= isTrouble(fault)
    } finally {
      isLooking = false
    }
  }
}
