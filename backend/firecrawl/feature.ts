/** The Firecrawl API over the same crawls, searches and sitemaps. */
import type { BackendConfig } from '#backend/config.ts'
import type { Ports } from '#backend/ports.ts'
import type { Progress } from '#backend/runs/progress.ts'
import type { RepeatCrawl } from '#backend/crawls/repeat-crawl.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { ScheduledCrawls } from '#backend/schedules/scheduled-crawls.ts'
import type { ScheduleRow, Schedules } from '#backend/schedules/schedules.ts'
import { createAccount } from './account.ts'
import { askedOf, createJobs } from './jobs.ts'
import type { Jobs } from './jobs.ts'
import type { PageChanges } from './page-changes.ts'
import { createMapSite } from './map.ts'
import { createMonitorChecks } from './monitor-checks.ts'
import type { CheckNeeds } from './monitor-checks.ts'
import type { MonitorRouteNeeds } from './monitor-routes.ts'
import { createReadTargets } from './monitor-target.ts'
import { createMonitors } from './monitors.ts'
import type { MonitorNeeds } from './monitors.ts'
import { createExtract } from './extract.ts'
import { createJobStatuses } from './parts.ts'
import { createParseFile } from './parse.ts'
import { createChooseOptions } from './prompt-options.ts'
import type { AskFirstModel } from './prompt-options.ts'
import { firecrawlRoutes } from './routes.ts'
import { createScrape } from './scrape.ts'
import { createSearchWeb } from './search.ts'
import { createStatuses } from './status.ts'
import { createWebhookBodies } from './webhook.ts'
import type { WebhookNeeds } from './webhook.ts'

type Needs<F extends (needs: never) => unknown> = Parameters<F>[0]

type Others = {
  allowance: Needs<typeof createJobs>['mostOf'] & Needs<typeof createAccount>['allowance']
  apiKeys: {
    recognise: (key: string) => Promise<{ teamId: string; apiKeyId: string } | null>
    isKey: (teamId: string, apiKeyId: string) => Promise<boolean>
  }
  crawls: Pick<CheckNeeds, 'comparison'> & { repeat: Pick<RepeatCrawl, 'check'> } & Pick<
      Needs<typeof createStatuses>,
      'attachments' | 'history' | 'outcomes' | 'pages'
    > &
    Pick<Needs<typeof createScrape>, 'scrapePage'> &
    Pick<Needs<typeof createJobs>, 'startCrawl'>
  changes: PageChanges
  hasBrowser: boolean
  askModel: AskFirstModel
  models: Pick<Needs<typeof createJobs>, 'modelsOf'> & { usedBy: Needs<typeof createExtract>['modelUseOf'] }
  membersOf: MonitorNeeds['membersOf']
  progress: Progress
  retentionDaysOf: MonitorNeeds['retentionDaysOf']
  runs: Runs
  schedules: {
    schedules: Schedules
    scheduledCrawls: ScheduledCrawls
    startNow: (row: ScheduleRow) => Promise<Run>
  }
  searches: Pick<Needs<typeof createSearchWeb>, 'hasWebSearch' | 'offered' | 'results' | 'startSearch'>
  webhooks: WebhookNeeds
  sitemaps: { startSpec: Needs<typeof createMapSite>['startSitemap']; urls: Needs<typeof createMapSite>['urls'] }
}

/** Its routes, and the bodies of its webhooks. */
export function firecrawlFeature(config: BackendConfig, ports: Ports, others: Others) {
  const { baseUrl, bus, database, links, newId, now, readers, warn } = ports
  const { allowance, apiKeys, askModel, crawls, hasBrowser, models, progress, retentionDaysOf, runs, searches, sitemaps, webhooks } = others
  const jobs = createJobs({
    chooseOptions: createChooseOptions({ ask: askModel }),
    database,
    hasBrowser,
    modelsOf: models.modelsOf,
    mostOf: allowance,
    newId,
    runs,
    startCrawl: crawls.startCrawl,
    webhooks,
  })
  const { attachments, history, outcomes, pages, scrapePage } = crawls
  const statuses = createStatuses({ attachments, changes: others.changes, history, links, outcomes, pages, retentionDaysOf })
  const jobStatuses = createJobStatuses({ statuses })
  const routes = firecrawlRoutes({
    account: createAccount({ allowance, database: readers.database, maxConcurrency: config.crawlConcurrency, now }),
    baseUrl,
    extract: createExtract({ jobs, modelUseOf: models.usedBy, statuses }),
    jobs,
    jobStatuses,
    mapSite: createMapSite({ bus, runs, startSitemap: sitemaps.startSpec, urls: sitemaps.urls }),
    ofMonitors: ofMonitors(others, jobs),
    parseFile: createParseFile({ newId }),
    runs,
    scrape: createScrape({ jobs, runs, scrapePage, statuses }),
    searchWeb: createSearchWeb({ ...searches, bus, jobs, newId, runs, statuses }),
    watch: {
      actorOf: async (key) => {
        const known = await apiKeys.recognise(key)
        if (known === null) return null
        const { apiKeyId, teamId } = known
        return { userId: null, sessionId: null, teamId, share: await ports.shareOf(teamId), apiKeyId }
      },
      bus,
      enter: progress.enter,
      jobs,
      leave: progress.leave,
      mayRead: async ({ apiKeyId, teamId }) => apiKeyId !== null && apiKeys.isKey(teamId, apiKeyId),
      publicBase: config.publicUrl?.replace(/\/+$/, '') ?? null,
      statuses: jobStatuses,
      warn,
    },
  })
  const webhookBodies = createWebhookBodies({ askedOf, base: config.linkBase, newId, runs, statuses })
  return { routes: [routes], webhookBodies }
}

/** What the routes of monitors need. */
function ofMonitors(
  { allowance, changes, crawls, membersOf, retentionDaysOf, runs, schedules: feature }: Others,
  jobs: Jobs,
): MonitorRouteNeeds {
  const { scheduledCrawls, schedules, startNow } = feature
  const checks = createMonitorChecks({
    comparison: crawls.comparison,
    crawls: scheduledCrawls,
    mostOf: allowance,
    changes,
    pages: crawls.pages,
    runs,
  })
  const readTargets = createReadTargets({ check: crawls.repeat.check, jobs })
  return {
    checks,
    monitors: createMonitors({ checks, membersOf, readTargets, retentionDaysOf, schedules }),
    async start(row) {
      const { id } = await startNow(row)
      return (await scheduledCrawls.one(row.id, id))!
    },
  }
}
