/**
 * What became of each page since an earlier crawl, for clients that watch pages. Unlike the plain changes of two crawls, a page that could
 * not be fetched is an error, not removed.
 */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isTerminal } from '#contract/runs.ts'
import { endOfWaiting, FAILURES, NOT_FETCHED } from '#backend/crawler/outcomes.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { pagesInBoth, pagesOnlyIn } from './crawl-changes.ts'
import type { Compared, CrawlChanges } from './crawl-changes.ts'

/** In the order of a list of all pages. */
export const PAGE_STATUSES = ['changed', 'new', 'removed', 'error', 'same'] as const
export type PageStatus = (typeof PAGE_STATUSES)[number]
export type StatusCounts = Record<PageStatus, number>

type Copy = { no: number; id: string }
export type ComparedPage = {
  status: PageStatus
  url: string
  /** Null for a URL without an answer, and for a removed page. */
  httpStatus: number | null
  /** The page in this crawl, and in the earlier one. */
  now: Copy | null
  before: Copy | null
  /** Of an error: its place among the crawl's URLs, and what failed. */
  failure: { seq: number; text: string } | null
  /** When it was stored; null for a page that is not in this crawl. */
  at: number | null
}

/** The pages of the list that skips `offset` ones and has `limit` at most. */
type Window = { offset: number; limit: number }

/** Answers of a site that has no such page any more. */
const NO_SUCH_PAGE = [404, 410]

const KEPT_COUNTS = 500

