/** The composition root: opens what the features stand on, hands each what it needs, closes it all in reverse order. */
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { MAX_BATCH_URLS } from '#contract/crawls.ts'
import { UNLIMITED } from '#contract/plans.ts'
import { createAccountMails } from './accounts/account-mails.ts'
import { createClaim } from './accounts/claim-account.ts'
import { createAccountDeletion } from './accounts/delete-account.ts'
import { ANALYTICS_SETTING, createInstall } from './accounts/install.ts'
import { createMailedLinks } from './accounts/mailed-links.ts'
import { createOneTimeLinks } from './accounts/one-time-links.ts'
import { createPasswordWords } from './accounts/password-words.ts'
import { createPasswords } from './accounts/passwords.ts'
import type { HashCost } from './accounts/passwords.ts'
import { createProfile } from './accounts/profile.ts'
import { createProviderSignIn } from './accounts/provider-sign-in.ts'
import { configuredProviders } from './accounts/providers/configured.ts'
import { createRegistration } from './accounts/registration.ts'
import { accountRoutes } from './accounts/routes.ts'
import { createSessions } from './accounts/sessions.ts'
import { signUpRoutes } from './accounts/sign-up-routes.ts'
import { createTokens } from './accounts/tokens.ts'
import { createApi } from './api.ts'
import { createEgress, hostForUrl } from './crawler/fetch/egress.ts'
import { httpFetcher } from './crawler/fetch/http-fetcher.ts'
import { createOperatorClient } from './crawler/fetch/operator-client.ts'
import { PLUGINS } from './crawler/plugins/installed.ts'
import { createAttachments } from './crawls/attachments.ts'
import { createCrawlOutcomes } from './crawls/crawl-outcomes.ts'
import { createCrawlPages } from './crawls/crawl-pages.ts'
import type { CrawlFiles } from './crawls/crawl-files.ts'
import { fileRoutes } from './crawls/file-routes.ts'
import { pluginRoutes } from './crawls/plugin-routes.ts'
import { crawlRoutes } from './crawls/routes.ts'
import { createPageCache } from './crawls/page-cache.ts'
import { createScrapePage } from './crawls/scrape-page.ts'
import { scrapeRoutes } from './crawls/scrape-routes.ts'
import { createStartCrawl } from './crawls/start-crawl.ts'
import { engineHost } from './engine-host.ts'
import type { EngineHost } from './engine-host.ts'
import { createAccount } from './firecrawl/account.ts'
import { createJobs } from './firecrawl/jobs.ts'
import { createMapSite } from './firecrawl/map.ts'
import { firecrawlRoutes } from './firecrawl/routes.ts'
import { createScrape } from './firecrawl/scrape.ts'
import { createSearchWeb } from './firecrawl/search.ts'
import { createStatuses } from './firecrawl/status.ts'
import { createBaseUrl } from './http/base-url.ts'
import { createFileLinks } from './http/file-links.ts'
import { addressTries, createRateLimits, SIGN_IN_LIMITS } from './http/rate-limits.ts'
import { blobsFolder, directoryBlobs } from './platform/blobs/directory-blobs.ts'
import { steadyClock } from './platform/clock.ts'
import { checkDatabaseFile } from './platform/database/check-file.ts'
import { createReaders, localReaders } from './platform/database/readers.ts'
import { migrate, openSqlite, sqliteDatabase, sqliteFile } from './platform/database/sqlite.ts'
import type { Database } from './platform/database/database.ts'
import { localBus } from './platform/events/local-bus.ts'
import { createIds } from './platform/ids.ts'
import { logMailer, smtpMailer } from './platform/mailer.ts'
import { createOutbox } from './platform/outbox.ts'
import { embeddedQueue } from './platform/queue/embedded-queue.ts'
import { mailJobs } from './platform/queue/mail-jobs.ts'
import { createSealer, deriveKey, keyedHash } from './platform/secrets.ts'
import { createCatalogue } from './plans/catalogue.ts'
import { runCredits } from './plans/run-credits.ts'
import { createCredits } from './plans/credits.ts'
import { isBilled } from './plans/is-billed.ts'
import { createPaymentEvents } from './plans/payment-events.ts'
import { readPlansFile } from './plans/plans-file.ts'
import { planRoutes } from './plans/routes.ts'
import { stripeProvider } from './plans/stripe-provider.ts'
import { createSubscriptions } from './plans/subscriptions.ts'
import { webhookRoutes } from './plans/webhook-routes.ts'
import { createProxies } from './proxies/proxies.ts'
import { proxyRoutes } from './proxies/routes.ts'
import { createProxyTest } from './proxies/test-proxy.ts'
import { READER_FILES } from './reader-files.ts'
import { referenceRoutes } from './reference/routes.ts'
import { createDeletedTeams } from './removal/deleted-teams.ts'
import { keepHouse } from './removal/keep-house.ts'
import { removeAtEnd } from './removal/remove-at-end.ts'
import { HOW_TO_INSTALL, NO_BROWSER, findChromium } from './renderer/find-chromium.ts'
import { createRetention } from './removal/retention.ts'
import { retentionRoutes } from './removal/routes.ts'
import { sweepHost } from './removal/sweep-host.ts'
import { createProgress } from './runs/progress.ts'
import { createRuns } from './runs/runs.ts'
import { sealOldRuns } from './runs/seal-old-runs.ts'
import { indexFileOf } from './searches/own-index/index-file.ts'
import { indexHost } from './searches/own-index/index-host.ts'
import { ownPageRoutes } from './searches/own-index/own-page-routes.ts'
import { createOwnSearch } from './searches/own-index/own-search.ts'
import { searchesTheWeb } from './searches/providers/configured.ts'
import type { SearchSetup } from './searches/providers/configured.ts'
import type { ProviderName } from './searches/providers/index.ts'
import { searchRoutes } from './searches/routes.ts'
import { createSearchResults } from './searches/search-results.ts'
import { createStartSearch } from './searches/start-search.ts'
import type { SiteFiles } from './sitemaps/site-files.ts'
import { sitemapRoutes } from './sitemaps/routes.ts'
import { createSitemapUrls } from './sitemaps/sitemap-urls.ts'
import { createStartSitemap } from './sitemaps/start-sitemap.ts'
import { createRunEndings } from './store/run-endings.ts'
import { createInstallReport, sendReportTo } from './system/install-report.ts'
import { createReadiness } from './system/readiness.ts'
import { systemRoutes } from './system/routes.ts'
import { createSettings } from './system/settings.ts'
import { createStorageWatch } from './system/storage-watch.ts'
import { createApiKeys } from './teams/api-keys.ts'
import { createInvitations } from './teams/invitations.ts'
import { memberRoutes } from './teams/member-routes.ts'
import { checkOwner, createTeamDeletion } from './teams/delete-team.ts'
import { createMembers } from './teams/members.ts'
import { teamRoutes } from './teams/routes.ts'
import { createTeams } from './teams/teams.ts'
import { usageRoutes } from './usage/routes.ts'
import { createUsage } from './usage/usage.ts'

