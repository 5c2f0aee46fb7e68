/** Compares two crawls: added pages, removed pages, and pages whose content differs. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { countChanges, PageChange } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'
import type { CompareInTurn } from './compare-in-turn.ts'
import { differingOptions } from './reading-options.ts'
import { storedPages, urlsSideBySide } from './urls-side-by-side.ts'
import type { Compared } from './urls-side-by-side.ts'
import { crawlSpecOfV1 } from './v1-options.ts'
import type { V1CrawlOptions } from './v1-options.ts'

type ChangeCounts = AnswerOf<typeof countChanges>
type Kind = PageChange['change']
const KEPT_COUNTS = 500

/**
 * @param database  for single rows and those of a list
 * @param inTurn    for the rest: it groups the pages of two crawls by URL
 */
export function createCrawlChanges({ database, inTurn }: { database: Database; inTurn: CompareInTurn }) {
  const ended = new LRUCache<string, ChangeCounts>({ max: KEPT_COUNTS })
  return { count, list, olderThan }

  /** The id of the newest older crawl with the same start; null without one. */
  async function olderThan({ label, no, teamId }: Run): Promise<string | null> {
    const row = await database
      .selectFrom('run')
      .where('teamId', '=', teamId)
      .where('kind', '=', 'crawl')
      .where('label', '=', label)
      .where('no', '<', no)
      .where('deletedAt', 'is', null)
      .select('id')
      .orderBy('no', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.id ?? null
  }

  /** Counts pages by kind of change; content is compared by its hash. */
  async function count(run: Compared, since: Compared): Promise<ChangeCounts> {
    const key = `${run.no} ${since.no}`
    const known = ended.get(key)
    if (known !== undefined) return known
    const numbers = await inTurn(run.teamId, (apart) =>
      apart
        .selectFrom(urlsSideBySide(run, since))
        .select(CHANGES.map((change) => sql<number>`count(CASE WHEN ${IS[change]} THEN 1 END)`.as(change)))
        .executeTakeFirstOrThrow(),
    )
    const counts = { ...numbers, differing_options: differingOptions(await specOf(run), await specOf(since)) }
    if (isTerminal(run.status) && isTerminal(since.status)) ended.set(key, counts)
    return counts
  }

  async function specOf({ no }: Compared): Promise<CrawlSpec> {
    const { options, spec } = await database
      .selectFrom('runOptions')
      .where('runNo', '=', no)
      .select(['options', 'spec'])
      .executeTakeFirstOrThrow()
    // Versions before the spec stored the options of the API alone.
    return spec === null ? crawlSpecOfV1(JSON.parse(options) as V1CrawlOptions) : (JSON.parse(spec) as CrawlSpec)
  }

  /** Pages of one kind of change, in the order of storage. */
  async function list(
    run: Run,
    since: Run,
    change: Kind,
    windowOf: (count: number) => PageWindow,
  ): Promise<{ window: PageWindow; pages: PageChange[] }> {
    const window = windowOf((await count(run, since))[change])
    const rows = await rowsOf(run, since, change, window)
    return { window, pages: rows.map((row) => ({ change, ...row })) }
  }

  async function rowsOf(run: Run, since: Run, change: Kind, { offset, pageSize }: PageWindow) {
    const rows = await inTurn(run.teamId, (apart) =>
      apart
        .selectFrom(urlsSideBySide(run, since))
        .where(IS[change])
        .select(['url', 'nowNo', 'beforeNo'])
        .orderBy(change === 'removed' ? 'beforeNo' : 'nowNo')
        .limit(pageSize)
        .offset(offset)
        .execute(),
    )
    const pages = await storedPages(database, rows)
    return rows.flatMap(({ beforeNo, nowNo, url }) => {
      const [result, before] = [pages.get(nowNo), pages.get(beforeNo)]
      const shown = result ?? before
      // A crawl may be deleted meanwhile.
      return shown === undefined ? [] : [{ url, title: shown.title, result: result?.id ?? null, before: before?.id ?? null }]
    })
  }
}

const CHANGES = ['added', 'removed', 'changed', 'unchanged'] as const

const IS: Record<Kind, RawBuilder<boolean>> = {
  added: sql`now_no > 0 AND before_no = 0`,
  removed: sql`now_no = 0`,
  changed: sql`now_no > 0 AND before_no > 0 AND now_hash <> before_hash`,
  unchanged: sql`now_no > 0 AND before_no > 0 AND now_hash = before_hash`,
}

export type CrawlChanges = ReturnType<typeof createCrawlChanges>