/** @param database  connection for long reads: each joins the pages of two crawls by URL */
export function createCrawlComparison({ changes, database }: { changes: Pick<CrawlChanges, 'count'>; database: Database }) {
  const ended = new LRUCache<string, StatusCounts>({ max: KEPT_COUNTS })
  return { count, list }

  /** @param since  null if there is no earlier crawl: all pages are new */
  async function count(run: Compared, since: Compared | null): Promise<StatusCounts> {
    const key = `${run.no} ${since?.no ?? ''}`
    const known = ended.get(key)
    if (known !== undefined) return known
    const counts = await countAnew(run, since)
    if (isTerminal(run.status) && (since === null || isTerminal(since.status))) ended.set(key, counts)
    return counts
  }

  async function countAnew(run: Compared, since: Compared | null): Promise<StatusCounts> {
    const error = await countOf(errors(run, since))
    if (since === null) return { changed: 0, new: await countOf(pagesOf(run)), removed: 0, error, same: 0 }
    const { added, changed, unchanged } = await changes.count(run, since)
    return { changed, new: added, removed: await countOf(removed(run, since)), error, same: unchanged }
  }

  /** Pages of one status, or of all of them one after the other, each in the order of storage. */
  async function list(
    run: Compared,
    since: Compared | null,
    status: PageStatus | null,
    { limit, offset }: Window,
  ): Promise<ComparedPage[]> {
    if (status !== null) return ofStatus(run, since, status, { limit, offset })
    const counts = await count(run, since)
    const found: ComparedPage[] = []
    let skip = offset
    for (const each of PAGE_STATUSES) {
      if (found.length < limit && skip < counts[each])
        found.push(...(await ofStatus(run, since, each, { offset: skip, limit: limit - found.length })))
      skip = Math.max(0, skip - counts[each])
    }
    return found
  }

  async function ofStatus(run: Compared, since: Compared | null, status: PageStatus, { limit, offset }: Window): Promise<ComparedPage[]> {
    if (status === 'error') {
      const rows = await errors(run, since)
        .select(['url', 'seq', 'outcome', 'detail', 'httpStatus'])
        .orderBy('seq')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(({ detail, httpStatus, outcome, seq, url }) => ({
        ...NO_PAGE,
        status,
        url,
        httpStatus,
        failure: { seq, text: [outcome, detail].filter(Boolean).join(': ') },
      }))
    }
    if (since === null) {
      const rows = status === 'new' ? await pagesOf(run).select(MINE).orderBy('mine.no').limit(limit).offset(offset).execute() : []
      return rows.map((row) => storedPage(status, row, null))
    }
    if (status === 'new' || status === 'removed') {
      const query = status === 'new' ? pagesOnlyIn(database, run, since) : removed(run, since)
      const rows = await query.select(MINE).orderBy('mine.no').limit(limit).offset(offset).execute()
      if (status === 'new') return rows.map((row) => storedPage(status, row, null))
      return rows.map(({ id, no, url }) => ({ ...NO_PAGE, status, url, before: { id, no } }))
    }
    const rows = await pagesInBoth(database, run, since)
      .where('mine.contentHash', status === 'changed' ? '<>' : '=', ({ ref }) => ref('theirs.contentHash'))
      .select([...MINE, 'theirs.no as beforeNo', 'theirs.id as beforeId'])
      .orderBy('mine.no')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map(({ beforeId, beforeNo, ...row }) => storedPage(status, row, { no: beforeNo, id: beforeId }))
  }

  function pagesOf({ no }: Compared) {
    return database
      .selectFrom('page as mine')
      .where('mine.no', '>', no * PAGES_PER_RUN)
      .where('mine.no', '<', (no + 1) * PAGES_PER_RUN)
  }

  /** Pages of the earlier crawl. Unless this one has finished, only those that the site is known not to have any more. */
  function removed(run: Compared, since: Compared) {
    const missing = pagesOnlyIn(database, since, run)
    if (run.status !== 'finished') return missing.where('mine.url', 'in', absent(run).select('url'))
    const failed = failures(run).where((of) => of.not(isAbsent()))
    return missing.where('mine.url', 'not in', failed.select('url')).where('mine.url', 'not in', unreached(run).select('url'))
  }

  function errors(run: Compared, since: Compared | null) {
    if (since === null) return failures(run)
    const before = pagesOf(since).select('mine.url')
    return failures(run).where((of) => of.or([of.not(isAbsent()), of('url', 'not in', before)]))
  }

  /** URLs that could not be fetched; links that robots.txt forbids are none of them, but submitted URLs are. */
  function failures({ no }: Compared) {
    return database
      .selectFrom('runUrl')
      .where('runNo', '=', no)
      .where((of) => of.or([of('outcome', 'in', [...FAILURES]), of.and([of('isSeed', '=', 1), of('outcome', 'in', [...NOT_FETCHED])])]))
  }

  /** Known URLs that were still waiting when the crawl reached a limit. */
  function unreached({ no }: Compared) {
    return database
      .selectFrom('runUrl')
      .where('runNo', '=', no)
      .where((of) => of.or([of('outcome', 'is', null), of('outcome', '=', endOfWaiting('finished'))]))
  }

  function absent(run: Compared) {
    return failures(run).where(isAbsent)
  }
}

export type CrawlComparison = ReturnType<typeof createCrawlComparison>

const MINE = ['mine.no', 'mine.id', 'mine.url', 'mine.httpStatus', 'mine.createdAt'] as const
const NO_PAGE = { httpStatus: null, now: null, before: null, failure: null, at: null }

function storedPage(
  status: PageStatus,
  { createdAt, httpStatus, id, no, url }: { createdAt: number; httpStatus: number; id: string; no: number; url: string },
  before: Copy | null,
): ComparedPage {
  return { status, url, httpStatus, now: { no, id }, before, failure: null, at: createdAt }
}

/** The site has answered that there is no such page; false where it has not answered. */
const isAbsent = () => sql<boolean>`coalesce(http_status, 0) IN (${sql.join(NO_SUCH_PAGE)})`

async function countOf(query: {
  select: (count: ReturnType<typeof counted>) => { executeTakeFirstOrThrow(): Promise<unknown> }
}): Promise<number> {
  const { found } = (await query.select(counted()).executeTakeFirstOrThrow()) as { found: number }
  return Number(found)
}

const counted = () => sql<number>`count(*)`.as('found')
