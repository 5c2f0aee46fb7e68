/** The composition root: opens the platform, gives each feature what it needs from the others, and closes all in reverse order. */
import type { FastifyPluginAsync } from 'fastify'
import { createMails } from './mails/mails.ts'
import { accountsFeature } from './accounts/feature.ts'
import { ANALYTICS_SETTING } from './accounts/install.ts'
import type { HashCost } from './accounts/passwords.ts'
import { createApi } from './api.ts'
import type { BackendConfig, Log } from './config.ts'
import { createEgress } from './crawler/fetch/egress.ts'
import { crawlsFeature } from './crawls/feature.ts'
import { createPageChanges } from './firecrawl/page-changes.ts'
import { firecrawlFeature } from './firecrawl/feature.ts'
import { addressTries, SIGN_IN_LIMITS } from './http/rate-limits.ts'
import { mcpFeature } from './mcp/feature.ts'
import { modelsFeature } from './models/feature.ts'
import type { MetricValues } from './metric-values.ts'
import { openPlatform } from './open-platform.ts'
import type { Platform } from './open-platform.ts'
import { openShared } from './open-shared.ts'
import { operatorServices } from './operator-services.ts'
import { openWork } from './open-work.ts'
import type { StartEngine } from './open-work.ts'
import { plansFeature } from './plans/feature.ts'
import { keepFreePlanUse, noteFreePlanUse } from './plans/free-plan.ts'
import { isBilled } from './plans/is-billed.ts'
import { readPlansFile } from './plans/plans-file.ts'
import { runCredits } from './plans/run-credits.ts'
import { steadyClock } from './platform/clock.ts'
import { withoutRepeatedOutages } from './platform/outage-log.ts'
import type { Database } from './platform/database/database.ts'
import { proxiesFeature } from './proxies/feature.ts'
import { referenceRoutes } from './reference/routes.ts'
import { removalFeature } from './removal/feature.ts'
import { runsFeature } from './runs/feature.ts'
import { schedulesFeature } from './schedules/feature.ts'
import { searchesFeature } from './searches/feature.ts'
import { searchesTheWeb, searchSetup, searchSources } from './searches/providers/configured.ts'
import { sitemapsFeature } from './sitemaps/feature.ts'
import { createRunEndings } from './store/run-endings.ts'
import { startInstallReport, systemFeature } from './system/feature.ts'
import { startWarnings } from './system/start-warnings.ts'
import { teamsFeature } from './teams/feature.ts'
import { webhooksFeature } from './webhooks/feature.ts'
import { createPostHost } from './webhooks/post-host.ts'
import { usageFeature } from './usage/feature.ts'

export type { BackendConfig, Log } from './config.ts'

/** Replacements that tests pass in. */
export type Replacements = {
  now?: () => number
  hashCost?: HashCost
  /** Replaces the engine in its own process; receives the same arguments. */
  engine?: StartEngine
  /** Calls a function repeatedly, until the returned function is called. */
  every?: (ms: number, call: () => void) => () => void
}

type Accounts = ReturnType<typeof accountsFeature>
type Teams = ReturnType<typeof teamsFeature>

export type Backend = {
  api: FastifyPluginAsync
  /** The functions that other programs than the API use: scripts, tests. */
  accounts: Pick<Accounts, 'install'> & Pick<Teams, 'teams'>
  database: Database
  /** The metrics, if `metricsToken` is set. */
  metrics: () => Promise<MetricValues[]>
  /** Called when this process was told to end; `close` is called when the last answers are sent. */
  retire(): void
  close(): Promise<void>
}

/**
 * Opens and migrates the database, and wires the features.
 *
 * Throws when the database cannot be used. What was opened by then is closed again.
 */
export async function createBackend(config: BackendConfig, fullLog: Log, replacements: Replacements = {}): Promise<Backend> {
  const log = withoutRepeatedOutages(fullLog, steadyClock())
  const { plans, platform } = await openWithPlans(config, log, replacements)
  const work = openWork(config, platform, replacements.engine)
  const features = wireFeatures(config, platform, { plans, work, hashCost: replacements.hashCost })
  const { accounts, apiKeys, endings, installReport, models, progress, proxies, schedules, teams, webhooks } = features
  const { engine, ownIndex } = work
  const { file, folder, untilReachable } = platform.state
  const machine = { rendersHere: work.rendersHere, sqliteFolder: file === undefined ? null : folder }
  for (const warning of await untilReachable(() => startWarnings(config, platform.ports, machine))) log.warn({}, warning)
  const { database, now } = platform.ports
  warnOfUnreadable(
    log,
    await untilReachable(async () => ({
      apiKeys: await apiKeys.countUnreadable(),
      modelKeys: await models.endpoints.countUnreadable(),
      proxyPasswords: await proxies.proxies.countUnreadable(),
      webhookSecrets: await webhooks.endpoints.countUnreadable(),
    })),
  )
  const metrics =
    config.metricsToken === undefined
      ? async () => []
      : (await import('./backend-metrics.ts')).backendMetrics({ database, engine, now, progress })
  await untilReachable(endings.start)
  await untilReachable(webhooks.start)
  if (config.role !== 'worker') schedules.start()
  features.system.services.start()
  return {
    api: apiOf(config, platform, features),
    accounts: { install: accounts.install, teams: teams.teams },
    database,
    metrics,
    retire() {
      engine.retire?.()
      ownIndex.retire()
    },
    async close() {
      progress.close()
      features.system.services.close()
      await plans.close()
      await platform.ports.outbox.close()
      await installReport?.close()
      await accounts.close()
      await engine.close()
      await schedules.close()
      await endings.close()
      await webhooks.close()
      features.removal.close()
      await work.sweeper.close()
      await ownIndex.close()
      await features.searches.close()
      await proxies.close()
      await models.close()
      await features.changes.close()
      await features.egress.close()
      await platform.state.close()
    },
  }
}

