/** Backups of the database: created while it is in use, and restored in its place. Each is checked as a whole before it counts. */
import SQLite from 'better-sqlite3'
import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseFault, checkDatabaseFile, structureFault } from './check-file.ts'
import { MIGRATIONS } from './migrations.ts'

const BUSY_MS = 30_000

/**
 * Writes the current state of the database into a single file. Others may write meanwhile.
 *
 * @param target  must not exist; readable by its owner only, and created only when the copy is complete
 * @returns its size in bytes
 * @throws DatabaseFault when the copy is damaged, which means that the database is; the copy is deleted
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
 * The same for PostgreSQL; the backup is an SQLite file, too.
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
  // Unlike rename, link never replaces a file.
  linkSync(partial, target)
  sync(dirname(target))
  return statSync(target).size
}

/** @throws DatabaseFault unless a file is a complete database of this product that this version can read */
export function checkBackupFile(source: string): void {
  checkBackup(source, source)
}

/**
 * Replaces the database, which must not be in use, by a backup. The replaced database is kept beside it.
 *
 * The new file is complete before anything is changed, and is renamed in one step. The old database's log is merged into it, or kept with
 * it, so that it never meets the new database.
 *
 * @param source  a file of `backUp`; or any copy of a database, with its log beside it if there is one
 * @param stamp   suffix for the name of the replaced database
 * @returns the path of the replaced database, or null when there was none
 * @throws DatabaseFault when the backup cannot be used; then nothing has changed
 */
export function putBack(source: string, file: string, stamp: string): { replaced: string | null } {
  const restoring = `${file}.restoring`
  removeDatabase(restoring)
  try {
    copyFileSync(source, restoring)
    if (existsSync(`${source}-wal`)) copyFileSync(`${source}-wal`, `${restoring}-wal`)
    checkBackup(restoring, source)
    // Merge the log into the file: a leftover log could be applied to another database.
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
  checkDatabaseFile(copy, source)
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

/** Gives the database a second name, after merging its log. The first name stays until the new database takes it. */
function setAside(file: string, name: string): string {
  let isWhole = true
  try {
    checkDatabaseFile(file)
    const connection = new SQLite(file)
    connection.pragma('wal_checkpoint(TRUNCATE)')
    connection.close()
  } catch {
    // It is damaged, or its log belongs to another database: keep both as they are.
    isWhole = false
  }
  linkSync(file, name)
  if (!isWhole && existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${name}-wal`)
  return name
}

function removeDatabase(file: string) {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true })
}

/** Windows cannot flush a folder, and writes names at once. */
function sync(path: string) {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
