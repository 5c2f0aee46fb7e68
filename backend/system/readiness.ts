/** Whether the parts that the service stands on answer. */
import { access, constants } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '#backend/platform/database/database.ts'
import type { Check, Checks } from './routes.ts'

/** @param dataDir  where files are kept, or null when nothing is */
export function createReadiness({ database, dataDir }: { database: Database; dataDir: string | null }): () => Promise<Checks> {
  return async () => ({
    database: await outcomeOf(sql`select 1`.execute(database)),
    storage: dataDir === null ? 'ok' : await outcomeOf(access(dataDir, constants.R_OK | constants.W_OK)),
    queue: await outcomeOf(database.selectFrom('job').select('no').limit(1).execute()),
    browser: 'off',
  })
}

const outcomeOf = (question: Promise<unknown>): Promise<Check> =>
  question.then(
    () => 'ok',
    () => 'failed',
  )
