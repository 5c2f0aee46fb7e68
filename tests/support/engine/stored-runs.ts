/** Runs with every kind of row, written straight into the tables. */
import { randomBytes, randomUUID } from 'node:crypto'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'

export type StoredRun = {
  teamId: string
  kind?: 'crawl' | 'search' | 'sitemap'
  status?: string
  urls?: number
  pages?: number
  bodyBytes?: number
  feed?: number
  sitemapUrls?: number
  endedAt?: number | null
  deletedAt?: number | null
}

/** Every table that has rows of a run, beside its ledger entry. */
export const RUN_TABLES = ['run', 'run_options', 'run_url', 'page', 'page_body', 'run_feed', 'sitemap_url', 'search_result', 'job'] as const

export function storedRuns(connection: SqliteConnection) {
  const of = (sql: string) => connection.prepare(sql)
  const run =
    of(`INSERT INTO run (id, team_id, kind, variant, status, reason, label, page_limit, seeds, kept, known, settled, event_seq, url_salt,
    created_at, updated_at, started_at, ended_at, deleted_at)
    VALUES (?, ?, ?, 'single', ?, NULL, 'https://shop.example/', 10, 1, ?, ?, ?, 1, ?, 1, 1, 1, ?, ?) RETURNING no`)
  const options = of("INSERT INTO run_options (run_no, options, seeds) VALUES (?, '{}', '[]')")
  const credit = of("INSERT INTO credit_entry (run_no, team_id, requested, used, state, created_at) VALUES (?, ?, 10, 3, 'settled', 1)")
  const url = of(
    'INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, depth, state, outcome, url) VALUES (?, ?, ?, ?, 1, 1, 2, ?, ?)',
  )
  const page = of(`INSERT INTO page (no, id, run_no, key_hi, key_lo, url, http_status, content_hash, event_seq, created_at)
    VALUES (?, ?, ?, ?, ?, ?, 200, '', ?, 1)`)
  const body = of('INSERT INTO page_body (page_no, encoding, raw_bytes, body) VALUES (?, 0, ?, ?)')
  const feed = of("INSERT INTO run_feed (run_no, first_seq, last_seq, messages) VALUES (?, ?, ?, '[]')")
  const sitemapUrl = of('INSERT INTO sitemap_url (run_no, seq, url) VALUES (?, ?, ?)')
  const hits = of("INSERT INTO search_result (run_no, items) VALUES (?, '[]')")
  return { addTeam, add, rowsOf }

  function addTeam(name = 'Team'): string {
    const id = randomUUID()
    of('INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES (?, ?, 0, 1, 1)').run(id, name)
    return id
  }

  /** Returns the number of the run. */
  function add({
    teamId,
    kind = 'crawl',
    status = 'finished',
    urls = 0,
    pages = 0,
    bodyBytes = 100,
    feed: messages = 0,
    sitemapUrls = 0,
    endedAt = 1,
    deletedAt = null,
  }: StoredRun): number {
    return connection.transaction(() => {
      const { no } = run.get(randomUUID(), teamId, kind, status, pages, urls, urls, randomBytes(16), endedAt, deletedAt) as { no: number }
      options.run(no)
      credit.run(no, teamId)
      for (let seq = 0; seq < urls; seq += 1)
        url.run(no, seq, seq, seq, seq < pages ? 'kept' : 'out_of_scope', `https://shop.example/page/${seq}?of=${no}`)
      for (let at = 1; at <= pages; at += 1) {
        const pageNo = no * PAGES_PER_RUN + at
        page.run(pageNo, randomUUID(), no, at, at, `https://shop.example/page/${at}`, at)
        body.run(pageNo, bodyBytes, randomBytes(bodyBytes))
      }
      for (let seq = 1; seq <= messages; seq += 1) feed.run(no, seq * 3, seq * 3 + 2)
      for (let seq = 0; seq < sitemapUrls; seq += 1) sitemapUrl.run(no, seq, `https://shop.example/${seq}`)
      if (kind === 'search') hits.run(no)
      return no
    })()
  }

  /** How many rows each table has of a run. */
  function rowsOf(no: number): Record<string, number> {
    const first = no * PAGES_PER_RUN
    const conditions: Record<string, string> = {
      run: `no = ${no}`,
      page: `run_no = ${no}`,
      page_body: `page_no > ${first} AND page_no < ${first + PAGES_PER_RUN}`,
      job: `key GLOB 'run:${no}:*'`,
    }
    return Object.fromEntries(
      RUN_TABLES.map((table) => [
        table,
        (of(`SELECT count(*) AS rows FROM ${table} WHERE ${conditions[table] ?? `run_no = ${no}`}`).get() as { rows: number }).rows,
      ]),
    )
  }
}
