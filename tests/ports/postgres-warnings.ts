import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import { postgresWarnings, readServer } from '#backend/platform/database/postgres/postgres-warnings.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'

const server = suite('warnings about PostgreSQL')
const NOW = Date.UTC(2026, 0, 2)
const WELL = { now: NOW, connections: 97, roleConnections: null, databaseConnections: null }

server('a limit of connections below what the process opens gets a warning that names it', () => {
  const warnings = (facts: object) => postgresWarnings({ ...WELL, ...facts }, { now: NOW, needed: 18 }).join('\n')
  assert.is(warnings({}), '')
  assert.is(warnings({ connections: 18 }), '')
  assert.match(
    warnings({ connections: 17 }),
    /^max_connections of the PostgreSQL of DATABASE_URL allows 17 connections, .* opens up to 18: raise/,
  )
  assert.match(warnings({ roleConnections: 5 }), /^the PostgreSQL user of DATABASE_URL may open 5 connections/)
  assert.match(warnings({ databaseConnections: 5 }), /^the database of DATABASE_URL allows 5 connections/)
})

server('a clock that differs from that of the server by more than half a minute gets a warning', () => {
  const warnings = (now: number) => postgresWarnings(WELL, { now, needed: 18 }).join('\n')
  assert.is(warnings(NOW + 30_000), '')
  assert.match(warnings(NOW + 90_000), /^the clock of this machine is 90 s ahead of that of the database server/)
  assert.match(warnings(NOW - 90_000), /is 90 s behind that of/)
})

server('a server tells its limits and its time', async () => {
  const { drop, url } = await emptyPostgresDatabase()
  const pool = openPostgres(url, { answerMs: 5000, connections: 1, name: 'test' })
  const before = Date.now()
  const { now, ...limits } = await readServer(pool)
  assert.ok(Math.abs(now - before) < 60_000)
  assert.ok(limits.connections > 0)
  assert.equal([limits.roleConnections, limits.databaseConnections], [null, null])
  await pool.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" CONNECTION LIMIT 7`)
  assert.is((await readServer(pool)).databaseConnections, 7)
  await pool.end()
  await drop()
})

server.run()
