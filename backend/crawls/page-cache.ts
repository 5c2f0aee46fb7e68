/**
 * Finds pages that a team has crawled before, for requests that accept a page of a certain age.
 *
 * It needs no storage of its own. A crawl of one page is found by its label, the submitted URL. Pages of other crawls are found by their
 * URL key, which depends on the run's salt, so the newest runs are searched one after the other.
 */
import { urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { Validators } from '#backend/crawler/page/page-rules.ts'
import { READING_RULES } from '#backend/crawler/page/reading-rules.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { CrawlPages, NumberedPage } from './crawl-pages.ts'

/** Most runs that are searched: those of the URL alone, and others. */
const SINGLES = 20
const OTHERS = 50

export type CachedPage = {
  runId: string
  runNo: number
  page: NumberedPage
  /** When the page was fetched, or last confirmed unchanged by its site; epoch milliseconds. */
  fetchedAt: number
  /** For a conditional request. Null also if another version of the product has read the page: it is fetched and read again. */
  validators: Validators | null
}

export type PageCache = ReturnType<typeof createPageCache>

export function createPageCache({ database, pages }: { database: Database; pages: CrawlPages }) {
  return { find }

  /**
   * The newest page of a URL that was read with the same options; null when the team has none.
   *
   * Skips runs with headers of their own, whose pages may be private.
   * @param submitted  the URL as the caller spelled it
   * @param url        its canonical spelling
   */
  async function find(teamId: string, submitted: string, url: string, spec: CrawlSpec): Promise<CachedPage | null> {
    const wanted = fingerprint(spec)
    return (await ofSingles(teamId, submitted, wanted)) ?? (await ofOthers(teamId, url, wanted))
  }

  async function ofSingles(teamId: string, submitted: string, wanted: string): Promise<CachedPage | null> {
    const runs = await newestCrawls(teamId)
      .where('run.label', '=', submitted)
      .where('run.endedAt', 'is not', null)
      .where('run.pageLimit', '=', 1)
      .select(['run.no', 'run.id', 'run.kept', 'run.endedAt', 'runOptions.spec'])
      .limit(SINGLES)
      .execute()
    let confirmedAt = 0
    for (const run of runs) {
      if (!isReadAlike(run.spec, wanted)) continue
      if (run.kept === 0) {
        if (await wasConfirmed(run.no)) confirmedAt = Math.max(confirmedAt, run.endedAt ?? 0)
        continue
      }
      const [page] = await pages.between(run.no, 0, 1, 1)
      if (page !== undefined) return cached(run, page, confirmedAt)
    }
    return null
  }

  /** The team's crawls without secrets of their own, newest first. */
  function newestCrawls(teamId: string) {
    return database
      .selectFrom('run')
      .innerJoin('runOptions', 'runOptions.runNo', 'run.no')
      .where('run.teamId', '=', teamId)
      .where('run.kind', '=', 'crawl')
      .where('run.deletedAt', 'is', null)
      .where('runOptions.secrets', 'is', null)
      .orderBy('run.no', 'desc')
  }

  async function wasConfirmed(runNo: number): Promise<boolean> {
    const row = await database.selectFrom('runUrl').where('runNo', '=', runNo).where('seq', '=', 0).select('outcome').executeTakeFirst()
    return row?.outcome === 'not_modified'
  }

  async function ofOthers(teamId: string, url: string, wanted: string): Promise<CachedPage | null> {
    const runs = await newestCrawls(teamId)
      .where('run.pageLimit', '>', 1)
      .where('run.kept', '>', 0)
      .select(['run.no', 'run.id', 'run.urlSalt', 'runOptions.spec'])
      .limit(OTHERS)
      .execute()
    for (const run of runs) {
      if (!isReadAlike(run.spec, wanted)) continue
      const { hi, lo } = urlKey(run.urlSalt, urlIdentity(url))
      const found = await database
        .selectFrom('page')
        .where('runNo', '=', run.no)
        .where('keyHi', '=', hi)
        .where('keyLo', '=', lo)
        .select('no')
        .executeTakeFirst()
      if (found === undefined) continue
      const ordinal = found.no - run.no * PAGES_PER_RUN
      const [page] = await pages.between(run.no, ordinal - 1, ordinal, 1)
      if (page !== undefined) return cached(run, page, 0)
    }
    return null
  }

  async function cached(run: { no: number; id: string }, page: NumberedPage, confirmedAt: number): Promise<CachedPage | null> {
    // Error pages are fetched again.
    if (page.httpStatus >= 400) return null
    const stored = JSON.parse((await pages.document(page.no)).toString()) as { validators?: Validators & { rules?: string } }
    const { etag = null, lastModified = null, rules } = stored.validators ?? {}
    const isCurrent = rules === READING_RULES && (etag !== null || lastModified !== null)
    const validators = isCurrent ? { etag, lastModified } : null
    return { runId: run.id, runNo: run.no, page, fetchedAt: Math.max(page.createdAt, confirmedAt), validators }
  }
}

/** The options that affect how a page is read, as text. Blocked advertisements are no part of a page. */
function fingerprint({ browser: asked, extraction, page, plugins, proxySlug }: CrawlSpec): string {
  const browser = asked?.blocks?.join() === 'ads' ? { ...asked, blocks: undefined } : asked
  return JSON.stringify([browser, extraction, page.locale, page.keepTypes, page.skipTypes, plugins, proxySlug])
}

/** The same for a stored spec (JSON text). */
export const fingerprintOf = (spec: string) => fingerprint(JSON.parse(spec) as CrawlSpec)

/** Whether the run with this stored spec read its pages with the options `wanted`, and allows their reuse. */
export function isReadAlike(stored: string | null, wanted: string): boolean {
  if (stored === null) return false
  const spec = JSON.parse(stored) as CrawlSpec
  return spec.page.isReusable !== false && fingerprint(spec) === wanted
}
