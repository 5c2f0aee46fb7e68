/** The search over own pages in PostgreSQL finds for a question the pages that the index file finds. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgres } from '#backend/platform/database/postgres.ts'
import { createPostgresFollower } from '#backend/searches/postgres-index/follower.ts'
import { createPostgresSearch } from '#backend/searches/postgres-index/search.ts'
import { troubleOf } from '#backend/platform/database/trouble.ts'
import { startDatabaseProxy } from '#tests/support/scale/database-proxy.ts'
import { postgresDatabase } from '#tests/support/stubs/postgres.ts'

const search = suite('the search in PostgreSQL')

const TITLES = [
  'How to restore a backup of the harbour database',
  'How to read the tide tables: a guide to the harbour',
  'How a pilot comes to the harbour, how to call a pilot',
  'Ships at moorings',
  ...Array.from({ length: 9 }, (_, at) => `Log ${at}: what I do when a ship is late, and why I do it at the harbour`),
]

async function withPages(work: (find: (query: string, isTyping?: boolean, site?: string) => Promise<object>) => Promise<void>) {
  const { drop, url } = await postgresDatabase()
  const pool = openPostgres(url, { answerMs: 10_000, connections: 2, name: 'index' })
  const { close, search: ask } = createPostgresSearch({ pool })
  try {
    await pool.query("INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 1, 0, 0)")
    await pool.query(
      `INSERT INTO run (no, id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, kept, created_at, updated_at)
        OVERRIDING SYSTEM VALUE VALUES (1, 'run', 'team', 'crawl', 'single', 'finished', 'x', 100, 1, '', $1, 0, 0)`,
      [TITLES.length],
    )
    await pool.query(
      `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
        SELECT ${2 ** 24} + at, 'page' || at, 1, 0, at, 'https://site.example/' || at, title, 200, 'text/html', 'en', '', at, 0
        FROM unnest($1::text[]) WITH ORDINALITY AS x(title, at)`,
      [TITLES],
    )
    const { step } = createPostgresFollower(pool)
    for (let done = await step(); done !== null && done.added > 0; done = await step());
    await work(async (query, isTyping = false, site) => {
      const { count, hits, ignoredWords, suggestion } = await ask({
        teamId: 'team',
        query,
        isTyping,
        limit: 10,
        offset: 0,
        ...(site && { filters: { site } }),
      })
      assert.is(count, hits.length)
      return [hits.map(({ url: found }) => Number(found.split('/').at(-1)) - 1), ignoredWords, suggestion]
    })
  } finally {
    await close()
    await pool.end()
    await drop()
  }
}

search('a search whose connection is refused fails as one of a database that does not answer', async () => {
  const { drop, url } = await postgresDatabase()
  const proxy = await startDatabaseProxy(url)
  const pool = openPostgres(proxy.url, { answerMs: 10_000, connections: 1, name: 'index' })
  const { search: ask } = createPostgresSearch({ pool })
  const fault = () => ask({ teamId: 'team', query: 'harbour', limit: 10, offset: 0 }).catch((thrown: unknown) => thrown)
  try {
    proxy.set('refuse')
    assert.is(troubleOf(await fault()), 'busy')
  } finally {
    await Promise.all([pool.end(), proxy.close()])
    await drop()
  }
})

search('a page answers a question without having all of its words: it has one of the rarest, and the best pages have more', () =>
  withPages(async (find) => {
    assert.equal(await find('how do I restore a backup'), [[0], [], null])
    assert.equal(await find('when do I call a pilot or a tug'), [[2], ['or', 'tug'], null])
    assert.equal(await find('restore the tide tables'), [[1, 0], [], null], 'the page with two of the words is first')
    assert.equal(await find('do I restore a backup -database'), [[], [], null])
    assert.equal(await find('do I "call a pilot" at moorings'), [[2], ['do', 'I', 'at', 'moorings'], null])
    assert.equal(await find('when do I call a pilto'), [[2], ['pilto'], 'when do I call a pilot'], 'corrected, with matches as well')
    assert.equal(await find('how to restore ships at moorings', false, 'site.example/1'), [[0], [], null], 'within a part of the site')
    assert.equal(await find('how is a tide at moorings', false, 'site.example/1'), [[0], [], null], 'the rarest words are on other pages')
    assert.equal(await find('when restore tide tab', true), [[1, 0], [], null], 'an unfinished word raises the rank')
  }),
)

search('with one or two words a page must have all of them, unless no page has', () =>
  withPages(async (find) => {
    assert.equal(await find('harbour tide'), [[1], [], null])
    assert.equal(await find('restore pilot'), [[2], ['restore'], null])
  }),
)

search.run()
