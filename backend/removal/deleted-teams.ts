/** Marks the runs of deleted teams, so that they stop and are removed. What a process leaves undone is done by the next. */
import type { Database } from '#backend/platform/database/database.ts'

/** @param deleteAllOf  deletes every run of a team */
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

  /** Marks what is left of any deleted team; a call during another one makes that one look again. */
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
