/** One crawl on a screen: follows it live, stops it, fetches its documents, and keeps the cache correct for other screens. */
import { countOutcomes, followCrawl, getCrawl, getResult, listCrawls, listOutcomes, rerunCrawl, stopCrawl } from '#contract/crawls.ts'
import type { CrawlRequest, CrawlResult, ResultDocument } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { call } from '#web/api/client.ts'
import { refresh, useEndpoint } from '#web/api/hooks.ts'
import { rememberRun } from '#web/runs/shared/run-base.ts'
import type { RunBase } from '#web/runs/shared/run-base.ts'
import { useProgress } from '#web/runs/shared/use-progress.ts'
import * as t from '#texts/crawl-base.ts'

export const CRAWL: RunBase = {
  noun: 'crawl',
  get: getCrawl,
  list: listCrawls,
  stop: stopCrawl,
  rerun: (id) => call(rerunCrawl, { params: { id }, body: {} }),
  paths: { begin: 'crawl', log: 'crawlLogs', details: 'crawlDetails', parameter: 'requestId' },
  words: {
    title: t.crawlPlayground,
    notFound: t.crawlRequestNotFound,
    cancel: t.cancelCrawling,
    details: t.crawlDetails,
    about: t.aboutThisCrawl,
    tryAgain: t.tryInCrawlPlayground,
  },
}

/** Like `CRAWL`, but running it again crawls only the failed URLs, as a batch. */
export const CRAWL_OF_FAILED: RunBase = { ...CRAWL, rerun: (id) => call(rerunCrawl, { params: { id }, body: { failed_only: true } }) }

/** A result without its document, so small that ten thousand of them fit into the page's memory. */
export type PageRow = CrawlResult & { statusCode?: string | null }

/** How many documents of a live crawl stay in memory; older ones are fetched again when opened. */
const MAX_DOCUMENTS = 100

/** Follows a crawl; `null` follows none. `documents` embeds each page's text. */
export const useCrawlProgress = (runId: string | null, { documents }: { documents: boolean }) =>
  useProgress<CrawlRequest, PageRow>(
    { stream: followCrawl, query: { prefetched: documents }, onState: rememberCrawl, light: withoutDocument, maxHeavy: MAX_DOCUMENTS },
    runId,
  )

function rememberCrawl(crawl: CrawlRequest): void {
  rememberRun(CRAWL, crawl)
  if (!isTerminal(crawl.status)) return
  void refresh(countOutcomes)
  void refresh(listOutcomes)
}

const withoutDocument = (row: PageRow): PageRow => ({ ...row, result: '', statusCode: statusCodeOf(row) })

/** The HTTP status of a page, if its document contains it. */
export const statusCodeOf = (row: PageRow): string | null =>
  row.statusCode ?? (typeof row.result === 'object' ? (row.result.metadata['status_code'] ?? null) : null)

/** The document of a result: embedded, or fetched. */
export function useDocument(runId: string, row: PageRow | null): { document: ResultDocument | null; failed: boolean; retry: () => void } {
  const embedded = row !== null && typeof row.result === 'object' ? row.result : null
  const args = row === null || embedded !== null ? null : { params: { id: runId, resultId: row.uuid }, query: { prefetched: true } }
  const asked = useEndpoint(getResult, args, { revalidateIfStale: false, revalidateOnReconnect: false })
  const given = asked.data?.result
  return {
    document: embedded ?? (typeof given === 'object' && given !== null ? (given as ResultDocument) : null),
    failed: embedded === null && asked.error !== undefined,
    retry: () => void asked.mutate(),
  }
}
