/** Writes the database anew without its free pages, in the form whose free pages can be given back in steps later. */
import { statSync } from 'node:fs'
import { checkDatabaseFile } from './check-file.ts'
import { openSqlite } from './sqlite.ts'

const CACHE_MIB = 64
/** `PRAGMA auto_vacuum` of files whose free pages can be given back in steps. */
const INCREMENTAL = 2

/**
 * The database must not be in use. It needs as much free space as the database will have, twice, until it is done.
 *
 * @returns bytes of the file before and after, and whether free pages can be given back in steps from now on, which was not so before
 * @throws DatabaseFault when the file is no whole database; SQLITE_FULL when the disk has no room, and then nothing has changed
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
