/** Whether the services that the product depends on work. */
import { sql } from 'kysely'
import type { Database } from '#backend/platform/database/database.ts'
import type { ServiceState } from '#backend/platform/service-watch.ts'
import type { Checks } from './routes.ts'
import type { ServiceName } from './services.ts'
import type { StorageWatch } from './storage-watch.ts'

export function createReadiness({
  browser,
  database,
  isEngineFailing,
  redis,
  services,
  storage,
}: {
  /** The browser of this machine that renders pages. */
  browser: () => ServiceState
  database: Database
  isEngineFailing: () => boolean
  redis: () => ServiceState
  services: () => Promise<Record<ServiceName, ServiceState>>
  storage: Pick<StorageWatch, 'isWritable'>
}): () => Promise<Checks> {
  return async () => {
    const { renderer, ...others } = await services()
    return {
      database: await outcomeOf(sql`select 1`.execute(database)),
      storage: (await storage.isWritable()) ? 'ok' : 'failed',
      queue: isEngineFailing() ? 'failed' : await outcomeOf(database.selectFrom('job').select('no').limit(1).execute()),
      browser: renderer === 'off' ? browser() : renderer,
      redis: redis(),
      ...others,
    }
  }
}

const outcomeOf = (question: Promise<unknown>): Promise<ServiceState> =>
  question.then(
    () => 'ok',
    () => 'failed',
  )
