/** A data folder with much data, filled once by direct inserts into the real schema and kept in the temporary folder. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { MAX_BATCH_URLS } from '#contract/sizes.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { MIGRATIONS } from '#backend/platform/database/migrations.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'

export const SIZES = {
  runs: 100_000,
  urls: 1_000_000,
  pages: 30_000,
  members: 1000,
  proxies: 500,
  subscriptions: 200,
  plans: 50,
  feed: 8000,
}

export const ADMIN = { email: 'bench@example.org', password: 'Correct-Horse-7!' }

/** Ids for requests, all of one team. */
export type LargeDatabase = {
  directory: string
  ids: Record<
    'bigCrawl' | 'heavyCrawl' | 'crawls' | 'monitor' | 'search' | 'bigSitemap' | 'page' | 'heavyPage' | 'plan' | 'subscription',
    string
  >
}

const DAY_MS = 24 * 60 * 60 * 1000

/** @param install  creates an empty data folder with the administrator */
export async function largeDatabase(install: (directory: string) => Promise<void>): Promise<LargeDatabase> {
  const source = readFileSync(new URL(import.meta.url))
  const version = createHash('sha256')
    .update(MIGRATIONS.map(({ name }) => name).join())
    .update(source)
    .digest('hex')
    .slice(0, 12)
  const directory = join(tmpdir(), `seine-bench-requests-${version}`)
  const note = join(directory, 'bench.json')
  if (existsSync(note)) return { directory, ids: JSON.parse(readFileSync(note, 'utf8')) as LargeDatabase['ids'] }
  const making = `${directory}-making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true, mode: 0o700 })
  await install(making)
  const connection = openSqlite(join(making, 'seine.db'), { cacheMiB: 64 })
  connection.pragma('synchronous = OFF')
  connection.pragma('foreign_keys = OFF')
  const ids = connection.transaction(() => fill(connection))()
  connection.pragma('wal_checkpoint(TRUNCATE)')
  connection.close()
  writeFileSync(join(making, 'bench.json'), JSON.stringify(ids))
  renameSync(making, directory)
  return { directory, ids }
}

type Filling = {
  db: SqliteConnection
  now: number
  team: string
  user: string
  ids: Partial<LargeDatabase['ids']>
}

/** The numbers of the runs that the requests are for. */
const BIG_CRAWL = SIZES.runs + 1
const HEAVY_CRAWL = SIZES.runs + 2
const BIG_SITEMAP = SIZES.runs + 3

function fill(db: SqliteConnection): LargeDatabase['ids'] {
  const { id: team } = db.prepare('SELECT id FROM team').get() as { id: string }
  const { id: user } = db.prepare('SELECT id FROM "user"').get() as { id: string }
  const filling: Filling = { db, now: Date.now(), team, user, ids: {} }
  fillRuns(filling)
  fillUrls(filling)
  fillPages(filling)
  fillTeams(filling)
  fillPlans(filling)
  return filling.ids as LargeDatabase['ids']
}

const insert = (db: SqliteConnection, table: string, names: string) =>
  db.prepare(
    `INSERT INTO ${table} (${names}) VALUES (${names
      .split(',')
      .map(() => '?')
      .join(', ')})`,
  )

function fillRuns({ ids, db, now, team }: Filling): void {
  const run = insert(
    db,
    'run',
    'no, id, team_id, kind, variant, status, reason, label, page_limit, seeds, kept, known, settled, event_seq, url_salt, created_at, updated_at, started_at, ended_at',
  )
  const options = insert(db, 'run_options', 'run_no, options, seeds')
  const credit = insert(db, 'credit_entry', 'run_no, team_id, requested, used, state, created_at')
  const hits = insert(db, 'search_result', 'run_no, items')
  const salt = randomBytes(16)
  const items = JSON.stringify(
    Array.from({ length: 20 }, (_, order) => ({
      url: `https://hit.example/${order}`,
      title: 'A title',
      description: 'words '.repeat(40),
      order,
      depth: 'basic',
    })),
  )
  const addRun = (
    no: number,
    kind: string,
    name: keyof LargeDatabase['ids'] | null,
    { kept = 3, known = 9, events = 12, text = '{}' } = {},
  ) => {
    const id = randomUUID()
    if (name !== null) ids[name] = id
    // Spread over 29 days, so that all are within the last 30.
    const at = now - Math.floor(((SIZES.runs + 10 - no) / SIZES.runs) * 29 * DAY_MS)
    run.run(
      no,
      id,
      team,
      kind,
      kind === 'crawl' ? 'single' : '',
      'finished',
      'drained',
      `https://shop-${no}.example/some/path`,
      100,
      1,
      kept,
      known,
      known,
      events,
      salt,
      at,
      at,
      at,
      at + 5000,
    )
    options.run(no, text, JSON.stringify([`https://shop-${no}.example/some/path`]))
    credit.run(no, team, 10, kept, 'settled', at)
    if (kind === 'search') hits.run(no, items)
  }
  for (let no = 1; no <= SIZES.runs; no += 1) {
    const kind = no % 5 === 0 ? 'search' : no % 5 === 1 ? 'sitemap' : 'crawl'
    addRun(no, kind, kind === 'search' ? 'search' : null, {
      text: kind === 'crawl' ? CRAWL_OPTIONS : kind === 'sitemap' ? SITE_OPTIONS : SEARCH_OPTIONS,
    })
  }
  const some = db.prepare("SELECT id FROM run WHERE kind = 'crawl' LIMIT 98").pluck().all()
  ids['crawls'] = some.join()
  addRun(BIG_CRAWL, 'crawl', 'bigCrawl', {
    kept: SIZES.pages,
    known: SIZES.urls,
    events: SIZES.pages + SIZES.feed + 1,
    text: CRAWL_OPTIONS,
  })
  addRun(HEAVY_CRAWL, 'crawl', 'heavyCrawl', { kept: 100, known: 100, events: 101, text: CRAWL_OPTIONS })
  addRun(BIG_SITEMAP, 'sitemap', 'bigSitemap', { kept: SIZES.urls, known: 0, events: 3, text: SITE_OPTIONS })
}

