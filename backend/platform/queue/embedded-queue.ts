/** The Queue over our own job table: claimed by a short scan in order of priority, leased, woken in process. */
import type { Transaction } from '#backend/platform/database/database.ts'
import type { Job, Queue } from './queue.ts'

/** @param wake  tells the engine, wherever it runs, to look at the table */
export function embeddedQueue({ now, wake }: { now: () => number; wake: () => void }): Queue {
  return { enqueue, wake }

  async function enqueue(transaction: Transaction, job: Job) {
    await transaction
      .insertInto('job')
      .values({
        key: job.key,
        kind: job.kind,
        payload: JSON.stringify({ runNo: job.runNo }),
        teamId: job.teamId,
        priority: job.priority,
        runAt: now(),
        owner: null,
        leaseUntil: null,
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }
}
