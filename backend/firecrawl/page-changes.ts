/** What a monitor shows of its pages, made in a reader thread: the comparison of two large documents takes seconds. */
import { createCrawlPages } from '#backend/crawls/crawl-pages.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { pageChange } from './change-tracking.ts'
import type { ModelFields } from './model-question.ts'

export type PageChanges = ReturnType<typeof createPageChanges>

export function createPageChanges(database: Database) {
  const pages = createCrawlPages({ database })
  return {
    /**
     * The JSON text of `diff` and `snapshot`.
     *
     * @param beforeNo  null for a page that has not changed
     */
    async *change(beforeNo: number | null, nowNo: number, model: ModelFields | undefined) {
      const before = beforeNo === null ? null : await pages.document(beforeNo)
      yield JSON.stringify(pageChange(before, await pages.document(nowNo), model))
    },
  }
}
