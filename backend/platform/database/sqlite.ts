/**
 * The SQLite adapter of the Database port: one file, write-ahead log, one writer at a time; every commit is on the disk before its caller
 * continues.
 */
import SQLite from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { DatabaseFault } from './check-file.ts'
import type { Driver } from 'kysely'
import type { Database, Tables } from './database.ts'
import { MIGRATIONS, SQLITE_DIALECT } from './migrations.ts'
import { sqliteDriver } from './sqlite-driver.ts'
import type { DriverSettings } from './sqlite-driver.ts'

export type SqliteConnection = SQLite.Database

/** Older versions could corrupt a file when two connections reset its log at once. */
const LEAST_VERSION = [3, 51, 3] as const

/** The path in a `sqlite:` URL. */
export const sqliteFile = (databaseUrl: string) => databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '')

/**
 * Opens the file (`:memory:` for none) with settings that make commits durable.
 *
 * @param cacheMiB   page cache of this connection
 * @param mustExist  throws `SQLITE_CANTOPEN` when the file is missing. Only the process that migrates may create it: an empty database in the
 *   place of one that was moved away would let any visitor install the product again.
 * Throws when the library is too old or the file is not a healthy database.
 */
export function openSqlite(file: string, { cacheMiB, mustExist = false }: { cacheMiB: number; mustExist?: boolean }): SqliteConnection {
  const connection = new SQLite(file, { fileMustExist: mustExist, timeout: 5000 })
  try {
    const { version } = connection.prepare('SELECT sqlite_version() AS version').get() as { version: string }
    if (isOlder(version.split('.').map(Number), LEAST_VERSION))
      throw new Error(`SQLite ${version} is older than ${LEAST_VERSION.join('.')}`)
    // Only for a new file: in another one this is a write, which fails on a full disk and waits for the writer.
    if (connection.pragma('page_count', { simple: true }) === 0) connection.pragma('auto_vacuum = INCREMENTAL')
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
 * Opens an SQLite file other than the database, with the library's default settings.
 *
 * @param mustExist  throws `SQLITE_CANTOPEN` when it is missing, instead of creating it
 * @param busyMs     how long a statement waits for a lock
 */
export function openSqliteFile(file: string, { busyMs, mustExist = false }: { busyMs: number; mustExist?: boolean }): SqliteConnection {
  return new SQLite(file, { fileMustExist: mustExist, timeout: busyMs })
}

/** Migrates the schema; rejects a file that a newer version has written. Two processes may call it at once. */
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

/** Most milliseconds that waiting for another process's lock may block the event loop. After them the driver waits with timers. */
const BUSY_MS = 20

/**
 * The query builder over an open connection. Transactions begin IMMEDIATE: a deferred one would fail on its first write after a commit by
 * another connection.
 */
export function sqliteDatabase(connection: SqliteConnection, settings: DriverSettings = {}): Database {
  connection.pragma(`busy_timeout = ${BUSY_MS}`)
  return builderOver(sqliteDriver(connection, settings))
}

/** A query builder with SQLite's dialect, over any driver. */
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
