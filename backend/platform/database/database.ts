/**
 * The Database port: tables and transactions, independent of the database behind them.
 *
 * A transaction is atomic, and durable when `execute` has resolved. Writers are serialised: a transaction never fails because another one
 * committed first. A transaction never waits for the network.
 */
import type { Generated, Kysely, Transaction as KyselyTransaction } from 'kysely'

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

/** For functions that may run inside a transaction of their caller. */
export type Rows = Database | Transaction

export type Tables = {
  setting: { name: string; value: string }
  user: UserTable
  session: SessionTable
  team: TeamTable
  teamMember: { id: string; teamId: string; userId: string; isOwner: number; createdAt: number }
  apiKey: ApiKeyTable
  oneTimeLink: OneTimeLinkTable
  invitation: InvitationTable
  proxyServer: ProxyServerTable
  /** `options` as JSON. */
  crawlPreset: CrawlPresetTable
  crawlSchedule: CrawlScheduleTable
  run: RunTable
  runOptions: { runNo: number; options: string; spec: string | null; seeds: string; secrets: string | null }
  host: HostTable
  runUrl: RunUrlTable
  page: PageTable
  pageBody: { pageNo: number; encoding: number; rawBytes: number; body: Buffer }
  runBlob: { id: string; runNo: number; pageNo: number; type: string; filename: string; bytes: number; createdAt: number }
  modelEndpoint: ModelEndpointTable
  modelUse: ModelUseTable
  runFeed: { runNo: number; firstSeq: number; lastSeq: number; messages: string }
  job: JobTable
  creditEntry: CreditEntryTable
  searchResult: { runNo: number; items: string }
  sitemapUrl: { runNo: number; seq: number; url: string; lastmod: string | null }
  runEnding: { no: Generated<number>; runNo: number; runId: string; teamId: string; kind: string; status: string; endedAt: number }
  /** How far each listener has read the ends of runs. */
  runEndingListener: { name: string; place: number }
  webhookEndpoint: WebhookEndpointTable
  webhookDelivery: WebhookDeliveryTable
  webhookAttempt: WebhookAttemptTable
  webhookFeed: WebhookFeedTable
  /** Teams that were notified of low credits, and the period of that notice. */
  webhookCreditNotice: { teamId: string; periodStartAt: number }
  plan: PlanTable
  subscription: SubscriptionTable
  /** The team with which a user last began the free plan; `usedUntil` if it was deleted after it had used credits. */
  freePlan: { userId: string; teamId: string; startAt: number; usedUntil: number | null }
  /** Deleted accounts that had used credits of the free plan, until its period ends; by a keyed hash of the address. */
  pastFreePlan: { emailHash: string; usedUntil: number }
  payment: PaymentTable
  paymentEvent: { id: string; type: string; objectId: string | null; happenedAt: number | null; receivedAt: number }
}

/** A team's own endpoint of language models; `models` is a JSON list of names. */
export type ModelEndpointTable = { teamId: string; baseUrl: string; sealedKey: string | null; models: string; updatedAt: number }

/** A run's use of a model; costs in millionths. */
type ModelUseTable = {
  runNo: number
  teamId: string
  model: string
  calls: number
  promptTokens: number
  answerTokens: number
  costMicros: number
}

/** `addressHash` is a keyed hash of the network address that signed in; null when unknown. */
type SessionTable = {
  id: string
  userId: string
  createdAt: number
  expiresAt: number
  endedAt: number | null
  addressHash: Generated<string | null>
}

/** `createdBy` is the user who created it, perhaps deleted since; null for keys older than the column. */
type ApiKeyTable = {
  id: string
  teamId: string
  name: string
  hash: string
  sealed: string
  createdBy: Generated<string | null>
  createdAt: number
  lastUsedAt: number | null
}

type TeamTable = {
  id: string
  name: string
  isDefault: number
  /** The user who owns it, also while its data is being removed; null if unknown. */
  ownerId: Generated<string | null>
  /** The team's customer id at the payment provider. */
  paymentCustomerId: Generated<string | null>
  /** The team is deleted, and its runs are being removed. */
  deletedAt: Generated<number | null>
  /** Days after which ended runs are deleted; null keeps them. */
  retentionDays: Generated<number | null>
  createdAt: number
  updatedAt: number
}

/** What a run was allowed and has used. The `removed…` columns describe a removed run; null while the run exists. */
type CreditEntryTable = {
  runNo: number
  teamId: string
  requested: number
  used: number
  state: string
  createdAt: number
  removedRunId: Generated<string | null>
  removedKind: Generated<string | null>
  removedStatus: Generated<string | null>
  removedKept: Generated<number | null>
}

