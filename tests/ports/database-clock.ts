/** The clock of the database, on a machine whose own clock is wrong. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDatabaseClock } from '#backend/platform/database/database-clock.ts'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import { postgresDatabase } from '#tests/support/stubs/postgres.ts'

const HOUR_MS = 3_600_000
const clocks = suite('the clock of the database')

clocks("F25 engines whose clocks differ by hours lease by the database's clock, and setting a clock changes nothing", async () => {
  const { drop, url } = await postgresDatabase()
  const pool = openPostgres(url, { answerMs: 10_000, connections: 1, name: 'clock' })
  const { now } = Date
  try {
    const right = createDatabaseClock(pool)
    await right.measure()
    Date.now = () => now() + HOUR_MS
    const ahead = createDatabaseClock(pool)
    assert.ok(ahead.now() - right.now() > HOUR_MS / 2, 'before it has asked it knows no better')
    await ahead.measure()
    assert.ok(Math.abs(ahead.now() - right.now()) < 1000, `${ahead.now() - right.now()} ms apart`)
    Date.now = () => now() - HOUR_MS
    assert.ok(Math.abs(ahead.now() - right.now()) < 1000, 'its own clock was set back')
  } finally {
    Date.now = now
    await pool.end()
    await drop()
  }
})

clocks('a call that needs the time fails if the database cannot be reached', async () => {
  const pool = openPostgres('postgres://nobody@127.0.0.1:1/none', { answerMs: 1000, connections: 1, name: 'clock' })
  const clock = createDatabaseClock(pool)
  const fault = await clock.measure().then(() => null, (thrown: unknown) => thrown) // prettier-ignore
  assert.instance(fault, Error)
  await pool.end()
})

clocks.run()
