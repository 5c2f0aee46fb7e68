/** The rows of feeds, and those of the runs and pages that they announce. */
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { PageFacts, RunFacts } from './bodies.ts'

/** How far an endpoint was notified of a run. */
export type Feed = {
  endpointId: string
  runNo: number
  isStarted: number
  pageNo: number
  endedStatus: string | null
  endedAt: number | null
}

export type PageRow = PageFacts & { no: number }

/** Removes a feed; false when another process has removed it. */
export async function removeFeed(rows: Rows, { endpointId, runNo }: Feed): Promise<boolean> {
  const { numDeletedRows } = await rows
    .deleteFrom('webhookFeed')
    .where('runNo', '=', runNo)
    .where('endpointId', '=', endpointId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Records what was announced; false when another process has moved the feed on. */
export async function moveFeed(transaction: Transaction, feed: Feed, changes: { isStarted?: number; pageNo?: number }): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhookFeed')
    .set(changes)
    .where('runNo', '=', feed.runNo)
    .where('endpointId', '=', feed.endpointId)
    .where('isStarted', '=', feed.isStarted)
    .where('pageNo', '=', feed.pageNo)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A run that still has its row; null without one. */
export function readRun(database: Database, runNo: number): Promise<(RunFacts & { deletedAt: number | null }) | null> {
  return database
    .selectFrom('run')
    .select(['id', 'kind', 'variant', 'status', 'reason', 'label', 'kept', 'failed', 'scheduleId'])
    .select(['createdAt', 'startedAt', 'endedAt', 'deletedAt'])
    .where('no', '=', runNo)
    .executeTakeFirst()
    .then((row) => row ?? null)
}

/** The facts of a run that was deleted and removed before its end was announced, from the ledger. */
export async function readRemovedRun(database: Database, { endedAt, endedStatus, runNo }: Feed): Promise<RunFacts | null> {
  if (endedAt === null || endedStatus === null) return null
  const entry = await database
    .selectFrom('creditEntry')
    .select(['removedRunId', 'removedKind', 'removedKept', 'createdAt'])
    .where('runNo', '=', runNo)
    .executeTakeFirst()
  if (entry === undefined || entry.removedRunId === null) return null
  const { createdAt, removedKept, removedKind, removedRunId } = entry
  const known = { id: removedRunId, kind: removedKind ?? 'crawl', variant: '', kept: removedKept ?? 0, createdAt }
  return { ...known, status: endedStatus, reason: null, label: '', failed: 0, scheduleId: null, startedAt: null, endedAt }
}

/** The pages that were not announced yet, in the order of storage. */
export function pagesAfter(database: Database, { pageNo, runNo }: Feed, limit: number): Promise<PageRow[]> {
  return database
    .selectFrom('page')
    .select(['no', 'id', 'url', 'title', 'httpStatus', 'contentType', 'language', 'createdAt'])
    .where('no', '>', pageNo)
    .where('no', '<', (runNo + 1) * PAGES_PER_RUN)
    .orderBy('no')
    .limit(limit)
    .execute()
}