/** Prices are cents of the whole period; -1 is no limit. `source`: `file` or `admin`, where the plan is maintained. */
export type PlanTable = {
  id: string
  name: string
  label: string | null
  planGroup: string
  description: string
  priceBeforeDiscount: number | null
  price: number
  numberOfUsers: number
  pageCredit: number
  dailyPageCredit: number
  crawlMaxDepth: number
  crawlMaxLimit: number
  maxConcurrentCrawl: number
  isDefault: number
  /** JSON. */
  features: string
  /** Id of the price at the payment provider. */
  priceId: string | null
  position: number
  isActive: number
  source: string
  createdAt: number
  updatedAt: number
}

export type SubscriptionTable = {
  id: string
  teamId: string
  planId: string
  status: string
  /** Id of the subscription at the payment provider; null for the free plan and for gifts of the operator. */
  providerId: string | null
  startAt: number | null
  periodStartAt: number | null
  periodEndAt: number | null
  cancelAt: number | null
  /** Ledger entries of runs up to this number count for an earlier period or plan. */
  countsAfter: number
  /** The newest event of the provider: its time (seconds), its sort, and its id. */
  eventAt: number
  eventRank: number
  eventId: string
  createdAt: number
  updatedAt: number
}

/** An invoice; `amount` in cents. */
type PaymentTable = {
  id: string
  teamId: string
  invoiceId: string
  paymentId: string | null
  amount: number
  currency: string
  status: string
  eventAt: number
  eventRank: number
  createdAt: number
  updatedAt: number
}

export type UserTable = {
  id: string
  email: string
  emailLower: string
  passwordHash: string | null
  firstName: string
  lastName: string
  isActive: number
  isSuperuser: number
  /** The user may sign in. */
  emailVerified: number
  /** The user has proved that the address is theirs. */
  emailProven: Generated<number>
  newsletterConfirmed: number
  /** Chosen by the user; null for the browser's language. */
  language: string | null
  privacyConfirmedAt: number | null
  termsConfirmedAt: number | null
  createdAt: number
  updatedAt: number
}

/** A mailed link, by the hash of its token; one per purpose and user. */
type OneTimeLinkTable = {
  tokenHash: string
  purpose: string
  userId: string
  createdAt: number
  expiresAt: number
  usedAt: number | null
}

/** One per team and address. `status` is `pending`, `accepted`, `withdrawn` or `declined`. */
export type InvitationTable = {
  id: string
  teamId: string
  email: string
  emailLower: string
  codeHash: string
  /** 0 when the code was shown to the team's owner: using it proves no address. */
  provesAddress: Generated<number>
  status: string
  invitedBy: string | null
  createdAt: number
  updatedAt: number
}

/**
 * Of a team or, without one, of the installation. `category` is `team`, `general` or `premium`; each team and the installation have one
 * default.
 */
export type ProxyServerTable = {
  id: string
  teamId: string | null
  category: string
  slug: string
  name: string
  isDefault: number
  proxyType: string
  host: string
  port: number
  username: string | null
  sealedPassword: string | null
  createdAt: number
  updatedAt: number
}

export type CrawlPresetTable = { id: string; teamId: string; name: string; options: string; createdAt: number; updatedAt: number }

/**
 * A crawl that repeats. `request` is the crawl to repeat as JSON, without its secrets, which `secrets` holds sealed. `nextAt` is null while
 * the schedule is not active.
 */
export type CrawlScheduleTable = {
  id: string
  teamId: string
  /** The user who created it, perhaps deleted since; null if it was created with an API key. */
  createdBy: string | null
  name: string
  /** The crawl that it was made from, perhaps deleted since; null for a monitor, which is made without a crawl. */
  crawlId: string | null
  /** `single` or `batch`, its first URL, and how many it has. */
  variant: string
  url: string
  urls: number
  request: string
  secrets: string | null
  cron: string
  timezone: string
  isActive: number
  mailChanges: number
  /** Ids of the members who get the mails, as JSON; null for the creator, else the owners. */
  mailTo: Generated<string | null>
  /** What a client of the Firecrawl API asked for, as JSON without secrets; null for schedules that are no monitors. */
  monitor: Generated<string | null>
  nextAt: number | null
  /** When `nextAt` was computed. */
  plannedAt: number
  /** Ends of its crawls up to this run number are handled. */
  reportedNo: Generated<number>
  problem: string | null
  problemText: string | null
  problemAt: number | null
  createdAt: number
  updatedAt: number
}

/**
 * A receiver of a team's events. With a `runNo` it belongs to that run alone, and its bodies have another format. JSON: `events`, a list of
 * names, and `metadata`. The secret is null where bodies are not signed.
 */
