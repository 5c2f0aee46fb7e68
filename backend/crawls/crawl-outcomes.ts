/**
 * Every URL that a crawl knows, with its outcome.
 *
 * When a crawl ends, the engine marks the first thousands of waiting URLs in its last commit, and the rest in the seconds after it. Their
 * outcome is known by then, so this module shows them as ended: a client that learns of the end finds all URLs ended.
 */
import { setImmediate } from 'node:timers/promises'
import type { UrlOutcome } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { fieldError } from '#backend/errors.ts'
import { LATE } from '#backend/crawler/frontier/rank.ts'
import { FAILURES, endOfWaiting } from '#backend/crawler/outcomes.ts'
import { queryText } from '#backend/http/pagination.ts'
import type { PageWindow, Query } from '#backend/http/pagination.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, RunUrlTable } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'
import { textConditions } from '#backend/runs/text-conditions.ts'
import { partSpellings } from '#backend/runs/url-filter.ts'

/** `pending` means URLs without an outcome. */
type OutcomeFilters = { outcomes?: string[]; contains?: readonly string[]; status?: number; depth?: number }

type Listed = Pick<Run, 'no' | 'status'>

const PENDING = 'pending'
/** URLs per counting statement: it takes a few milliseconds, then other reads have their turn. */
const COUNTED_AT_ONCE = 20_000

/** The filters `outcome`, `outcome__in` and `url__contains`. */
export function readOutcomeFilters(query: Query): OutcomeFilters {
  const one = queryText(query, 'outcome')
  const several = queryText(query, 'outcome__in')?.split(',').filter(Boolean)
  const contains = queryText(query, 'url__contains')
  const outcomes = one === undefined ? several : [one]
  return {
    ...(outcomes === undefined ? {} : { outcomes }),
    ...(contains === undefined ? {} : { contains: partSpellings(contains) }),
    ...numberFilter(query, 'http_status', 'status'),
    ...numberFilter(query, 'depth', 'depth'),
  }
}

/** A filter by a non-negative number. Throws `invalid_input` for anything else. */
function numberFilter<Name extends string>(query: Query, parameter: string, name: Name): { [N in Name]?: number } {
  const text = queryText(query, parameter)
  if (text === undefined) return {}
  if (!/^\d{1,9}$/.test(text)) throw fieldError(parameter, 'Enter a non-negative integer.')
  return { [name]: Number(text) } as { [N in Name]?: number }
}

export function createCrawlOutcomes({ database }: { database: Database }) {
  return { list, after, count, failedUrls }

  /** One page of a crawl's URLs in the order of discovery. */
  async function list(
    run: Run,
    filters: OutcomeFilters,
    windowOf: (count: number) => PageWindow,
  ): Promise<{ window: PageWindow; urls: UrlOutcome[] }> {
    const window = windowOf(await countMatching(run, filters))
    const rows = await filtered(run, filters).select(COLUMNS).orderBy('seq').limit(window.pageSize).offset(window.offset).execute()
    const urls = rows.map((row) => present(run, row))
    return { window, urls }
  }

  /**
   * At most `limit` URLs behind the index `seq`, in the order of discovery, each with its index. Each call continues where the last one ended,
   * so a long list costs one pass: pages by number would count and skip all URLs for each page.
   *
   * @param wanted  their outcomes; null for all URLs
   */
  async function after(
    run: Listed,
    wanted: readonly string[] | null,
    seq: number,
    limit: number,
  ): Promise<(UrlOutcome & { seq: number })[]> {
    const rows = await filtered(run, wanted === null ? {} : { outcomes: [...wanted] })
      .where('seq', '>', seq)
      .select([...COLUMNS, 'seq'])
      .orderBy('seq')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...present(run, row), seq: row.seq }))
  }

  /** The URLs of a crawl that failed, in the order of discovery. */
  async function failedUrls(run: Run, most: number): Promise<string[]> {
    const rows = await filtered(run, { outcomes: [...FAILURES] })
      .select('url')
      .orderBy('seq')
      .limit(most)
      .execute()
    return rows.map(({ url }) => url)
  }

  async function countMatching(run: Run, filters: OutcomeFilters): Promise<number> {
    // Without filters, the run's counter is enough.
    if (Object.keys(filters).length === 0) return run.known
    return countRows(filtered(run, filters))
  }

  function filtered(run: Listed, { outcomes, contains, depth, status }: OutcomeFilters) {
    let query = database.selectFrom('runUrl').where('runNo', '=', run.no)
    for (const condition of textConditions('url', { contains })) query = query.where(condition)
    if (status !== undefined) query = query.where('httpStatus', '=', status)
    // The engine adds `LATE` to the depth of URLs that go last.
    if (depth !== undefined) query = query.where('depth', 'in', [depth, depth + LATE])
    if (outcomes === undefined) return query
    const ended = outcomes.filter((outcome) => outcome !== PENDING)
    return query.where((of) =>
      of.or([
        ...(outcomes.includes(unmarked(run) ?? PENDING) ? [of.eb('outcome', 'is', null)] : []),
        ...(ended.length === 0 ? [] : [of.eb('outcome', 'in', ended)]),
      ]),
    )
  }

  /** Counts URLs by outcome, the most frequent first; null stands for URLs without an outcome. */
  async function count(run: Run): Promise<{ outcome: string | null; count: number }[]> {
    const counts = new Map<string | null, number>()
    const last = await lastIndex(database, run.no)
    for (let from = 0; from <= last; from += COUNTED_AT_ONCE) {
      const some = await database
        .selectFrom('runUrl')
        .where('runNo', '=', run.no)
        .where('seq', '>=', from)
        .where('seq', '<', from + COUNTED_AT_ONCE)
        .select(['outcome', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('outcome')
        .execute()
      for (const { outcome: marked, count: found } of some) {
        const outcome = marked ?? unmarked(run)
        counts.set(outcome, (counts.get(outcome) ?? 0) + found)
      }
      await setImmediate()
    }
    return [...counts].map(([outcome, found]) => ({ outcome, count: found })).toSorted((one, other) => other.count - one.count)
  }
}

export type CrawlOutcomes = ReturnType<typeof createCrawlOutcomes>

/** The index of a crawl's last URL, -1 without URLs. A divided crawl numbers its URLs with gaps, so it may be more than the number of URLs. */
export async function lastIndex(database: Database, runNo: number): Promise<number> {
  const { last } = await database
    .selectFrom('runUrl')
    .where('runNo', '=', runNo)
    .select(({ fn }) => fn.max<number | null>('seq').as('last'))
    .executeTakeFirstOrThrow()
  return last ?? -1
}

const COLUMNS = ['url', 'title', 'depth', 'outcome', 'detail', 'httpStatus', 'tries', 'bytes', 'tookMs'] as const

function present(
  run: Listed,
  {
    depth,
    title,
    outcome,
    httpStatus,
    tookMs,
    ...row
  }: Pick<RunUrlTable, 'url' | 'depth' | 'outcome' | 'detail' | 'httpStatus' | 'bytes' | 'tookMs'> & { title: string; tries: number },
): UrlOutcome {
  return {
    ...row,
    outcome: outcome ?? unmarked(run),
    // The engine adds `LATE` to the depth of URLs that go last.
    depth: depth % LATE,
    title: title || null,
    http_status: httpStatus,
    took_ms: tookMs,
  }
}

/** The outcome of unmarked URLs: null while the crawl goes on and may still fetch them. */
const unmarked = ({ status }: Listed) => (isTerminal(status) ? endOfWaiting(status) : null)
