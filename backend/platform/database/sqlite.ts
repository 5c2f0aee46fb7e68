/** The SQLite adapter of the Database port: one file, write-ahead log, one writer at a time, every commit on the disk before its caller hears of it. */
import SQLite from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { DatabaseFault } from './check-file.ts'
import type { Driver } from 'kysely'
import type { Database, Tables } from './database.ts'
import { MIGRATIONS, SQLITE_DIALECT } from './migrations.ts'
import { sqliteDriver } from './sqlite-driver.ts'
import type { DriverSettings } from './sqlite-driver.ts'

export type SqliteConnection = SQLite.Database

/** Two connections to one file could corrupt it while the log was reset, before this version. */
const LEAST_VERSION = [3, 51, 3] as const

/** The path in a `sqlite:` address. */
export const sqliteFile = (databaseUrl: string) => databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '')

/**
 * Opens the file (`:memory:` for none) with the settings that make a commit durable.
 *
 * @param cacheMiB  page cache of this connection
 * Throws when the library is too old or the file is not a healthy database.
 */
export function openSqlite(file: string, { cacheMiB }: { cacheMiB: number }): SqliteConnection {
  const connection = new SQLite(file, { timeout: 5000 })
  try {
    const { version } = connection.prepare('SELECT sqlite_version() AS version').get() as { version: string }
    if (isOlder(version.split('.').map(Number), LEAST_VERSION))
      throw new Error(`SQLite ${version} is older than ${LEAST_VERSION.join('.')}`)
    connection.pragma('auto_vacuum = INCREMENTAL')
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connection.pragma(`cache_size = ${-1024 * cacheMiB}`)
    connection.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

/**
 * Opens a SQLite file that is not the database, with the library's own settings.
 *
 * @param mustExist  throws `SQLITE_CANTOPEN` when it is missing, instead of making it
 * @param busyMs     how long a statement waits for a lock
 */
export function openSqliteFile(file: string, { busyMs, mustExist = false }: { busyMs: number; mustExist?: boolean }): SqliteConnection {
  return new SQLite(file, { fileMustExist: mustExist, timeout: busyMs })
}

/** Migrates the schema; refuses a file that a newer version has written. Safe to call from two processes at once. */
export function migrate(connection: SqliteConnection, now: () => number): void {
  connection.exec('CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)')
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const applied = () => new Set((connection.prepare('SELECT name FROM migration').all() as { name: string }[]).map(({ name }) => name))
  const strange = [...applied()].filter((name) => !known.has(name))
  if (strange.length)
    throw new DatabaseFault(
      `This database was written by a newer version (${strange.join(', ')}): run that version, or restore a backup made before the upgrade: npm run admin -- restore FILE`,
    )
  for (const { name, statements } of MIGRATIONS) {
    connection
      .transaction(() => {
        if (applied().has(name)) return
        for (const statement of statements(SQLITE_DIALECT)) connection.exec(statement)
        connection.prepare('INSERT INTO migration (name, applied_at) VALUES (?, ?)').run(name, now())
      })
      .immediate()
  }
}

/** Milliseconds that waiting for another process's lock may block the event loop. After them the driver waits with timers. */
const BUSY_MS = 20

/** The query builder over an open connection. Transactions begin IMMEDIATE: a deferred one would fail on its first write after another connection's commit. */
export function sqliteDatabase(connection: SqliteConnection, settings: DriverSettings = {}): Database {
  connection.pragma(`busy_timeout = ${BUSY_MS}`)
  return builderOver(sqliteDriver(connection, settings))
}

/** A query builder that writes SQLite's dialect, over whatever executes it. */
export const builderOver = (driver: Driver): Database =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })

function isOlder(version: number[], least: readonly number[]): boolean {
  for (const [at, wanted] of least.entries()) {
    const have = version[at] ?? 0
    if (have !== wanted) return have < wanted
  }
  return false
}
