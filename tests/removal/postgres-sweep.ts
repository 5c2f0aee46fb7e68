/** The sweep over PostgreSQL while the store of blobs refuses. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import { createPostgresSweep } from '#backend/store/postgres/sweep-runs.ts'
import { postgresDatabase } from '#tests/support/stubs/postgres.ts'

const sweeping = suite('the sweep of deleted runs and teams, PostgreSQL')

sweeping('a run whose blobs cannot be removed keeps its row, delays nothing else, and is removed when they can', async () => {
  const { url, drop } = await postgresDatabase()
  const pool = openPostgres(url, { answerMs: 9000, connections: 2, name: 'test' })
  for (const [id, deletedAt] of [
    ['stays', null],
    ['gone', 1],
  ])
    // prettier-ignore
    await pool.query('INSERT INTO team (id, name, is_default, created_at, updated_at, deleted_at) VALUES ($1, $1, 0, 0, 0, $2)', [
      id,
      deletedAt,
    ])
  const add = async (teamId: string) => {
    const { rows } = await pool.query<{ no: number }>(
      `INSERT INTO run (id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, created_at, updated_at, ended_at, deleted_at)
        VALUES (gen_random_uuid(), $1, 'crawl', 'single', 'finished', '', 1, 1, '', 0, 0, 1, 1) RETURNING no`,
      [teamId],
    )
    const { no } = rows[0]!
    await pool.query('INSERT INTO page_body (page_no, encoding, raw_bytes, body) VALUES ($1, 0, 1, $2)', [no * PAGES_PER_RUN + 1, 'x'])
    return no
  }
  const refused = await add('stays')
  await add('stays')
  await add('gone')
  let isRefusing = true
  const sweep = createPostgresSweep({
    pool,
    dropBlobs: async (no) => {
      if (isRefusing && no === refused) throw new Error('the bucket refuses')
    },
  })
  const round = async () => {
    while ((await sweep.step()) !== null);
  }
  const left = async () =>
    (
      await pool.query(
        `SELECT (SELECT json_agg(no) FROM run)::text AS runs, (SELECT count(*) FROM page_body) AS bodies, (SELECT json_agg(id) FROM team)::text AS teams`,
      )
    ).rows[0]
  assert.is(await round().then(() => 'done', (fault: Error) => fault.message), 'the bucket refuses') // prettier-ignore
  assert.equal(await left(), { runs: `[${refused}]`, bodies: 0, teams: '["stays"]' })
  isRefusing = false
  await round()
  assert.equal(await left(), { runs: null, bodies: 0, teams: '["stays"]' })
  await pool.end()
  await drop()
})

sweeping.run()
