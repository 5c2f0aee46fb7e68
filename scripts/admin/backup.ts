/** The commands `backup` and `restore`: the database, the blobs beside it, and the secret key. */
import { accessSync, constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  DatabaseFault,
  Refusal,
  backUp,
  backUpRows,
  blobsFolder,
  checkBackupFile,
  copyBlobs,
  directoryBlobs,
  isDatabaseThere,
  isPostgres,
  loadMove,
  openBlobs,
  putBack,
  sqliteFile,
  withoutPassword,
} from '../../backend/administration.ts'
import { openDataDir, storedSecretKey } from '../../gateway/start/data-dir.ts'
import { startFaultOf } from '../../gateway/start/start-fault.ts'
import type { Config } from '#config/read-config.ts'
import { progressOf } from './progress.ts'
import { typedPath } from './typed-path.ts'

type Needs = {
  config: Pick<Config, 'blobPlace' | 'dataDir' | 'databaseUrl' | 'secretKey'>
  file: string
  withKey: boolean
  print: (line: string) => void
}

type BucketPlace = NonNullable<Needs['config']['blobPlace']>
type Replacement = { restoring: string; blobs: number; dataDir: string; stamp: string; print: Needs['print'] }

const keyOf = (file: string) => `${file}.key`
const blobsOf = (file: string) => `${file}.blobs`

/** Runs while the product runs. */
export async function backup({ config: { blobPlace, databaseUrl, dataDir, secretKey }, file, withKey, print }: Needs): Promise<void> {
  // The copy contains everything that the database does, so only its owner may read it.
  process.umask(0o077)
  const target = typedPath(file)
  const isServer = isPostgres(databaseUrl)
  const database = isServer ? withoutPassword(databaseUrl) : sqliteFile(databaseUrl)
  if (!isServer && !isDatabaseThere(database))
    throw new Refusal(`There is no database at ${database}: set DATA_DIR to the folder of the product.`)
  if (!isServer) accessSync(database, constants.R_OK)
  for (const path of [target, blobsOf(target), ...(withKey ? [keyOf(target)] : [])])
    if (existsSync(path)) throw new Refusal(`${path} exists already: a backup never replaces a file.`)
  if (!existsSync(dirname(target))) throw new Refusal(`There is no folder ${dirname(target)}: create it first.`)
  const key = join(dataDir, 'secret.key')
  if (withKey && !existsSync(key))
    throw new Refusal(secretKey === undefined ? `There is no ${key}.` : 'The key is in SECRET_KEY, not in a file: keep that setting.')
  const bytes = await toldLater(
    dirname(target),
    async () => {
      if (!isServer) return backUp(database, target)
      const { copyFromPostgres } = await loadMove()
      return backUpRows(target, (partial) => copyFromPostgres(databaseUrl, partial, progressOf(print)))
    },
    isServer ? database : undefined,
  )
  print(`Backed up ${database} to ${target} (${(bytes / 1e6).toFixed(1)} MB, checked).`)
  // After the database: a blob is stored before its row.
  const blobs = told(dirname(target), () => copyBlobs(blobsFolder(dataDir), blobsOf(target)))
  if (blobPlace !== undefined)
    print(`Stored files are in the bucket ${blobPlace.bucket} and not in this backup: keep its versions, or copy it after this.`)
  if (blobs > 0) print(`Its ${storedFiles(blobs)} ${blobs === 1 ? 'is' : 'are'} in ${blobsOf(target)}: keep both together.`)
  if (withKey) {
    copyFileSync(key, keyOf(target), constants.COPYFILE_EXCL)
    print(`The key is in ${keyOf(target)}. Anyone who has both files can read stored API keys and sign in as any user.`)
  } else if (secretKey === undefined) print(`Keep ${key} too, apart from it; --with-key puts a copy beside the backup.`)
}

/** Requires that the product is stopped, and takes the lock of the data folder to make sure. */
export async function restore({ config: { databaseUrl, dataDir }, file, withKey, print }: Needs): Promise<void> {
  const source = typedPath(file)
  if (!existsSync(source)) throw new Refusal(`There is no file ${source}.`)
  if (withKey && !existsSync(keyOf(source))) throw new Refusal(`There is no file ${keyOf(source)}.`)
  const held = await openDataDir(dataDir)
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 17)
  const restoring = `${blobsFolder(dataDir)}.restoring`
  try {
    // Stored files are copied first, so that nothing has changed yet when the disk is full.
    rmSync(restoring, { recursive: true, force: true })
    const blobs = told(dataDir, () => copyBlobs(blobsOf(source), restoring))
    if (isPostgres(databaseUrl)) {
      const rows = await copyInto(source, databaseUrl, print)
      replaceBlobs({ restoring, blobs, dataDir, stamp, print })
      print(`Restored ${rows} rows from ${source} to ${withoutPassword(databaseUrl)}. The search index is rebuilt in the background.`)
    } else {
      const database = sqliteFile(databaseUrl)
      const { replaced } = told(dirname(database), () => putBack(source, database, stamp))
      // The text index belongs to the replaced database.
      const index = join(database, '..', 'search.db')
      for (const end of ['', '-wal', '-shm']) rmSync(`${index}${end}`, { force: true })
      replaceBlobs({ restoring, blobs, dataDir, stamp, print })
      print(`Restored ${database} from ${source}. It was checked; the search index is rebuilt in the background.`)
      if (replaced !== null) print(`The previous database is ${replaced}; remove it when the product works.`)
    }
    if (withKey) restoreKey(keyOf(source), dataDir, stamp, print)
  } finally {
    rmSync(restoring, { recursive: true, force: true })
    held.release()
  }
}

