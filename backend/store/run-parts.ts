/**
 * Parts of a crawl that several engines work on at once. A crawl of many hosts is divided by host name: each part has its own owner, lease
 * and frontier, and the engine treats it like any other run, under its own number.
 *
 * `number = run number + 2^29 × (4096 × parts + part)`. Page numbers (`PAGES_PER_RUN`) leave 29 bits to the number of a run.
 */
import type { HeldRun, UrlKey } from './run-store.ts'

const RUNS = 2 ** 29
const MOST_PARTS = 4096

/** `parts`: the number of parts of the run. */
export type RunPart = { runNo: number; part: number; parts: number }

/** The number of a part, under which an engine knows it. */
export const partNumber = ({ part, parts, runNo }: RunPart): number => runNo + RUNS * (parts * MOST_PARTS + part)

/** The run of a number, which may be that of a part or of a whole run. */
export const wholeRun = (no: number): number => no % RUNS

/** The part of a number; null for a whole run. */
export function partOf(no: number): RunPart | null {
  if (no < RUNS) return null
  const rest = Math.floor(no / RUNS)
  return { runNo: no % RUNS, part: rest % MOST_PARTS, parts: Math.floor(rest / MOST_PARTS) }
}

/** The `seq` in the run of a part's URL: URLs are dealt to the parts in turn. */
export const storedSeq = ({ part, parts }: RunPart, seq: number) => seq * parts + part
/** The reverse: the `seq` of a stored URL in its part. */
export const partSeq = ({ part, parts }: RunPart, stored: number) => (stored - part) / parts

/**
 * The part that a URL belongs to, by its host name: all URLs of a name have one owner, whatever their scheme and port.
 *
 * @param url  canonical
 */
export function partOfUrl(url: string, parts: number): number {
  // FNV-1a
  let hash = 0x811c9dc5
  for (let at = url.indexOf('://') + 3; at < url.length; at += 1) {
    const code = url.charCodeAt(at)
    if (code === SLASH || code === COLON || code === QUESTION) break
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  // Mix in the high bits: the low bits of a product hardly depend on them.
  return ((hash ^ (hash >>> 15)) >>> 0) % parts
}

const SLASH = 0x2f
const COLON = 0x3a
const QUESTION = 0x3f

/** A URL for another part. */
export type SentUrl = UrlKey & {
  /** The part that gets it. */
  part: number
  url: string
  title: string
  depth: number
  /** More than 0 for the target of a redirect. */
  hops: number
  isSeed: boolean
  /** Set for a URL that is listed but not fetched. */
  outcome: string | null
  detail: string | null
}

export type MailedUrl = Omit<SentUrl, 'part'> & { no: number }

/**
 * What a part reads from the other parts.
 *
 * @property canKeep  the page limit has pages left to grant
 * @property isOver   the run has ended, or no part has work left: the next commit tells which
 */
export type PartMail = { urls: MailedUrl[]; canKeep: boolean; isOver: boolean }

/**
 * Why a part has nothing to do. `drained`: it has no URLs left. `limit`: all remaining pages of the limit are granted to other parts, which
 * may return some.
 */
export type Rest = 'drained' | 'limit'

/** The state of the run after a commit of a part. */
export type PartState = {
  /** All pages that the part may keep. */
  allowed: number
  /** Pages of all parts. */
  runKept: number
  /** Other parts have sent URLs. */
  hasMail: boolean
  /** No part has work left: end the run. */
  isLast: boolean
}

/** The run store's functions for runs with several engines. */
export type RunParts = {
  /** Engines that work on this database, this one included. */
  engines(): number
  /**
   * Divides a run that this engine holds and that has nothing in progress. Deals its URLs to the parts, each of which then waits for an
   * owner. False: the lease is lost, or the run has become too large.
   */
  cut(held: HeldRun, parts: number): Promise<boolean>
  /** URLs that were sent to a part, ordered by their numbers, after a given one. */
  mail(no: number, after: number, limit: number): Promise<PartMail>
}