async function openWithPlans(config: BackendConfig, log: Log, replacements: Replacements) {
  const plansFile = config.plansFile === undefined ? null : readPlansFile(config.plansFile)
  const shared = await openShared(config, log, replacements.now ?? steadyClock())
  let platform: Platform
  try {
    platform = await openPlatform(config, log, replacements, shared)
  } catch (cause) {
    await shared.close()
    throw cause
  }
  try {
    const plans = await platform.state.untilReachable(() => plansFeature(config, platform.ports, plansFile))
    return { platform, plans }
  } catch (cause) {
    await platform.state.close()
    throw cause
  }
}

type Opened = {
  hashCost: HashCost | undefined
  plans: Awaited<ReturnType<typeof plansFeature>>
  work: ReturnType<typeof openWork>
}

/** Gives each feature the ports, and what it needs from the others. */
function wireFeatures(config: BackendConfig, platform: Platform, { hashCost, plans, work }: Opened) {
  const { ports } = platform
  const { engine, ownIndex, queue, sweeper } = work
  const ofEgress = {
    allow: config.egressAllow.join(','),
    resolver: config.egressResolver ?? null,
    userAgent: config.crawlerUserAgent,
  }
  const egress = createEgress(ofEgress)
  const mails = createMails({ baseUrl: config.linkBase, productName: config.productName })

  const { apiKeys, members, ...teams } = teamsFeature(ports, {
    credits: plans.credits,
    isBilled,
    mails,
    onDeleted: (teamId) => {
      void progress.recheck(teamId)
      void removal.finishTeams()
    },
    onDeleting: (transaction, teamId) => noteFreePlanUse(transaction, { at: ports.now(), teamId }),
  })
  const installReport = startInstallReport(config, ports, ANALYTICS_SETTING)
  const accounts = accountsFeature(config, ports, {
    createDefaultTeam: teams.teams.createDefault,
    endKeys: apiKeys.revokeAllOf,
    hashCost,
    invitations: teams.invitations,
    isBilled,
    mails,
    onDeleting: (transaction, userId) => keepFreePlanUse(transaction, { at: ports.now(), hashEmail: plans.hashEmail, userId }),
    onInstalled: () => void installReport?.look(),
    teamDeletion: teams.deletion,
    withdrawInvitations: (transaction, userId) => teams.invitations.withdrawSentBy(transaction, userId, null),
  })
  const { sessions } = accounts
  const { progress, runs } = runsFeature(ports, {
    cancelRun: (runNo) => engine.cancel(runNo),
    hooks: runCredits,
    maxStreams: config.maxStreams,
    mayRead: async ({ teamId, userId, sessionId, apiKeyId }) =>
      apiKeyId === null
        ? (await sessions.isOpen({ sessionId, userId })) && members.isMember(teamId, userId)
        : apiKeys.isKey(teamId, apiKeyId),
    onDeleted: (deleted) => {
      for (const { no, kept } of deleted) if (kept > 0) ownIndex.hint(no)
      sweeper.wake()
    },
    onMade: (transaction, run) => webhooks.onRunMade(transaction, run),
    queue,
    reserve: plans.credits.reserve,
  })
  const removal = removalFeature(ports, {
    checkOwner: teams.checkOwner,
    hasDeletedTeams: platform.state.looks.hasDeletedTeams,
    installationDays: config.retentionDays,
    runs,
    sweeper,
  })
  const endings = createRunEndings(ports)
  endings.onRunEnded('removal', removal.onRunEnded)

  const webhooks = webhooksFeature(config, ports, {
    allowance: plans.credits.allowance,
    checkOwner: teams.checkOwner,
    egress,
    mail: mails.webhookOff,
    readersOf: teams.mailReaders,
    poster: createPostHost({ data: ofEgress, program: new URL('./post-thread.ts', import.meta.url), warn: ports.warn }),
    bodiesOf: (metadata, events, run) => firecrawl.webhookBodies(metadata, events, run),
  })
  endings.onRunEnded('webhooks', webhooks.onRunEnded)

  const proxies = proxiesFeature(ports, { echoUrl: config.proxyEchoUrl, egress })
  const models = modelsFeature(config, ports, { egress })
  const ofRuns = { judgeUrl: egress.judgeUrl, progress, proxyCategory: proxies.proxies.categoryOf, runs }
  const crawls = crawlsFeature(config, ports, {
    ...ofRuns,
    allowance: plans.credits.allowance,
    modelsOf: models.endpoints.modelsOf,
    modelUseOf: models.endpoints.usedBy,
  })
  const schedules = schedulesFeature(ports, { crawls, mail: mails.scheduledCrawl, readersOf: teams.mailReaders, runs })
  const sitemaps = sitemapsFeature(ports, { ...ofRuns, maxUrls: config.sitemapMaxUrls })
  const searches = searchesFeature(ports, { ownSearch: platform.state.openSearch(() => ownIndex.hint(0)), progress, runs })
  const hasWebSearch = searchesTheWeb(searchSetup(config))
  const changes = createPageChanges({
    program: new URL('./compare-thread.ts', import.meta.url),
    shareOf: ports.shareOf,
    warn: ports.warn,
  })
  const firecrawl = firecrawlFeature(config, ports, {
    allowance: plans.credits.allowance,
    apiKeys,
    askModel: models.ask,
    changes,
    crawls,
    hasBrowser: work.hasBrowser,
    models: models.endpoints,
    progress,
    runs,
    membersOf: teams.membersWithMail,
    retentionDaysOf: async (teamId) => (await removal.daysOf(teamId)).effective,
    schedules,
    searches: { ...searches, hasWebSearch, offered: searchSources(searchSetup(config)) },
    sitemaps,
    webhooks: { addFeed: webhooks.addFeed, endpoints: webhooks.endpoints, maySendTo: async (url) => (await egress.judgeUrl(url)) === null },
  })
  const mcp = mcpFeature(config, ports, { crawls, hasWebSearch, modelsOf: models.endpoints.modelsOf, progress, runs, searches, sitemaps })
  const system = systemFeature(config, ports, {
    browser: work.browser,
    isEngineFailing: () => engine.isFailing?.() ?? false,
    isInstalled: () => accounts.install.isInstalled(),
    isRenderingConfigured: work.hasBrowser,
    isSearchConfigured: hasWebSearch,
    redis: platform.redis,
    // Workers call renderers and search providers, and an API process may have no way to them.
    services: { ...operatorServices(config), ...(config.role === 'api' && { renderer: null, search: null }) },
    storage: platform.storage,
  })
  return {
    accounts,
    apiKeys,
    changes,
    crawls,
    egress,
    endings,
    firecrawl,
    installReport,
    mcp,
    models,
    plans,
    progress,
    proxies,
    removal,
    schedules,
    searches,
    sitemaps,
    system,
    teams,
    usage: usageFeature(ports),
    webhooks,
  }
}

