/** Marks the runs of deleted teams as deleted, so that they stop and are removed. After a crash, the next process continues. */
import type { Database } from '#backend/platform/database/database.ts'

/** @param deleteAllOf  marks every run of a team as deleted */
export function createDeletedTeams({
  database,
  deleteAllOf,
  onFault,
}: {
  database: Database
  deleteAllOf: (teamId: string) => Promise<void>
  onFault: (fault: unknown) => void
}) {
  let isAtWork = false
  let isAsked = false
  return { finish }

  /** Marks the remaining runs of all deleted teams; a call during another one makes that one repeat its search. */
  async function finish(): Promise<void> {
    isAsked = true
    if (isAtWork) return
    isAtWork = true
    try {
      while (isAsked) {
        isAsked = false
        for (const { id } of await database.selectFrom('team').select('id').where('deletedAt', 'is not', null).execute())
          await deleteAllOf(id)
      }
    } catch (fault) {
      onFault(fault)
    } finally {
      isAtWork = false
    }
  }
}
