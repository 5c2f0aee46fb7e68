/** How a crawl is run again. */
import { listCrawls, rerunCrawl } from '#contract/crawls.ts'
import { call } from '#web/api/client.ts'
import type { Rerun } from '#web/runs/shared/use-run-again.ts'

export const CRAWL_RERUN: Rerun = {
  start: (id) => call(rerunCrawl, { params: { id }, body: {} }),
  playground: 'crawl',
  refreshes: [listCrawls],
}

/** A batch of the URLs that failed. */
export const CRAWL_RETRY: Rerun = {
  ...CRAWL_RERUN,
  start: (id) => call(rerunCrawl, { params: { id }, body: { failed_only: true } }),
}