const CRAWL_OPTIONS = JSON.stringify({
  spider_options: {
    max_depth: 1,
    page_limit: 1,
    concurrent_requests: 16,
    allowed_domains: [],
    exclude_paths: [],
    include_paths: [],
    proxy_server: null,
  },
  page_options: {
    exclude_tags: [],
    include_tags: [],
    wait_time: 100,
    include_html: false,
    only_main_content: true,
    include_links: false,
    timeout: 15000,
    accept_cookies_selector: null,
    locale: 'en-US',
    extra_headers: {},
    actions: [],
    ignore_rendering: false,
  },
  plugin_options: {},
})
const SITE_OPTIONS = JSON.stringify({
  include_subdomains: true,
  ignore_sitemap_xml: false,
  search: null,
  include_paths: [],
  exclude_paths: [],
  proxy_server: null,
})
const SEARCH_OPTIONS = JSON.stringify({
  language: null,
  country: null,
  time_range: 'any',
  time_renge: 'any',
  search_type: 'web',
  depth: 'basic',
})

/** The URLs of the large crawl and the large sitemap. */
function fillUrls({ db }: Filling): void {
  const url = insert(
    db,
    'run_url',
    'run_no, seq, key_hi, key_lo, host_no, depth, state, outcome, detail, http_status, bytes, took_ms, url, title',
  )
  const outcomes = ['out_of_scope', 'robots', 'status', 'limit', 'too_deep']
  for (let seq = 0; seq < SIZES.urls; seq += 1) {
    const isKept = seq < SIZES.pages
    url.run(
      BIG_CRAWL,
      seq,
      0,
      seq,
      1,
      1 + (seq % 3),
      2,
      isKept ? 'kept' : outcomes[seq % 5],
      null,
      isKept ? 200 : null,
      20_000,
      12,
      address(seq),
      `Article ${seq}`,
    )
  }
  const siteUrl = insert(db, 'sitemap_url', 'run_no, seq, url, lastmod')
  for (let seq = 0; seq < SIZES.urls; seq += 1) siteUrl.run(BIG_SITEMAP, seq, address(seq), '2026-03-04')
}

