/**
 * The URLs of two crawls side by side, each with its pages and what became of it.
 *
 * The rows of both crawls are grouped by URL. Joins would be as fast with SQLite, but PostgreSQL knows nothing of pages that were stored since
 * it last counted them: it expects one, and compares each page of one crawl with each of the other.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { FAILURES, NOT_FETCHED, endOfWaiting } from '#backend/crawler/outcomes.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'

/** What a comparison needs of a crawl. */
export type Compared = Pick<Run, 'no' | 'status' | 'teamId'>

/** Numbers are 0, or -1 for the places of URLs, where there is none. */
export type UrlRow = {
  url: string
  /** The page of this crawl, and its hash. */
  nowNo: number
  nowHash: string
  /** The page that it is compared with. */
  beforeNo: number
  beforeHash: string
  /** The place of a URL that could not be fetched, and of one that the site does not have any more. */
  failedSeq: number
  absentSeq: number
  /** 1 for a known URL that was still waiting when the crawl reached a limit. */
  isWaiting: number
}

/** Answers of a site that has no such page any more. */
const NO_SUCH_PAGE = [404, 410]

/** URLs that could not be fetched; links that robots.txt forbids are none of them, but submitted URLs are. */
const FAILED = sql<boolean>`(outcome IN (${sql.join([...FAILURES])}) OR is_seed = 1 AND outcome IN (${sql.join([...NOT_FETCHED])}))`
const ABSENT = sql<boolean>`coalesce(http_status, 0) IN (${sql.join(NO_SUCH_PAGE)})`
const WAITING = sql<boolean>`(outcome IS NULL OR outcome = ${endOfWaiting('finished')})`

/** The pages of two crawls. */
export function urlsSideBySide(run: Compared, since: Compared) {
  return grouped([pagesNow(run), sql`SELECT ${BEFORE} FROM page WHERE ${isPageOf(since)}`])
}

/**
 * The same with URLs that could not be fetched. A page that the newest of the earlier crawls has missed is compared with its newest copy in
 * those before.
 *
 * @param earlier  the newest first; there may be none
 */
export function urlsWithFailures(run: Compared, earlier: readonly Compared[]) {
  return grouped([
    pagesNow(run),
    ...(earlier.length === 0 ? [] : [sql`SELECT ${BEFORE} FROM page WHERE ${lastCopies(earlier)}`]),
    sql`SELECT url, 0, '', 0, '', CASE WHEN ${ABSENT} THEN -1 ELSE seq END, CASE WHEN ${ABSENT} THEN seq ELSE -1 END, 0 FROM run_url
      WHERE run_no = ${run.no} AND ${FAILED}`,
    sql`SELECT url, 0, '', 0, '', -1, -1, 1 FROM run_url WHERE run_no = ${run.no} AND ${WAITING}`,
  ])
}

function lastCopies([since, ...older]: readonly Compared[]): RawBuilder<unknown> {
  if (older.length === 0) return isPageOf(since!)
  const pages = [since!, ...older].map((crawl) => sql`SELECT url, no, 0 AS is_missed FROM page WHERE ${isPageOf(crawl)}`)
  return sql`no IN (
    SELECT max(no) FROM (
      ${sql.join(pages, sql` UNION ALL `)}
      UNION ALL SELECT url, 0, 1 FROM run_url WHERE run_no = ${since!.no} AND ${IS_MISSED}) AS copy
    GROUP BY url HAVING max(no) > ${since!.no * PAGES_PER_RUN} OR max(no) > 0 AND max(is_missed) = 1)`
}

/** URLs that a crawl knows, although it does not show whether the site still has a page of them. */
const IS_MISSED = sql<boolean>`(${FAILED} AND NOT ${ABSENT} OR ${WAITING})`

/** URLs that an earlier crawl has missed, and this one has not. */
export function urlsMissedBefore(run: Compared, since: Compared) {
  const missedBy = ({ no }: Compared) => sql`SELECT url FROM run_url WHERE run_no = ${no} AND ${IS_MISSED}`
  return sql<{ url: string }>`(${missedBy(since)} EXCEPT ${missedBy(run)})`.as('urls')
}

const BEFORE = sql`url, 0, '', no, content_hash, -1, -1, 0`

const isPageOf = ({ no }: Compared) => sql<boolean>`no > ${no * PAGES_PER_RUN} AND no < ${(no + 1) * PAGES_PER_RUN}`

const pagesNow = (run: Compared) =>
  sql`SELECT url, no AS now_no, content_hash AS now_hash, 0 AS before_no, '' AS before_hash, -1 AS failed_seq, -1 AS absent_seq,
    0 AS is_waiting FROM page WHERE ${isPageOf(run)}`

const grouped = (parts: readonly RawBuilder<unknown>[]) =>
  sql<UrlRow>`(SELECT url, max(now_no) AS now_no, max(now_hash) AS now_hash, max(before_no) AS before_no, max(before_hash) AS before_hash,
    max(failed_seq) AS failed_seq, max(absent_seq) AS absent_seq, max(is_waiting) AS is_waiting
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS one GROUP BY url)`.as('urls')

/** The pages of these rows, by number. */
export async function storedPages(database: Database, rows: readonly Pick<UrlRow, 'beforeNo' | 'nowNo'>[]) {
  const nos = rows.flatMap(({ beforeNo, nowNo }) => [beforeNo, nowNo]).filter((no) => no > 0)
  const pages = await database.selectFrom('page').where('no', 'in', nos).select(['no', 'id', 'title', 'httpStatus', 'createdAt']).execute()
  return new Map(pages.map((page) => [page.no, page]))
}