/** Everything that an operator can set about the backend, checked by the reader of the environment. */
export type BackendConfig = {
  accessTokenSeconds: number
  braveApiBase: string
  braveApiKey?: string | undefined
  /** Where a browser is looked for, besides `chromiumPath`; absent: nowhere. */
  browserPlaces?: { searchPath?: string | undefined; browsersPath?: string | undefined }
  chromiumPath?: string | undefined
  corsOrigins: readonly string[]
  crawlConcurrency: number
  crawlHostConcurrency: number
  crawlHostDelayMs: number
  crawlMaxDepth?: number | undefined
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
  githubApiUrl: string
  githubClientId?: string | undefined
  githubClientSecret?: string | undefined
  githubOauthUrl: string
  googleApiUrl: string
  googleClientId?: string | undefined
  googleOauthUrl: string
  /** Where people reach the dashboard, without a slash at its end: what links in mails begin with. */
  linkBase: () => string
  googleAnalyticsId?: string | undefined
  googleSearchApiBase: string
  googleSearchCx?: string | undefined
  googleSearchKey?: string | undefined
  /** Who is told of the machine when the administrator agreed to it. */
  installReportUrl?: string | undefined
  loginEnabled: boolean
  mailFrom: string
  maxBodyBytes: number
  /** Live streams of one user, or of a team's keys. */
  maxStreams: number
  parserThreads: number
  /** The catalogue of plans. */
  plansFile?: string | undefined
  policyUpdatedAt?: string | undefined
  policyUrl?: string | undefined
  productName: string
  /** Answers with the address that it was asked from. */
  proxyEchoUrl: string
  publicUrl?: string | undefined
  /** Calls per minute and API key; none is no limit. */
  rateLimitApi?: number | undefined
  refreshTokenSeconds: number
  /** Pages that a browser draws at once. */
  renderConcurrency: number
  /** Ended runs are deleted after so many days; 0 keeps them. */
  retentionDays: number
  searchProviders?: readonly ProviderName[] | undefined
  searxngUrl?: string | undefined
  secretKey: string
  sitemapMaxUrls: number
  signupEnabled: boolean
  smtpUrl?: string | undefined
  stripeApiBase: string
  stripeSecretKey?: string | undefined
  /** Several while one is replaced. */
  stripeWebhookSecret?: readonly string[] | undefined
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
  /** Calls again and again, until the returned function is called. */
  every?: (ms: number, call: () => void) => () => void
}

