/** Whether the services that the product depends on work. */
import { sql } from 'kysely'
import type { Database } from '#backend/platform/database/database.ts'
import type { Check, Checks } from './routes.ts'
import type { StorageWatch } from './storage-watch.ts'

export function createReadiness({
  browser,
  bucket,
  database,
  isEngineFailing,
  storage,
}: {
  /** The browser that renders pages. */
  browser: () => Check
  /** The bucket of captured files. */
  bucket: () => Promise<Check>
  database: Database
  isEngineFailing: () => boolean
  storage: Pick<StorageWatch, 'isWritable'>
}): () => Promise<Checks> {
  return async () => ({
    database: await outcomeOf(sql`select 1`.execute(database)),
    storage: (await storage.isWritable()) ? 'ok' : 'failed',
    queue: isEngineFailing() ? 'failed' : await outcomeOf(database.selectFrom('job').select('no').limit(1).execute()),
    browser: browser(),
    bucket: await bucket(),
  })
}

const outcomeOf = (question: Promise<unknown>): Promise<Check> =>
  question.then(
    () => 'ok',
    () => 'failed',
  )
