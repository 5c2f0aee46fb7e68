/** The operator's functions for the command line, which may run while the product uses the same database. */
import { administerUsers } from './accounts/administer-users.ts'
import { createOneTimeLinks } from './accounts/one-time-links.ts'
import { createPasswordWords } from './accounts/password-words.ts'
import { createPasswords } from './accounts/passwords.ts'
import { createSessions } from './accounts/sessions.ts'
import { createTokens } from './accounts/tokens.ts'
import { Refusal } from './errors.ts'
import { isDatabaseThere, refuseFolder } from './platform/database/check-file.ts'
import type { Database } from './platform/database/database.ts'
import { isPostgres, withoutPassword } from './platform/database/kind.ts'
import { MIGRATIONS } from './platform/database/migrations.ts'
import { openSqlite, sqliteDatabase, sqliteFile } from './platform/database/sqlite.ts'
import type { SqliteConnection } from './platform/database/sqlite.ts'
import { createIds } from './platform/ids.ts'
import { createSealer, deriveKey, keyedHash } from './platform/secrets.ts'
import { administerPlans } from './plans/administer-plans.ts'
import { createRetention } from './removal/retention.ts'
import { administerProxies } from './proxies/administer-proxies.ts'
import { isSealedByAnother } from './teams/api-keys.ts'
import { listAllTeams } from './teams/list-all-teams.ts'

export { Refusal, isDatabaseThere, isPostgres, withoutPassword }
export { backUp, backUpRows, checkBackupFile, putBack } from './platform/database/backup.ts'
export { openBlobs } from './platform/blobs/open-blobs.ts'
export { directoryBlobs } from './platform/blobs/directory-blobs.ts'
/** Copies between the two databases; loads the driver of PostgreSQL. */
export const loadMove = () => import('./platform/database/move.ts')
export { copyBlobs } from './platform/blobs/copy-blobs.ts'
export { blobsFolder } from './platform/blobs/directory-blobs.ts'
export { compact } from './platform/database/compact.ts'
export { DatabaseFault } from './platform/database/check-file.ts'
export { checkPlans } from './plans/administer-plans.ts'
export { sqliteFile } from './platform/database/sqlite.ts'
export { operatorServices } from './operator-services.ts'
export { HOW_TO_INSTALL, NO_BROWSER, findChromium } from './renderer/find-chromium.ts'
export { tryBrowser } from './renderer/try-browser.ts'

const CACHE_MIB = 4
/** Longest wait for an answer of PostgreSQL: counting what a retention would delete reads whole tables. */
const ANSWER_MS = 120_000

/** The file of an SQLite database. Throws `Refusal` for a PostgreSQL, without its URL, which contains a password. */
export function embeddedFile(databaseUrl: string): string {
  if (isPostgres(databaseUrl)) throw new Refusal('This command works with SQLite only, and DATABASE_URL names a PostgreSQL database.')
  return sqliteFile(databaseUrl)
}

/**
 * Opens the database without creating or migrating it: a product that runs at the same time might not know the newer schema.
 *
 * Throws `Refusal` when there is none, its schema is not this version's, or its server cannot be used.
 */
