/** A server that is a standby for a while: after a failover, its address may still lead to the old server. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgres } from '#backend/platform/database/postgres.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { rowsOf } from '#tests/support/scale/processes.ts'
import { startPostgres } from '#tests/support/stubs/postgres.ts'

const standby = suite('a PostgreSQL that is a standby')

standby('connections to it are refused like those to a server that is down, until it is promoted; a backup may read it', async () => {
  const server = await startPostgres()
  const pool = openPostgres(server.url, { answerMs: 9000, connections: 2, name: 'test' })
  const reading = openPostgres(server.url, { answerMs: 9000, connections: 1, mayStandBy: true, name: 'backup' })
  try {
    await pool.query('CREATE TABLE note (no int)')
    await server.standBy!()
    for (const attempt of [() => pool.connect(), () => pool.query('SELECT 1')]) {
      const fault = await attempt().catch((thrown: unknown) => thrown)
      assert.match(String(fault), /the server is a standby/)
      assert.ok(isTrouble(fault))
    }
    assert.is(pool.totalCount, 0)
    assert.is((await reading.query('SELECT count(*) AS notes FROM note')).rows[0]?.notes, 0)
    await rowsOf(server.url, 'SELECT pg_promote()')
    await pool.query('INSERT INTO note VALUES (1)')
  } finally {
    await Promise.all([pool.end(), reading.end()])
    await server.stop()
  }
})

standby.run()
