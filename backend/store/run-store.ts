/**
 * The RunStore port: the durable state of runs. The engine decides, the database remembers.
 *
 * Only plain values cross this line. The engine never sees a row, a statement or a connection; the store knows nothing about politeness,
 * scope or HTTP. Each promise resolves when its work is durable. Any of them may reject with `StoreTrouble`: then nothing was written, and
 * the same call can be repeated.
 *
 * Instants are epoch milliseconds of the wall clock. A run is identified by its number (`runNo`), a host by its key
 * (`https://example.com:443`). Everything about runs also applies to parts of runs, which have numbers of their own (`run-parts.ts`).
 */
import type { RunHint } from '#backend/platform/events/event-bus.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import { troubleOf } from '#backend/platform/database/trouble.ts'
import type { FeedType, RunStatus } from '#contract/runs.ts'
import type { PartState, Rest, RunParts, SentUrl } from './run-parts.ts'

export type RunStore = {
  // ---- taking and releasing

  /** Voids all leases: this engine is the only one that works on the database, and the previous one is dead. */
  voidLeases(): Promise<void>
  /**
   * Counts a crash against leased runs.
   *
   * @param suspects  the runs that the engine was working on when it died; null counts against all that it held
   */
  countCrashes(suspects: readonly number[] | null): Promise<void>
  /** Counts a failure of a run's own task; returns the count, 0 when the run has ended. */
  countCrash(runNo: number): Promise<number>
  /**
   * The next waiting runs of each team and kind, in the order of their turns: first one whose retry is due, then the one that has waited
   * longest.
   *
   * @param withSuspects  includes runs with a crash
   * @param held          what this engine holds: of a divided run it gets a fair share
   */
  waitingRuns(withSuspects: boolean, held?: readonly number[]): Promise<WaitingRun[]>
  /**
   * Leases a run to this engine under a new token and removes its job; null when it has ended, is being canceled, or is leased to another
   * engine.
   */
  take(runNo: number): Promise<TakenRun | null>
  /** The spec and seeds of a run. */
  describe(runNo: number): Promise<RunDescription>
  /** Extends leases; returns those that are lost. */
  renew(held: readonly HeldRun[]): Promise<LostRun[]>
  /**
   * Returns a run to the queue for its next slice. Does nothing when the lease is lost.
   *
   * @param dueAt  not taken before this instant, and then first of its team; absent: waits behind its team's other runs
   */
  release(held: HeldRun, dueAt?: number): Promise<void>

  // ---- progress

  /**
   * Writes the work of a group of runs, in one transaction, with what was learned about hosts.
   *
   * Each run's commit is fenced by its token and its commit number: a stale owner changes nothing, and a commit that was written already
   * (its answer was lost) counts as done. A run that cannot be written does not affect the others.
   *
   * @returns one result per run, in the order of the group
   */
  commit(group: readonly RunCommit[], hosts?: HostChanges): Promise<CommitResult[]>

  // ---- what an owner reads back

  /** URLs of a run in the order of `seq`, after a given one (-1: from the first). */
  knownUrls(runNo: number, after: number, limit: number): Promise<KnownUrl[]>
  /** Keys of the final URLs of kept pages. */
  pageKeys(runNo: number): Promise<UrlKey[]>
  /** For each host, the number of pending URLs and the position of the first. */
  pendingByHost(runNo: number): Promise<PendingOfHost[]>
  /** Pending URLs of a host by rank and `seq`, after a given position (null: from the first). */
  pendingUrls(runNo: number, hostKey: string, after: PendingPlace | null, limit: number): Promise<PendingUrl[]>
  /** URLs that wait for a retry, soonest first. */
  waitingUrls(runNo: number): Promise<WaitingUrl[]>
  /** The document that a task has stored; null without one. */
  taskDocument(runNo: number): Promise<unknown>
  /** The list of URLs that a task has stored, from `seq` on. */
  taskUrls(runNo: number, from: number, limit: number): Promise<TaskUrl[]>

  // ---- hosts

  /** The stored state of hosts; unknown ones are omitted. */
  hosts(keys: readonly string[]): Promise<StoredHost[]>
  /**
   * Leases hosts to this engine, or extends their leases; only the holder of a host's lease sends it requests. Hosts with another holder
   * are omitted, and that engine is told of the wish.
   */
  holdHosts(keys: readonly string[]): Promise<HeldHost[]>
  /** Returns leased hosts, with their new state. */
  giveHosts(hosts: readonly StoredHost[]): Promise<void>
  /** The stored robots rules of a host; null without any. */
  robots(hostKey: string): Promise<unknown>

  // ---- called periodically

  /** Runs that should be stopped. */
  canceling(): Promise<number[]>
  /**
   * Creates a job for each run that lost its owner, and ends runs that should be stopped and have no owner.
   *
   * @param hasPlace  this engine could take a run
   * @returns  `surplus`: parts that other engines have a place for
   */
  reconcile(
    held: readonly number[],
    isFirst: boolean,
    hasPlace?: boolean,
  ): Promise<{ jobsMade: number; ended: RunHint[]; surplus?: number[] }>
  /** Ends a run that cannot continue: finished when it has results, otherwise failed, with an error line. Null: it had ended already. */
  endEarly(runNo: number, why: { reason: string; message: string }): Promise<RunHint | null>
  /** Gives outcomes to some waiting URLs whose run has ended. False: there are none. */
  sweep(): Promise<boolean>
  /** Present where several engines may work on one run. */
  parts?: RunParts
}