/** The pages of the large crawl with its feed, and those of the crawl whose pages are as large as may be. */
function fillPages({ ids, db, now, team }: Filling): void {
  const page = insert(
    db,
    'page',
    'no, id, run_no, key_hi, key_lo, url, title, http_status, content_type, language, content_hash, event_seq, created_at',
  )
  const body = insert(db, 'page_body', 'page_no, encoding, raw_bytes, body')
  const documents = Array.from({ length: 50 }, (_, n) => JSON.stringify({ metadata: { title: `T${n}` }, markdown: prose(15_000, n) }))
  const packed = documents.map((text) => zstdCompressSync(text))
  const each = Math.max(1, Math.floor(SIZES.pages / SIZES.feed))
  for (let n = 1; n <= SIZES.pages; n += 1) {
    const no = BIG_CRAWL * PAGES_PER_RUN + n
    const id = randomUUID()
    ids['page'] = id
    page.run(no, id, BIG_CRAWL, 0, n - 1, address(n - 1), `Article ${n}`, 200, 'text/html', 'en', '', n + Math.floor(n / each), now)
    body.run(no, 1, documents[n % 50]!.length, packed[n % 50]!)
  }
  const feed = insert(db, 'run_feed', 'run_no, first_seq, last_seq, messages')
  for (let n = 1; n <= SIZES.feed; n += 1) {
    const seq = n * (each + 1)
    feed.run(
      BIG_CRAWL,
      seq,
      seq,
      JSON.stringify([
        {
          id: String(seq),
          type: 'info',
          message: `Fetched ${address(n)}`,
          timestamp: new Date(now).toISOString(),
          metadata: { url: address(n) },
          seq,
        },
      ]),
    )
  }
  // As large as a document may be, and all changed since the larger crawl, for a monitor that has both as checks.
  for (let n = 1; n <= 100; n += 1) {
    const no = HEAVY_CRAWL * PAGES_PER_RUN + n
    const text = JSON.stringify({ metadata: { title: `Heavy ${n}` }, markdown: prose(4 * 1024 * 1024, n) })
    const id = randomUUID()
    ids['heavyPage'] = id
    page.run(no, id, HEAVY_CRAWL, 0, n, address(n), `Heavy ${n}`, 200, 'text/html', 'en', 'changed', n, now)
    body.run(no, 1, text.length, zstdCompressSync(text))
  }
  ids['monitor'] = addMonitor(db, team, { options: CRAWL_OPTIONS, now, nos: [BIG_CRAWL, HEAVY_CRAWL] })
}

function fillTeams({ db, now, team, user }: Filling): void {
  const person = insert(
    db,
    '"user"',
    'id, email, email_lower, first_name, last_name, is_active, is_superuser, email_verified, newsletter_confirmed, created_at, updated_at',
  )
  const member = insert(db, 'team_member', 'id, team_id, user_id, is_owner, created_at')
  const invitation = insert(db, 'invitation', 'id, team_id, email, email_lower, code_hash, status, invited_by, created_at, updated_at')
  const another = insert(db, 'team', 'id, name, is_default, created_at, updated_at')
  for (let n = 0; n < SIZES.members; n += 1) {
    const id = randomUUID()
    person.run(id, `p${n}@example.org`, `p${n}@example.org`, 'First', 'Last', 1, 0, 1, 0, now, now)
    member.run(randomUUID(), team, id, 0, now + n)
    invitation.run(randomUUID(), team, `i${n}@example.org`, `i${n}@example.org`, `hash ${n}`, 'pending', user, now + n, now)
    const other = randomUUID()
    another.run(other, `Team ${n}`, 0, now + n, now)
    member.run(randomUUID(), other, user, 1, now + n)
    invitation.run(randomUUID(), other, ADMIN.email, ADMIN.email, `own hash ${n}`, 'pending', id, now + n, now)
  }
  const proxy = insert(db, 'proxy_server', 'id, team_id, category, slug, name, is_default, proxy_type, host, port, created_at, updated_at')
  for (let n = 0; n < SIZES.proxies; n += 1)
    proxy.run(randomUUID(), team, 'team', `proxy-${n}`, `Proxy ${n}`, 0, 'http', 'proxy.example', 8080, now + n, now)
}

