/**
 * The task of a sitemap: discovers a site's URLs and stores them in batches, each of which is durable before the next one begins.
 *
 * After an interruption it reads its sources again and skips the URLs that it has, so no URL is stored twice.
 */
import type { TaskUrl } from '#backend/store/run-store.ts'
import { canonicalUrlWithTracking } from '#backend/crawler/url/canonical-url.ts'
import { discoverUrls } from '#backend/crawler/sitemap/discover-urls.ts'
import type { Discovery, SearchSite, UrlSource } from '#backend/crawler/url/url-sources.ts'
import type { Task, TaskContext, TaskEnding } from '#backend/crawler/tasks/task.ts'
import { relevance, wordsOf } from './relevance.ts'
import { createSiteUrls } from './site-urls.ts'
import { priceOf } from './sitemap-credits.ts'
import type { SitemapSpec } from './sitemap-spec.ts'

const ROWS_PER_COMMIT = 2000
const COMMIT_EVERY_MS = 500
const ROWS_READ_AT_ONCE = 5000
/** Up to this length a list is sorted by relevance; a longer one stays in the order of discovery. */
const MAX_SORTED = 50_000

/** @param searchSite  asks a search provider for URLs of a host; absent without one */
export function createSitemapTask({ searchSite }: { searchSite?: SearchSite } = {}): Task {
  return async (context) => {
    const { fetch, readPage, run, signal, tell } = context
    const spec = run.spec as SitemapSpec
    const startUrl = canonicalUrlWithTracking(run.seeds[0] ?? run.label)
    if (startUrl === null) return unreachable('it is not a URL')

    const rows = createRowWriter(context)
    const urls = createSiteUrls({ keep: rows.add, limit: run.pageLimit, spec, startUrl })
    for await (const url of rows.kept()) urls.remember(url)
    // Charged when the work begins, even if it is canceled; a failed sitemap costs nothing.
    await context.commit({}, { used: priceOf(spec) })
    const { follows, isFull, isOfSite, moveTo, take } = urls
    const found = await discoverUrls({
      ignoresSitemaps: spec.ignoresSitemapFiles,
      addsStartPage: spec.addsStartPage === true,
      followsLinks: spec.followsNoLinks !== true,
      needs: { fetch, follows, isFull, isOfSite, moveTo, readPage, signal, take, tell },
      searchSite,
      startUrl,
      words: spec.words,
    })
    if (signal.aborted && signal.reason !== 'deadline') throw new Error('the sitemap was aborted before its end', { cause: signal.reason })
    await rows.flush()
    if (found.source === null && urls.size === 0) return unreachable(found.fault ?? 'nothing answered')
    return {
      ...endingOf(found, { count: urls.size, isFull: isFull(), isLate: signal.aborted }),
      ...(await sorting(context, spec, urls.size)),
    }
  }
}

/** Collects rows and commits them; `kept` are those of an earlier start. */
function createRowWriter({ commit, kept: stored, now }: TaskContext) {
  let waiting: TaskUrl[] = []
  let seq = 0
  let committedAt = now()
  let lastCommit: Promise<void> = Promise.resolve()
  return { add, flush, kept }

  async function* kept(): AsyncGenerator<string> {
    for await (const { seq: last, url } of urlsOf(stored)) {
      seq = last + 1
      yield url
    }
  }

  function add(url: string, lastmod: string | null): void {
    waiting.push({ seq, url, lastmod })
    seq += 1
    if (waiting.length < ROWS_PER_COMMIT && now() - committedAt < COMMIT_EVERY_MS) return
    const written = flush()
    // A write error is thrown by the call that waits for the end of the list.
    written.catch(() => undefined)
  }

  /** Commits waiting rows; resolves when all added rows are durable. */
  function flush(): Promise<void> {
    committedAt = now()
    const urls = waiting
    waiting = []
    const before = lastCommit
    if (urls.length > 0) {
      const written = commit({ urls }, { kept: urls.length })
      lastCommit = Promise.all([before, written]).then(() => undefined)
    }
    return lastCommit
  }
}

async function* urlsOf(stored: TaskContext['kept']): AsyncGenerator<TaskUrl> {
  for (let from = 0; ;) {
    const some = await stored.urls(from, ROWS_READ_AT_ONCE)
    yield* some
    if (some.length < ROWS_READ_AT_ONCE) return
    from = some.at(-1)!.seq + 1
  }
}

/** With search words, the most relevant URLs come first. */
async function sorting({ kept }: TaskContext, spec: SitemapSpec, count: number): Promise<Pick<TaskEnding, 'results'>> {
  const words = wordsOf(spec.words)
  if (words.length === 0 || count === 0 || count > MAX_SORTED) return {}
  const ranked: { row: TaskUrl; rank: number }[] = []
  for await (const row of urlsOf(kept)) ranked.push({ row, rank: relevance(row.url, words) })
  ranked.sort((one, other) => other.rank - one.rank)
  return { results: { replacesUrls: true, urls: ranked.map(({ row }, seq) => ({ ...row, seq })) } }
}

const FROM: Record<UrlSource, string> = {
  sitemap: 'from sitemap files',
  crawl: 'from links of the site',
  provider: 'from a search provider',
}

function endingOf(found: Discovery, { count, isFull, isLate }: { count: number; isFull: boolean; isLate: boolean }): TaskEnding {
  const urls = `${count} ${count === 1 ? 'URL' : 'URLs'}`
  const finished = { status: 'finished' } as const
  if (isLate) return { ...finished, reason: 'time_limit', type: 'warning', message: `Finished with ${urls}: the time limit was reached` }
  if (isFull)
    return { ...finished, reason: 'url_limit', type: 'warning', message: `Finished with ${urls}, the most that a sitemap may have` }
  if (count === 0) return { ...finished, reason: 'done', type: 'info', message: 'Finished: no URL matches the options' }
  const from = found.source === null ? '' : ` ${FROM[found.source]}`
  if (found.isPartial && found.source === 'sitemap')
    return { ...finished, reason: 'done', type: 'warning', message: `Finished with ${urls}${from}, some of which could not be read` }
  return { ...finished, reason: 'done', type: 'success', message: `Finished with ${urls}${from}` }
}

/** No source could be read. */
const unreachable = (why: string): TaskEnding => ({
  status: 'failed',
  reason: 'unreachable',
  type: 'error',
  message: `The site cannot be reached: ${why}`,
})
