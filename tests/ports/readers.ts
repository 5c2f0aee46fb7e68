/** Reader threads of an SQLite database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCompareInTurn } from '#backend/crawls/compare-in-turn.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { workingFor } from '#backend/platform/current-share.ts'
import { createReaders } from '#backend/platform/database/readers.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'

const readers = suite('readers of the database')

/** A statement that takes a moment, however fast the machine is. */
const count = (database: Database, rows: number) =>
  sql`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${rows}) SELECT count(*) FROM number`.execute(
    database,
  )

readers('A24: a caller with hundreds of lists does not delay the list of another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seine-readers-'))
  const file = join(folder, 'seine.db')
  openSqlite(file, { cacheMiB: 1 }).close()
  const threads = createReaders({ file, program: new URL('../../backend/reader-thread.ts', import.meta.url) })
  try {
    await count(threads.database, 1)
    let answered = 0
    const lists = Array.from({ length: 300 }, () => workingFor('one', () => count(threads.database, 20_000).then(() => (answered += 1))))
    const before = await workingFor('other', () => count(threads.database, 1).then(() => answered))
    await Promise.all(lists)
    assert.ok(before < 60, `${before} lists of the first caller were answered before`)
  } finally {
    await threads.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

readers('a comparison of crawls holds up no other reads, not even those of many callers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seine-readers-'))
  const file = join(folder, 'seine.db')
  openSqlite(file, { cacheMiB: 1 }).close()
  const threads = createReaders({ file, program: new URL('../../backend/reader-thread.ts', import.meta.url) })
  try {
    const compare = createCompareInTurn({ apart: threads.apart, shareOf: async (teamId) => teamId })
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

readers('owners of teams compare crawls in turn: many comparisons of one do not delay those of another', async () => {
  const compare = createCompareInTurn({ apart: null as unknown as Database, shareOf: async (teamId) => teamId.split(' ')[0]! })
  const ended: string[] = []
  const team = (name: string) => compare(name, async () => ended.push(name))
  await Promise.all([team('one 1'), team('one 2'), team('one 3'), team('two')])
  assert.equal(ended, ['one 1', 'one 2', 'two', 'one 3'])
})

readers.run()
