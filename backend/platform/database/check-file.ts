/** Checks the database file before anything writes to it, so that a wrong file is rejected instead of made worse. */
import SQLite from 'better-sqlite3'
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The database cannot be used; the message tells the operator why, and what to do. */
export class DatabaseFault extends Error {}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
/** Size of a write-ahead log with nothing but its header. */
const EMPTY_LOG_BYTES = 32
const RESTORE = 'Restore a backup: npm run admin -- restore FILE'

/** Whether the file has a database: an empty file has none. */
export const isDatabaseThere = (file: string): boolean => sizeOf(file) > 0

/**
 * Checks that the file is a complete database, and that the write-ahead log beside it belongs to it.
 *
 * Only a killed process leaves a log behind. SQLite would apply it to whatever database has the name, and destroy a backup that was copied
 * there. Such a mismatch is found by checking the structure of database and log together, which takes about a second per gigabyte. Nothing
 * is written.
 *
 * @param name    the path that messages name, if `file` is a copy of a backup
 * @throws DatabaseFault with the error
 */
export function checkDatabaseFile(file: string, name = file): void {
  if (!existsSync(dirname(file)))
    throw new DatabaseFault(`There is no folder ${dirname(file)} for the database: create it, or correct DATABASE_URL`)
  refuseFolder(file)
  const size = sizeOf(file)
  if (size === 0) return
  const header = headOf(file)
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 16) !== MAGIC)
    throw new DatabaseFault(`${name} is not a database. ${RESTORE}`)
  if (sizeOf(`${file}-wal`) > EMPTY_LOG_BYTES) return checkWithLog(file, name)
  const wanted = sizeSaidIn(header)
  if (wanted !== null && size < wanted) throw new DatabaseFault(`${name} is truncated: ${size} bytes of ${wanted} are there. ${RESTORE}`)
}

/** @throws DatabaseFault when the path is that of a folder */
export function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new DatabaseFault(`${path} is a folder: DATABASE_URL names the file of the database`)
}

function checkWithLog(file: string, name: string): void {
  const fault = structureFault(file)
  if (fault !== null)
    throw new DatabaseFault(
      `${name} and ${name}-wal do not belong to the same database (${fault}). If ${name} was copied from a backup, remove ${name}-wal and ${name}-shm, which belong to the database before it; else restore a backup: npm run admin -- restore FILE`,
    )
}

/** The first structural error of the database, or null. */
export function structureFault(file: string, pragma: 'quick_check' | 'integrity_check' = 'quick_check'): string | null {
  let connection
  try {
    connection = new SQLite(file, { readonly: true, fileMustExist: true })
    const found = connection.prepare(`PRAGMA ${pragma}(1)`).pluck().get() as string
    return found === 'ok' ? null : found.replace(/^\*\*\*.*\*\*\*\s*/, '').replace(/\s+/g, ' ')
  } catch (error) {
    const { code } = error as { code?: string }
    // Other errors say nothing about the file: a full disk, a read-only folder.
    if (code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT')) return (error as Error).message
    throw error
  } finally {
    connection?.close()
  }
}

/** Source: the database header in sqlite.org/fileformat2.html, 1.3. Null when the header does not contain it, as from an older SQLite. */
function sizeSaidIn(header: Buffer): number | null {
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92)
  return isCurrent ? pageSize * header.readUInt32BE(28) : null
}

function headOf(file: string): Buffer {
  const handle = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEADER_BYTES)
    return bytes.subarray(0, readSync(handle, bytes, 0, HEADER_BYTES, 0))
  } finally {
    closeSync(handle)
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
