/** What the backend is told when it starts: its options, and where it logs. */
import { localBlobs } from './platform/blobs/open-blobs.ts'
import type { BlobPlace } from './platform/blobs/open-blobs.ts'
import type { PricedModel } from './models/model-setup.ts'
import type { ProviderName } from './searches/providers/index.ts'

/** Everything that an operator can set about the backend, checked by the reader of the environment. */
export type BackendConfig = {
  accessTokenSeconds: number
  /** Where captured files are; absent: in the data folder. */
  blobPlace?: BlobPlace | undefined
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
  /** Whether traces are exported. */
  isTraced?: boolean
  /** Opens the metrics; absent: nothing is counted. */
  metricsToken?: string | undefined
  /** Live streams of one user, or of a team's keys. */
  maxStreams: number
  openaiApiKey?: string | undefined
  openaiBaseUrl: string
  /** Calls at once. */
  openaiConcurrency: number
  /** Most tokens of one crawl. */
  openaiMaxTokens: number
  openaiModels?: readonly PricedModel[] | undefined
  /** Longest part of a page that is read at once. */
  openaiPartCharacters: number
  openaiTimeoutSeconds: number
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
  /** Redis or Valkey: what several processes share. */
  redisUrl?: string | undefined
  refreshTokenSeconds: number
  /** Pages that a browser draws at once. */
  renderConcurrency: number
  /** What renderers ask of workers. */
  rendererToken?: string | undefined
  /** Renderers of other machines, in the place of a browser of this one. */
  rendererUrl?: readonly string[] | undefined
  /** Ended runs are deleted after so many days; 0 keeps them. */
  retentionDays: number
  /** What of the work this process does; absent: all. */
  role?: 'all' | 'gateway' | 'api' | 'worker' | 'renderer'
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
  /** Deliveries of webhooks are kept so long, with what was answered. */
  webhookLogDays: number
  /** After the first failed attempt, the second and so on. */
  webhookRetrySeconds: readonly number[]
  workerConcurrency: number
}

/** The log as the backend uses it. */
export type Log = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Where the blobs of an installation are. */
export const blobPlaceOf = ({ blobPlace, dataDir }: Pick<BackendConfig, 'blobPlace' | 'dataDir'>): BlobPlace =>
  blobPlace ?? localBlobs(dataDir)
