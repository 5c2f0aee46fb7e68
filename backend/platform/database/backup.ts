/** Copies of the database: taken while it is in use, and put back in its place. Each is checked as a whole before it counts. */
import SQLite from 'better-sqlite3'
import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseFault, checkDatabaseFile, structureFault } from './check-file.ts'
import { MIGRATIONS } from './migrations.ts'

const BUSY_MS = 30_000

/**
 * Writes the database as it is at this moment into a file of its own, which needs nothing beside it. Others may write meanwhile.
 *
 * @param target  must not exist; made for its owner only, and only when the copy is whole
 * @returns bytes
 * @throws DatabaseFault when the copy is damaged, which means that the database is; nothing is left of it
 */
export function backUp(file: string, target: string): number {
  const partial = `${target}.partial`
  removeDatabase(partial)
  try {
    const connection = new SQLite(file, { fileMustExist: true, timeout: BUSY_MS })
    try {
      connection.prepare('VACUUM INTO ?').run(partial)
    } finally {
      connection.close()
    }
    return nameCopy(partial, target, file)
  } finally {
    removeDatabase(partial)
  }
}

/**
 * Does the same for a PostgreSQL. What is written is such a file, too.
 *
 * @param write  writes all rows into a new file
 */
export async function backUpRows(target: string, write: (file: string) => Promise<unknown>): Promise<number> {
  const partial = `${target}.partial`
  removeDatabase(partial)
  try {
    await write(partial)
    return nameCopy(partial, target, 'the database')
  } finally {
    removeDatabase(partial)
  }
}

/** Checks a copy, and gives it its name. */
function nameCopy(partial: string, target: string, of: string): number {
  const fault = structureFault(partial, 'integrity_check')
  if (fault !== null) throw new DatabaseFault(`The copy of ${of} is damaged, so the database is: ${fault}`)
  sync(partial)
  // Unlike a rename, it never replaces a file.
  linkSync(partial, target)
  sync(dirname(target))
  return statSync(target).size
}

/** @throws DatabaseFault when a file is no whole database of this product that this version can read */
export function checkBackupFile(source: string): void {
  checkBackup(source, source)
}

/**
 * Puts a backup in the place of the database, which must not be in use. The database that was there is kept beside it.
 *
 * The new one is complete beside the old one before anything is changed, and takes its name in one step. The log of the old one is written
 * into it, or kept with it, so that it never meets the new one.
 *
 * @param source  a file of `backUp`; or any copy of a database with its log, if there is one, beside it
 * @param stamp   ends the name of the database that is replaced
 * @returns where that is now, or null when there was none
 * @throws DatabaseFault when the backup cannot be used; then nothing has changed
 */
export function putBack(source: string, file: string, stamp: string): { replaced: string | null } {
  const restoring = `${file}.restoring`
  removeDatabase(restoring)
  try {
    copyFileSync(source, restoring)
    if (existsSync(`${source}-wal`)) copyFileSync(`${source}-wal`, `${restoring}-wal`)
    checkBackup(restoring, source)
    // All in one file: nothing must be left that could belong to another.
    const connection = new SQLite(restoring, { fileMustExist: true })
    try {
      connection.pragma('journal_mode = DELETE')
    } finally {
      connection.close()
    }
    sync(restoring)
    const replaced = existsSync(file) ? setAside(file, `${file}.replaced-${stamp}`) : null
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    renameSync(restoring, file)
    sync(dirname(file))
    return { replaced }
  } finally {
    removeDatabase(restoring)
  }
}

function checkBackup(copy: string, source: string) {
  checkDatabaseFile(copy)
  const fault = structureFault(copy, 'integrity_check')
  if (fault !== null) throw new DatabaseFault(`${source} is damaged: ${fault}`)
  const connection = new SQLite(copy, { readonly: true })
  try {
    const isOurs = connection.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'migration'`).get() !== undefined
    if (!isOurs) throw new DatabaseFault(`${source} is a database of another program`)
    const known = new Set(MIGRATIONS.map(({ name }) => name))
    const names = (connection.prepare('SELECT name FROM migration').all() as { name: string }[]).map(({ name }) => name)
    const strange = names.filter((name) => !known.has(name))
    if (strange.length > 0)
      throw new DatabaseFault(`${source} was written by a newer version (${strange.join(', ')}): restore it with that version`)
  } finally {
    connection.close()
  }
}

/** Gives the database a second name, with all that its log holds. It keeps its own until the new one takes it. */
function setAside(file: string, name: string): string {
  let isWhole = true
  try {
    checkDatabaseFile(file)
    const connection = new SQLite(file)
    connection.pragma('wal_checkpoint(TRUNCATE)')
    connection.close()
  } catch {
    // It is damaged, or beside a log that is not its own: it is kept as it is, with the log.
    isWhole = false
  }
  linkSync(file, name)
  if (!isWhole && existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${name}-wal`)
  return name
}

function removeDatabase(file: string) {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}

/** Windows cannot do that with a folder, and writes names at once. */
function sync(path: string) {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
