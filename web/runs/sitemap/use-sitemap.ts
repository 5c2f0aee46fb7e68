/** One sitemap on a screen: follows it live, stops it, reads its URLs, and keeps the cache correct for other screens. */
import { followSitemap, getSitemap, listSitemaps, rerunSitemap, stopSitemap } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { call } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { rememberRun } from '#web/runs/shared/run-base.ts'
import type { RunBase } from '#web/runs/shared/run-base.ts'
import { useProgress } from '#web/runs/shared/use-progress.ts'
import * as t from '#texts/sitemap.ts'

export const SITEMAP: RunBase = {
  noun: 'sitemap',
  get: getSitemap,
  list: listSitemaps,
  stop: stopSitemap,
  rerun: (id) => call(rerunSitemap, { params: { id } }),
  paths: { begin: 'sitemap', log: 'sitemapLogs', details: 'sitemapDetails', parameter: 'id' },
  words: {
    title: t.sitemapPlayground,
    notFound: t.sitemapRequestNotFound,
    cancel: t.cancelGeneration,
    details: t.sitemapDetails,
    about: t.aboutThisSitemap,
    tryAgain: t.tryInSitemapPlayground,
  },
}

/** Follows a sitemap; `null` follows none. Its list is not embedded, only linked. */
export const useSitemapProgress = (runId: string | null) =>
  useProgress<SitemapRequest, SitemapRequest>({ stream: followSitemap, onState: (sitemap) => rememberRun(SITEMAP, sitemap) }, runId)

/** All URLs of an ended sitemap; undefined while they are being loaded. */
export const useSitemapUrls = (runId: string) =>
  useEndpoint(
    getSitemap,
    { params: { id: runId }, query: { prefetched: true } },
    { revalidateIfStale: false, revalidateOnReconnect: false },
  )