/** The verbs that other programs than the API use: scripts, tests. */
export type Accounts = { install: ReturnType<typeof createInstall>; teams: ReturnType<typeof createTeams> }

export type Backend = {
  api: FastifyPluginAsync
  accounts: Accounts
  database: Database
  /** This process has been told to end; `close` follows when the last answers are out. */
  retire(): void
  close(): Promise<void>
}

/** Longer than a mail server may take; a mail that was being sent when the process ended is then sent by the next process. */
const MAIL_LEASE_MS = 5 * 60_000
/** The product token by which robots.txt knows us, whatever the user agent says. */
const PRODUCT_TOKEN = 'SeineBot'
const SALT_BYTES = 16
/** The API's own connection; the engine has another. */
const CACHE_MIB = 16

/**
 * Opens and migrates the database, and wires the features.
 *
 * Throws when the database cannot be used. What was opened by then is closed again.
 */
export async function createBackend(config: BackendConfig, log: Log, replacements: Replacements = {}): Promise<Backend> {
  const now = replacements.now ?? Date.now
  // For what is only measured: the clock of the day may be set.
  const steady = replacements.now ?? steadyClock()
  const newId = createIds(now)
  const file = sqliteFile(config.databaseUrl)
  const egressAllow = config.egressAllow.join(',')
  const egressResolver = config.egressResolver ?? null
  const egress = createEgress({ allow: egressAllow, resolver: egressResolver, userAgent: config.crawlerUserAgent })
  const plans = config.plansFile === undefined ? null : readPlansFile(config.plansFile)
  checkDatabaseFile(file)
  const connection = openSqlite(file, { cacheMiB: CACHE_MIB })
  const database = sqliteDatabase(connection, { onFault: (fault) => storage.onFault(fault) })
  const storage = createStorageWatch({
    folder: dirname(file),
    log,
    now,
    tryWrite: async () => {
      const row = { name: 'last_write_check', value: String(now()) }
      await database
        .insertInto('setting')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
    },
  })
  const readers =
    file === ':memory:'
      ? localReaders(database, READER_FILES)
      : createReaders({ file, program: new URL('./reader-thread.ts', import.meta.url) })
  const crawlFiles = readers.files<CrawlFiles>('crawls')
  const catalogue = createCatalogue({ database, now })
  try {
    migrate(connection, now)
    sealOldRuns(connection, createSealer(deriveKey(config.secretKey, 'secrets of runs')))
    if (plans !== null) await catalogue.replaceFromFile(plans)
  } catch (cause) {
    connection.close()
    throw cause
  }
  const bus = localBus()
  const anyPage = connection.prepare('SELECT 1 FROM page LIMIT 1')
  const deletedRuns = connection.prepare('SELECT count(*) AS runs, sum(no) AS numbers FROM run WHERE deleted_at IS NOT NULL')
  const anyDeletedTeam = connection.prepare('SELECT 1 FROM team WHERE deleted_at IS NOT NULL LIMIT 1')
  const firstDeletedRun = connection.prepare('SELECT no FROM run WHERE deleted_at IS NOT NULL ORDER BY no LIMIT 1')
  const ownIndex = indexHost({
    database: file,
    deleted: () => JSON.stringify(deletedRuns.get()),
    file: indexFileOf(file),
    hasPages: () => anyPage.get() !== undefined,
    log,
  })
  const sweeper = sweepHost({
    data: { database: file, dataDir: config.dataDir, index: indexFileOf(file) },
    hasWork: () => firstDeletedRun.get() !== undefined || anyDeletedTeam.get() !== undefined,
    // It finds the others by itself.
    onWaiting: () => ownIndex.hint((firstDeletedRun.get() as { no: number } | undefined)?.no ?? 0),
    program: new URL('./sweep-thread.ts', import.meta.url),
    warn: (facts, message) => log.warn(facts, message),
  })
  const ownSearch = createOwnSearch({ database: file, onDamage: () => ownIndex.hint(0) })
  const unfinished = connection.prepare('SELECT 1 FROM run WHERE ended_at IS NULL LIMIT 1')
  const browser = config.browserPlaces === undefined ? null : findChromium({ ...config.browserPlaces, chromiumPath: config.chromiumPath })
  const isBrowserMissing = browser === null && config.chromiumPath !== undefined && config.chromiumPath !== NO_BROWSER
  if (isBrowserMissing)
    log.warn({ path: config.chromiumPath }, `CHROMIUM_PATH names no program that can be run: pages are not rendered. ${HOW_TO_INSTALL}`)
  let isBrowserWell = !isBrowserMissing
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
    rendering: browser === null ? null : { browserPath: browser.path, dataDir: config.dataDir, slots: config.renderConcurrency },
    onRendering: (isUsable) => {
      isBrowserWell = isUsable
    },
    search: searchSetup(config),
    proxyKey: deriveKey(config.secretKey, 'proxy passwords'),
    secretsKey: deriveKey(config.secretKey, 'secrets of runs'),
    hasWork: () => unfinished.get() !== undefined,
    onStuck: storage.onEngine,
    onHint: (hint) => {
      bus.publish(hint)
      ownIndex.hint(hint.runNo)
    },
    log,
  })
  const queue = embeddedQueue({ now, wake: () => engine.wake() })

  const keyFor = (purpose: Parameters<typeof deriveKey>[1]) => deriveKey(config.secretKey, purpose)
  const baseUrl = createBaseUrl({ publicUrl: config.publicUrl ?? null })
  const limits = createRateLimits({ now: steady })

  const outbox = createOutbox({
    jobs: mailJobs({ database, leaseMs: MAIL_LEASE_MS, now, owner: newId() }),
    log,
    mailer: config.smtpUrl
      ? smtpMailer({ from: config.mailFrom, url: config.smtpUrl })
      : logMailer({ warn: (facts, message) => log.warn(facts, message) }),
    newId,
    now,
    sealer: createSealer(keyFor('sealing')),
  })
  const mails = createAccountMails({ baseUrl: config.linkBase, productName: config.productName })

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
  const members = createMembers({ database, newId, now, revokeKeys: apiKeys.revokeKnownTo })
  const maxDepth = config.crawlMaxDepth ?? UNLIMITED
  const credits = createCredits({ database, isEnterprise: config.enterpriseMode, maxDepth, now })
  const payment = stripeProvider({
    apiBase: config.stripeApiBase,
    now,
    secretKey: config.stripeSecretKey,
    warn: (facts, message) => log.warn(facts, message),
    webhookSecrets: config.stripeWebhookSecret ?? [],
  })
  const invitations = createInvitations({
    checkInvitation: credits.checkInvitation,
    checkSeat: credits.checkSeat,
    database,
    joinTeam: members.join,
    newId,
    now,
    sendInvitation: (transaction, { email, ...invitation }) => outbox.queue(transaction, { to: email, mail: mails.invitation(invitation) }),
    teamsById: teams.byId,
  })

  const passwords = createPasswords({ ...(replacements.hashCost && { cost: replacements.hashCost }) })
  const passwordWords = createPasswordWords({ productName: config.productName })
  const tokens = createTokens({
    accessSeconds: config.accessTokenSeconds,
    key: keyFor('access and refresh tokens'),
    now,
    refreshSeconds: config.refreshTokenSeconds,
  })
  const addressHashes = keyFor('network addresses')
  const sessions = createSessions({ database, hashAddress: (address) => keyedHash(addressHashes, address), now, passwords, tokens })
  const linkHashes = keyFor('one-time links')
  const oneTimeLinks = createOneTimeLinks({ database, hash: (text) => keyedHash(linkHashes, text), now })
  const claim = createClaim({
    endKeys: apiKeys.revokeAllOf,
    endSessions: sessions.forgetAllOf,
    now,
    withdrawLinks: oneTimeLinks.withdraw,
  })
  const hasNothingToConfirm = config.policyUrl === undefined && config.termsUrl === undefined
  const installReport = startInstallReport(config, { database, every: replacements.every ?? everyInterval, newId })
  const install = createInstall({
    createDefaultTeam: teams.createDefault,
    database,
    hasNothingToConfirm,
    newId,
    now,
    onInstalled: () => void installReport?.look(),
    passwords,
    passwordWords,
  })
  const profile = createProfile({
    database,
    endSessions: sessions.endAllOf,
    now,
    passwords,
    passwordWords,
    withdrawLinks: oneTimeLinks.withdraw,
  })
  const registration = createRegistration({
    database,
    hasNothingToConfirm,
    invitations,
    isInstalled: () => install.isInstalled(),
    isSignupEnabled: config.signupEnabled,
    links: oneTimeLinks,
    mails,
    newId,
    now,
    passwords,
    passwordWords,
    queueMail: outbox.queue,
    sendsMail: config.smtpUrl !== undefined,
  })
  const mailedLinks = createMailedLinks({
    claim,
    database,
    links: oneTimeLinks,
    mails,
    now,
    passwords,
    passwordWords,
    queueMail: outbox.queue,
    sessions,
  })
  const signInClient = createOperatorClient({
    origins: [config.githubApiUrl, config.githubOauthUrl, config.googleApiUrl, config.googleOauthUrl],
    userAgent: `${config.productName}/${config.version}`,
  })
  const providerSignIn = createProviderSignIn({
    claim,
    database,
    hasNothingToConfirm,
    isInstalled: install.isInstalled,
    isSignupEnabled: config.signupEnabled,
    newId,
    now,
    providers: configuredProviders({ ...config, ask: signInClient.ask, now }),
    sessions,
  })

  const links = createFileLinks({ key: keyFor('file links'), now, validSeconds: config.fileLinkSeconds })
  const attachments = createAttachments({ blobs: directoryBlobs(blobsFolder(config.dataDir)), database, newId, now })
  const pages = createCrawlPages({ database, lists: readers.database })
  const outcomes = createCrawlOutcomes({ database: readers.database })
  const runs = createRuns({
    bus,
    cancelRun: (runNo) => engine.cancel(runNo),
    database,
    hooks: runCredits,
    lists: readers.database,
    newId,
    newSalt: () => randomBytes(SALT_BYTES),
    now,
    onDeleted: (deleted) => {
      for (const { no, kept } of deleted) if (kept > 0) ownIndex.hint(no)
      sweeper.wake()
    },
    queue,
    reserve: credits.reserve,
    sealer: createSealer(keyFor('secrets of runs')),
  })
  const progress = createProgress({
    bus,
    database,
    ...(replacements.every && { every: replacements.every }),
    maxStreams: config.maxStreams,
    mayRead: async ({ teamId, userId, sessionId, apiKeyId }) =>
      apiKeyId === null
        ? (await sessions.isOpen({ sessionId, userId })) && members.isMember(teamId, userId)
        : apiKeys.isKey(teamId, apiKeyId),
    now: steady,
    warn: (facts, message) => log.warn(facts, message),
  })
  const teamDeletion = createTeamDeletion({
    database,
    isBilled,
    lists: readers.database,
    now,
    onDeleted: (teamId) => {
      void progress.recheck(teamId)
      void deletedTeams.finish()
    },
  })
  const accountDeletion = createAccountDeletion({
    database,
    endKeys: apiKeys.revokeAllOf,
    isBilled,
    links: oneTimeLinks,
    mails,
    passwords,
    queueMail: outbox.queue,
    teams: teamDeletion,
  })
  const deletedTeams = createDeletedTeams({
    database,
    deleteAllOf: runs.deleteAllOf,
    onFault: (fault) => log.warn({ err: fault }, 'the jobs of a deleted team could not be deleted; it is tried again within a minute'),
  })
  const retention = createRetention({
    database,
    deleteRuns: runs.deleteByNumber,
    installationDays: config.retentionDays,
    lists: readers.database,
    now,
  })
  const endings = createRunEndings({
    bus,
    database,
    ...(replacements.every && { every: replacements.every }),
    warn: (facts, message) => log.warn(facts, message),
  })
  endings.onRunEnded('removal', removeAtEnd(sweeper))
  const stopKeeping = keepHouse({ deletedTeams, hasDeletedTeams: () => anyDeletedTeam.get() !== undefined, log, retention, sweeper })
  const judgeUrl = async (url: string) => (await egress.judgeUrl(url)) ?? 'allowed'
  const mayDial = async (host: string, port: number) => (await egress.judgeUrl(`http://${hostForUrl(host)}:${port}/`)) === null
  const proxies = createProxies({ database, mayDial, newId, now, sealer: createSealer(keyFor('proxy passwords')) })
  const fetcher = httpFetcher({ egress })
  const startCrawl = createStartCrawl({
    judgeUrl,
    maxConcurrency: config.crawlConcurrency,
    plugins: PLUGINS,
    proxyCategory: proxies.categoryOf,
    runs,
  })

  const startSitemap = createStartSitemap({ judgeUrl, maxUrls: config.sitemapMaxUrls, proxyCategory: proxies.categoryOf, runs })
  const sitemapUrls = createSitemapUrls({ database: readers.database })
  const searchResults = createSearchResults({ database })
  const startSearch = createStartSearch({ runs })
  const scrapePage = createScrapePage({ bus, cache: createPageCache({ database, pages }), now, outcomes, pages, runs })
  const hasBrowser = browser !== null
  const firecrawlJobs = createJobs({ hasBrowser, mostOf: credits.allowance, newId, runs, startCrawl })
  const firecrawlStatuses = createStatuses({ attachments, links, outcomes, pages, retentionDays: config.retentionDays })

  const settings = createSettings({
    isInstalled: () => install.isInstalled(),
    known: {
      analyticsId: config.googleAnalyticsId,
      githubClientId: config.githubClientId,
      googleClientId: config.googleClientId,
      isEnterprise: config.enterpriseMode,
      isLoginEnabled: config.loginEnabled,
      isSignupEnabled: config.signupEnabled,
      isMailConfigured: config.smtpUrl !== undefined,
      isRenderingConfigured: browser !== null,
      isSearchConfigured: searchesTheWeb(searchSetup(config)),
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
      countStranger: (ip) => void limits.takeAll(addressTries('bodyFromAddress', SIGN_IN_LIMITS.bodyFromAddress, ip)),
    },
    corsOrigins: config.corsOrigins,
    features: [
      systemRoutes({
        check: createReadiness({ browser: () => (isBrowserWell ? (browser === null ? 'off' : 'ok') : 'failed'), database, storage }),
        settings,
      }),
      accountRoutes({ deletion: accountDeletion, install, isLoginEnabled: config.loginEnabled, limits, profile, sessions }),
      signUpRoutes({ hasSignedInFrom: sessions.hasSignedInFrom, limits, mailedLinks, providerSignIn, registration }),
      teamRoutes({ apiKeys, baseUrl, deletion: teamDeletion, teams }),
      retentionRoutes({ checkOwner: (actor) => checkOwner(database, actor), retention }),
      memberRoutes({ baseUrl, invitationLink: mails.invitationLink, invitations, limits, members }),
      crawlRoutes({
        attachments,
        blobs: blobsFolder(config.dataDir),
        baseUrl,
        files: crawlFiles,
        links,
        outcomes,
        pages,
        progress,
        runs,
        startCrawl,
      }),
      firecrawlRoutes({
        account: createAccount({ allowance: credits.allowance, database: readers.database, maxConcurrency: config.crawlConcurrency, now }),
        baseUrl,
        jobs: firecrawlJobs,
        mapSite: createMapSite({ bus, runs, startSitemap: startSitemap.startSpec, urls: sitemapUrls }),
        runs,
        scrape: createScrape({ jobs: firecrawlJobs, runs, scrapePage, statuses: firecrawlStatuses }),
        searchWeb: createSearchWeb({
          bus,
          hasBrowser,
          jobs: firecrawlJobs,
          results: searchResults,
          runs,
          startSearch,
          statuses: firecrawlStatuses,
        }),
        statuses: firecrawlStatuses,
        watch: {
          actorOf: async (key) => {
            const known = await apiKeys.recognise(key)
            return known === null ? null : { userId: null, sessionId: null, teamId: known.teamId, apiKeyId: known.apiKeyId }
          },
          bus,
          enter: progress.enter,
          jobs: firecrawlJobs,
          leave: progress.leave,
          mayRead: async ({ apiKeyId, teamId }) => apiKeyId !== null && apiKeys.isKey(teamId, apiKeyId),
          publicBase: config.publicUrl?.replace(/\/+$/, '') ?? null,
          runs,
          statuses: firecrawlStatuses,
          warn: (facts, message) => log.warn(facts, message),
        },
      }),
      scrapeRoutes({ baseUrl, links, pages, progress, scrape: scrapePage, startCrawl }),
      fileRoutes({ attachments, blobs: blobsFolder(config.dataDir), files: crawlFiles, links, pages, runs }),
      pluginRoutes({ plugins: PLUGINS }),
      ownPageRoutes({ baseUrl, ownSearch }),
      searchRoutes({
        baseUrl,
        links,
        progress,
        results: searchResults,
        runs,
        startSearch,
      }),
      sitemapRoutes({
        baseUrl,
        files: readers.files<SiteFiles>('sitemaps'),
        links,
        progress,
        runs,
        startSitemap: startSitemap.startSitemap,
        urls: sitemapUrls,
      }),
      proxyRoutes({
        baseUrl,
        limits,
        proxies,
        test: createProxyTest({ dialled: proxies.dialled, echoUrl: new URL(config.proxyEchoUrl).href, fetch: fetcher.fetch, mayDial }),
      }),
      usageRoutes({ baseUrl, usage: createUsage({ database: readers.database, now }) }),
      planRoutes({
        catalogue,
        maxDepth,
        subscriptions: createSubscriptions({
          catalogue,
          dashboard: config.linkBase,
          database,
          isEnterprise: config.enterpriseMode,
          newId,
          now,
          provider: payment,
        }),
      }),
      webhookRoutes({
        provider: payment,
        takeEvent: createPaymentEvents({
          database,
          newId,
          now,
          readSubscription: payment.readSubscription,
          warn: (facts, message) => log.warn(facts, message),
        }),
      }),
      referenceRoutes({ baseUrl, productName: config.productName, version: config.version }),
    ],
    maxBodyBytes: config.maxBodyBytes,
  })

  const unreadable = { apiKeys: await apiKeys.countUnreadable(), proxyPasswords: await proxies.countUnreadable() }
  if (unreadable.apiKeys + unreadable.proxyPasswords > 0)
    log.warn(
      unreadable,
      'the secret key is not the one that sealed these: such API keys no longer work, and are listed without their text; such proxies need their password again. Put the old secret key back, or replace them',
    )

  await endings.start()
  return {
    api,
    accounts: { install, teams },
    database,
    retire() {
      engine.retire?.()
      ownIndex.retire()
    },
    async close() {
      progress.close()
      await outbox.close()
      await installReport?.close()
      await signInClient.close()
      await engine.close()
      await endings.close()
      stopKeeping()
      await sweeper.close()
      await ownIndex.close()
      await ownSearch.close()
      await readers.close()
      await fetcher.close()
      await egress.close()
      await database.destroy()
      // The query builder closes what it has used, and nothing before.
      if (connection.open) connection.close()
    },
  }
}

