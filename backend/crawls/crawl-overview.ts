/**
 * Statistics of a crawl: speed over time, status codes, content types, depths, the largest and the slowest URLs.
 *
 * Rows are read in pieces, so that other reads of the thread have their turn; statistics of an ended crawl are cached.
 */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { crawlOverview } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { LATE } from '#backend/crawler/frontier/rank.ts'
import { instant } from '#backend/http/instants.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'
import { lastIndex } from './crawl-outcomes.ts'

export type CrawlOverview = AnswerOf<typeof crawlOverview>

const ROWS_AT_ONCE = 20_000
/** Points of the chart; each covers at least a second. */
const MOST_POINTS = 60
const LEAST_MS = 1000
const MOST_KINDS = 20
const MOST_URLS = 10
const KEPT_OVERVIEWS = 200

type Url = CrawlOverview['largest'][number]

/** @param database  connection for long reads */
export function createCrawlOverview({ database }: { database: Database }) {
  const ended = new LRUCache<number, CrawlOverview>({ max: KEPT_OVERVIEWS })

  return async function overviewOf(run: Run): Promise<CrawlOverview> {
    const known = ended.get(run.no)
    if (known !== undefined) return known
    const overview = { ...(await ofUrls(run)), ...(await ofPages(run)) }
    if (isTerminal(run.status)) ended.set(run.no, overview)
    return overview
  }

  async function ofUrls({ no }: Run): Promise<Pick<CrawlOverview, 'statuses' | 'depths' | 'largest' | 'slowest'>> {
    const statuses = new Map<number, number>()
    const depths = new Map<number, { count: number; kept: number }>()
    let largest: Url[] = []
    let slowest: Url[] = []
    const last = await lastIndex(database, no)
    for (let from = 0; from <= last; from += ROWS_AT_ONCE) {
      const some = database
        .selectFrom('runUrl')
        .where('runNo', '=', no)
        .where('seq', '>=', from)
        .where('seq', '<', from + ROWS_AT_ONCE)
      const groups = await some
        .select(({ fn, ref }) => [
          'httpStatus',
          sql<number>`${ref('depth')} % ${sql.lit(LATE)}`.as('level'),
          fn.countAll<number>().as('count'),
          sql<number>`sum(CASE WHEN outcome = 'kept' THEN 1 ELSE 0 END)`.as('kept'),
        ])
        .groupBy(['httpStatus', 'level'])
        .execute()
      for (const { count, httpStatus, kept, level } of groups) {
        if (httpStatus !== null) statuses.set(httpStatus, (statuses.get(httpStatus) ?? 0) + Number(count))
        const before = depths.get(level) ?? { count: 0, kept: 0 }
        depths.set(level, { count: before.count + Number(count), kept: before.kept + Number(kept) })
      }
      const most = async (column: 'bytes' | 'tookMs'): Promise<Url[]> => {
        const rows = await some
          .where(column, 'is not', null)
          .select(['url', 'httpStatus', 'bytes', 'tookMs'])
          .orderBy(column, 'desc')
          .limit(MOST_URLS)
          .execute()
        return rows.map(({ url, httpStatus, bytes, tookMs }) => ({ url, http_status: httpStatus, bytes, took_ms: tookMs }))
      }
      largest = [...largest, ...(await most('bytes'))].toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0)).slice(0, MOST_URLS)
      slowest = [...slowest, ...(await most('tookMs'))].toSorted((a, b) => (b.took_ms ?? 0) - (a.took_ms ?? 0)).slice(0, MOST_URLS)
    }
    return {
      statuses: mostFrequent(statuses).map(([status, count]) => ({ status, count })),
      depths: [...depths]
        .toSorted(([one], [other]) => one - other)
        .slice(0, MOST_KINDS)
        .map(([depth, counts]) => ({ depth, ...counts })),
      largest,
      slowest,
    }
  }

  async function ofPages({ createdAt, endedAt, kept, no, updatedAt }: Run): Promise<Pick<CrawlOverview, 'speed' | 'content_types'>> {
    const first = no * PAGES_PER_RUN
    const spanMs = Math.max(LEAST_MS, (endedAt ?? updatedAt) - createdAt)
    const stepMs = Math.max(LEAST_MS, Math.ceil(spanMs / MOST_POINTS))
    const pages = Array.from({ length: Math.ceil(spanMs / stepMs) }, () => 0)
    const types = new Map<string, number>()
    for (let from = 0; from < kept; from += ROWS_AT_ONCE) {
      const groups = await database
        .selectFrom('page')
        .where('no', '>', first + from)
        .where('no', '<=', first + from + ROWS_AT_ONCE)
        .select(({ fn, ref }) => [
          'contentType',
          sql<number>`(${ref('createdAt')} - ${sql.lit(createdAt)}) / ${sql.lit(stepMs)}`.as('step'),
          fn.countAll<number>().as('count'),
        ])
        .groupBy(['contentType', 'step'])
        .execute()
      for (const { contentType, count, step } of groups) {
        const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()
        types.set(type, (types.get(type) ?? 0) + Number(count))
        const at = Math.min(pages.length - 1, Math.max(0, Number(step)))
        pages[at] = (pages[at] ?? 0) + Number(count)
      }
    }
    return {
      speed: { from: instant(createdAt), step_ms: stepMs, pages },
      content_types: mostFrequent(types).map(([type, count]) => ({ content_type: type === '' ? null : type, count })),
    }
  }
}

const mostFrequent = <K>(counts: ReadonlyMap<K, number>): [K, number][] =>
  [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MOST_KINDS)