export async function openAdministration({ databaseUrl, policyUrl, productName, secretKey, termsUrl }: AdministrationSetup) {
  const { close, database } = isPostgres(databaseUrl) ? await openServer(databaseUrl) : openFile(sqliteFile(databaseUrl))
  const now = Date.now
  const passwords = createPasswords()
  // Used only to end sessions, so the lifetimes do not matter.
  const tokens = createTokens({ accessSeconds: 0, key: deriveKey(secretKey, 'access and refresh tokens'), now, refreshSeconds: 0 })
  const addressHashKey = deriveKey(secretKey, 'network addresses')
  const sessions = createSessions({ database, hashAddress: (address) => keyedHash(addressHashKey, address), now, passwords, tokens })
  const linkHashKey = deriveKey(secretKey, 'one-time links')
  const links = createOneTimeLinks({ database, hash: (text) => keyedHash(linkHashKey, text), now })
  const newId = createIds(now)
  return {
    plans: administerPlans({ database, newId, now }),
    proxies: administerProxies({ database, newId, now, sealer: createSealer(deriveKey(secretKey, 'proxy passwords')) }),
    users: administerUsers({
      database,
      endSessions: sessions.endAllOf,
      hasNothingToConfirm: policyUrl === undefined && termsUrl === undefined,
      issueLink: (transaction, userId) => links.issue(transaction, 'reset-password', userId),
      newId,
      now,
      passwords,
      passwordWords: createPasswordWords({ productName }),
      withdrawLinks: links.withdraw,
    }),
    /** Whether the secret key is not the one that the product has used last: then links and passwords made with it do not work there. */
    hasAnotherKey: () => isSealedByAnother(database, createSealer(deriveKey(secretKey, 'sealing'))),
    /** What `RETENTION_DAYS` would delete now. */
    expired: (days: number) => createRetention({ database, deleteRuns: async () => 0, installationDays: 0, now }).expired(null, days),
    listTeams: () => listAllTeams(database),
    close,
  }
}

type AdministrationSetup = {
  databaseUrl: string
  policyUrl?: string | undefined
  productName: string
  secretKey: string
  termsUrl?: string | undefined
}

export type Administration = Awaited<ReturnType<typeof openAdministration>>

type Opened = { database: Database; close: () => Promise<void> }

function openFile(file: string): Opened {
  // Unlike existsSync, this fails for a file that another user may not see.
  if (!isDatabaseThere(file)) throw new Refusal(`There is no database at ${file}: start the product once, which creates it.`)
  refuseFolder(file)
  const connection = openSqlite(file, { cacheMiB: CACHE_MIB })
  try {
    checkSteps(stepsIn(connection), MIGRATIONS)
  } catch (cause) {
    connection.close()
    throw cause
  }
  const database = sqliteDatabase(connection)
  return {
    database,
    async close() {
      await database.destroy()
      if (connection.open) connection.close()
    },
  }
}

function stepsIn(connection: SqliteConnection): string[] {
  const isThere = connection.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'migration'`).get() !== undefined
  const rows = isThere ? (connection.prepare('SELECT name FROM migration').all() as { name: string }[]) : []
  return rows.map(({ name }) => name)
}

/** Loads the driver of PostgreSQL. */
async function openServer(url: string): Promise<Opened> {
  const [{ openPostgres, postgresDatabase }, { POSTGRES_STEPS, stepsOf }] = await Promise.all([
    import('./platform/database/postgres/postgres.ts'),
    import('./platform/database/postgres/postgres-schema.ts'),
  ])
  const pool = openPostgres(url, { answerMs: ANSWER_MS, connections: 2, mayStandBy: true, name: 'admin' })
  try {
    const applied = await stepsOf(pool).catch((fault: unknown) => {
      throw new Refusal(`The database at ${withoutPassword(url)} cannot be used: ${(fault as Error).message}`)
    })
    checkSteps(applied, [...MIGRATIONS, ...POSTGRES_STEPS])
  } catch (cause) {
    await pool.end()
    throw cause
  }
  const database = postgresDatabase(pool)
  return { database, close: () => database.destroy() }
}

/** Throws `Refusal` unless the database has exactly the steps of this version's schema. */
function checkSteps(applied: readonly string[], steps: readonly { name: string }[]): void {
  const known = new Set(steps.map(({ name }) => name))
  if (applied.some((name) => !known.has(name))) throw new Refusal('The database is of a newer version than this command.')
  if (applied.length === 0) throw new Refusal('The database is empty: start the product once, which creates its tables.')
  if (applied.length < known.size) throw new Refusal('The database is of an older version: start the product once, which migrates it.')
}
