/** Removes a run that was deleted while it was running, once it has ended. */
import type { Transaction } from '#backend/platform/database/database.ts'
import type { SweepHost } from './sweep-host.ts'

/** Handler for ends of runs: wakes the sweep when the run is marked as deleted. */
export function removeAtEnd(sweeper: Pick<SweepHost, 'wake'>) {
  return async function handle(transaction: Transaction, { runNo }: { runNo: number }): Promise<void> {
    const row = await transaction
      .selectFrom('run')
      .where('no', '=', runNo)
      .where('deletedAt', 'is not', null)
      .select('no')
      .executeTakeFirst()
    if (row !== undefined) sweeper.wake()
  }
}
