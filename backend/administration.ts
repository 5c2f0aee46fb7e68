/** The operator's functions for the command line, which may run while the product uses the same database. */
import { existsSync } from 'node:fs'
import { administerUsers } from './accounts/administer-users.ts'
import { createOneTimeLinks } from './accounts/one-time-links.ts'
import { createPasswordWords } from './accounts/password-words.ts'
import { createPasswords } from './accounts/passwords.ts'
import { createSessions } from './accounts/sessions.ts'
import { createTokens } from './accounts/tokens.ts'
import { Refusal } from './errors.ts'
import { isPostgres } from './platform/database/kind.ts'
import { MIGRATIONS } from './platform/database/migrations.ts'
import { openSqlite, sqliteDatabase, sqliteFile } from './platform/database/sqlite.ts'
import type { SqliteConnection } from './platform/database/sqlite.ts'
import { createIds } from './platform/ids.ts'
import { createSealer, deriveKey, keyedHash } from './platform/secrets.ts'
import { administerPlans } from './plans/administer-plans.ts'
import { createRetention } from './removal/retention.ts'
import { administerProxies } from './proxies/administer-proxies.ts'
import { listAllTeams } from './teams/list-all-teams.ts'

export { Refusal, isPostgres }
export { backUp, backUpRows, checkBackupFile, putBack } from './platform/database/backup.ts'
export { openBlobs } from './platform/blobs/open-blobs.ts'
export { directoryBlobs } from './platform/blobs/directory-blobs.ts'
/** Copies between the two databases; loads the driver of PostgreSQL. */
export const loadMove = () => import('./platform/database/move.ts')
export { copyBlobs } from './platform/blobs/copy-blobs.ts'
export { blobsFolder } from './platform/blobs/directory-blobs.ts'
export { compact } from './platform/database/compact.ts'
export { DatabaseFault, isDatabaseThere } from './platform/database/check-file.ts'
export { sqliteFile } from './platform/database/sqlite.ts'
export { HOW_TO_INSTALL, NO_BROWSER, findChromium } from './renderer/find-chromium.ts'
export { tryBrowser } from './renderer/try-browser.ts'

const CACHE_MIB = 4

/** The file of an SQLite database. Throws `Refusal` for a PostgreSQL, without its URL, which contains a password. */
export function embeddedFile(databaseUrl: string): string {
  if (isPostgres(databaseUrl)) throw new Refusal('This command works with SQLite only, and DATABASE_URL names a PostgreSQL database.')
  return sqliteFile(databaseUrl)
}

/**
 * Opens the database without creating or migrating it: a product that runs at the same time might not know the newer schema.
 *
 * Throws `Refusal` when there is none, its schema is not this version's, or it is a PostgreSQL.
 */
export function openAdministration({ databaseUrl, policyUrl, productName, secretKey, termsUrl }: AdministrationSetup) {
  const file = embeddedFile(databaseUrl)
  if (!existsSync(file)) throw new Refusal(`There is no database at ${file}: start the product once, which creates it.`)
  const connection = openSqlite(file, { cacheMiB: CACHE_MIB })
  try {
    checkSchema(connection)
  } catch (cause) {
    connection.close()
    throw cause
  }
  const database = sqliteDatabase(connection)
  const now = Date.now
  const passwords = createPasswords()
  // Used only to end sessions, so the lifetimes do not matter.
  const tokens = createTokens({ accessSeconds: 0, key: deriveKey(secretKey, 'access and refresh tokens'), now, refreshSeconds: 0 })
  const addressHashes = deriveKey(secretKey, 'network addresses')
  const sessions = createSessions({ database, hashAddress: (address) => keyedHash(addressHashes, address), now, passwords, tokens })
  const linkHashes = deriveKey(secretKey, 'one-time links')
  const links = createOneTimeLinks({ database, hash: (text) => keyedHash(linkHashes, text), now })
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
    /** What `RETENTION_DAYS` would delete now. */
    expired: (days: number) => createRetention({ database, deleteRuns: async () => 0, installationDays: 0, now }).expired(null, days),
    listTeams: () => listAllTeams(database),
    async close() {
      await database.destroy()
      if (connection.open) connection.close()
    },
  }
}

type AdministrationSetup = {
  databaseUrl: string
  policyUrl?: string | undefined
  productName: string
  secretKey: string
  termsUrl?: string | undefined
}

export type Administration = ReturnType<typeof openAdministration>

function checkSchema(connection: SqliteConnection): void {
  const isThere = connection.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'migration'`).get() !== undefined
  const rows = isThere ? (connection.prepare('SELECT name FROM migration').all() as { name: string }[]) : []
  const applied = new Set(rows.map(({ name }) => name))
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  if ([...applied].some((name) => !known.has(name))) throw new Refusal('The database is of a newer version than this command.')
  if (applied.size < known.size) throw new Refusal('The database is of an older version: start the product once, which migrates it.')
}
