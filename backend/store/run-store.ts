/**
 * What is durable about runs: the line between the engine, which decides, and the database, which remembers.
 *
 * Everything that crosses it is a plain value. The engine never sees a row, a statement or a connection; the store never sees politeness,
 * scope or HTTP. Each promise resolves when its work is durable. Any of them may reject with `StoreTrouble`: then nothing was written, and
 * the same call with the same value can be made again.
 *
 * Instants are epoch milliseconds of the wall clock. A run is named by its number (`runNo`), a host by its key (`https://example.com:443`).
 * What is said of runs holds for parts of runs, which have numbers of their own (`run-parts.ts`).
 */
import type { RunHint } from '#backend/platform/events/event-bus.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import { troubleOf } from '#backend/platform/database/trouble.ts'
import type { FeedType, RunStatus } from '#contract/runs.ts'
import type { PartState, Rest, RunParts, SentUrl } from './run-parts.ts'

export type RunStore = {
  // ---- taking and giving back

  /** Declares every lease void: this engine is the only one that works on the database, and the one before it is dead. */
  voidLeases(): Promise<void>
  /**
   * Counts a crash against runs that are leased.
   *
   * @param suspects  the runs that the engine was at work on when it died; null counts against all that it held
   */
  countCrashes(suspects: readonly number[] | null): Promise<void>
  /** Counts a failure of a run's own task; gives the count, 0 when the run has ended. */
  countCrash(runNo: number): Promise<number>
  /**
   * The next waiting runs of each team and kind: first the one whose retry is due, then the one that has waited longest. The order is that
   * of their turns within a team.
   *
   * @param withSuspects  whether it may be a run with a crash to its name
   * @param held          what this engine holds: of a run that is cut it is offered a fair part
   */
  waitingRuns(withSuspects: boolean, held?: readonly number[]): Promise<WaitingRun[]>
  /** Leases a run to this engine under a new token and removes its job; null when it has ended, is being canceled, or is leased to another engine. */
  take(runNo: number): Promise<TakenRun | null>
  /** What was asked of a run. */
  describe(runNo: number): Promise<RunDescription>
  /** Extends leases; names those that are lost. */
  renew(held: readonly HeldRun[]): Promise<LostRun[]>
  /**
   * Gives a run back for its next slice. Does nothing when the lease is lost.
   *
   * @param dueAt  it is not taken before, and then first of its team; absent: it waits behind its team's other runs
   */
  release(held: HeldRun, dueAt?: number): Promise<void>

  // ---- progress

  /**
   * Writes what the runs of a group have done, in one transaction, and what was learned about hosts.
   *
   * Each run's part is fenced by its token and by the number of its commit: an owner that has lost its run changes nothing, and a part that
   * was committed already (its answer was lost) counts as done. A part that cannot be written is set aside alone.
   *
   * @returns one result for each part, in the order of the group
   */
  commit(group: readonly RunCommit[], hosts?: HostChanges): Promise<CommitResult[]>

  // ---- what an owner reads back

  /** URLs of a run in the order of `seq`, after a given one (-1: from the first). */
  knownUrls(runNo: number, after: number, limit: number): Promise<KnownUrl[]>
  /** Keys of the kept pages' final URLs. */
  pageKeys(runNo: number): Promise<UrlKey[]>
  /** How many URLs are pending at each host, and the place of the first of them. */
  pendingByHost(runNo: number): Promise<PendingOfHost[]>
  /** Pending URLs of a host by rank and `seq`, after a given place (null: from the first). */
  pendingUrls(runNo: number, hostKey: string, after: PendingPlace | null, limit: number): Promise<PendingUrl[]>
  /** URLs that wait for a further try, soonest first. */
  waitingUrls(runNo: number): Promise<WaitingUrl[]>
  /** What a task has kept as its document; null when nothing. */
  taskDocument(runNo: number): Promise<unknown>
  /** What a task has kept as its list of URLs, from `seq` on. */
  taskUrls(runNo: number, from: number, limit: number): Promise<TaskUrl[]>

  // ---- hosts

  /** What is remembered of hosts; those that are not known are left out. */
  hosts(keys: readonly string[]): Promise<StoredHost[]>
  /**
   * Leases hosts to this engine, or extends their leases; only the holder of a host asks it. Those that another engine holds are left out,
   * and it is told that they are wished for.
   */
  holdHosts(keys: readonly string[]): Promise<HeldHost[]>
  /** Gives leased hosts back, with what was learned about them. */
  giveHosts(hosts: readonly StoredHost[]): Promise<void>
  /** The robots rules of a host as they were handed over; null when there are none. */
  robots(hostKey: string): Promise<unknown>

  // ---- asked by the clock

  /** Runs that are to be stopped. */
  canceling(): Promise<number[]>
  /**
   * Gives a job to each run that lost its owner, and ends those that were to be stopped and have no owner to do it.
   *
   * @param hasPlace  this engine could take a run
   * @returns  `surplus`: parts that other engines have a place for
   */
  reconcile(
    held: readonly number[],
    isFirst: boolean,
    hasPlace?: boolean,
  ): Promise<{ jobsMade: number; ended: RunHint[]; surplus?: number[] }>
  /** Ends a run that cannot go on: finished when it has kept results, otherwise failed, with an error line. Null: it had ended. */
  endEarly(runNo: number, why: { reason: string; message: string }): Promise<RunHint | null>
  /** Gives an outcome to some URLs that still wait although their run has ended. False: there are none. */
  sweep(): Promise<boolean>
  /** Where several engines work on one run; absent where there is one engine. */
  parts?: RunParts
}

