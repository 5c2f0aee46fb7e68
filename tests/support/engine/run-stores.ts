/** The adapters of the RunStore, for the suite that each of them has to pass: a database, stores of several engines on it, and its failures. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostKey, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { openPostgres, postgresDatabase as databaseOver } from '#backend/platform/database/postgres/postgres.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import { openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { localBus } from '#backend/platform/events/event-bus.ts'
import { createIds } from '#backend/platform/ids.ts'
import { embeddedQueue } from '#backend/platform/queue/embedded-queue.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { createRuns } from '#backend/runs/runs.ts'
import type { NewRun } from '#backend/runs/runs.ts'
import type { RunStore } from '#backend/store/run-store.ts'
import { createPostgresRunStore } from '#backend/store/postgres/postgres-run-store.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { writeMigrated } from '#tests/support/migrated.ts'
import { postgresDatabase } from '#tests/support/stubs/postgres.ts'

/** What an adapter provides to the suite. */
export type StoreBench = {
  /** Where the database is, for another process. */
  file: string
  /** The database as the API has it. */
  database: Database
  /** The store of an engine, over a connection of its own. */
  storeOf(owner: string): RunStore
  /** Stores opened from now on cannot write, until the returned function is called. */
  fill(): Promise<() => Promise<void>>
  /** Rows of one run can no longer be written to the table of pages. */
  breakPages(runNo: number): Promise<void>
  close(): Promise<void>
}

/** The tables that a commit writes first. */
const FILLED = ['run', 'host']

export const RUN_STORES: Record<string, (now: () => number) => Promise<StoreBench>> = {
  async SQLite(now) {
    const folder = mkdtempSync(join(tmpdir(), 'seine-store-'))
    const file = join(folder, 'seine.db')
    writeMigrated(file)
    const api = openSqlite(file, { cacheMiB: 4 })
    const database = sqliteDatabase(api)
    const connections = new Set<ReturnType<typeof openSqlite>>()
    const newId = createIds(now)
    return {
      database,
      file,
      storeOf(owner) {
        const connection = openSqlite(file, { cacheMiB: 4 })
        connections.add(connection)
        return createSqliteRunStore({ connection, kinds: ['crawl', 'search', 'sitemap'], owner, now, newId, hooks: runCredits })
      },
      async fill() {
        const pages = (connection: typeof api) => connection.pragma('page_count', { simple: true }) as number
        for (const connection of connections) connection.pragma(`max_page_count = ${pages(connection)}`)
        return async () => connections.forEach((connection) => connection.pragma('max_page_count = 1000000'))
      },
      async breakPages(runNo) {
        api.exec(
          `CREATE TRIGGER broken BEFORE INSERT ON page WHEN new.run_no = ${runNo} BEGIN SELECT raise(ABORT, 'cannot be written'); END`,
        )
      },
      async close() {
        for (const connection of connections) connection.close()
        await database.destroy()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },

  async PostgreSQL(now) {
    const { drop, url } = await postgresDatabase()
    const poolOf = (name: string) => openPostgres(url, { answerMs: 10_000, connections: 4, name })
    const api = poolOf('test')
    const database = databaseOver(api)
    const pools = new Set<PostgresPool>()
    const newId = createIds(now)
    return {
      database,
      file: url,
      storeOf(owner) {
        const pool = poolOf(owner)
        pools.add(pool)
        return createPostgresRunStore({ pool, kinds: ['crawl', 'search', 'sitemap'], owner, now, newId, hooks: runCredits })
      },
      async fill() {
        // Writes fail as on a server with a full disk, except in the session of the API.
        await api.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF current_setting('application_name') <> 'seine test' THEN RAISE disk_full USING MESSAGE = 'could not extend file'; END IF;
          RETURN NULL; END $$`)
        for (const table of FILLED) await api.query(`CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION fail()`)
        return async () => void (await api.query('DROP FUNCTION fail CASCADE'))
      },
      async breakPages(runNo) {
        await api.query(`ALTER TABLE page ADD CONSTRAINT broken CHECK (run_no <> ${runNo}) NOT VALID`)
      },
      async close() {
        for (const pool of pools) await pool.end()
        await database.destroy()
        await drop()
      },
    }
  },
}

/** Runs as the API makes and stops them. */
export async function runsOver({ database }: StoreBench, now: () => number) {
  await database
    .insertInto('team')
    .values(['team', 'other'].map((id) => ({ id, name: id, isDefault: 1, createdAt: 0, updatedAt: 0, deletedAt: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const runs = createRuns({
    bus: localBus(),
    cancelRun: () => undefined,
    database,
    hooks: runCredits,
    newId: createIds(now),
    newSalt: () => randomBytes(16),
    now,
    queue: embeddedQueue({ now, wake: () => undefined }),
    sealer: createSealer(Buffer.alloc(32, 7)),
    stopWaitMs: 0,
  })
  return {
    start,
    stop: async (runNo: number) => runs.stop('team', 'crawl', (await rowOf(database, runNo)).id),
  }

  /** Returns the number of a new run. */
  async function start(
    urls: string[],
    {
      kind = 'crawl',
      options = {},
      pageLimit = 10,
      spec = { version: 1, proxySlug: null },
      teamId = 'team',
    }: Partial<NewRun & { teamId: string }> = {},
  ) {
    const { no } = await runs.start(teamId, {
      kind,
      variant: 'single',
      label: urls[0] ?? kind,
      pageLimit,
      options,
      spec,
      seeds: urls,
      seedUrls: (salt) =>
        urls.map((url) => {
          const { hi, lo } = urlKey(salt, urlIdentity(url))
          return { url, hostKey: hostKey(url), keyHi: hi, keyLo: lo }
        }),
    })
    return no
  }
}

export const rowOf = (database: Database, runNo: number) =>
  database.selectFrom('run').where('no', '=', runNo).selectAll().executeTakeFirstOrThrow()
