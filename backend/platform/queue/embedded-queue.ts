/** The RunQueue in our own job table, with in-process wake-ups. */
import type { Transaction } from '#backend/platform/database/database.ts'
import { turnOf } from './queue.ts'
import type { Job, RunQueue } from './queue.ts'

/** @param wake  tells the engine, in whatever process, to read the table */
export function embeddedQueue({ now, wake }: { now: () => number; wake: () => void }): RunQueue {
  return { enqueue, wake }

  async function enqueue(transaction: Transaction, job: Job) {
    await transaction
      .insertInto('job')
      .values({
        key: job.key,
        kind: job.kind,
        payload: JSON.stringify({ runNo: job.runNo }),
        teamId: job.teamId,
        ...turnOf(job, now()),
        owner: null,
        leaseUntil: null,
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }
}
