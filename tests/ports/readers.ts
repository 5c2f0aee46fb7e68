/** Reader threads of an SQLite database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCompareInTurn } from '#backend/crawls/compare-in-turn.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { createReaders } from '#backend/platform/database/readers.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'

const readers = suite('readers of the database')

/** A statement that takes a moment, however fast the machine is. */
const count = (database: Database, rows: number) =>
  sql`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${rows}) SELECT count(*) FROM number`.execute(
    database,
  )

readers('a comparison of crawls holds up no other reads, not even those of many callers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seine-readers-'))
  const file = join(folder, 'seine.db')
  openSqlite(file, { cacheMiB: 1 }).close()
  const threads = createReaders({ file, program: new URL('../../backend/reader-thread.ts', import.meta.url) })
  try {
    const compare = createCompareInTurn(threads)
    await Promise.all([count(threads.database, 1), compare('one', (database) => count(database, 1))])
    const ended: string[] = []
    const comparisons = ['one', 'two'].map((team) => compare(team, (database) => count(database, 2_000_000)).then(() => ended.push(team)))
    await Promise.all([1, 2, 3, 4].map(() => count(threads.database, 1)))
    assert.equal(ended, [])
    await Promise.all(comparisons)
  } finally {
    await threads.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

readers('teams compare crawls in turn: many comparisons of one do not delay those of another', async () => {
  const compare = createCompareInTurn({ apart: null as unknown as Database })
  const ended: string[] = []
  const team = (name: string) => compare(name, async () => ended.push(name))
  await Promise.all([team('one'), team('one'), team('one'), team('two')])
  assert.equal(ended, ['one', 'one', 'two', 'one'])
})

readers.run()
