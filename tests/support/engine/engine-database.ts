/** The database of an engine in a test: a file, or with `TEST_DATABASE=postgres` one of its own in a real PostgreSQL. */
import { randomBytes } from 'node:crypto'
import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#backend/platform/database/database.ts'
import { openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import type { RunStore } from '#backend/store/run-store.ts'
import { writeMigrated } from '#tests/support/migrated.ts'
import { isOverPostgres } from '#tests/support/test-state.ts'

/** The connection that tests read the tables with. */
export type Tables = {
  prepare(sql: string): {
    all(...values: unknown[]): unknown[]
    get(...values: unknown[]): unknown
    run(...values: unknown[]): { changes: number }
  }
  exec(sql: string): void
}

type StoreNeeds = Omit<Parameters<typeof createSqliteRunStore>[0], 'connection' | 'hooks'>

export type EngineDatabase = {
  /** The path of the file, or the URL of the database. */
  place: string
  database: Database
  tables: Tables
  /** The store of an engine, over a connection of its own. */
  openStore(needs: StoreNeeds): { store: RunStore; tables: Tables; close(): Promise<void> }
  /** From now on, writing a page whose URL has this ending fails. */
  refusePages(ending: string): void
  close(): Promise<void>
}

const openPlace = isOverPostgres ? await overPostgres() : overSqlite

/** Makes an empty database with the product's tables. */
export const makeEngineDatabase = (): EngineDatabase => openPlace()

function overSqlite(): EngineDatabase {
  const directory = mkdtempSync(join(tmpdir(), 'seine-engine-'))
  const place = join(directory, 'seine.db')
  writeMigrated(place)
  const api = openSqlite(place, { cacheMiB: 16 })
  const database = sqliteDatabase(api)
  return {
    place,
    database,
    tables: api,
    openStore(needs) {
      const connection = openSqlite(place, { cacheMiB: 64 })
      return {
        store: createSqliteRunStore({ ...needs, connection, hooks: runCredits }),
        tables: connection,
        close: async () => void connection.close(),
      }
    },
    refusePages: (ending) =>
      void api.exec(
        `CREATE TRIGGER sick BEFORE INSERT ON page WHEN new.url LIKE '%${ending}' BEGIN SELECT raise(ABORT, 'cannot be written'); END`,
      ),
    async close() {
      await database.destroy()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function overPostgres(): Promise<typeof overSqlite> {
  const [{ postgresServer, templateOf, withDatabase }, postgres, { createPostgresRunStore }, { syncPostgres }] = await Promise.all([
    import('#tests/support/stubs/postgres.ts'),
    import('#backend/platform/database/postgres/postgres.ts'),
    import('#backend/store/postgres/postgres-run-store.ts'),
    import('./sync-postgres.ts'),
  ])
  const { url } = await postgresServer()
  const template = await templateOf(url)
  const maker = syncPostgres(url)
  return () => {
    const name = `seine_test_${randomBytes(8).toString('hex')}`
    maker.exec(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    const place = withDatabase(url, name)
    const poolOf = (session: string, connections: number) => postgres.openPostgres(place, { answerMs: 10_000, connections, name: session })
    const database = postgres.postgresDatabase(poolOf('api', 4))
    const tables = syncPostgres(place)
    return {
      place,
      database,
      tables,
      openStore(needs) {
        const pool = poolOf('engine', 4)
        return { store: createPostgresRunStore({ ...needs, pool, hooks: runCredits }), tables, close: () => pool.end() }
      },
      refusePages: (ending) => tables.exec(`ALTER TABLE page ADD CONSTRAINT sick CHECK (url NOT LIKE '%${ending}') NOT VALID`),
      async close() {
        tables.close()
        await database.destroy()
        maker.exec(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      },
    }
  }
}
