/**
 * Copies all rows of an installation from one database to another. SQLite and PostgreSQL have the same tables, so a backup is always an
 * SQLite file, and can be restored into either.
 *
 * Derived rows are not copied: the indexer creates the words of pages again.
 */
import SQLite from 'better-sqlite3'
import { openPostgres } from './postgres/postgres.ts'
import { migratePostgres } from './postgres/postgres-schema.ts'
import { DatabaseFault } from './check-file.ts'
import { MIGRATIONS } from './migrations.ts'
import { migrate, openSqlite } from './sqlite.ts'
import type { SqliteConnection } from './sqlite.ts'

const BATCH_ROWS = 500
/** Most bytes of values per batch; bodies of pages are the largest. */
const BATCH_BYTES = 4 * 1024 * 1024
/** Time limit for a statement on a large installation. */
const ANSWER_MS = 60 * 60_000
const CACHE_MIB = 16

type Value = string | number | null | Buffer
type Row = Record<string, Value>
type Table = { name: string; columns: string[] }

/** Called now and then: rows copied so far, and their total. */
type OnProgress = (done: number, of: number) => void

/**
 * Copies a file into an empty PostgreSQL, in one transaction.
 *
 * @returns  the number of rows
 * @throws DatabaseFault when the target already has an installation, or the versions differ
 */
export async function copyToPostgres(file: string, url: string, onProgress: OnProgress): Promise<number> {
  const source = new SQLite(file, { readonly: true, fileMustExist: true })
  const pool = openPostgres(url, { answerMs: ANSWER_MS, connections: 1, name: 'copy' })
  try {
    checkSteps(file, source.prepare('SELECT name FROM migration').pluck().all() as string[])
    await migratePostgres(pool, Date.now)
    const client = await pool.connect()
    try {
      const tables = tablesOf(source)
      // Counts and copies see the same snapshot.
      source.exec('BEGIN')
      const total = tables.reduce((sum, { name }) => sum + (source.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number), 0)
      await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0')
      for (const { name } of tables.toReversed()) {
        if (['user', 'team', 'run'].includes(name)) {
          const { rowCount } = await client.query(`SELECT 1 FROM "${name}" LIMIT 1`)
          if (rowCount !== 0) throw new DatabaseFault('There is an installation in that database already: name an empty one')
        }
        await client.query(`DELETE FROM "${name}"`)
      }
      let done = 0
      for (const { columns, name } of tables) {
        const list = columns.map((column) => `"${column}"`).join(', ')
        const text = `INSERT INTO "${name}" (${list}) SELECT ${list} FROM json_populate_recordset(NULL::"${name}", $1)`
        for (const rows of batchesOf(source.prepare(`SELECT ${list} FROM "${name}"`).iterate() as Iterable<Row>)) {
          await client.query(text, [JSON.stringify(rows, asJson)])
          done += rows.length
          onProgress(done, total)
        }
      }
      await continueNumbers(client, source)
      await client.query('COMMIT')
      return done
    } finally {
      // Closing the connection discards what was not committed.
      client.release(true)
    }
  } finally {
    source.close()
    await pool.end()
  }
}

/**
 * Copies the current state of a PostgreSQL into a new file, while others write.
 *
 * @returns  the number of rows
 * @throws DatabaseFault when its version differs from this one
 */
export async function copyFromPostgres(url: string, file: string, onProgress: OnProgress): Promise<number> {
  const target = openSqlite(file, { cacheMiB: CACHE_MIB })
  const pool = openPostgres(url, { answerMs: ANSWER_MS, connections: 1, mayStandBy: true, name: 'backup' })
  try {
    migrate(target, Date.now)
    target.pragma('foreign_keys = OFF')
    const client = await pool.connect()
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0')
      const { rows: steps } = await client.query<{ name: string }>(`SELECT name FROM migration WHERE name NOT LIKE 'postgresql %'`)
      checkSteps(
        'The database',
        steps.map(({ name }) => name),
      )
      const tables = tablesOf(target)
      const counts = tables.map(({ name }) => `(SELECT count(*) FROM "${name}")`).join(' + ')
      const { rows: sums } = await client.query<{ total: number }>(`SELECT ${counts} AS total`)
      let done = 0
      for (const { columns, name } of tables) {
        const list = columns.map((column) => `"${column}"`).join(', ')
        target.exec(`DELETE FROM "${name}"`)
        const insert = target.prepare(`INSERT INTO "${name}" (${list}) VALUES (${columns.map(() => '?').join(', ')})`)
        const write = target.transaction((rows: Row[]) => {
          for (const row of rows) insert.run(...columns.map((column) => row[column]))
        })
        await client.query(`DECLARE rows NO SCROLL CURSOR FOR SELECT ${list} FROM "${name}"`)
        for (;;) {
          const { rows } = await client.query<Row>(`FETCH ${BATCH_ROWS} FROM rows`)
          if (rows.length === 0) break
          write(rows)
          done += rows.length
          onProgress(done, sums[0]!.total)
        }
        await client.query('CLOSE rows')
      }
      return done
    } finally {
      client.release(true)
    }
  } finally {
    // Merge the log into the file.
    target.pragma('wal_checkpoint(TRUNCATE)')
    target.pragma('journal_mode = DELETE')
    target.close()
    await pool.end()
  }
}

function checkSteps(what: string, applied: readonly string[]) {
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const strange = applied.filter((name) => !known.has(name))
  if (strange.length > 0) throw new DatabaseFault(`${what} was written by a newer version (${strange.join(', ')}): use that version`)
  if (applied.length < known.size)
    throw new DatabaseFault(`${what} is of an older version: start the product on it once, which migrates it`)
}

/** Tables in an order in which each comes after those that its foreign keys refer to. */
function tablesOf(connection: SqliteConnection): Table[] {
  const names = connection
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name <> 'migration' ORDER BY name`,
    )
    .pluck()
    .all() as string[]
  const sorted = new Set<string>()
  const visit = (name: string) => {
    if (sorted.has(name)) return
    const parents = connection.prepare(`SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)`).pluck().all(name) as string[]
    for (const parent of parents) if (parent !== name) visit(parent)
    sorted.add(name)
  }
  names.forEach(visit)
  return [...sorted].map((name) => ({
    name,
    columns: connection.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name) as string[],
  }))
}

function* batchesOf(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row)
    for (const value of Object.values(row)) bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Converts bytes for PostgreSQL, and texts to what it can store. */
function asJson(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const given = this[key]
  if (Buffer.isBuffer(given)) return `\\x${given.toString('hex')}`
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value
}

/** Sets sequences to continue after the highest number that was given, even if its row was deleted. */
async function continueNumbers(client: { query(text: string, values?: unknown[]): Promise<{ rows: Row[] }> }, source: SqliteConnection) {
  const { rows } = await client.query(
    `SELECT table_name AS name, column_name AS "column" FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  )
  const given = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck()
  for (const { column, name } of rows) {
    const last = given.get(name) as number | undefined
    if (last !== undefined && last > 0)
      await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [`"${String(name)}"`, column, last])
  }
}
