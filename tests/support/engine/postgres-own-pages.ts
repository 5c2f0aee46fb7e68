/** Pages that are stored and indexed in a PostgreSQL database of their own, and the search over them. */
import * as assert from 'uvu/assert'
import { openPostgres } from '#backend/platform/database/postgres/postgres.ts'
import type { PostgresPool } from '#backend/platform/database/postgres/postgres.ts'
import type { OwnSearchAnswer } from '#backend/searches/own-index/find-pages.ts'
import { createPostgresFollower } from '#backend/searches/postgres-index/follower.ts'
import { createPostgresSearch } from '#backend/searches/postgres-index/search.ts'
import { postgresDatabase } from '../stubs/postgres.ts'

export type TitledPage = { title: string; language?: string; url?: string }
export type FindInPostgres = (query: string, more?: { isTyping?: boolean; offset?: number; site?: string }) => Promise<OwnSearchAnswer>

/** Calls `work` with the search. The pages have titles only; by default, they are in English, and their URLs end with their numbers from 1. */
export async function withPostgresPages(pages: readonly TitledPage[], work: (find: FindInPostgres, pool: PostgresPool) => Promise<void>) {
  const { drop, url } = await postgresDatabase()
  const pool = openPostgres(url, { answerMs: 10_000, connections: 2, name: 'index' })
  const { close, search: ask } = createPostgresSearch({ pool })
  try {
    await pool.query("INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 1, 0, 0)")
    await pool.query(
      `INSERT INTO run (no, id, team_id, kind, variant, status, label, page_limit, seeds, url_salt, kept, created_at, updated_at)
        OVERRIDING SYSTEM VALUE VALUES (1, 'run', 'team', 'crawl', 'single', 'finished', 'x', 100, 1, '', $1, 0, 0)`,
      [pages.length],
    )
    await pool.query(
      `INSERT INTO page (no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at)
        SELECT ${2 ** 24} + at, 'page' || at, 1, 0, at, coalesce(url, 'https://site.example/' || at), title, 200, 'text/html', language, '', at, 0
        FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS x(title, language, url, at)`,
      [pages.map(({ title }) => title), pages.map(({ language }) => language ?? 'en'), pages.map((page) => page.url ?? null)],
    )
    const { step } = createPostgresFollower(pool)
    for (let done = await step(); done !== null && done.added > 0; done = await step());
    await work(async (query, { isTyping = false, offset = 0, site } = {}) => {
      const answer = await ask({ teamId: 'team', query, isTyping, limit: 10, offset, ...(site && { filters: { site } }) })
      assert.is(answer.hits.length, Math.max(0, Math.min(10, answer.count - offset)))
      return answer
    }, pool)
  } finally {
    await close()
    await pool.end()
    await drop()
  }
}
