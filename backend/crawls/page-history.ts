/** Earlier copies of a page that a team stored before a run began, read with the same options. */
import { urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'
import type { CrawlPages } from './crawl-pages.ts'
import { fingerprintOf, isReadAlike } from './page-cache.ts'

/** Most runs that are searched, newest first. */
const MOST_RUNS = 100

type EarlierPage = {
  /** When it was fetched; epoch milliseconds. */
  at: number
  /** Its stored document, JSON text. */
  document: Buffer
}

export type PageHistory = ReturnType<typeof createPageHistory>

export function createPageHistory({ database, pages }: { database: Database; pages: CrawlPages }) {
  return { before }

  /**
   * Finds earlier copies of a run's pages: returns a function that gives the newest copy of a URL whose status `isGood` accepts, or null. Runs with
   * headers of their own are skipped, and have no history themselves (null). The result for a URL does not change while the run goes on.
   *
   * @param counts  whether a run belongs to the history, by its options
   */
  async function before(
    run: Pick<Run, 'no' | 'teamId' | 'createdAt'>,
    counts: (options: Record<string, unknown>) => boolean,
  ): Promise<((url: string, isGood: (httpStatus: number) => boolean) => Promise<EarlierPage | null>) | null> {
    const own = await database.selectFrom('runOptions').where('runNo', '=', run.no).select(['spec', 'secrets']).executeTakeFirst()
    if (own === undefined || own.spec === null || own.secrets !== null) return null
    const wanted = fingerprintOf(own.spec)
    const rows = await database
      .selectFrom('run')
      .innerJoin('runOptions', 'runOptions.runNo', 'run.no')
      .where('run.teamId', '=', run.teamId)
      .where('run.kind', '=', 'crawl')
      .where('run.no', '<', run.no)
      .where('run.kept', '>', 0)
      .where('run.deletedAt', 'is', null)
      .where('runOptions.secrets', 'is', null)
      .select(['run.no', 'run.urlSalt', 'runOptions.spec', 'runOptions.options'])
      .orderBy('run.no', 'desc')
      .limit(MOST_RUNS)
      .execute()
    const runs = rows.filter(({ options, spec }) => isReadAlike(spec, wanted) && counts(JSON.parse(options) as Record<string, unknown>))
    return async (url, isGood) => {
      const identity = urlIdentity(url)
      for (const { no, urlSalt } of runs) {
        const { hi, lo } = urlKey(urlSalt, identity)
        const page = await database
          .selectFrom('page')
          .where('runNo', '=', no)
          .where('keyHi', '=', hi)
          .where('keyLo', '=', lo)
          .where('createdAt', '<', run.createdAt)
          .select(['no', 'createdAt', 'httpStatus'])
          .executeTakeFirst()
        if (page === undefined || !isGood(page.httpStatus)) continue
        return { at: page.createdAt, document: await pages.document(page.no) }
      }
      return null
    }
  }
}
