/** Compares two crawls: added pages, removed pages, and pages whose content differs. */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { countChanges, PageChange } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'
import { differingOptions } from './reading-options.ts'
import { crawlSpecOfV1 } from './v1-options.ts'
import type { V1CrawlOptions } from './v1-options.ts'

export type ChangeCounts = AnswerOf<typeof countChanges>
type Kind = PageChange['change']
/** What a comparison needs of a crawl. */
export type Compared = Pick<Run, 'no' | 'status'>

const KEPT_COUNTS = 500

/** @param database  connection for long reads: each joins the pages of two crawls by URL */
export function createCrawlChanges({ database }: { database: Database }) {
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
    const { both, changed } = await pagesInBoth(database, run, since)
      .select(({ fn }) => [
        fn.countAll<number>().as('both'),
        sql<number>`coalesce(sum(CASE WHEN mine.content_hash <> theirs.content_hash THEN 1 ELSE 0 END), 0)`.as('changed'),
      ])
      .executeTakeFirstOrThrow()
    const [own, others] = [await pagesOf(run), await pagesOf(since)]
    const counts = {
      added: own - Number(both),
      removed: others - Number(both),
      changed: Number(changed),
      unchanged: Number(both) - Number(changed),
      differing_options: differingOptions(await specOf(run), await specOf(since)),
    }
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

  async function pagesOf({ no }: Compared): Promise<number> {
    const { pages } = await database
      .selectFrom('page')
      .where('no', '>', no * PAGES_PER_RUN)
      .where('no', '<', (no + 1) * PAGES_PER_RUN)
      .select(({ fn }) => fn.countAll<number>().as('pages'))
      .executeTakeFirstOrThrow()
    return Number(pages)
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

  function rowsOf(run: Run, since: Run, change: Kind, { offset, pageSize }: PageWindow) {
    if (change === 'changed' || change === 'unchanged')
      return pagesInBoth(database, run, since)
        .where('mine.contentHash', change === 'changed' ? '<>' : '=', ({ ref }) => ref('theirs.contentHash'))
        .select(['mine.url', 'mine.title', 'mine.id as result', 'theirs.id as before'])
        .orderBy('mine.no')
        .limit(pageSize)
        .offset(offset)
        .execute()
    const only = change === 'added' ? pagesOnlyIn(database, run, since) : pagesOnlyIn(database, since, run)
    const id = sql<string | null>`mine.id`
    const none = sql<string | null>`NULL`
    return only
      .select(['mine.url', 'mine.title', (change === 'added' ? id : none).as('result'), (change === 'added' ? none : id).as('before')])
      .orderBy('mine.no')
      .limit(pageSize)
      .offset(offset)
      .execute()
  }
}

/** Pages of a crawl as `mine`, joined with those of another one that have the same URL, as `theirs`. */
export function pagesInBoth(database: Database, run: Compared, since: Compared) {
  return database
    .selectFrom('page as mine')
    .innerJoin('page as theirs', (join) =>
      join
        .onRef('theirs.url', '=', 'mine.url')
        .on('theirs.no', '>', since.no * PAGES_PER_RUN)
        .on('theirs.no', '<', (since.no + 1) * PAGES_PER_RUN),
    )
    .where('mine.no', '>', run.no * PAGES_PER_RUN)
    .where('mine.no', '<', (run.no + 1) * PAGES_PER_RUN)
}

/** Pages of one crawl, as `mine`, whose URLs another one does not have. */
export function pagesOnlyIn(database: Database, here: Compared, there: Compared) {
  return database
    .selectFrom('page as mine')
    .leftJoin('page as theirs', (join) =>
      join
        .onRef('theirs.url', '=', 'mine.url')
        .on('theirs.no', '>', there.no * PAGES_PER_RUN)
        .on('theirs.no', '<', (there.no + 1) * PAGES_PER_RUN),
    )
    .where('mine.no', '>', here.no * PAGES_PER_RUN)
    .where('mine.no', '<', (here.no + 1) * PAGES_PER_RUN)
    .where('theirs.no', 'is', null)
}

export type CrawlChanges = ReturnType<typeof createCrawlChanges>
