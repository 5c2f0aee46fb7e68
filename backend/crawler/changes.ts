/** What a run's memory knows and its tables do not yet: filled while pages end, written and replaced by one commit. */
import type { FeedType } from '#contract/runs.ts'
import type { Host } from './hosts.ts'

export type AddedUrl = {
  seq: number
  hi: number
  lo: number
  /** Whose turn it waits for; null for a URL that will not be asked. */
  host: Host | null
  /** Depth, and LATE when it waits behind all others. */
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
  title: string | null
}

export type KeptPage = {
  hi: number
  lo: number
  url: string
  title: string | null
  httpStatus: number
  contentType: string
  language: string | null
  contentHash: string
  encoding: number
  rawBytes: number
  body: Uint8Array
}

export type FeedLine = { type: FeedType; message: string; at: number; metadata: Record<string, unknown> }

export type RunChanges = {
  added: AddedUrl[]
  settled: SettledUrl[]
  retries: { seq: number; tries: number; dueAt: number }[]
  /** New, shorter titles by seq. */
  retitled: Map<number, string>
  /** URLs found closer to a seed; with a host: it was only listed, and is pending now. */
  closer: Map<number, { depth: number; host: Host | null; hops: number; isSeed: boolean }>
  pages: KeptPage[]
  feed: FeedLine[]
  /** How many of `settled` are failures. */
  failed: number
  /** Listed rows that became pending or were settled by a page: their end is taken back from the count of ends. */
  reopened: number
  bytes: number
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
  bytes: 0,
})

export const isEmpty = (changes: RunChanges) =>
  changes.added.length +
    changes.settled.length +
    changes.retries.length +
    changes.pages.length +
    changes.feed.length +
    changes.retitled.size +
    changes.closer.size ===
  0
