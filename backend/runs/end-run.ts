/** The end of a run, in one transaction: nobody can see half of it. */
import type { FeedMessage, FeedType, RunStatus } from '#contract/runs.ts'
import { endOfWaiting } from '#backend/crawler/outcomes.ts'
import { instant } from '#backend/http/instants.ts'
import { URL_STATE } from '#backend/platform/database/database.ts'
import type { Transaction } from '#backend/platform/database/database.ts'

/** A feed message as it is stored, with its number. */
export type StoredFeedMessage = FeedMessage & { seq: number }

export type Ending = { status: Extract<RunStatus, 'canceled' | 'finished' | 'failed'>; reason: string; type: FeedType; message: string }

/**
 * Ends a run that nobody is working on: status, reason and times, URLs that still waited, credits, jobs, the last feed line and the
 * terminal event's number.
 *
 * A failed run costs nothing; the others keep what they used.
 * @returns  the terminal event's number; null when the run had already ended, and then nothing has changed
 */
export async function endRun(
  transaction: Transaction,
  runNo: number,
  at: number,
  { status, reason, type, message }: Ending,
): Promise<number | null> {
  const ended = await transaction
    .updateTable('run')
    .set((own) => ({
      status,
      reason,
      endedAt: at,
      updatedAt: at,
      settled: own.ref('known'),
      eventSeq: own.eb('eventSeq', '+', 2),
      owner: null,
      leaseUntil: null,
    }))
    .where('no', '=', runNo)
    .where('endedAt', 'is', null)
    .returning('eventSeq')
    .executeTakeFirst()
  if (!ended) return null

  await transaction
    .updateTable('runUrl')
    .set({ state: URL_STATE.listed, outcome: endOfWaiting(status), dueAt: null })
    .where('runNo', '=', runNo)
    .where('state', 'in', [URL_STATE.pending, URL_STATE.waiting])
    .execute()
  await transaction
    .updateTable('creditEntry')
    .set(status === 'failed' ? { state: 'settled', used: 0 } : { state: 'settled' })
    .where('runNo', '=', runNo)
    .where('state', '=', 'held')
    .execute()
  // ';' follows ':' in ASCII: all slices of this run, and of no run whose number begins like it.
  await transaction.deleteFrom('job').where('key', '>=', `run:${runNo}:`).where('key', '<', `run:${runNo};`).execute()

  const seq = ended.eventSeq - 1
  const line: StoredFeedMessage = { id: String(seq), type, message, timestamp: instant(at), metadata: {}, seq }
  await transaction
    .insertInto('runFeed')
    .values({ runNo, firstSeq: seq, lastSeq: seq, messages: JSON.stringify([line]) })
    .execute()
  return ended.eventSeq
}
