/** The indexer over PostgreSQL: its steps are short, and a session that the server ends does not end the process. */
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pauseAfter } from '#backend/searches/own-index/pace.ts'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import { createPostgresFollower } from '#backend/searches/postgres-index/follower.ts'
import { postgresDatabase } from '#tests/support/stubs/postgres.ts'

const PAGES = 5
const follower = suite('the indexer over PostgreSQL')

/** A run with pages that are not indexed yet. `ask` is a session beside the indexer's. */
async function bench(work: (opened: { pool: pg.Pool; ask: pg.Client }) => Promise<void>) {
  const { drop, url } = await postgresDatabase()
  const ask = new pg.Client({ connectionString: url })
  await ask.connect()
  const pool = openPostgres(url, { answerMs: 10_000, connections: 2, name: 'index' })
  try {
    await ask.query("INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 1, 0, 0)")
    await ask.query(
      `INSERT INTO run (no, id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, kept, created_at, updated_at)
        OVERRIDING SYSTEM VALUE VALUES (1, 'run', 'team', 'crawl', 'single', 'running', 'x', 100, 1, '', ${PAGES}, 0, 0)`,
    )
    await ask.query(
      `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
        SELECT ${2 ** 24} + at, 'page' || at, 1, 0, at, 'https://site.example/' || at, 'A page', 200, 'text/html', 'en', '', at, 0
        FROM generate_series(1, ${PAGES}) AS x(at)`,
    )
    await work({ ask, pool })
  } finally {
    await pool.end()
    await ask.end()
    await drop()
  }
}

follower('a step ends after some time even if it has read more pages, and the next one goes on there', () =>
  bench(async ({ ask, pool }) => {
    const { step } = createPostgresFollower(pool, { longestMs: 0 })
    const added = []
    for (let done = await step(); done !== null && done.added > 0; done = await step()) added.push(done.added)
    assert.equal(added, [1, 1, 1, 1, 1])
    assert.equal((await ask.query('SELECT count(*)::int AS n FROM page_words')).rows, [{ n: PAGES }])
  }),
)

/** Runs of one page each, which have ended. */
const addRuns = (ask: pg.Client, from: number, to: number) =>
  ask.query(
    `INSERT INTO run (no, id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, kept, created_at, updated_at, ended_at)
        OVERRIDING SYSTEM VALUE SELECT no, 'run' || no, 'team', 'crawl', 'single', 'finished', 'x', 1, 1, '', 1, 0, 0, 0
        FROM generate_series(${from}, ${to}) AS x(no);
      INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
        SELECT no * ${2 ** 24} + 1, 'page of ' || no, no, 0, 0, 'https://site.example/' || no, 'A page', 200, 'text/html', 'en', '', 1, 0
        FROM generate_series(${from}, ${to}) AS x(no)`,
  )

follower('finding the next runs does not read again the runs that have ended and are indexed', () =>
  bench(async ({ ask, pool }) => {
    await ask.query("UPDATE run SET ended_at = 0, status = 'finished'")
    await addRuns(ask, 2, 100)
    const read: unknown[] = []
    const watched = Object.assign(Object.create(pool) as pg.Pool, {
      query: (text: string, values?: unknown[]) => {
        if (text.includes('page.no = run.no')) read.push(values?.[0])
        return pool.query(text, values)
      },
    })
    const { step } = createPostgresFollower(watched)
    while ((await step()) !== null);
    const before = read.length
    await addRuns(ask, 101, 102)
    while ((await step()) !== null);
    assert.equal((await ask.query('SELECT count(*)::int AS n FROM page_words')).rows, [{ n: PAGES + 101 }])
    assert.is(read[before], 101, 'the first run that is read')
  }),
)

follower('a run that has not ended is read again, although later ones have, and its further pages are indexed', () =>
  bench(async ({ ask, pool }) => {
    await addRuns(ask, 2, 3)
    const { step } = createPostgresFollower(pool)
    while ((await step()) !== null);
    await ask.query(
      `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
        VALUES (${2 ** 24 + PAGES + 1}, 'late', 1, 0, 99, 'https://site.example/late', 'Late', 200, 'text/html', 'en', '', 9, 0)`,
    )
    await ask.query(`UPDATE run SET kept = ${PAGES + 1}, ended_at = 0 WHERE no = 1`)
    while ((await step()) !== null);
    assert.equal((await ask.query('SELECT count(*)::int AS n FROM page_words WHERE run_no = 1')).rows, [{ n: PAGES + 1 }])
  }),
)

follower('after an upgrade, an indexer of the older version that still runs adds no words, since its words are others', () =>
  bench(async ({ ask, pool }) => {
    const olderStatement =
      "INSERT INTO run_words (run_no, team_id, ordinal) VALUES (1, 'team', 5) ON CONFLICT (run_no) DO UPDATE SET ordinal = excluded.ordinal"
    for (const indexed of [0, PAGES]) {
      const fault = await ask.query(olderStatement).catch((thrown: unknown) => thrown)
      assert.is((fault as { code?: string }).code, '23502', 'the column of the version is missing')
      assert.equal((await ask.query('SELECT count(*)::int AS n FROM page_words')).rows, [{ n: indexed }])
      await createPostgresFollower(pool).step()
    }
  }),
)

follower('a step says how long it waited for the database; the next one begins after as long a rest, unless a core is scarce', () =>
  bench(async ({ pool }) => {
    const startedAt = performance.now()
    const { added, waitedMs } = (await createPostgresFollower(pool).step())!
    const wallMs = performance.now() - startedAt
    assert.is(added, PAGES)
    assert.ok(waitedMs > 0 && waitedMs < wallMs, `${waitedMs} of ${wallMs}`)
    // As measured on an idle machine: a fifth of the step is the process's own work.
    assert.is(pauseAfter({ wallMs: 115, cpuMs: 24, waitedMs: 79 }), 79)
    assert.is(pauseAfter({ wallMs: 36, cpuMs: 24 }), 5)
    assert.is(pauseAfter({ wallMs: 400, cpuMs: 24, waitedMs: 79 }), 1000)
    assert.is(pauseAfter({ wallMs: 5000, cpuMs: 24, waitedMs: 4970 }), 1000)
  }),
)

follower('a session that the server ends between two statements fails the step, and the next step works', () =>
  bench(async ({ ask, pool }) => {
    const connect = pool.connect.bind(pool)
    let isEnded = false
    const watched = Object.assign(Object.create(pool) as pg.Pool, {
      query: pool.query.bind(pool),
      async connect() {
        const client = await connect()
        const query = client.query.bind(client) as (...values: unknown[]) => Promise<pg.QueryResult>
        const ended = new Promise((resolve) => client.once('end', resolve))
        return Object.assign(client, {
          async query(...values: unknown[]) {
            const result = await query(...values)
            if (!isEnded && String(values[0]).startsWith('SELECT ordinal')) {
              isEnded = true
              await ask.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'seine index' AND state LIKE 'idle in%'",
              )
              await ended
            }
            return result
          },
        })
      },
    })
    const { step } = createPostgresFollower(watched)
    const fault = await step().then(
      () => null,
      (thrown: Error) => thrown.message,
    )
    assert.match(fault ?? '', /not queryable|terminat/)
    assert.is((await step())?.added, PAGES)
  }),
)

follower.run()
