/** The composition root: opens what the features stand on, hands each what it needs, closes it all in reverse order. */
import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { MAX_BATCH_URLS } from '#contract/crawls.ts'
import { createInstall } from './accounts/install.ts'
import { createPasswords } from './accounts/passwords.ts'
import type { HashCost } from './accounts/passwords.ts'
import { createProfile } from './accounts/profile.ts'
import { accountRoutes } from './accounts/routes.ts'
import { createSessions } from './accounts/sessions.ts'
import { createTokens } from './accounts/tokens.ts'
import { createApi } from './api.ts'
import { createEgress } from './crawler/fetch/egress.ts'
import { createCrawlOutcomes } from './crawls/crawl-outcomes.ts'
import { createCrawlPages } from './crawls/crawl-pages.ts'
import { createCrawlSitemap } from './crawls/crawl-sitemap.ts'
import { fileRoutes } from './crawls/file-routes.ts'
import { crawlRoutes } from './crawls/routes.ts'
import { createStartCrawl } from './crawls/start-crawl.ts'
import { engineHost } from './engine-host.ts'
import type { EngineHost } from './engine-host.ts'
import { createBaseUrl } from './http/base-url.ts'
import { createFileLinks } from './http/file-links.ts'
import { createRateLimits } from './http/rate-limits.ts'
import { migrate, openSqlite, sqliteDatabase } from './platform/database/sqlite.ts'
import type { Database } from './platform/database/database.ts'
import { localBus } from './platform/events/local-bus.ts'
import { createIds } from './platform/ids.ts'
import { embeddedQueue } from './platform/queue/embedded-queue.ts'
import { createSealer, deriveKey, keyedHash } from './platform/secrets.ts'
import { createProgress } from './runs/progress.ts'
import { createRuns } from './runs/runs.ts'
import { createReadiness } from './system/readiness.ts'
import { systemRoutes } from './system/routes.ts'
import { createSettings } from './system/settings.ts'
import { createApiKeys } from './teams/api-keys.ts'
import { createInvitations } from './teams/invitations.ts'
import { memberRoutes } from './teams/member-routes.ts'
import { createMembers } from './teams/members.ts'
import { teamRoutes } from './teams/routes.ts'
import { createTeams } from './teams/teams.ts'
import { usageRoutes } from './usage/routes.ts'
import { createUsage } from './usage/usage.ts'

/** Everything that an operator can set about the backend, checked by whoever read it. */
export type BackendConfig = {
  accessTokenSeconds: number
  corsOrigins: readonly string[]
  crawlConcurrency: number
  crawlHostConcurrency: number
  crawlHostDelayMs: number
  crawlMaxJobSeconds: number
  crawlMaxPageBytes: number
  crawlObeyRobots: boolean
  crawlerUserAgent: string
  dataDir: string
  /** `sqlite:` and the path of the file. */
  databaseUrl: string
  egressAllow: readonly string[]
  egressResolver?: string | undefined
  enterpriseMode: boolean
  fileLinkSeconds: number
  googleAnalyticsId?: string | undefined
  logLevel: string
  loginEnabled: boolean
  maxBodyBytes: number
  parserThreads: number
  policyUpdatedAt?: string | undefined
  policyUrl?: string | undefined
  publicUrl?: string | undefined
  /** Calls per minute and API key; none is no limit. */
  rateLimitApi?: number | undefined
  refreshTokenSeconds: number
  secretKey: string
  termsUpdatedAt?: string | undefined
  termsUrl?: string | undefined
  version: string
  workerConcurrency: number
}

/** The log as the backend uses it. */
export type Log = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** What a test puts in the place of the real thing. */
export type Replacements = {
  now?: () => number
  hashCost?: HashCost
  /** Instead of the engine in its own process; is handed what that one would be told. */
  engine?: (needs: Parameters<typeof engineHost>[0]) => EngineHost
}

/** The verbs that other programs than the API use: scripts, tests. */
export type Accounts = { install: ReturnType<typeof createInstall>; teams: ReturnType<typeof createTeams> }

export type Backend = {
  api: FastifyPluginAsync
  accounts: Accounts
  database: Database
  close(): Promise<void>
}

/** The product token by which robots.txt knows us, whatever the user agent says. */
const PRODUCT_TOKEN = 'SeineBot'
const SALT_BYTES = 16
/** The API's own connection; the engine has another. */
const CACHE_MIB = 16

/**
 * Opens the database, brings it up to date, and wires the features.
 *
 * Throws when the database cannot be used. What was opened by then is closed again.
 */
