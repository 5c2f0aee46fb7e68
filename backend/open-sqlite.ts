/** The state of an installation in an SQLite file: its database, reader threads, text index and sweep. */
import { dirname } from 'node:path'
import { blobPlaceOf } from './config.ts'
import { checkDatabaseFile } from './platform/database/check-file.ts'
import { createReaders, localReaders } from './platform/database/readers.ts'
import { migrate, openSqlite, sqliteDatabase, sqliteFile } from './platform/database/sqlite.ts'
import { lastRead } from './platform/last-read.ts'
import { createSealer } from './platform/secrets.ts'
import { READER_FILES } from './reader-files.ts'
import { sweepHost } from './removal/sweep-host.ts'
import { sealOldRuns } from './runs/seal-old-runs.ts'
import { indexFileOf } from './searches/own-index/index-file.ts'
import { indexHost } from './searches/own-index/index-host.ts'
import { createOwnSearch } from './searches/own-index/own-search.ts'
import type { Looks, OpenState, State } from './state.ts'

/** The API's own connection; the engine has another. */
const CACHE_MIB = 16

/** Throws when the database cannot be used, and then leaves nothing open. */
export const openSqliteState: OpenState = async ({ config, keyFor, log, now, onFault }): Promise<State> => {
  const file = sqliteFile(config.databaseUrl)
  checkDatabaseFile(file)
  const connection = openSqlite(file, { cacheMiB: CACHE_MIB })
  const database = sqliteDatabase(connection, { onFault, yieldsInTransactions: true })
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
      : createReaders({ file, onFault, program: new URL('./reader-thread.ts', import.meta.url) })
  const looks = looksOf(connection)
  const index = indexFileOf(file)
  return {
    database,
    readers,
    looks,
    untilReachable: (call) => call(),
    ...(file !== ':memory:' && { file }),
    folder: dirname(file),
    ofEngine: { database: file },
    openIndex: () =>
      indexHost({
        database: file,
        deleted: lastRead(looks.deletedRuns, '', onFault),
        file: index,
        hasPages: lastRead(looks.hasPages, false, onFault),
        log,
      }),
    openSearch: (onDamage) => createOwnSearch({ database: file, onDamage }),
    openSweeper: (onWaiting) =>
      sweepHost({
        data: { database: file, blobs: blobPlaceOf(config), index },
        hasWork: lastRead(() => looks.firstDeletedRun() !== undefined || looks.hasDeletedTeams(), false, onFault),
        onWaiting,
        program: new URL('./sweep-thread.ts', import.meta.url),
        warn: (facts, message) => log.warn(facts, message),
      }),
    async close() {
      await readers.close()
      await database.destroy()
      // The query builder only closes connections that it has used.
      if (connection.open) connection.close()
    },
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
    onUnfinished: () => undefined,
  }
}