function apiOf(config: BackendConfig, { ports }: Platform, features: ReturnType<typeof wireFeatures>): FastifyPluginAsync {
  const { accounts, apiKeys, system, teams } = features
  return createApi({
    callers: {
      userOf: accounts.sessions.userOf,
      teamOfKey: apiKeys.recognise,
      teamFor: teams.teams.actingFor,
      shareOf: ports.shareOf,
      countCall: (apiKeyId) =>
        config.rateLimitApi === undefined ? undefined : ports.limits.take('api', { calls: config.rateLimitApi, seconds: 60 }, apiKeyId),
      countStranger: async (ip) => {
        await ports.limits.takeAll(addressTries('bodyFromAddress', SIGN_IN_LIMITS.bodyFromAddress, ip))
      },
    },
    corsOrigins: config.corsOrigins,
    // A worker only answers health checks.
    features:
      config.role === 'worker'
        ? system.health
        : [
            ...[
              system,
              accounts,
              teams,
              features.removal,
              features.crawls,
              features.schedules,
              features.firecrawl,
              features.mcp,
              features.searches,
              features.sitemaps,
              features.proxies,
              features.webhooks,
              features.models,
              features.usage,
              features.plans,
            ].flatMap(({ routes }) => routes),
            referenceRoutes({ baseUrl: ports.baseUrl, productName: config.productName, version: config.version }),
          ],
    maxBodyBytes: config.maxBodyBytes,
  })
}

/** @param counts  how many secrets of each kind another secret key has encrypted */
function warnOfUnreadable(log: Log, counts: Record<'apiKeys' | 'modelKeys' | 'proxyPasswords' | 'webhookSecrets', number>): void {
  if (Object.values(counts).every((count) => count === 0)) return
  log.warn(
    counts,
    'API keys, keys of language models, proxy passwords or webhook secrets were encrypted with another secret key: these API keys no longer work, these models and proxies need their key or password again, and these webhooks need a new secret. Restore the old secret key, or replace them',
  )
}