export async function createBackend(config: BackendConfig, log: Log, replacements: Replacements = {}): Promise<Backend> {
  const now = replacements.now ?? Date.now
  const newId = createIds(now)
  const file = config.databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '')
  const egressAllow = config.egressAllow.join(',')
  const egressResolver = config.egressResolver ?? null
  const egress = createEgress({ allow: egressAllow, resolver: egressResolver, userAgent: config.crawlerUserAgent })
  const connection = openSqlite(file, { cacheMiB: CACHE_MIB })
  try {
    migrate(connection, now)
  } catch (cause) {
    connection.close()
    throw cause
  }
  const database = sqliteDatabase(connection)
  const bus = localBus()
  const unfinished = connection.prepare('SELECT 1 FROM run WHERE ended_at IS NULL LIMIT 1')
  const engine = (replacements.engine ?? engineHost)({
    database: file,
    settings: {
      userAgent: config.crawlerUserAgent,
      productToken: PRODUCT_TOKEN,
      obeysRobots: config.crawlObeyRobots,
      maxConcurrency: config.crawlConcurrency,
      hostConcurrency: config.crawlHostConcurrency,
      hostDelayMs: config.crawlHostDelayMs,
      maxPageBytes: config.crawlMaxPageBytes,
      maxJobSeconds: config.crawlMaxJobSeconds,
      egressAllow,
      egressResolver,
      parserThreads: config.parserThreads,
      runConcurrency: config.workerConcurrency,
    },
    logLevel: config.logLevel,
    hasWork: () => unfinished.get() !== undefined,
    onHint: (hint) => bus.publish(hint),
    log,
  })
  const queue = embeddedQueue({ now, wake: () => engine.wake() })

  const keyFor = (purpose: Parameters<typeof deriveKey>[1]) => deriveKey(config.secretKey, purpose)
  const baseUrl = createBaseUrl({ publicUrl: config.publicUrl ?? null })
  const limits = createRateLimits({ now })

  const keyHashes = keyFor('api key hashes')
  const apiKeys = createApiKeys({
    database,
    hash: (text) => keyedHash(keyHashes, text),
    newId,
    now,
    onFault: (error) => log.warn({ err: error }, 'the use of an API key could not be written down'),
    sealer: createSealer(keyFor('sealing')),
  })
  const teams = createTeams({ database, issueKey: apiKeys.issue, newId, now })
  const members = createMembers({ database, newId, now })
  const invitations = createInvitations({
    database,
    joinTeam: members.join,
    newId,
    now,
    sendInvitation: async (_transaction, { code, email }) =>
      log.warn({ email, link: `${config.publicUrl ?? ''}/register/?invitation_code=${code}` }, 'an invitation: pass the link on'),
    teamsById: teams.byId,
  })

  const passwords = createPasswords({ ...(replacements.hashCost && { cost: replacements.hashCost }) })
  const tokens = createTokens({
    accessSeconds: config.accessTokenSeconds,
    key: keyFor('access and refresh tokens'),
    now,
    refreshSeconds: config.refreshTokenSeconds,
  })
  const sessions = createSessions({ database, now, passwords, tokens })
  const install = createInstall({ createDefaultTeam: teams.createDefault, database, newId, now, passwords })
  const profile = createProfile({ database, endSessions: sessions.endAllOf, now, passwords })

  const links = createFileLinks({ key: keyFor('file links'), now, validSeconds: config.fileLinkSeconds })
  const pages = createCrawlPages({ database })
  const runs = createRuns({
    bus,
    cancelRun: (runNo) => engine.cancel(runNo),
    database,
    newId,
    newSalt: () => randomBytes(SALT_BYTES),
    now,
    queue,
  })
  const progress = createProgress({
    bus,
    database,
    mayRead: async ({ teamId, userId, sessionId, apiKeyId }) =>
      apiKeyId === null
        ? (await sessions.isOpen({ sessionId, userId })) && members.isMember(teamId, userId)
        : apiKeys.isKey(teamId, apiKeyId),
    now,
    warn: (facts, message) => log.warn(facts, message),
  })
  const startCrawl = createStartCrawl({
    judgeUrl: async (url) => (await egress.judgeUrl(url)) ?? 'allowed',
    maxConcurrency: config.crawlConcurrency,
    runs,
  })
  const sitemap = createCrawlSitemap({ database })

  const settings = createSettings({
    isInstalled: () => install.isInstalled(),
    known: {
      analyticsId: config.googleAnalyticsId,
      isEnterprise: config.enterpriseMode,
      isLoginEnabled: config.loginEnabled,
      maxCrawlConcurrency: config.crawlConcurrency,
      maxUploadUrls: MAX_BATCH_URLS,
      policyUpdatedAt: config.policyUpdatedAt,
      policyUrl: config.policyUrl,
      termsUpdatedAt: config.termsUpdatedAt,
      termsUrl: config.termsUrl,
      version: config.version,
    },
  })

  const api = createApi({
    callers: {
      userOf: sessions.userOf,
      teamOfKey: apiKeys.recognise,
      teamFor: teams.actingFor,
      countCall: (apiKeyId) => {
        if (config.rateLimitApi !== undefined) limits.take('api', { calls: config.rateLimitApi, seconds: 60 }, apiKeyId)
      },
    },
    corsOrigins: config.corsOrigins,
    features: [
      systemRoutes({ check: createReadiness({ database, dataDir: config.dataDir }), settings }),
      accountRoutes({ install, isLoginEnabled: config.loginEnabled, limits, profile, sessions }),
      teamRoutes({ apiKeys, baseUrl, teams }),
      memberRoutes({ baseUrl, invitations, limits, members }),
      crawlRoutes({ baseUrl, links, outcomes: createCrawlOutcomes({ database }), pages, progress, runs, sitemap, startCrawl }),
      fileRoutes({ links, pages, runs, sitemap }),
      usageRoutes({ baseUrl, usage: createUsage({ database, now }) }),
    ],
    maxBodyBytes: config.maxBodyBytes,
  })

  return {
    api,
    accounts: { install, teams },
    database,
    async close() {
      progress.close()
      await engine.close()
      await egress.close()
      await database.destroy()
      // The query builder closes what it has used, and nothing before.
      if (connection.open) connection.close()
    },
  }
}