/** Duration of a lease after each commit or renewal. */
export const LEASE_MS = 15_000
/**
 * A lease that ends later than this from now was written under a wrong clock, and counts as over. The limit exceeds the duration of a
 * lease, because another machine with a faster clock may have renewed it after ours was read.
 */
export const LATEST_LEASE_MS = 2 * LEASE_MS

/** After so many milliseconds a reconciler ends a run that should be stopped, whatever its owner does. */
export const CANCEL_GRACE_MS = 10_000

/** The machine is in trouble (disk full, database busy). The same call can succeed later. */
export class StoreTrouble extends Error {
  readonly isFull: boolean

  constructor(cause: unknown, { isFull }: { isFull: boolean }) {
    super(isFull ? 'the disk is full' : 'the database cannot be written', { cause })
    this.isFull = isFull
  }
}

/** Does work of the store; trouble of the machine becomes `StoreTrouble`. Work that is synchronous is done before it returns. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (fault) {
    throw asStoreTrouble(fault)
  }
}

/** Converts trouble of the machine to `StoreTrouble`; other errors are returned unchanged. */
function asStoreTrouble(fault: unknown): unknown {
  const trouble = troubleOf(fault)
  return trouble === null ? fault : new StoreTrouble(fault, { isFull: trouble === 'full' })
}

/** The right to work on a run: it is lost when another owner gets a higher token. */
type RunLease = { runNo: number; token: number }
/** `workedMs`: milliseconds of work on the run by all owners, including this one. */
export type HeldRun = RunLease & { workedMs: number }
export type LostRun = { runNo: number; why: LostWhy }
/** `canceling`: the run is still ours, and should be stopped. `taken`: another has ended it, or another engine has it. */
export type LostWhy = 'canceling' | 'taken'

/** Whether a lease is lost, by the row of its run. A run that its owner has ended is not lost: it keeps the owner's token. */
export function lostAt({ runNo, token }: RunLease, row: { status: RunStatus; token: number } | undefined): LostRun[] {
  if (row?.token !== token) return [{ runNo, why: 'taken' }]
  return row.status === 'canceling' ? [{ runNo, why: 'canceling' }] : []
}

export type { RunHint }

export type WaitingRun = { runNo: number; kind: string; teamId: string; share: string; isShort: boolean }

export type TakenRun = {
  runNo: number
  /** The run's UUID. */
  id: string
  teamId: string
  /** The key under which the engine counts what the run uses: the same for all runs of one owner. */
  share: string
  kind: string
  /** The name for people. */
  label: string
  pageLimit: number
  token: number
  /** Number of commits, results and events. */
  commitNo: number
  kept: number
  eventSeq: number
  /** Milliseconds of work by all owners. */
  workedMs: number
  /** Salt of its URL keys. */
  urlSalt: Buffer
  /** Crashes since its last progress. */
  crashes: number
  /** The run was taken before. */
  isResumed: boolean
  /** Only for a part: all pages that it may keep; `kept` counts its own. */
  allowed?: number
}

export type RunDescription = {
  /** The spec, converted to the present version. */
  spec: RunSpec
  /** The submitted URLs. */
  seeds: string[]
  sealedSecrets: string | null
  /** Start URLs in the spelling that is fetched, and their redirect targets (`hops` > 0). */
  seedUrls: { url: string; hops: number }[]
}

