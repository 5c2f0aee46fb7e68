/**
 * The work of a sitemap: finds a site's addresses and keeps them in batches, each of which is durable before the next begins.
 *
 * A sitemap that was interrupted reads its sources again and passes over what it has, so no address is kept twice.
 */
import type { SitemapOptions } from '#contract/sitemaps.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { seedUrl } from '#backend/crawler/canonical-url.ts'
import { discoverUrls } from '#backend/crawler/discover-urls.ts'
import type { Discovery, SearchSite, UrlSource } from '#backend/crawler/url-sources.ts'
import type { Task, TaskContext, TaskEnding } from '#backend/crawler/task.ts'
import { relevance, wordsOf } from './relevance.ts'
import { createSiteUrls } from './site-urls.ts'
import { priceOf } from './sitemap-credits.ts'

const ROWS_PER_COMMIT = 2000
const COMMIT_EVERY_MS = 500
const ROWS_READ_AT_ONCE = 5000
/** So many are put in order of relevance; a longer list stays in the order of discovery. */
export const MAX_SORTED = 50_000

type Row = { seq: number; url: string; lastmod: string | null }

/** @param searchSite  what a search provider knows of a host; absent when there is none */
export function createSitemapTask({ searchSite }: { searchSite?: SearchSite } = {}): Task {
  return async (context) => {
    const { fetch, readPage, run, signal, tell } = context
    const options = run.options as SitemapOptions
    const startUrl = seedUrl(run.seeds[0] ?? run.label)
    if (startUrl === null) return unreachable('it is no address')

    const rows = createRowWriter(context)
    const urls = createSiteUrls({ keep: rows.add, limit: run.pageLimit, options, startUrl })
    for (const url of rows.kept()) urls.remember(url)
    // Paid for once the work begins, also by whoever stops it; a sitemap that fails costs nothing.
    context.commit(() => undefined, { used: priceOf(options) })
    const { follows, isFull, isOfSite, moveTo, take } = urls
    const found = await discoverUrls({
      ignoresSitemaps: options.ignore_sitemap_xml,
      needs: { fetch, follows, isFull, isOfSite, moveTo, readPage, signal, take, tell },
      searchSite,
      startUrl,
      words: options.search,
    })
    if (signal.aborted && signal.reason !== 'deadline') throw new Error('left before its end', { cause: signal.reason })
    rows.flush()
    if (found.source === null && urls.size === 0) return unreachable(found.fault ?? 'nothing answered')
    return { ...endingOf(found, { count: urls.size, isFull: isFull(), isLate: signal.aborted }), ...sorting(context, options, urls.size) }
  }
}

/** Gathers rows and commits them; `kept` are those of an earlier start. */
function createRowWriter({ commit, connection, now, run }: TaskContext) {
  let waiting: Row[] = []
  let seq = 0
  let committedAt = now()
  return { add, flush, kept }

  function* kept(): Generator<string> {
    const after = connection.prepare('SELECT seq, url FROM sitemap_url WHERE run_no = ? AND seq >= ? ORDER BY seq LIMIT ?')
    for (;;) {
      const some = after.all(run.no, seq, ROWS_READ_AT_ONCE) as Row[]
      if (some.length === 0) return
      seq = some.at(-1)!.seq + 1
      for (const { url } of some) yield url
    }
  }

  function add(url: string, lastmod: string | null): void {
    waiting.push({ seq, url, lastmod })
    seq += 1
    if (waiting.length >= ROWS_PER_COMMIT || now() - committedAt >= COMMIT_EVERY_MS) flush()
  }

  function flush(): void {
    committedAt = now()
    if (waiting.length === 0) return
    const some = waiting
    waiting = []
    commit((connection) => insertRows(connection, run.no, some), { kept: some.length })
  }
}

function insertRows(connection: SqliteConnection, runNo: number, rows: Row[]): void {
  const insert = connection.prepare('INSERT INTO sitemap_url (run_no, seq, url, lastmod) VALUES (?, ?, ?, ?)')
  for (const { seq, url, lastmod } of rows) insert.run(runNo, seq, url, lastmod)
}

/** With words, the addresses that answer to them best come first. */
function sorting({ run }: TaskContext, options: SitemapOptions, count: number): Pick<TaskEnding, 'write'> {
  const words = wordsOf(options.search)
  if (words.length === 0 || count === 0 || count > MAX_SORTED) return {}
  return {
    write: (connection) => {
      const rows = connection.prepare('SELECT seq, url, lastmod FROM sitemap_url WHERE run_no = ? ORDER BY seq').all(run.no) as Row[]
      const ranked = rows.map((row) => ({ row, rank: relevance(row.url, words) })).toSorted((one, other) => other.rank - one.rank)
      connection.prepare('DELETE FROM sitemap_url WHERE run_no = ?').run(run.no)
      insertRows(
        connection,
        run.no,
        ranked.map(({ row }, seq) => ({ ...row, seq })),
      )
    },
  }
}

const FROM: Record<UrlSource, string> = {
  sitemap: 'from sitemap files',
  crawl: 'from links of the site',
  provider: 'from a search provider',
}

function endingOf(found: Discovery, { count, isFull, isLate }: { count: number; isFull: boolean; isLate: boolean }): TaskEnding {
  const addresses = `${count} ${count === 1 ? 'address' : 'addresses'}`
  const finished = { status: 'finished' } as const
  if (isLate)
    return { ...finished, reason: 'time_limit', type: 'warning', message: `Finished with ${addresses}: the time for one sitemap is over` }
  if (isFull)
    return { ...finished, reason: 'url_limit', type: 'warning', message: `Finished with ${addresses}, the most that a sitemap may have` }
  if (count === 0) return { ...finished, reason: 'done', type: 'info', message: 'Finished: no address was found that was asked for' }
  const from = found.source === null ? '' : ` ${FROM[found.source]}`
  if (found.isPartial && found.source === 'sitemap')
    return { ...finished, reason: 'done', type: 'warning', message: `Finished with ${addresses}${from}, some of which could not be read` }
  return { ...finished, reason: 'done', type: 'success', message: `Finished with ${addresses}${from}` }
}

/** Nothing could be asked. */
const unreachable = (why: string): TaskEnding => ({
  status: 'failed',
  reason: 'unreachable',
  type: 'error',
  message: `The site cannot be reached: ${why}`,
})
