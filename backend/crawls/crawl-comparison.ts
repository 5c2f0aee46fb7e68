/**
 * What became of each page since an earlier crawl, for clients that watch pages. Unlike the plain changes of two crawls, a page that could
 * not be fetched is an error, not removed, and when it is back it is not new.
 */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isTerminal } from '#contract/runs.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { CompareInTurn } from './compare-in-turn.ts'
import { storedPages, urlsMissedBefore, urlsWithFailures } from './urls-side-by-side.ts'
import type { Compared, UrlRow } from './urls-side-by-side.ts'

/** In the order of a list of all pages. */
const PAGE_STATUSES = ['changed', 'new', 'removed', 'error', 'same'] as const
export type PageStatus = (typeof PAGE_STATUSES)[number]
type StatusCounts = Record<PageStatus, number>

type Copy = { no: number; id: string }
export type ComparedPage = {
  status: PageStatus
  url: string
  /** Null for a URL without an answer, and for a removed page. */
  httpStatus: number | null
  /** The page in this crawl, and its last copy in the earlier ones. */
  now: Copy | null
  before: Copy | null
  /** Of an error: its place among the crawl's URLs, and what failed. */
  failure: { seq: number; text: string } | null
  /** When it was stored; null for a page that is not in this crawl. */
  at: number | null
}

/** The pages of the list that skips `offset` ones and has `limit` at most. */
type Window = { offset: number; limit: number }

const KEPT_COUNTS = 500

/**
 * @param database  for the rows of a list
 * @param inTurn    for the rest: it groups the pages of two crawls by URL
 */
export function createCrawlComparison({ database, inTurn }: { database: Database; inTurn: CompareInTurn }) {
  const ended = new LRUCache<string, StatusCounts>({ max: KEPT_COUNTS })
  return { count, list }

  /** @param earlier  the crawls to compare with, the newest first; without any, all pages are new */
  async function count(run: Compared, earlier: readonly Compared[]): Promise<StatusCounts> {
    const compared = [run, ...earlier]
    const key = compared.map(({ no }) => no).join(' ')
    const known = ended.get(key)
    if (known !== undefined) return known
    const rows = await inTurn(run.teamId, async (apart) => {
      const query = await statuses(apart, run, earlier)
      return query
        .groupBy('status')
        .select(({ fn }) => ['status', fn.countAll<number>().as('pages')])
        .execute()
    })
    const counts = { changed: 0, new: 0, removed: 0, error: 0, same: 0 }
    for (const { pages, status } of rows) if (status !== null) counts[status] = Number(pages)
    if (compared.every(({ status }) => isTerminal(status))) ended.set(key, counts)
    return counts
  }

  /** Pages of one status, or of all of them one after the other, each in the order of storage. */
  async function list(
    run: Compared,
    earlier: readonly Compared[],
    status: PageStatus | null,
    { limit, offset }: Window,
  ): Promise<ComparedPage[]> {
    const place = sql<number>`CASE status ${sql.join(
      PAGE_STATUSES.map((one, at) => sql`WHEN ${one} THEN ${sql.lit(at)}`),
      sql` `,
    )} END`
    const rows = await inTurn(run.teamId, async (apart) => {
      const query = await statuses(apart, run, earlier)
      return (status === null ? query.where('status', 'is not', null) : query.where('status', '=', status))
        .select(['url', 'status', 'nowNo', 'beforeNo', 'failedSeq', 'absentSeq'])
        .orderBy(place)
        .orderBy('nowNo')
        .orderBy('beforeNo')
        .orderBy(sql`failed_seq + absent_seq`)
        .limit(limit)
        .offset(offset)
        .execute()
    })
    const [pages, failures] = [await storedPages(database, rows), await failuresOf(run, rows)]
    return rows.map((row) => present(row as (typeof rows)[number] & { status: PageStatus }, pages, failures))
  }

  /** The URLs of both with their status; null for one that nothing is known of. */
  async function statuses(apart: Database, run: Compared, [since, ...older]: readonly Compared[]) {
    const earlier = since === undefined ? [] : older.length > 0 && (await needsOlder(apart, run, since)) ? [since, ...older] : [since]
    const status = sql<PageStatus | null>`CASE
      WHEN now_no > 0 THEN CASE WHEN before_no = 0 THEN 'new' WHEN now_hash <> before_hash THEN 'changed' ELSE 'same' END
      WHEN absent_seq >= 0 AND before_no > 0 THEN 'removed'
      WHEN absent_seq >= 0 OR failed_seq >= 0 THEN 'error'
      ${run.status === 'finished' ? NOT_FOUND_AGAIN : sql``}
      END`
    return apart.selectFrom((of) => of.selectFrom(urlsWithFailures(run, earlier)).selectAll('urls').select(status.as('status')).as('row'))
  }

  /** Older crawls are read only where the newest has missed something. */
  async function needsOlder(apart: Database, run: Compared, since: Compared): Promise<boolean> {
    return (await apart.selectFrom(urlsMissedBefore(run, since)).select('url').limit(1).executeTakeFirst()) !== undefined
  }

  async function failuresOf({ no }: Compared, rows: readonly { status: PageStatus | null; failedSeq: number; absentSeq: number }[]) {
    const seqs = rows.filter(({ status }) => status === 'error').map(seqOf)
    const failures = await database
      .selectFrom('runUrl')
      .where('runNo', '=', no)
      .where('seq', 'in', seqs)
      .select(['seq', 'outcome', 'detail', 'httpStatus'])
      .execute()
    return new Map(failures.map((failure) => [failure.seq, failure]))
  }
}

export type CrawlComparison = ReturnType<typeof createCrawlComparison>

/** A page that a finished crawl has not found. A URL that it knows, but has not reached, is no such page. */
const NOT_FOUND_AGAIN = sql`WHEN before_no > 0 AND is_waiting = 0 THEN 'removed'`

type StoredPage = { no: number; id: string; httpStatus: number; createdAt: number }
type Failure = { seq: number; outcome: string | null; detail: string | null; httpStatus: number | null }

const seqOf = ({ absentSeq, failedSeq }: Pick<UrlRow, 'absentSeq' | 'failedSeq'>): number => Math.max(failedSeq, absentSeq)

function present(
  row: Pick<UrlRow, 'absentSeq' | 'beforeNo' | 'failedSeq' | 'nowNo' | 'url'> & { status: PageStatus },
  pages: ReadonlyMap<number, StoredPage>,
  failures: ReadonlyMap<number, Failure>,
): ComparedPage {
  const { status, url } = row
  const now = pages.get(row.nowNo)
  const before = status === 'error' ? undefined : pages.get(row.beforeNo)
  const failure = status === 'error' ? failures.get(seqOf(row)) : undefined
  return {
    status,
    url,
    httpStatus: now?.httpStatus ?? failure?.httpStatus ?? null,
    now: now === undefined ? null : { no: now.no, id: now.id },
    before: before === undefined ? null : { no: before.no, id: before.id },
    failure: failure === undefined ? null : { seq: failure.seq, text: [failure.outcome, failure.detail].filter(Boolean).join(': ') },
    at: now?.createdAt ?? null,
  }
}
