import type { OpenRun } from '#backend/crawler/crawl/committer.ts'
import { noChanges } from '#backend/store/run-store.ts'

/** A run without changes, as the committer knows it. */
export const openRun = (no: number, more: Partial<OpenRun> = {}): OpenRun => ({
  no,
  share: 'team',
  token: 1,
  commitNo: 0,
  kept: 0,
  eventSeq: 0,
  workedMs: () => 0,
  changes: noChanges(),
  ending: null,
  committed: () => undefined,
  lost: () => undefined,
  ...more,
})
