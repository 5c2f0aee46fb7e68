import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigFault, weaknessOf } from '#config/read-config.ts'

/** Held while the process lives; `release` lets another one in. */
export type DataDir = { path: string; release(): void }

/** `begins` is called once, when another process holds the folder. */
export type Waiting = { forMs: number; begins: () => void }

const LOOK_MS = 100
const NAME_ANOTHER = 'name a folder that the user who runs this may create or write'

/** Other users of the machine may not read files that this process or its children create. */
const OWNER_ONLY = 0o077

/**
 * Creates the data folder if it is missing, and locks it for this process. From then on only this user can read the files that the process
 * creates; it also removes the read permission of others that an earlier version gave.
 *
 * The lock is SQLite's own, on a file of its own in the folder: the system frees it however the process ends, so that a killed
 * one never blocks its successor, and it holds between containers that share the folder. A file with a process id would do
 * neither, and a socket is not seen from another container. The database's own lock will not do, since several of our
 * processes may open that one.
 *
 * @param waiting  how long another process may take to release it, such as one that is still stopping
 * @throws ConfigFault when another process holds the lock, or the folder is not writable
 */
export async function openDataDir(path: string, waiting: Waiting = { forMs: 0, begins: () => undefined }): Promise<DataDir> {
  process.umask(OWNER_ONLY)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigFault([`DATA_DIR is ${path}, which cannot be created (${(error as NodeJS.ErrnoException).code}): ${NAME_ANOTHER}`])
  }
  const lock = await locked(path, waiting)
  closeToOthers(path)
  return { path, release: () => void lock.close() }
}

async function locked(path: string, { begins, forMs }: Waiting) {
  const { default: Sqlite } = await import('better-sqlite3')
  const giveUpAt = performance.now() + forMs
  for (let looks = 0; ; looks += 1) {
    let lock
    try {
      lock = new Sqlite(join(path, 'data.lock'), { timeout: 0 })
      lock.exec('BEGIN EXCLUSIVE')
      return lock
    } catch (error) {
      lock?.close()
      const { code } = error as { code?: string }
      if (!code?.startsWith('SQLITE_BUSY'))
        throw new ConfigFault([`DATA_DIR is ${path}, which cannot be written (${code}): ${NAME_ANOTHER}`])
      if (performance.now() >= giveUpAt)
        throw new ConfigFault([`DATA_DIR is ${path}, which is in use by another process: stop that process, or set another DATA_DIR`])
    }
    if (looks === 0) begins()
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Whether other users of the machine can read the folder. On Windows the mode does not say. */
export const isOpenToOthers = ({ path }: DataDir): boolean => process.platform !== 'win32' && (statSync(path).mode & OWNER_ONLY) !== 0

/**
 * The generated key of this installation, or null before there is one.
 *
 * @throws ConfigFault when the file is there, but does not hold a whole key; an error of the system when it cannot be read
 */
export function storedSecretKey({ path }: Pick<DataDir, 'path'>): string | null {
  const file = join(path, 'secret.key')
  let key
  try {
    key = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  if (weaknessOf(key))
    throw new ConfigFault([
      `${file} does not contain a valid key. Restore it from a backup, or remove it: then all users must sign in again`,
    ])
  return key
}

/** A secret of 48 random bytes, as 64 characters. */
export const newSecretKey = (): string => randomBytes(48).toString('base64url')

/**
 * Stores the key of this installation, readable for its user only. Call it with the data folder locked, or two first starts might create two
 * keys, and after the database exists: a key without a database means that the database was lost.
 */
export function keepSecretKey({ path }: Pick<DataDir, 'path'>, key: string): void {
  writeWhole(join(path, 'secret.key'), `${key}\n`)
}

/** Writes atomically and syncs to disk before the key is used: without the key, everything encrypted with it is lost. */
function writeWhole(file: string, text: string) {
  const partial = `${file}.partial`
  const handle = openSync(partial, 'w', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(partial, file)
}

/** Removes the access of other users from our files directly in the folder; files of other users stay unchanged. */
function closeToOthers(path: string) {
  if (process.platform === 'win32') return
  for (const name of readdirSync(path)) {
    if (!/^(?:data\.lock|secret\.key|\w+\.db)(?:-\w+)?$/.test(name)) continue
    try {
      const { mode } = statSync(join(path, name))
      if ((mode & OWNER_ONLY) !== 0) chmodSync(join(path, name), mode & ~OWNER_ONLY & 0o777)
    } catch {
      // The file belongs to another user, or has just been removed.
    }
  }
}