const everyInterval = (ms: number, call: () => void) => {
  const timer = setInterval(call, ms).unref()
  return () => clearInterval(timer)
}

/** Null when the operator named no receiver: then nothing is sent, whatever anybody agreed to. */
function startInstallReport(
  { installReportUrl: url, productName, version }: BackendConfig,
  needs: Pick<Parameters<typeof createInstallReport>[0], 'database' | 'every' | 'newId'>,
) {
  if (url === undefined) return null
  const client = createOperatorClient({ origins: [url], userAgent: `${productName}/${version}` })
  const report = createInstallReport({ ...needs, agreement: ANALYTICS_SETTING, send: sendReportTo(url, client.ask), version })
  return { look: report.look, close: () => report.close().then(client.close) }
}

/** Who searches the web, from the options. */
function searchSetup(config: BackendConfig): SearchSetup {
  const { braveApiBase, braveApiKey, googleSearchApiBase, googleSearchCx, googleSearchKey, searchProviders, searxngUrl } = config
  return {
    searxng: searxngUrl === undefined ? null : { url: searxngUrl },
    brave: braveApiKey === undefined ? null : { key: braveApiKey, url: braveApiBase },
    google:
      googleSearchKey === undefined || googleSearchCx === undefined
        ? null
        : { key: googleSearchKey, cx: googleSearchCx, url: googleSearchApiBase },
    order: searchProviders ?? null,
    userAgent: config.crawlerUserAgent,
  }
}
