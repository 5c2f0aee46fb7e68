import { join } from 'node:path'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { migrate, openSqlite, sqliteDatabase } from '#backend/platform/database/sqlite.ts'
import { suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const turns = suite('event loop during transactions of SQLite')
const folder = temporaryFolder('seine-turns-')
let files = 0

function openDatabase(settings = { yieldsInTransactions: true }) {
  const file = join(folder, `${(files += 1)}.db`)
  const connection = openSqlite(file, { cacheMiB: 1 })
  migrate(connection, Date.now)
  return { connection, database: sqliteDatabase(connection, settings), file }
}

/** Adds settings by a statement that takes far more than 10 ms. */
const addMany = (name: string) => sql`
  INSERT INTO setting (name, value)
  WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 400000)
  SELECT ${name} || (n / 400000), max(n) FROM counted GROUP BY n / 400000`

turns('other work runs between long statements of a transaction, and its own statements wait for the commit', async () => {
  const { database } = openDatabase()
  let given = 0
  let isOver = false
  const tick = () => {
    if (isOver) return
    given += 1
    setImmediate(tick)
  }
  setImmediate(tick)
  const order: string[] = []
  const long = database.transaction().execute(async (transaction) => {
    for (const name of ['a', 'b', 'c']) await addMany(name).execute(transaction)
    order.push('written')
  })
  const other = database
    .selectFrom('setting')
    .select('name')
    .execute()
    .then((rows) => order.push(`read ${rows.length}`))
  await long
  isOver = true
  await other
  assert.ok(given >= 3, `${given} turns`)
  const { rows } = await sql<{ names: number }>`SELECT count(*) AS names FROM setting WHERE name GLOB '[abc][01]'`.execute(database)
  assert.is(rows[0]!.names, 6)
  assert.is(order[0], 'written')
  assert.match(order[1]!, /^read \d+$/)
  await database.destroy()
})

turns('another connection of the same thread runs inside a transaction only if that is wanted', async () => {
  const { database, file } = openDatabase({ yieldsInTransactions: false })
  const other = openSqlite(file, { cacheMiB: 1 })
  other.pragma('busy_timeout = 0')
  const found: string[] = []
  let isOver = false
  const write = () => {
    if (isOver) return
    try {
      other.exec('BEGIN IMMEDIATE; COMMIT')
      found.push('free')
    } catch (fault) {
      found.push(String(fault))
    }
    setImmediate(write)
  }
  setImmediate(write)
  await addMany('before').execute(database)
  for (const round of ['a', 'b']) {
    await database.transaction().execute(async (transaction) => {
      for (const name of [1, 2, 3]) await addMany(`${round}${name}`).execute(transaction)
    })
  }
  isOver = true
  assert.ok(found.length > 0)
  assert.equal(new Set(found), new Set(['free']))
  other.close()
  await database.destroy()
})

turns('a database that is closed finishes the transaction in progress, and refuses later ones', async () => {
  const { connection, database } = openDatabase()
  const long = database.transaction().execute(async (transaction) => {
    await addMany('x').execute(transaction)
    await addMany('y').execute(transaction)
  })
  // It has begun.
  await new Promise(setImmediate)
  const closed = database.destroy()
  await long
  await closed
  assert.not(connection.open)
  const reopened = openSqlite(join(folder, `${files}.db`), { cacheMiB: 1 })
  assert.is(reopened.prepare("SELECT count(*) FROM setting WHERE name GLOB '[xy][01]'").pluck().get(), 4)
  reopened.close()
})

turns.run()
