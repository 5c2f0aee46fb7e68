/** Transactions of engines lock runs in one order in PostgreSQL, so that none waits for another in a circle. */
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { RUN_STORES, runsOver } from '#tests/support/engine/run-stores.ts'
import { until } from '#tests/support/until.ts'

const locks = suite('locks of runs')

locks('leases are renewed while a commit of the same runs waits for a lock', async () => {
  const bench = await RUN_STORES['PostgreSQL']!(Date.now)
  const runs = await runsOver(bench, Date.now)
  const store = bench.storeOf('one')
  const held = []
  for (const url of ['http://a.test/', 'http://b.test/', 'http://c.test/'])
    held.unshift({ ...(await store.take(await runs.start([url], { pageLimit: 10 })))!, workedMs: 1 })
  const [last, first] = [held[0]!.runNo, held.at(-1)!.runNo]
  const commit = new pg.Client({ connectionString: bench.file })
  await commit.connect()
  try {
    // Rewritten, the first run is the last in the table: a statement that follows the table comes to it after the others.
    await commit.query('UPDATE run SET updated_at = updated_at WHERE no = $1', [first])
    // As a commit does: the run with the lower number first.
    await commit.query('BEGIN')
    await commit.query('SELECT 1 FROM run WHERE no = $1 FOR UPDATE', [first])
    const renewed = store.renew(held).then(
      (lost) => lost,
      (fault: Error) => (fault.cause as Error | undefined)?.message,
    )
    await until(async () => (await commit.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount! > 0)
    await commit.query('SELECT 1 FROM run WHERE no = $1 FOR UPDATE', [last])
    await commit.query('COMMIT')
    assert.equal(await renewed, [])
  } finally {
    await commit.end()
    await bench.close()
  }
})

locks.run()
