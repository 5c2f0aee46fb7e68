/** Crawls: starting them, their pages, outcomes, files, and one page at once. */
import { blobPlaceOf } from '#backend/config.ts'
import type { BackendConfig } from '#backend/config.ts'
import { PLUGINS } from '#backend/crawler/plugins/installed.ts'
import { openBlobs } from '#backend/platform/blobs/open-blobs.ts'
import type { Ports } from '#backend/ports.ts'
import type { Progress } from '#backend/runs/progress.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { createAttachedRows, createAttachments } from './attachments.ts'
import { createCompareInTurn } from './compare-in-turn.ts'
import { createCrawlChanges } from './crawl-changes.ts'
import { createCrawlComparison } from './crawl-comparison.ts'
import type { CrawlFiles } from './crawl-files.ts'
import { createCrawlOutcomes } from './crawl-outcomes.ts'
import { createCrawlOverview } from './crawl-overview.ts'
import { createCrawlPages } from './crawl-pages.ts'
import { fileRoutes } from './file-routes.ts'
import { createPageCache } from './page-cache.ts'
import { createPageHistory } from './page-history.ts'
import { pluginRoutes } from './plugin-routes.ts'
import { presentCrawl } from './present-crawl.ts'
import { createPresets } from './presets.ts'
import { createRepeatCrawl } from './repeat-crawl.ts'
import type { PagesLeft } from './repeat-crawl.ts'
import { crawlRoutes } from './routes.ts'
import type { CrawlRouteNeeds } from './routes.ts'
import { createScrapePage } from './scrape-page.ts'
import { scrapeRoutes } from './scrape-routes.ts'
import { createStartCrawl } from './start-crawl.ts'

type StartNeeds = Parameters<typeof createStartCrawl>[0]
type Others = Required<Pick<StartNeeds, 'judgeUrl' | 'modelsOf' | 'proxyCategory'>> & {
  allowance: (teamId: string) => Promise<PagesLeft>
  modelUseOf: NonNullable<CrawlRouteNeeds['modelUseOf']>
  progress: Progress
  runs: Runs
}

/** Its functions and routes. */
export function crawlsFeature(config: BackendConfig, ports: Ports, { allowance, modelUseOf, progress, runs, ...others }: Others) {
  const { baseUrl, bus, database, links, newId, now, readers, shareOf } = ports
  const blobs = blobPlaceOf(config)
  const files = readers.files<CrawlFiles>('crawls')
  const attachments = createAttachments({ blobs: openBlobs(blobs), database })
  const attached = createAttachedRows({ attachments, links })
  const pages = createCrawlPages({ database, lists: readers.database })
  const outcomes = createCrawlOutcomes({ database: readers.database })
  const overview = createCrawlOverview({ database: readers.database })
  const compared = { database: readers.database, inTurn: createCompareInTurn({ apart: readers.apart, shareOf }) }
  const changes = createCrawlChanges(compared)
  const presets = createPresets({ database, newId, now })
  const startCrawl = createStartCrawl({ ...others, maxConcurrency: config.crawlConcurrency, plugins: PLUGINS, runs })
  const repeat = createRepeatCrawl({ allowance, runs, startCrawl })
  const scrapePage = createScrapePage({ bus, cache: createPageCache({ database, pages }), now, outcomes, pages, runs })
  return {
    attachments,
    changes,
    comparison: createCrawlComparison(compared),
    history: createPageHistory({ database, pages }),
    outcomes,
    pages,
    present: (run: Run, baseUrl: string) => presentCrawl(run, links, baseUrl),
    repeat,
    scrapePage,
    startCrawl,
    routes: [
      crawlRoutes({
        modelUseOf,
        attached,
        blobs,
        baseUrl,
        changes,
        files,
        links,
        outcomes,
        overview,
        pages,
        presets,
        progress,
        repeat,
        runs,
        startCrawl,
      }),
      scrapeRoutes({ attached, baseUrl, links, pages, progress, scrape: scrapePage, startCrawl }),
      fileRoutes({ attachments, blobs, files, links, pages, runs }),
      pluginRoutes({ modelsOf: others.modelsOf, plugins: PLUGINS }),
    ],
  }
}
