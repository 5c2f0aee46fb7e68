/** Opens the platform of the features: database, readers, bus, mails, keys. */
import type { BackendConfig, Log } from './config.ts'
import { openSqliteState } from './open-sqlite.ts'
import { createBaseUrl } from './http/base-url.ts'
import { createFileLinks } from './http/file-links.ts'
import { isPostgres } from './platform/database/kind.ts'
import { createIds } from './platform/ids.ts'
import { logMailer, smtpMailer } from './platform/mailer.ts'
import { afterCommits } from './platform/database/after-commits.ts'
import { createShareOf } from './platform/database/share-of-team.ts'
import { createOutbox, mailJobs } from './platform/outbox.ts'
import { createSealer, deriveKey } from './platform/secrets.ts'
import type { ServiceState } from './platform/service-watch.ts'
import type { Shared, SharedJobs } from './open-shared.ts'
import type { Ports } from './ports.ts'
import type { State } from './state.ts'
import { createStorageWatch } from './system/storage-watch.ts'
import type { StorageWatch } from './system/storage-watch.ts'

/** Longer than a mail server may take. When a process ends while it sends a mail, another one sends it after this time. */
const MAIL_CLAIM_MS = 5 * 60_000
export type Platform = {
  ports: Ports
  /** Null with a single process. */
  jobs: SharedJobs | null
  redis: () => ServiceState
  state: State
  storage: StorageWatch
}

/**
 * Opens and migrates the database.
 *
 * @param shared  is closed with the platform
 * Throws when the database cannot be used, and then leaves nothing open.
 */
export async function openPlatform(
  config: BackendConfig,
  log: Log,
  replaced: { now?: () => number; every?: Ports['every'] },
  shared: Shared,
): Promise<Platform> {
  const now = replaced.now ?? Date.now
  const newId = createIds(now)
  let storage: StorageWatch | null = null
  const warn = (facts: object, message: string) => log.warn(facts, message)
  const keyFor: Ports['keyFor'] = (purpose) => deriveKey(config.secretKey, purpose)
  const openState = isPostgres(config.databaseUrl) ? (await import('./open-postgres.ts')).openPostgresState : openSqliteState
  const state = await openState({ config, keyFor, log, now, onFault: (fault) => storage?.onFault(fault) })
  const { database, readers } = state
  storage = createStorageWatch({
    ...(state.file !== undefined && { file: state.file }),
    folder: state.folder,
    log,
    now,
    tryWrite: async () => {
      const row = { name: 'last_write_check', value: String(now()) }
      await database
        .insertInto('setting')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .execute()
    },
  })
  const outbox = createOutbox({
    committed: () => afterCommits(database),
    jobs: mailJobs({ database, claimMs: MAIL_CLAIM_MS, now, owner: newId() }),
    log,
    mailer: config.smtpUrl ? smtpMailer({ from: config.mailFrom, url: config.smtpUrl }) : logMailer({ warn }),
    newId,
    now,
    sealer: createSealer(keyFor('sealing')),
  })
  const ports: Ports = {
    baseUrl: createBaseUrl({ publicUrl: config.publicUrl ?? null }),
    bus: shared.bus,
    database,
    every: replaced.every ?? everyInterval,
    keyFor,
    limits: shared.limits,
    links: createFileLinks({ key: keyFor('file links'), now, validSeconds: config.fileLinkSeconds }),
    log,
    newId,
    now,
    outbox,
    readers,
    shareOf: createShareOf(database),
    steady: shared.steady,
    warn,
  }
  return { ports, jobs: shared.jobs, redis: shared.redis, state: { ...state, close }, storage }

  async function close() {
    await shared.close()
    await state.close()
  }
}

const everyInterval: Ports['every'] = (ms, call) => {
  const timer = setInterval(call, ms).unref()
  return () => clearInterval(timer)
}
