/**
 * The Database port: tables, transactions, and nothing that depends on who keeps them.
 *
 * A transaction is all or nothing and durable when `execute` has resolved. Writers are serialised: a transaction never fails
 * because another one committed first. A transaction never waits for the network.
 */
import type { Generated, Kysely, Transaction as KyselyTransaction } from 'kysely'

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

/** Either of the two: for verbs that may run inside a transaction of their caller. */
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
  /** Up to where each listener has heard of the ends of runs. */
  runEndingListener: { name: string; place: number }
  webhookEndpoint: WebhookEndpointTable
  webhookDelivery: WebhookDeliveryTable
  webhookAttempt: WebhookAttemptTable
  webhookFeed: WebhookFeedTable
  /** Teams that were told that their credits are low, and since when the period counts of which they were told. */
  webhookCreditNotice: { teamId: string; periodStartAt: number }
  plan: PlanTable
  subscription: SubscriptionTable
  payment: PaymentTable
  paymentEvent: { id: string; type: string; objectId: string | null; happenedAt: number | null; receivedAt: number }
}

/** A team's own endpoint of language models; `models` is a JSON list of names. */
export type ModelEndpointTable = { teamId: string; baseUrl: string; sealedKey: string | null; models: string; updatedAt: number }

/** What a run has used; costs in millionths. */
export type ModelUseTable = {
  runNo: number
  teamId: string
  model: string
  calls: number
  promptTokens: number
  answerTokens: number
  costMicros: number
}

/** `addressHash` is a keyed hash of the network address that signed in; null where it is not known. */
export type SessionTable = {
  id: string
  userId: string
  createdAt: number
  expiresAt: number
  endedAt: number | null
  addressHash: Generated<string | null>
}

/** `createdBy` is the user who made it, who may have been deleted since; null for keys older than the column. */
export type ApiKeyTable = {
  id: string
  teamId: string
  name: string
  hash: string
  sealed: string
  createdBy: Generated<string | null>
  createdAt: number
  lastUsedAt: number | null
}

export type TeamTable = {
  id: string
  name: string
  isDefault: number
  /** Its name at the payment provider. */
  paymentCustomerId: Generated<string | null>
  /** The team is deleted, and its runs are being removed. */
  deletedAt: Generated<number | null>
  /** Days after which ended runs are deleted; null keeps them. */
  retentionDays: Generated<number | null>
  createdAt: number
  updatedAt: number
}

/** What a run was allowed and has used. The `removed…` columns tell of a run that was removed; null while there is a run. */
export type CreditEntryTable = {
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

/** Prices are cents of the whole period; -1 is no limit. `source`, who keeps the row: `file` or `admin`. */
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
  /** The price at the payment provider. */
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
  /** The subscription at the payment provider; null for the free plan and for what an operator gave. */
  providerId: string | null
  startAt: number | null
  periodStartAt: number | null
  periodEndAt: number | null
  cancelAt: number | null
  /** Ledger entries of runs up to this number count for an earlier period or plan. */
  countsAfter: number
  /** The provider's last word that counts: when it was said (seconds), of which sort, and its id. */
  eventAt: number
  eventRank: number
  eventId: string
  createdAt: number
  updatedAt: number
}

/** What came of an invoice; `amount` in cents. */
export type PaymentTable = {
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
  /** That the user chose; null for the browser's. */
  language: string | null
  privacyConfirmedAt: number | null
  termsConfirmedAt: number | null
  createdAt: number
  updatedAt: number
}

/** A link of a mail, by the hash of its token; one of a purpose and user. */
export type OneTimeLinkTable = {
  tokenHash: string
  purpose: string
  userId: string
  createdAt: number
  expiresAt: number
  usedAt: number | null
}

/** One of a team and address. `status` is `pending`, `accepted`, `withdrawn` or `declined`. */
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

/** Of a team, or without one of the installation. `category` is `team`, `general` or `premium`; of a team and of the installation one is the default. */
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
 * Where events of a team are sent. With a `runNo` it belongs to that run alone, and its bodies have another shape. JSON: `events`, a list of
 * names, and `metadata`. A secret is null where bodies are not signed.
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
  /** The one before, which signs as well until `previousUntil`. */
  sealedPrevious: string | null
  previousUntil: number | null
  sealedHeaders: string | null
  isEnabled: number
  switchedOff: string | null
  switchedOffAt: number | null
  /** Of the first failure since the last success, and how many there were in a row. */
  failingSince: number | null
  failures: Generated<number>
  /** Nothing is sent before. */
  restUntil: Generated<number>
  lastAttemptAt: number | null
  lastStatus: number | null
  createdAt: number
  updatedAt: number
  /** Marked; what it has is removed in steps. */
  deletedAt: number | null
}

/** One event for one endpoint. `body` is deflated. `runNo` is set where the body tells of pages, so that it is removed with them. */
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
  /** When it is sent next; of one that is being sent, when it is given to another sender. */
  dueAt: number
  lastStatus: number | null
  lastFailure: string | null
  createdAt: number
  endedAt: number | null
}

/** One attempt. JSON: `sent` and `headers`, names and values. */
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

/** A run that an endpoint is to be told of. `pageNo` is the last page that it was told of; the end is noted until it was told. */
export type WebhookFeedTable = {
  endpointId: string
  runNo: number
  isStarted: Generated<number>
  pageNo: number
  endedStatus: string | null
  endedAt: number | null
}

/** One crawl, search or sitemap. `no` is its short name in the hot tables, `id` its name outside. */
export type RunTable = {
  no: Generated<number>
  id: string
  teamId: string
  kind: string
  /** What sort of its kind: a crawl is `single` or `batch`. */
  variant: string
  status: string
  reason: string | null
  /** What a person knows it by: the first URL, the query. */
  label: string
  pageLimit: number
  /** Milliseconds that its owners have worked on it. */
  workedMs: Generated<number>
  /** How many of its URLs were given by the caller. */
  seeds: number
  kept: Generated<number>
  failed: Generated<number>
  known: Generated<number>
  settled: Generated<number>
  eventSeq: Generated<number>
  /** Commits that owners have made. */
  commitNo: Generated<number>
  token: Generated<number>
  owner: string | null
  leaseUntil: number | null
  sliceNo: Generated<number>
  /** How often a task of it has broken, or its engine while it was at work on the run, since the run last committed something. */
  crashes: Generated<number>
  urlSalt: Buffer
  idempotencyKey: string | null
  /** Tells another body under the same key; null without a key, and of runs that are older than the column. */
  idempotencyDigest: Generated<string | null>
  createdAt: number
  updatedAt: number
  startedAt: number | null
  endedAt: number | null
  deletedAt: number | null
  /** The run that this one was appended to: to clients of the Firecrawl API they are one job. */
  appendedTo: Generated<number | null>
}

export type HostTable = {
  no: Generated<number>
  hostKey: string
  nextAt: Generated<number>
  delayMs: Generated<number>
  crawlDelayMs: Generated<number>
  closedUntil: Generated<number>
  width: Generated<number>
  /** The engine that asks the host, where several work on one database. */
  holder: Generated<string | null>
  heldUntil: Generated<number>
  wishedAt: Generated<number>
  robots: Buffer | null
  robotsUntil: number | null
}

/** States of a URL: pending, waiting until `dueAt`, settled with an outcome, listed (known, will not be fetched). */
export const URL_STATE = { pending: 0, waiting: 1, settled: 2, listed: 3 } as const

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

/** `no` is `runNo * 2^24 + ordinal`; ordinals of a run are 1, 2, 3 … in the order of keeping. */
export type PageTable = {
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

export type JobTable = {
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
