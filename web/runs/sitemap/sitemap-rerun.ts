/** How a sitemap is run again. */
import { listSitemaps, rerunSitemap } from '#contract/sitemaps.ts'
import { call } from '#web/api/client.ts'
import type { Rerun } from '#web/runs/shared/use-run-again.ts'

export const SITEMAP_RERUN: Rerun = {
  start: (id) => call(rerunSitemap, { params: { id } }),
  playground: 'sitemap',
  refreshes: [listSitemaps],
}
