/**
 * Parts of a crawl that several engines work on at once. A crawl of many hosts is cut by host name: each part has an owner, a lease and a
 * frontier of its own, and to the engine it is a run like any other, under a number of its own.
 *
 * `number = run number + 2^29 × (4096 × parts + part)`. Page numbers (`PAGES_PER_RUN`) leave 29 bits to the number of a run.
 */
import type { HeldRun, UrlKey } from './run-store.ts'

const RUNS = 2 ** 29
const MOST_PARTS = 4096

/** `parts`: how many the run is cut into. */
export type RunPart = { runNo: number; part: number; parts: number }

/** The number under which an engine knows a part of a run. */
export const partNumber = ({ part, parts, runNo }: RunPart): number => runNo + RUNS * (parts * MOST_PARTS + part)

/** The run that a number belongs to: that of a part, or of a whole run. */
export const wholeRun = (no: number): number => no % RUNS

/** What part a number names; null for a run that is whole. */
export function partOf(no: number): RunPart | null {
  if (no < RUNS) return null
  const rest = Math.floor(no / RUNS)
  return { runNo: no % RUNS, part: rest % MOST_PARTS, parts: Math.floor(rest / MOST_PARTS) }
}

/**
 * The part that a URL belongs to, by its host name: all URLs of a name have one owner, whatever their scheme and port.
 *
 * @param url  in its canonical spelling
 */
export function partOfUrl(url: string, parts: number): number {
  // FNV-1a
  let hash = 0x811c9dc5
  for (let at = url.indexOf('://') + 3; at < url.length; at += 1) {
    const code = url.charCodeAt(at)
    if (code === SLASH || code === COLON || code === QUESTION) break
    hash = Math.imul(hash ^ code, 0x01000193)
  }
  // The lowest bits of the product know little of the highest ones of what was hashed.
  return ((hash ^ (hash >>> 15)) >>> 0) % parts
}

const SLASH = 0x2f
const COLON = 0x3a
const QUESTION = 0x3f

/** A URL that is handed to another part. */
export type SentUrl = UrlKey & {
  /** The part that it belongs to. */
  part: number
  url: string
  title: string
  depth: number
  /** More than 0: a redirect led there. */
  hops: number
  isSeed: boolean
  /** Set for a URL that is only to be listed. */
  outcome: string | null
  detail: string | null
}

export type MailedUrl = Omit<SentUrl, 'part'> & { no: number }

/**
 * What a part is told when it asks.
 *
 * @property canKeep  there are pages of the limit left that it may be promised
 * @property isOver   the run has ended, or no part has anything left to do: a commit says which
 */
export type PartMail = { urls: MailedUrl[]; canKeep: boolean; isOver: boolean }

/**
 * Why a part does nothing at the moment. `drained`: it has no URL left. `limit`: all pages of the run that are left are promised to other
 * parts, some of which may come back.
 */
export type Rest = 'drained' | 'limit'

/** What a commit of a part tells of the run. */
export type PartState = {
  /** Pages that the part may keep in all. */
  allowed: number
  /** Pages of all parts. */
  runKept: number
  /** There are URLs for it to read. */
  hasMail: boolean
  /** No part has anything left to do: the run is to be ended. */
  isLast: boolean
}

/** What the store of runs does for runs that are worked on by several engines. */
export type RunParts = {
  /** Engines that work on this database, this one included. */
  engines(): number
  /**
   * Cuts a run that this engine holds and on which nothing is in progress. Its URLs are dealt out, and each part waits for an owner. False:
   * the lease is lost, or the run is too large by now.
   */
  cut(held: HeldRun, parts: number): Promise<boolean>
  /** URLs that were sent to a part, in the order of their numbers, after a given one. */
  mail(no: number, after: number, limit: number): Promise<PartMail>
}
