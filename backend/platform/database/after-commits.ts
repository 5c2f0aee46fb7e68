import type { Database } from './database.ts'

/**
 * Waits until all open transactions of the API have ended: they run one after the other, so an empty one ends after them.
 *
 * For code that is woken inside a transaction: with PostgreSQL, another connection would read before the commit and see nothing.
 */
export const afterCommits = (database: Database): Promise<void> => database.transaction().execute(async () => undefined)