/** Milliseconds that a lease lasts after each commit or renewal. */
export const LEASE_MS = 15_000
/**
 * A lease that ends later than this from now was given under another time of the clock, and is over. That is more than a lease holds: what
 * compares has read its clock a moment before another machine, whose clock may be ahead, has renewed the lease.
 */
export const LATEST_LEASE_MS = 2 * LEASE_MS

/** After so many milliseconds a reconciler ends a run that is to be stopped, whatever its owner does. */
export const CANCEL_GRACE_MS = 10_000

/** The machine is in trouble (disk full, database busy). The same call can succeed once that has passed. */
export class StoreTrouble extends Error {
  readonly isFull: boolean

  constructor(cause: unknown, { isFull }: { isFull: boolean }) {
    super(isFull ? 'the disk is full' : 'the database cannot be written', { cause })
    this.isFull = isFull
  }
}

/** Turns a fault of the database into the error that this port promises. Faults that are no trouble of the machine are returned unchanged. */
export function asStoreTrouble(fault: unknown): unknown {
  const trouble = troubleOf(fault)
  return trouble === null ? fault : new StoreTrouble(fault, { isFull: trouble === 'full' })
}

/** The right to work on a run: it ends with `token`, which the next owner's exceeds. */
export type RunLease = { runNo: number; token: number }
/** `workedMs`: milliseconds that owners have worked on the run, this one included. */
export type HeldRun = RunLease & { workedMs: number }
export type LostRun = { runNo: number; why: LostWhy }
/** `canceling`: it is still ours, and is to be stopped. `taken`: it has ended, or another engine has it. */
export type LostWhy = 'canceling' | 'taken'

export type { RunHint }

export type WaitingRun = { runNo: number; kind: string; teamId: string; isShort: boolean }

export type TakenRun = {
  runNo: number
  /** The run's UUID. */
  id: string
  teamId: string
  kind: string
  /** What people call it. */
  label: string
  pageLimit: number
  token: number
  /** How many commits, results and events there are. */
  commitNo: number
  kept: number
  eventSeq: number
  /** Milliseconds that owners have worked on it. */
  workedMs: number
  /** Salt of its URL keys. */
  urlSalt: Buffer
  /** Crashes since its last progress. */
  crashes: number
  /** It was taken before. */
  isResumed: boolean
  /** Of a part: pages that it may keep in all; `kept` are its own. */
  allowed?: number
}

export type RunDescription = {
  /** What is asked of it, in the present version, whichever it was stored in. */
  spec: RunSpec
  /** The addresses as they were submitted. */
  seeds: string[]
  sealedSecrets: string | null
  /** Start URLs as they are fetched, and those that they redirected to (`hops` > 0). */
  seedUrls: { url: string; hops: number }[]
}

/** Both halves of a URL's key. */
export type UrlKey = { hi: number; lo: number }

export type AddedUrl = UrlKey & {
  /** Counts the URLs of a run from 0. */
  seq: number
  /** The host whose turn it waits for; null for a URL that will not be fetched. */
  hostKey: string | null
  /** Depth, plus `LATE` when it waits behind all others. */
  rank: number
  /** Set for a URL that is listed at once. */
  outcome: string | null
  detail: string | null
  hops: number
  isSeed: boolean
  url: string
  title: string
}

export type SettledUrl = {
  seq: number
  outcome: string
  detail: string | null
  httpStatus: number | null
  bytes: number | null
  tookMs: number | null
  tries: number
}