/** The command `move-to`: copies an SQLite installation into PostgreSQL. The file stays as it is. */
export async function moveTo({ config: { blobPlace, databaseUrl, dataDir }, file: url, print }: Needs): Promise<void> {
  if (!isPostgres(url)) throw new Refusal('URL names an empty PostgreSQL database: postgres://user:password@host:5432/database.')
  const database = sqliteFile(databaseUrl)
  if (isPostgres(databaseUrl) || !isDatabaseThere(database))
    throw new Refusal('There is no embedded database here: set DATA_DIR to the folder of the product, and unset DATABASE_URL.')
  const held = await openDataDir(dataDir)
  try {
    // Files first: they can be copied again after a failure, but rows only into an empty database.
    if (blobPlace !== undefined) {
      const copied = await copyToBucket(dataDir, blobPlace)
      print(`Copied ${storedFiles(copied)} to the bucket ${blobPlace.bucket}.`)
    }
    const rows = await copyInto(database, url, print)
    print(`Moved ${rows} rows to ${withoutPassword(url)}. The search index is rebuilt there in the background.`)
    print(`Start the product with DATABASE_URL set to that URL, and with the same SECRET_KEY or the same ${join(dataDir, 'secret.key')}.`)
    print(`${database} has not changed, and is no longer used; remove it when the product runs with PostgreSQL.`)
  } finally {
    held.release()
  }
}

const storedFiles = (count: number) => (count === 1 ? '1 stored file' : `${count} stored files`)

/** Copies the stored files of a data folder, and returns their number. */
async function copyToBucket(dataDir: string, place: BucketPlace): Promise<number> {
  const files = directoryBlobs(blobsFolder(dataDir))
  const bucket = openBlobs(place)
  let copied = 0
  try {
    for await (const { key } of files.list('')) {
      const found = await files.get(key)
      if (found === null) continue
      await bucket.put(key, found.content)
      copied += 1
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const reason = message || code
    throw new Refusal(`Stored files cannot be copied to the bucket ${place.bucket} at ${place.endpoint}: ${reason}`, { cause: error })
  }
  return copied
}

const copyInto = (file: string, url: string, print: (line: string) => void): Promise<number> =>
  toldLater(
    dirname(file),
    async () => {
      checkBackupFile(file)
      return (await loadMove()).copyToPostgres(file, url, progressOf(print))
    },
    withoutPassword(url),
  )

/** Replaces the blobs by the copies in `restoring`. A backup without blobs has a database that refers to none. */
function replaceBlobs({ restoring, blobs, dataDir, stamp, print }: Replacement) {
  const folder = blobsFolder(dataDir)
  if (existsSync(folder)) {
    renameSync(folder, `${folder}.replaced-${stamp}`)
    print(`The previous stored files are in ${folder}.replaced-${stamp}; remove them when the product works.`)
  }
  if (blobs === 0) return
  renameSync(restoring, folder)
  print(`Restored ${storedFiles(blobs)}.`)
}

function restoreKey(source: string, dataDir: string, stamp: string, print: (line: string) => void) {
  const key = join(dataDir, 'secret.key')
  const copy = `${key}.restoring`
  copyFileSync(source, copy)
  if (existsSync(key)) copyFileSync(key, `${key}.replaced-${stamp}`)
  renameSync(copy, key)
  if (storedSecretKey({ path: dataDir }) !== null) print(`Restored ${key}.`)
}

function told<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refusalOf(error, folder)
  }
}

async function toldLater<T>(folder: string, work: () => Promise<T>, server?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refusalOf(error, folder, server)
  }
}

/**
 * Converts errors that an operator can act on to sentences.
 *
 * @param folder  the one that is written
 * @param server  the URL of the database, without its password, if it is on a server
 */
function refusalOf(error: unknown, folder: string, server?: string): unknown {
  const { code, message } = error as { code?: unknown; message: string }
  if (error instanceof DatabaseFault) return new Refusal(message, { cause: error })
  if (typeof code !== 'string') return error
  const advice = CONCERNS_FOLDER.test(code) ? startFaultOf(error, folder)?.message : undefined
  const isOfServer = server !== undefined && !code.startsWith('SQLITE_')
  const reason = isOfServer ? `The database at ${server} cannot be used: ${message || code}` : message || code
  return new Refusal(advice ?? reason, { cause: error })
}
const CONCERNS_FOLDER = /^(SQLITE_(FULL|READONLY|CANTOPEN|IOERR)|ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOTDIR|EIO)/
