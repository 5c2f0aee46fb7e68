/** The schema on both databases: the same tables, columns and indexes; taken step by step, under a lock, and never by an older version. */
import pg from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DatabaseFault } from '#backend/platform/database/check-file.ts'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import { migratePostgres } from '#backend/platform/database/postgres/postgres-schema.ts'
import { migrate, openSqlite } from '#backend/platform/database/sqlite.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'

const open = (url: string) => openPostgres(url, { answerMs: 10_000, connections: 2, name: 'test' })

type Column = { table: string; column: string; type: string; isRequired: boolean; hasDefault: boolean }

function columnsOfSqlite(): { columns: string[]; indexes: string[] } {
  const connection = openSqlite(':memory:', { cacheMiB: 1 })
  migrate(connection, () => 0)
  const columns = connection
    .prepare(
      `SELECT m.name AS "table", c.name AS "column", c.type, c."notnull" OR c.pk > 0 AS "isRequired", c.dflt_value IS NOT NULL AS "hasDefault"
        FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`,
    )
    .all() as (Record<'table' | 'column' | 'type', string> & { isRequired: number; hasDefault: number })[]
  const indexes = connection
    .prepare(
      `SELECT i.name || ' ' || i."unique" AS it FROM sqlite_master AS m JOIN pragma_index_list(m.name) AS i
        WHERE m.type = 'table' AND i.origin = 'c'`,
    )
    .pluck()
    .all() as string[]
  connection.close()
  return {
    columns: columns.map((one) => text({ ...one, isRequired: one.isRequired === 1, hasDefault: one.hasDefault === 1 })).toSorted(),
    indexes: indexes.toSorted(),
  }
}

const text = ({ column, hasDefault, isRequired, table, type }: Column) =>
  `${table}.${column} ${type}${isRequired ? ' required' : ''}${hasDefault ? ' default' : ''}`

const TYPES: Record<string, string> = { bigint: 'INTEGER', integer: 'INTEGER', text: 'TEXT', bytea: 'BLOB' }

async function columnsOfPostgres(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: columns } = await client.query<
    Record<'table' | 'column' | 'type', string> & { nullable: string; hasDefault: boolean; collation: string | null }
  >(
    `SELECT table_name AS "table", column_name AS "column", data_type AS type, is_nullable AS nullable, column_default IS NOT NULL AS "hasDefault",
      collation_name AS collation FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE '%\\_word%'`,
  )
  const { rows: indexes } = await client.query<{ it: string }>(
    `SELECT c.relname || ' ' || i.indisunique::int AS it FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relname NOT LIKE '%\\_words\\_%' AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid)`,
  )
  await client.end()
  return {
    columns: columns
      .map(({ nullable, type, ...one }) => text({ ...one, type: TYPES[type] ?? type, isRequired: nullable === 'NO' }))
      .toSorted(),
    indexes: indexes.map(({ it }) => it).toSorted(),
    // Compared by bytes, whatever order the database has.
    otherOrders: columns
      .filter(({ collation, type }) => type === 'text' && collation !== 'C')
      .map(({ column, table }) => `${table}.${column}`),
  }
}

test('both databases have the same tables, columns and indexes', async () => {
  const { drop, url } = await emptyPostgresDatabase()
  const pool = open(url)
  await migratePostgres(pool, () => 0)
  const ours = columnsOfSqlite()
  const { otherOrders, ...theirs } = await columnsOfPostgres(url)
  assert.equal(theirs.columns, ours.columns)
  assert.equal(theirs.indexes, ours.indexes)
  assert.equal(otherOrders, [])
  await pool.end()
  await drop()
})

test('processes that start concurrently on an empty database create one schema, whatever isolation it has by default', async () => {
  const { drop, url } = await emptyPostgresDatabase()
  const first = open(url)
  await first.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_isolation = 'repeatable read'`)
  await first.end()
  const pools = Array.from({ length: 4 }, () => open(url))
  await Promise.all(pools.map((pool) => migratePostgres(pool, () => 0)))
  await migratePostgres(pools[0]!, () => 0)
  for (const pool of pools) await pool.end()
  await drop()
})

test('a database of a newer version is refused, and not changed (F40)', async () => {
  const { drop, url } = await emptyPostgresDatabase()
  const pool = open(url)
  await migratePostgres(pool, () => 0)
  await pool.query("INSERT INTO migration (name, applied_at) VALUES ('9999 of tomorrow', 0)")
  await migratePostgres(pool, () => 0).then(
    () => assert.unreachable(),
    (fault: unknown) => {
      assert.instance(fault, DatabaseFault)
      assert.match(String(fault), '9999 of tomorrow')
    },
  )
  await pool.end()
  await drop()
})

test('a failed migration changes nothing, and is run again (F40)', async () => {
  const { drop, url } = await emptyPostgresDatabase()
  const pool = open(url)
  // In the way of the third step: the first two are taken, and nothing of the third.
  await pool.query('CREATE TABLE sitemap_url (stranger INTEGER)')
  const fault = await migratePostgres(pool, () => 0).catch((thrown: unknown) => thrown)
  assert.match(String(fault), 'sitemap_url')
  assert.is((await pool.query('SELECT count(*) AS steps FROM migration')).rows[0].steps, 2)
  await pool.query('DROP TABLE sitemap_url')
  await migratePostgres(pool, () => 0)
  assert.is(
    (await pool.query("SELECT count(*) AS columns FROM information_schema.columns WHERE table_name = 'sitemap_url'")).rows[0].columns,
    4,
  )
  await pool.end()
  await drop()
})

const COUNT = "SELECT count(*) FROM run WHERE deleted_at IS NULL AND team_id = 'team' AND kind = 'crawl'"

test('the runs of a list are counted from an index alone, with both databases', async () => {
  const connection = openSqlite(':memory:', { cacheMiB: 1 })
  migrate(connection, () => 0)
  assert.match((connection.prepare(`EXPLAIN QUERY PLAN ${COUNT}`).get() as { detail: string }).detail, 'USING COVERING INDEX run_listed')
  connection.close()
  const { drop, url } = await emptyPostgresDatabase()
  const pool = open(url)
  await migratePostgres(pool, () => 0)
  await pool.query("INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 1, 0, 0)")
  await pool.query(
    `INSERT INTO run (no, id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, created_at, updated_at, ended_at)
      OVERRIDING SYSTEM VALUE SELECT at, 'run' || at, 'team', 'crawl', 'single', 'finished', 'https://site.example/', 1, 1, '', at, 0, 0
      FROM generate_series(1, 5000) AS x(at)`,
  )
  await pool.query('VACUUM ANALYZE run')
  for (const filter of ['', ' AND created_at >= 4000', " AND variant = 'single'"]) {
    const { rows } = await pool.query<Record<string, string>>(`EXPLAIN ${COUNT}${filter}`)
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), 'Index Only Scan using run_listed', filter)
  }
  await pool.end()
  await drop()
})

test.run()
