/** A frontier over real tables in memory, with its committer and without fetches: the test leases URLs, ends them and simulates crashes. */
import { runCredits } from '#backend/plans/run-credits.ts'
import { noChanges } from '#backend/store/run-store.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { createCommitter } from '#backend/crawler/crawl/committer.ts'
import { createFrontier } from '#backend/crawler/frontier/frontier.ts'
import type { Frontier, UrlLease } from '#backend/crawler/frontier/frontier.ts'
import { hostKey, urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { createHosts } from '#backend/crawler/frontier/hosts.ts'
import { LINK_STRIDE, NOFOLLOW } from '#backend/crawler/page/page-rules.ts'
import type { LinkBlock, LinkNote } from '#backend/crawler/page/page-rules.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { openRun } from './open-run.ts'
import { openMigrated } from '../migrated.ts'
import { atEnd } from '../suite.ts'

export const SALT = Buffer.alloc(16, 7)
/** The 64-bit name of a URL in this run. */
export const keyOf = (url: string) => urlKey(SALT, urlIdentity(url))

export type Link = { url: string; title?: string; note?: LinkNote; nofollow?: boolean }
export type FrontierBench = ReturnType<typeof frontierBench>

/**
 * `counts.refills` counts reads of pending rows, `counts.readAhead` how often the frontier reported them.
 */
export function frontierBench({
  seeds,
  maxDepth = 100,
  pageLimit = 100_000,
  width = 1000,
  siteOf = (host: string) => host,
}: {
  seeds: string[]
  maxDepth?: number
  pageLimit?: number
  width?: number
  siteOf?: (host: string) => string
}) {
  let clock = 1_000_000
  const connection = openMigrated()
  atEnd(() => void connection.close())
  const now = () => clock
  let newIds = 0
  const ended: (() => void)[] = []
  const report = (message: string, fault: unknown) => {
    throw new Error(message, { cause: fault })
  }
  const newId = () => String((newIds += 1))
  const runStore = createSqliteRunStore({ connection, kinds: ['crawl'], owner: 'bench', now, newId, hooks: runCredits })
  const hosts = createHosts({
    addressOf: () => null,
    store: runStore,
    report,
    limits: { concurrency: width, delayMs: 0 },
    clock: { wall: now, steady: now },
    random: () => 0.5,
  })
  const committer = createCommitter({
    store: runStore,
    hosts,
    now,
    isQuiet: () => false,
    publish: () => undefined,
    after: () => ended.splice(0).forEach((tell) => tell()),
    report,
  })
  insertRun(connection, { seeds, pageLimit })
  const counts = { refills: 0, readAhead: 0 }
  const store: typeof runStore = {
    ...runStore,
    pendingUrls(...place) {
      counts.refills += 1
      return runStore.pendingUrls(...place)
    },
  }
  const open = openRun(1, {
    committed: () => frontier.committed(),
    lost: (why, fault) => {
      throw new Error(why, { cause: fault })
    },
  })
  let frontier = make()
  return {
    connection,
    counts,
    hosts,
    open,
    rebuild,
    commit,
    commitGroup,
    lease,
    keep,
    fail,
    redirect,
    keyOf,
    rows,
    close: () => connection.close(),
    pass: (ms: number) => (clock += ms),
    now,
    get frontier() {
      return frontier
    },
  }

  function make(): Frontier {
    const seedHosts = new Set(seeds.map((url) => new URL(url).hostname))
    const clocks = { wall: now, steady: now }
    const onRead = () => void (counts.readAhead += 1)
    return createFrontier({ clock: clocks, maxDepth, pageLimit, hosts, runNo: 1, store, siteOf, seedHosts, onRead, report })
  }

  /** Starts as after a crash: everything uncommitted is lost. */
  async function rebuild() {
    open.changes = noChanges()
    frontier = make()
    await frontier.rebuild(async () => undefined)
  }

  async function commit(): Promise<void> {
    committer.touch(open)
    await committer.flush()
  }

  /** Waits for one commit, with at most the rows of one. */
  function commitGroup(): Promise<void> {
    committer.touch(open)
    return new Promise((resolve) => ended.push(resolve))
  }

  /** Waits once for the pending reads of the store. */
  async function lease(): Promise<UrlLease | null> {
    const leased = frontier.lease(clock)
    if ('lease' in leased) return leased.lease
    await new Promise((resolve) => setImmediate(resolve))
    const again = frontier.lease(clock)
    return 'lease' in again ? again.lease : null
  }

  /** A leased URL returned a page with its links, optionally under another final URL. */
  function keep(leased: UrlLease, links: Link[] = [], finalUrl = leased.url): 'kept' | 'duplicate' | 'redirected' {
    const { hi, lo } = keyOf(finalUrl)
    const place = frontier.keepAs(leased, hi, lo)
    if (place === 'duplicate') {
      end(leased, 'duplicate')
      return 'duplicate'
    }
    frontier.addLinks(blockOf(links), frontier.depthOf(leased.seq), open.changes)
    if (typeof place === 'object') {
      open.changes.settled.push({ ...SETTLED, seq: place.seq, outcome: 'kept' })
      if (place.wasListed) open.changes.reopened += 1
    }
    open.changes.pages.push({
      hi,
      lo,
      url: finalUrl,
      title: null,
      httpStatus: 200,
      contentType: 'text/html',
      language: null,
      contentHash: finalUrl,
      encoding: 0,
      rawBytes: 1,
      body: new Uint8Array([32]),
    })
    end(leased, typeof place === 'object' ? 'redirected' : 'kept')
    return typeof place === 'object' ? 'redirected' : 'kept'
  }

  function fail(leased: UrlLease, outcome = 'status') {
    end(leased, outcome)
    open.changes.failed += 1
  }

  /** It redirected to another host. */
  function redirect(leased: UrlLease, to: string): boolean {
    const { hi, lo } = keyOf(to)
    const isNew = frontier.addTarget({ hi, lo, url: to, depth: leased.depth, hops: leased.hops + 1, isSeed: leased.isSeed }, open.changes)
    end(leased, 'redirected')
    return isNew
  }

  function end(leased: UrlLease, outcome: string) {
    frontier.settle(leased, outcome === 'kept')
    open.changes.settled.push({ ...SETTLED, seq: leased.seq, outcome, tries: leased.tries + 1 })
  }

  function rows(): { seq: number; url: string; depth: number; state: number; outcome: string | null; title: string; tries: number }[] {
    return connection.prepare('SELECT seq, url, depth, state, outcome, title, tries FROM run_url ORDER BY seq').all() as ReturnType<
      typeof rows
    >
  }
}

/** Run 1 of the team `team`, taken by its first owner, with its seeds and credits. */
export function insertRun(connection: SqliteConnection, { seeds, pageLimit }: { seeds: string[]; pageLimit: number }) {
  connection.prepare("INSERT INTO team (id, name, is_default, created_at, updated_at) VALUES ('team', 'team', 1, 0, 0)").run()
  connection
    .prepare(
      `INSERT INTO run (no, id, team_id, kind, variant, status, label, page_limit, seeds, known, url_salt, created_at, updated_at, token)
       VALUES (1, 'run', 'team', 'crawl', 'single', 'running', '', ?, ?, ?, ?, 0, 0, 1)`,
    )
    .run(pageLimit, seeds.length, seeds.length, SALT)
  connection
    .prepare("INSERT INTO credit_entry (run_no, team_id, requested, used, state, created_at) VALUES (1, 'team', ?, 0, 'held', 0)")
    .run(pageLimit)
  for (const [seq, url] of seeds.entries()) {
    const { hi, lo } = keyOf(url)
    connection.prepare('INSERT INTO host (host_key) VALUES (?) ON CONFLICT DO NOTHING').run(hostKey(url))
    connection
      .prepare(
        'INSERT INTO run_url (run_no, seq, key_hi, key_lo, host_no, depth, state, is_seed, url) VALUES (1, ?, ?, ?, (SELECT no FROM host WHERE host_key = ?), 0, 0, 1, ?)',
      )
      .run(seq, hi, lo, hostKey(url), url)
  }
}

const SETTLED = { detail: null, httpStatus: 200, bytes: 1, tookMs: 1, tries: 1 }

/** Links as a parser thread returns them. */
export function blockOf(links: Link[]): LinkBlock {
  const numbers = new Int32Array(links.length * LINK_STRIDE)
  const notes: LinkNote[] = []
  let text = ''
  for (const [index, { url, title = '', note, nofollow = false }] of links.entries()) {
    const { hi, lo } = keyOf(url)
    text += url
    const urlEnd = text.length
    text += title
    numbers.set([hi, lo, urlEnd, text.length, note !== undefined ? notes.push(note) : nofollow ? NOFOLLOW : 0], index * LINK_STRIDE)
  }
  return { numbers, text, notes }
}
