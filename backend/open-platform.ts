/** Opens what the features stand on: the database, its readers, the bus, mails, keys. */
import { dirname } from 'node:path'
import type { BackendConfig, Log } from './config.ts'
import { createBaseUrl } from './http/base-url.ts'
import { createFileLinks } from './http/file-links.ts'
import { checkDatabaseFile } from './platform/database/check-file.ts'
import { createReaders, localReaders } from './platform/database/readers.ts'
import { migrate, openSqlite, sqliteDatabase, sqliteFile } from './platform/database/sqlite.ts'
import { createIds } from './platform/ids.ts'
import { logMailer, smtpMailer } from './platform/mailer.ts'
import { createOutbox } from './platform/outbox.ts'
import { mailJobs } from './platform/queue/mail-jobs.ts'
import { createSealer, deriveKey } from './platform/secrets.ts'
import type { Shared, SharedJobs } from './open-shared.ts'
import type { Ports } from './ports.ts'
import { READER_FILES } from './reader-files.ts'
import { sealOldRuns } from './runs/seal-old-runs.ts'
import { createStorageWatch } from './system/storage-watch.ts'
import type { StorageWatch } from './system/storage-watch.ts'

/** Longer than a mail server may take; a mail that was being sent when the process ended is then sent by the next process. */
const MAIL_LEASE_MS = 5 * 60_000
/** The API's own connection; the engine has another. */
const CACHE_MIB = 16

/** Small questions about the tables, answered at once: they decide whether a thread or a process is started. */
export type Looks = {
  /** Changes with each run that is deleted or removed. */
  deletedRuns: () => string
  firstDeletedRun: () => number | undefined
  hasDeletedTeams: () => boolean
  hasPages: () => boolean
  hasUnfinishedRuns: () => boolean
}

export type Platform = {
  ports: Ports
  /** Null where there is one process. */
  jobs: SharedJobs | null
  /** The path of the database's file. */
  file: string
  looks: Looks
  storage: StorageWatch
  /** The last to be closed. */
  close: () => Promise<void>
}

/**
 * Opens and migrates the database.
 *
 * @param shared  is closed with the platform
 * Throws when it cannot be used, and leaves nothing open then.
 */
export function openPlatform(
  config: BackendConfig,
  log: Log,
  replaced: { now?: () => number; every?: Ports['every'] },
  shared: Shared,
): Platform {
  const now = replaced.now ?? Date.now
  const newId = createIds(now)
  const file = sqliteFile(config.databaseUrl)
  const warn = (facts: object, message: string) => log.warn(facts, message)
  const keyFor: Ports['keyFor'] = (purpose) => deriveKey(config.secretKey, purpose)
  checkDatabaseFile(file)
  const connection = openSqlite(file, { cacheMiB: CACHE_MIB })
  const database = sqliteDatabase(connection, { onFault: (fault) => storage.onFault(fault) })
  const storage = createStorageWatch({
    folder: dirname(file),
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
  try {
    migrate(connection, now)
    sealOldRuns(connection, createSealer(keyFor('secrets of runs')))
  } catch (cause) {
    connection.close()
    throw cause
  }
  const readers =
    file === ':memory:'
      ? localReaders(database, READER_FILES)
      : createReaders({ file, program: new URL('./reader-thread.ts', import.meta.url) })
  const outbox = createOutbox({
    jobs: mailJobs({ database, leaseMs: MAIL_LEASE_MS, now, owner: newId() }),
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
    steady: shared.steady,
    warn,
  }
  return { ports, jobs: shared.jobs, file, looks: looksOf(connection), storage, close }

  async function close() {
    await readers.close()
    await shared.close()
    await database.destroy()
    // The query builder closes what it has used, and nothing before.
    if (connection.open) connection.close()
  }
}

function looksOf(connection: ReturnType<typeof openSqlite>): Looks {
  const anyPage = connection.prepare('SELECT 1 FROM page LIMIT 1')
  const deletedRuns = connection.prepare('SELECT count(*) AS runs, sum(no) AS numbers FROM run WHERE deleted_at IS NOT NULL')
  const anyDeletedTeam = connection.prepare('SELECT 1 FROM team WHERE deleted_at IS NOT NULL LIMIT 1')
  const firstDeletedRun = connection.prepare('SELECT no FROM run WHERE deleted_at IS NOT NULL ORDER BY no LIMIT 1')
  const unfinished = connection.prepare('SELECT 1 FROM run WHERE ended_at IS NULL LIMIT 1')
  return {
    deletedRuns: () => JSON.stringify(deletedRuns.get()),
    firstDeletedRun: () => (firstDeletedRun.get() as { no: number } | undefined)?.no,
    hasDeletedTeams: () => anyDeletedTeam.get() !== undefined,
    hasPages: () => anyPage.get() !== undefined,
    hasUnfinishedRuns: () => unfinished.get() !== undefined,
  }
}

const everyInterval: Ports['every'] = (ms, call) => {
  const timer = setInterval(call, ms).unref()
  return () => clearInterval(timer)
}