/** `encoding`, `rawBytes` and `body` are the result document, as the crawler packs it. */
export type KeptPage = UrlKey & {
  url: string
  title: string | null
  httpStatus: number
  contentType: string
  language: string | null
  contentHash: string
  encoding: number
  rawBytes: number
  body: Uint8Array
  /** Files that were captured of it; their contents are stored. */
  attachments?: KeptAttachment[]
}

export type KeptAttachment = { id: string; type: 'screenshot' | 'pdf'; filename: string; bytes: number }

export type FeedLine = { type: FeedType; message: string; at: number; metadata: Record<string, unknown> }

/** What has happened in a run and is not written yet. */
export type RunChanges = {
  added: AddedUrl[]
  settled: SettledUrl[]
  retries: { seq: number; tries: number; dueAt: number }[]
  /** New, shorter titles by `seq`. */
  retitled: Map<number, string>
  /** URLs found closer to a seed, by `seq`; with a host: the URL was only listed, and is pending now. */
  closer: Map<number, { depth: number; hostKey: string | null; hops: number; isSeed: boolean }>
  pages: KeptPage[]
  feed: FeedLine[]
  /** How many of `settled` are failures. */
  failed: number
  /** Listed URLs that became pending or were settled by a page: their end is taken back from the count of ends. */
  reopened: number
  /** Of a part: URLs for the others, and up to which number it has read those that were sent to it. */
  mail?: { sent: SentUrl[]; readTo: number }
}

export const noChanges = (): RunChanges => ({
  added: [],
  settled: [],
  retries: [],
  retitled: new Map(),
  closer: new Map(),
  pages: [],
  feed: [],
  failed: 0,
  reopened: 0,
})

/** The end of a run: the status and reason of its row, and the last line of its feed. */
export type RunEnding = { status: 'finished' | 'failed' | 'canceled'; reason: string; type: FeedType; message: string }

export const CANCELED: RunEnding = { status: 'canceled', reason: 'canceled', type: 'warning', message: 'Canceled' }

/** What a run has done since its last commit. It must not change after it was handed over. */
export type RunCommit = RunLease & {
  /** The run as its owner knows it, before this commit. */
  commitNo: number
  kept: number
  eventSeq: number
  workedMs: number
  changes: RunChanges
  /** What a run that is one task has kept and used. */
  task?: TaskCommit
  /** The run ends with this commit. A crawl that has kept nothing and fetched none of its start URLs ends as `ifNothingFetched` instead. */
  ending: (RunEnding & { ifNothingFetched?: RunEnding }) | null
  /** Of a part: it has nothing to do after this. */
  rest?: Rest | null
}

export type TaskUrl = { seq: number; url: string; lastmod: string | null }

/** What a task writes: a document of its own, which replaces the one before, and URLs, which are added or replace those before. */
export type TaskResults = { document?: unknown; urls?: TaskUrl[]; replacesUrls?: boolean }

/** `kept`: results that this adds. `used`: credits used so far in all; absent leaves that to the rule of the credits. */
export type TaskCommit = { kept: number; used?: number; results?: TaskResults }

export type CommitResult = { runNo: number; tookMs: number } & (
  | { kind: 'done'; status: RunStatus; commitNo: number; kept: number; eventSeq: number; part?: PartState }
  | { kind: 'lost'; why: LostWhy }
  /** The part cannot be written, now or later. */
  | { kind: 'broken'; fault: unknown }
)

export type KnownUrl = UrlKey & {
  seq: number
  state: 'pending' | 'waiting' | 'settled' | 'listed'
  rank: number
  outcome: string | null
  titleLength: number
  url: string
}

export type PendingPlace = { rank: number; seq: number }
export type PendingOfHost = { hostKey: string; pending: number; first: PendingPlace }
export type PendingUrl = { seq: number; url: string; rank: number; tries: number; hops: number; isSeed: boolean }
export type WaitingUrl = PendingUrl & { hostKey: string; dueAt: number }

/** How carefully a host is to be asked. `nextAt` and `closedUntil` are 0 when they were never set. */
export type StoredHost = {
  hostKey: string
  nextAt: number
  penaltyMs: number
  crawlDelayMs: number | null
  closedUntil: number
  width: number
}

/** `forMs`: how long the lease holds from now on. `isWished`: another engine waits for the host. */
export type HeldHost = StoredHost & { forMs: number; isWished: boolean }

/** `robots`: plain values by host key, and the instant until which they hold. */
export type HostChanges = { hosts: readonly StoredHost[]; robots: readonly { hostKey: string; until: number; rules: object }[] }