export type WebhookEndpointTable = {
  id: string
  teamId: string
  runNo: number | null
  name: string
  url: string
  events: string
  metadata: string | null
  sealedSecret: string | null
  /** The previous secret, which also signs until `previousUntil`. */
  sealedPrevious: string | null
  previousUntil: number | null
  sealedHeaders: string | null
  isEnabled: number
  switchedOff: string | null
  switchedOffAt: number | null
  /** The time of the first failure since the last success, and the number of failures since. */
  failingSince: number | null
  failures: Generated<number>
  /** Nothing is sent before this instant. */
  restUntil: Generated<number>
  lastAttemptAt: number | null
  lastStatus: number | null
  createdAt: number
  updatedAt: number
  /** Marked as deleted; its rows are removed in steps. */
  deletedAt: number | null
}

/**
 * One event for one endpoint. `body` is compressed (deflate). `runNo` is set where the body contains pages, so that it is removed with
 * them.
 */
export type WebhookDeliveryTable = {
  no: Generated<number>
  id: string
  endpointId: string
  type: string
  runId: string | null
  runNo: number | null
  state: string
  body: Buffer
  attempts: Generated<number>
  /** When it is sent next; while it is being sent, when another sender may take it. */
  dueAt: number
  lastStatus: number | null
  lastFailure: string | null
  createdAt: number
  endedAt: number | null
}

/** One attempt. `sent` and `headers` are JSON objects. */
export type WebhookAttemptTable = {
  no: Generated<number>
  deliveryNo: number
  at: number
  tookMs: number
  url: string
  sent: string
  status: number | null
  failure: string | null
  headers: string
  answer: string
  isCut: number
}

/** A run with an endpoint to notify. `pageNo` is the last page that was announced; the end is stored until it was announced. */
type WebhookFeedTable = {
  endpointId: string
  runNo: number
  isStarted: Generated<number>
  pageNo: number
  endedStatus: string | null
  endedAt: number | null
}

/** One crawl, search or sitemap. `no` identifies it in the hot tables, `id` in the API. */
export type RunTable = {
  no: Generated<number>
  id: string
  teamId: string
  kind: string
  /** The subtype of its kind: a crawl is `single` or `batch`. */
  variant: string
  status: string
  reason: string | null
  /** The name for people: the first URL, the query. */
  label: string
  pageLimit: number
  /** Milliseconds that its owners have worked on it. */
  workedMs: Generated<number>
  /** Number of URLs that the caller submitted. */
  seeds: number
  kept: Generated<number>
  failed: Generated<number>
  known: Generated<number>
  settled: Generated<number>
  eventSeq: Generated<number>
  /** Number of commits. */
  commitNo: Generated<number>
  token: Generated<number>
  owner: string | null
  leaseUntil: number | null
  sliceNo: Generated<number>
  /** How often its task, or the engine while working on it, has crashed since the run's last commit. */
  crashes: Generated<number>
  urlSalt: Buffer
  idempotencyKey: string | null
  /** Detects a different body under the same key; null without a key, and for runs older than the column. */
  idempotencyDigest: Generated<string | null>
  createdAt: number
  updatedAt: number
  startedAt: number | null
  endedAt: number | null
  deletedAt: number | null
  /** The run that this one was appended to: for clients of the Firecrawl API they are one job. */
  appendedTo: Generated<number | null>
  /** The schedule that started it. */
  scheduleId: Generated<string | null>
  /** The time that the schedule had planned; null for a crawl that was started by hand. */
  scheduledFor: Generated<number | null>
}

type HostTable = {
  no: Generated<number>
  /** With the owner of the team behind it, when a team asks the host through its own proxy. */
  hostKey: string
  nextAt: Generated<number>
  delayMs: Generated<number>
  crawlDelayMs: Generated<number>
  closedUntil: Generated<number>
  width: Generated<number>
  /** The engine with the host's lease, where several work on one database. */
  holder: Generated<string | null>
  heldUntil: Generated<number>
  wishedAt: Generated<number>
  robots: Buffer | null
  robotsUntil: number | null
}

export type RunUrlTable = {
  runNo: number
  seq: number
  keyHi: number
  keyLo: number
  hostNo: number
  depth: number
  tries: Generated<number>
  hops: Generated<number>
  state: number
  dueAt: number | null
  outcome: string | null
  detail: string | null
  httpStatus: number | null
  bytes: number | null
  tookMs: number | null
  isSeed: Generated<number>
  url: string
  title: Generated<string>
}

/** `no` is `runNo * 2^24 + ordinal`; the ordinals of a run are 1, 2, 3 … in the order of storage. */
type PageTable = {
  no: number
  id: string
  runNo: number
  keyHi: number
  keyLo: number
  url: string
  title: string | null
  httpStatus: number
  contentType: string | null
  language: string | null
  contentHash: string
  eventSeq: number
  createdAt: number
}

export const PAGES_PER_RUN = 2 ** 24

type JobTable = {
  no: Generated<number>
  key: string
  kind: string
  payload: string
  teamId: string
  priority: number
  runAt: number
  attempts: Generated<number>
  owner: string | null
  leaseUntil: number | null
}
