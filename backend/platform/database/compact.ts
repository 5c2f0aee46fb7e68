/** Rewrites the database without its free pages, in a format whose free pages can later be released in steps. */
import { statSync } from 'node:fs'
import { checkDatabaseFile } from './check-file.ts'
import { openSqlite } from './sqlite.ts'

const CACHE_MIB = 64
/** The value of `PRAGMA auto_vacuum` for that format. */
const INCREMENTAL = 2

/**
 * The database must not be in use. Until it is done, it needs free space of twice the resulting size.
 *
 * @returns the file size before and after, and whether the format was converted
 * @throws DatabaseFault when the file is no complete database; SQLITE_FULL when the disk has no room, and then nothing has changed
 */
export function compact(file: string): { before: number; after: number; isConverted: boolean } {
  checkDatabaseFile(file)
  const connection = openSqlite(file, { cacheMiB: CACHE_MIB })
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)')
    const before = statSync(file).size
    const wasIncremental = connection.pragma('auto_vacuum', { simple: true }) === INCREMENTAL
    connection.pragma('auto_vacuum = INCREMENTAL')
    connection.exec('VACUUM')
    connection.pragma('wal_checkpoint(TRUNCATE)')
    const isIncremental = connection.pragma('auto_vacuum', { simple: true }) === INCREMENTAL
    return { before, after: statSync(file).size, isConverted: isIncremental && !wasIncremental }
  } finally {
    connection.close()
  }
}
