/** A server that can only be read for a while: a standby to which the address leads after a failover, or a database whose disk is full. */
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgres, postgresDatabase } from '#backend/platform/database/postgres/postgres.ts'
import { createSessions } from '#backend/store/postgres/session.ts'
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { rowsOf } from '#tests/support/scale/processes.ts'
import { emptyPostgresDatabase, startPostgres } from '#tests/support/stubs/postgres.ts'
import { until } from '#tests/support/until.ts'

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

standby('sessions that began while the database could only be read are not used again, so writing works at once afterwards', async () => {
  const { url, drop } = await emptyPostgresDatabase()
  const name = new URL(url).pathname.slice(1)
  const pool = openPostgres(url, { answerMs: 9000, connections: 1, name: 'test' })
  const [database, sessions] = [postgresDatabase(pool), createSessions(pool)]
  const writes = [
    () => sql`INSERT INTO note VALUES (1)`.execute(database),
    () => sessions.transaction(({ run }) => run('INSERT INTO note VALUES (1)')),
  ]
  await rowsOf(url, 'CREATE TABLE note (no int)')
  for (const write of writes) {
    // As hosters do it when the disk is full: it holds for new sessions.
    await rowsOf(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await rowsOf(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await until(() =>
      write().then(
        () => false,
        (fault: unknown) => (fault as { code?: string }).code === '25006',
      ),
    )
    await rowsOf(url, `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`)
    await write()
  }
  await pool.end()
  await drop()
})

standby.run()
