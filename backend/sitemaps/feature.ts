/** Sitemaps of sites. */
import type { Ports } from '#backend/ports.ts'
import type { Progress } from '#backend/runs/progress.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { sitemapRoutes } from './routes.ts'
import type { SiteFiles } from './site-files.ts'
import { createSitemapUrls } from './sitemap-urls.ts'
import { createStartSitemap } from './start-sitemap.ts'

type StartNeeds = Parameters<typeof createStartSitemap>[0]
type Others = Pick<StartNeeds, 'judgeUrl' | 'maxUrls' | 'proxyCategory'> & { progress: Progress; runs: Runs }

/** Its functions and routes. */
export function sitemapsFeature(ports: Ports, { progress, runs, ...others }: Others) {
  const { baseUrl, links, readers } = ports
  const { startSitemap, startSpec } = createStartSitemap({ ...others, runs })
  const urls = createSitemapUrls({ database: readers.database })
  const files = readers.files<SiteFiles>('sitemaps')
  return { startSitemap, startSpec, urls, routes: [sitemapRoutes({ baseUrl, files, links, progress, runs, startSitemap, urls })] }
}
