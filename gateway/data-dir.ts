import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigFault, weaknessOf } from './read-config.ts'

/** Held while the process lives; `release` lets another one in. */
export type DataDir = { path: string; release(): void }

/**
 * Makes the data folder when it is missing, and takes it for this process alone.
 *
 * The lock is SQLite's own, on a file of its own in the folder: the system frees it however the process ends, so that a killed
 * one never blocks its successor, and it holds between containers that share the folder. A file with a process id would do
 * neither, and a socket is not seen from another container. The database's own lock will not do, since several of our
 * processes may open that one.
 *
 * @throws ConfigFault when another process has it, or it cannot be written
 */
export async function openDataDir(path: string): Promise<DataDir> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigFault([`DATA_DIR is ${path}, which cannot be made (${(error as NodeJS.ErrnoException).code})`])
  }
  const { default: Sqlite } = await import('better-sqlite3')
  let lock
  try {
    lock = new Sqlite(join(path, 'data.lock'), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    const { code } = error as { code?: string }
    const reason = code?.startsWith('SQLITE_BUSY') ? 'is in use by another process: two may not share it' : `cannot be written (${code})`
    throw new ConfigFault([`DATA_DIR is ${path}, which ${reason}`])
  }
  return { path, release: () => void lock.close() }
}

/**
 * The generated key of this installation: made on the first start, for the owner's eyes only, and the same ever after.
 * Call with the data folder held, or two first starts might make two.
 *
 * @throws ConfigFault when the file is there, but does not hold a whole key
 */
export function generatedSecretKey({ path }: DataDir): string {
  const file = join(path, 'secret.key')
  if (!existsSync(file)) writeWhole(file, `${randomBytes(48).toString('base64url')}\n`)
  const key = readFileSync(file, 'utf8').trim()
  if (weaknessOf(key))
    throw new ConfigFault([`${file} does not hold a key. Put it back from a backup, or remove it: then everybody must sign in again`])
  return key
}

/** All or nothing, and on the disk before it is used: losing the key would lose what is sealed with it. */
function writeWhole(file: string, text: string) {
  const partial = `${file}.partial`
  const handle = openSync(partial, 'w', 0o600)
  writeSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(partial, file)
}
