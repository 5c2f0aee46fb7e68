/** One sitemap on a screen: followed live, stopped, its addresses read; the cache kept true for the log and every other screen. */
import { followSitemap, getSitemap, listSitemaps, stopSitemap } from '#contract/sitemaps.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { amendAnswers, putAnswer, useEndpoint } from '#web/api/hooks.ts'
import { useProgress } from '#web/runs/shared/use-progress.ts'
import { useStopRun } from '#web/runs/shared/use-stop-run.ts'

/** Follows a sitemap; `null` follows none. Its list stays where it is: a link. */
export const useSitemapProgress = (runId: string | null) =>
  useProgress<SitemapRequest, SitemapRequest>({ stream: followSitemap, onState: rememberSitemap }, runId)

function rememberSitemap(sitemap: SitemapRequest): void {
  putAnswer(getSitemap, { params: { id: sitemap.uuid } }, sitemap)
  amendAnswers(listSitemaps, (page) => ({ ...page, results: page.results.map((one) => (one.uuid === sitemap.uuid ? sitemap : one)) }))
}

/** All addresses of a sitemap that has ended; undefined while they are on their way. */
export const useAddresses = (runId: string) =>
  useEndpoint(
    getSitemap,
    { params: { id: runId }, query: { prefetched: true } },
    { revalidateIfStale: false, revalidateOnReconnect: false },
  )

export const useStopSitemap = () => useStopRun(stopSitemap, { refreshes: [getSitemap, listSitemaps], noun: 'sitemap' })