function fillPlans({ ids, db, now, team }: Filling): void {
  const plan = insert(
    db,
    'plan',
    'id, name, plan_group, description, price_before_discount, price, number_of_users, page_credit, daily_page_credit, crawl_max_depth, crawl_max_limit, max_concurrent_crawl, is_default, features, position, is_active, source, created_at, updated_at',
  )
  const plans = Array.from({ length: SIZES.plans }, (_, n) => {
    const id = randomUUID()
    plan.run(
      id,
      `Plan ${n}`,
      'monthly',
      'words '.repeat(20),
      null,
      n * 100,
      -1,
      n === 0 ? 2_000_000_000 : -1,
      n === 0 ? 2_000_000_000 : -1,
      -1,
      -1,
      -1,
      n === 0 ? 1 : 0,
      '[]',
      n,
      1,
      'admin',
      now,
      now,
    )
    return id
  })
  ids['plan'] = plans[0]!
  const subscription = insert(
    db,
    'subscription',
    'id, team_id, plan_id, status, start_at, period_start_at, period_end_at, counts_after, event_at, event_rank, event_id, created_at, updated_at',
  )
  for (let n = 0; n < SIZES.subscriptions; n += 1) {
    const id = randomUUID()
    ids['subscription'] = id
    const isLast = n === SIZES.subscriptions - 1
    subscription.run(
      id,
      team,
      plans[0]!,
      isLast ? 'active' : 'canceled',
      now - 300 * DAY_MS,
      now - 29 * DAY_MS,
      now + DAY_MS,
      0,
      0,
      0,
      '',
      now - 300 * DAY_MS + n,
      now,
    )
  }
}

/** A monitor with the largest list of URLs, and runs as its checks. */
function addMonitor(db: SqliteConnection, team: string, { nos, now, options }: { nos: number[]; now: number; options: string }): string {
  const id = randomUUID()
  const urls = [address(0)]
  const scrapes = { type: 'scrape', urls: Array.from({ length: MAX_BATCH_URLS }, () => urls[0]), scrapeOptions: {} }
  db.prepare(
    `INSERT INTO crawl_schedule (id, team_id, name, variant, url, urls, cron, timezone, is_active, mail_changes, planned_at, created_at, updated_at, monitor, request)
      VALUES (?, ?, 'Monitor', 'single', ?, 1, '0 3 * * *', 'UTC', 0, 0, ?, ?, ?, ?, ?)`,
  ).run(
    id,
    team,
    urls[0],
    now,
    now,
    now,
    JSON.stringify(scrapes),
    JSON.stringify({ variant: 'single', urls, pageLimit: 1, options: JSON.parse(options) as object, spec: null }),
  )
  // They have a common start URL, so that they are compared.
  db.prepare(`UPDATE run SET schedule_id = ?, label = ? WHERE no IN (${nos.join(', ')})`).run(id, urls[0])
  return id
}

const address = (n: number) => `https://shop.example/shelf-${n % 977}/row-${n % 31}/article-with-a-name-${n}`

const WORDS_IN_A_LINE = 12

function prose(length: number, seed: number): string {
  const parts: string[] = []
  let size = 0
  for (let n = seed; size < length; n = (n * 48_271 + 11) % 2_147_483_647) {
    const word = n.toString(36)
    parts.push(parts.length % WORDS_IN_A_LINE === 0 ? `\n${word}` : word)
    size += word.length + 1
  }
  return parts.join(' ')
}
