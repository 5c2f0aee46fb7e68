/** Reader threads of an SQLite database. */
import { join } from 'node:path'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { createCompareInTurn } from '#backend/crawls/compare-in-turn.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { workingFor } from '#backend/platform/current-share.ts'
import { createReaders } from '#backend/platform/database/readers.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { atEnd, suite } from '#tests/support/suite.ts'
import { temporaryFolder } from '#tests/support/temporary-folder.ts'

const readers = suite('readers of the database')

/** Each thread has a connection of its own, which this setting tells apart. */
const timeoutIn = async (database: Database, set?: number) => {
  const statement =
    set === undefined ? sql<{ timeout: number }>`PRAGMA busy_timeout` : sql<{ timeout: number }>`PRAGMA busy_timeout = ${sql.lit(set)}`
  return (await statement.execute(database)).rows[0]?.timeout
}

/** A statement that takes a moment, however fast the machine is. */
const count = (database: Database, rows: number) =>
  sql`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${rows}) SELECT count(*) FROM number`.execute(
    database,
  )

function openReaders() {
  const file = join(temporaryFolder('seine-readers-'), 'seine.db')
  openSqlite(file, { cacheMiB: 1 }).close()
  const threads = createReaders({ file, program: new URL('../../backend/reader-thread.ts', import.meta.url) })
  atEnd(threads.close)
  return threads
}

readers('A24: a caller with hundreds of lists does not delay the list of another', async () => {
  const threads = openReaders()
  await count(threads.database, 1)
  let answered = 0
  const lists = Array.from({ length: 300 }, () => workingFor('one', () => count(threads.database, 20_000).then(() => (answered += 1))))
  const before = await workingFor('other', () => count(threads.database, 1).then(() => answered))
  await Promise.all(lists)
  assert.ok(before < 60, `${before} lists of the first caller were answered before`)
})

readers('crawls are compared in a thread where no other reads run, not even those of many callers', async () => {
  const threads = openReaders()
  const compare = createCompareInTurn({ apart: threads.apart, shareOf: async (teamId) => teamId })
  const compared = (set?: number) => compare('one', (database) => timeoutIn(database, set))
  assert.is(await compared(777), 777)
  const others = await Promise.all([1, 2, 3, 4].map(() => timeoutIn(threads.database)))
  assert.is(others.length, 4)
  assert.not.ok(others.includes(777))
  assert.equal(await Promise.all([compared(), compared()]), [777, 777])
})

readers('owners of teams compare crawls in turn: many comparisons of one do not delay those of another', async () => {
  const compare = createCompareInTurn({ apart: null as unknown as Database, shareOf: async (teamId) => teamId.split(' ')[0]! })
  const ended: string[] = []
  const team = (name: string) => compare(name, async () => ended.push(name))
  await Promise.all([team('one 1'), team('one 2'), team('one 3'), team('two')])
  assert.equal(ended, ['one 1', 'one 2', 'two', 'one 3'])
})

readers.run()
