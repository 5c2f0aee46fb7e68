/** The search over own pages in PostgreSQL finds for a question the pages that the index file finds. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import { readQuery } from '#backend/searches/own-index/read-query.ts'
import { createPostgresSearch } from '#backend/searches/postgres-index/search.ts'
import { openVocabulary } from '#backend/searches/postgres-index/vocabulary.ts'
import { troubleOf } from '#backend/platform/database/trouble.ts'
import { withPostgresPages } from '#tests/support/engine/postgres-own-pages.ts'
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

const withPages = (work: (find: (query: string, isTyping?: boolean, site?: string) => Promise<object>) => Promise<void>) =>
  withPostgresPages(
    TITLES.map((title) => ({ title })),
    (ask) =>
      work(async (query, isTyping, site) => {
        const { hits, ignoredWords, suggestion } = await ask(query, { ...(isTyping && { isTyping }), ...(site && { site }) })
        return [hits.map(({ url: found }) => Number(found.split('/').at(-1)) - 1), ignoredWords, suggestion]
      }),
  )

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

search('each page of a long list has its hits, and reads no others', () => {
  const titles = Array.from({ length: 150 }, (_, at) => ({ title: `Log of the harbour${at % 3 === 0 ? '' : ' and of its ships'}` }))
  return withPostgresPages(titles, async (find, pool) => {
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<{ rows: { rows?: unknown[] }[] }>
    let mostRead = 0
    const counted = async (...args: unknown[]) => {
      const answer = await query(...args)
      mostRead = Math.max(mostRead, ...answer.rows.map(({ rows = [] }) => rows.length))
      return answer
    }
    Object.assign(pool, { query: counted })
    const urls: string[] = []
    for (let offset = 0; offset < 150; offset += 10) urls.push(...(await find('harbour', { offset })).hits.map(({ url }) => url))
    assert.is(new Set(urls).size, 150)
    mostRead = 0
    await find('harbour', { offset: 140 })
    assert.is(mostRead, 10)
  })
})

search('a page is ranked once by the forms of words', () =>
  withPostgresPages([{ title: 'A ship' }, { title: 'Ships' }], async (find, pool) => {
    const query = pool.query.bind(pool) as (text: string, values: unknown[]) => Promise<{ rows: Record<string, string>[] }>
    const plans: string[] = []
    const explained = async (text: string, values: unknown[]) => {
      if (text.includes('ts_rank')) plans.push(JSON.stringify((await query(`EXPLAIN VERBOSE ${text}`, values)).rows))
      return query(text, values)
    }
    Object.assign(pool, { query: explained })
    await find('ship')
    assert.is(plans.length, 1)
    assert.is(plans[0]!.match(/ts_rank\([^)]*ships/g)?.length, 1)
  }),
)

search('other forms are searched for until enough pages have the word as it was written', () =>
  withPostgresPages([{ title: 'Crawls' }, { title: 'Crawling' }], async (find, pool) => {
    const add = async (from: number, to: number) => {
      await pool.query(
        `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
          SELECT ${2 ** 24} + at, 'page' || at, 1, 0, at, 'https://site.example/' || at, 'Crawl', 200, 'text/html', 'en', '', at, 0
          FROM generate_series($1::int, $2::int) AS at`,
        [from, to],
      )
      await pool.query(
        `INSERT INTO page_words (page_no, run_no, team_id, address, host, path, language, created_at, words)
          SELECT ${2 ** 24} + at, 1, 'team', at, 'site.example', '/' || at, 'en', 0, '''crawl'':1A'::tsvector
          FROM generate_series($1::int, $2::int) AS at`,
        [from, to],
      )
    }
    await add(3, 2001)
    assert.is((await find('crawl')).count, 2001)
    await add(2002, 2002)
    assert.is((await find('crawl')).count, 2000)
  }),
)

search('forms of a word are counted no further than it matters', () => {
  const titles = [...Array.from({ length: 130 }, () => 'crawl crawls ships'), 'ship']
  return withPostgresPages(
    titles.map((title) => ({ title })),
    async (_find, pool) => {
      const { addForms, pagesOf } = openVocabulary(pool, { teamId: 'team', language: null })
      const pages = await pagesOf(await addForms(readQuery('crawl ship')))
      assert.equal(
        ['crawl', 'crawls', 'ship', 'ships'].map((word) => pages.get(word)),
        [130, 100, 1, 130],
        'up to a hundred, unless the word itself is rarer',
      )
    },
  )
})

search('with one or two words a page must have all of them, unless no page has', () =>
  withPages(async (find) => {
    assert.equal(await find('harbour tide'), [[1], [], null])
    assert.equal(await find('restore pilot'), [[2], ['restore'], null])
  }),
)

search.run()