/** Both halves of a URL's key. */
export type UrlKey = { hi: number; lo: number }

export type AddedUrl = UrlKey & {
  /** Counts the URLs of a run from 0. */
  seq: number
  /** The host that is asked; null for a URL that will not be fetched. */
  hostKey: string | null
  /** Depth, plus `LATE` when it goes behind all others. */
  rank: number
  /** Set for a URL that is listed but not fetched. */
  outcome: string | null
  detail: string | null
  hops: number
  isSeed: boolean
  url: string
  title: string
}

type SettledUrl = {
  seq: number
  outcome: string
  detail: string | null
  httpStatus: number | null
  bytes: number | null
  tookMs: number | null
  tries: number
}

/** `encoding`, `rawBytes` and `body` are the compressed result document. */
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
  /** Its captured files, whose contents are already stored. */
  attachments?: KeptAttachment[]
}

export type KeptAttachment = { id: string; type: 'screenshot' | 'pdf' | 'scrape'; filename: string; bytes: number }

export type FeedLine = { type: FeedType; message: string; at: number; metadata: Record<string, unknown> }

/** Changes of a run that are not written yet. */
export type RunChanges = {
  added: AddedUrl[]
  settled: SettledUrl[]
  retries: { seq: number; tries: number; dueAt: number }[]
  /** New, shorter titles by `seq`. */
  retitled: Map<number, string>
  /** URLs with a smaller depth, by `seq`; with a host: the URL was only listed, and is now pending. */
  closer: Map<number, { depth: number; hostKey: string | null; hops: number; isSeed: boolean }>
  pages: KeptPage[]
  feed: FeedLine[]
  /** How many of `settled` failed. */
  failed: number
  /** Listed URLs that became pending or were settled by a page: they no longer count as ended. */
  reopened: number
  /** Only for a part: URLs for other parts, and the number up to which it has read those sent to it. */
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

/** The end of a run: status and reason of its row, and the last feed line. */
export type RunEnding = { status: 'finished' | 'failed' | 'canceled'; reason: string; type: FeedType; message: string }

export const CANCELED: RunEnding = { status: 'canceled', reason: 'canceled', type: 'warning', message: 'Canceled' }

/** The work of a run since its last commit. Must not change after it was passed to the store. */
export type RunCommit = RunLease & {
  /** The state of the run before this commit, as its owner knows it. */
  commitNo: number
  kept: number
  eventSeq: number
  workedMs: number
  changes: RunChanges
  /** The results and credits of a task. */
  task?: TaskCommit
  /** Ends the run. A crawl without results that fetched none of its start URLs ends as `ifNothingFetched` instead. */
  ending: (RunEnding & { ifNothingFetched?: RunEnding }) | null
  /** Only for a part: it has nothing to do after this commit. */
  rest?: Rest | null
}

export type TaskUrl = { seq: number; url: string; lastmod: string | null }

/** A task's results: a document, which replaces the previous one, and URLs, which are added or replace the previous ones. */
export type TaskResults = { document?: unknown; urls?: TaskUrl[]; replacesUrls?: boolean }

/** `kept`: number of added results. `used`: credits used so far in total; absent: by the general rule for credits. */
export type TaskCommit = { kept: number; used?: number; results?: TaskResults }

export type CommitResult = { runNo: number; tookMs: number } & (
  | { kind: 'done'; status: RunStatus; commitNo: number; kept: number; eventSeq: number; part?: PartState }
  | { kind: 'lost'; why: LostWhy }
  /** This run's commit cannot be written, now or later. */
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

/** The pace of a host. `nextAt` and `closedUntil` are 0 when never set. */
export type StoredHost = {
  /** With the share behind it, when the share asks the host through its own proxy (`frontier/hosts.ts`). */
  hostKey: string
  nextAt: number
  penaltyMs: number
  crawlDelayMs: number | null
  closedUntil: number
  width: number
}

/** `forMs`: remaining duration of the lease. `isWished`: another engine is waiting for the host. */
export type HeldHost = StoredHost & { forMs: number; isWished: boolean }

/** `robots`: rules as plain values by host key, and when they expire. */
export type HostChanges = { hosts: readonly StoredHost[]; robots: readonly { hostKey: string; until: number; rules: object }[] }
