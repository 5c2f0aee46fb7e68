import type { Database } from './database.ts'

/**
 * Waits until the API's transactions that are open now have ended. They take turns, so an empty one comes after them.
 *
 * For what is woken from inside a transaction: over PostgreSQL another connection would read before the commit, and see nothing.
 */
export const afterCommits = (database: Database): Promise<void> => database.transaction().execute(async () => undefined)
