/** Whether the disk can be written, judged by the errors of this installation's writers. */
import { constants, statSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'

/** With less free space, the next checkpoint of the log or the next stored page will fail. */
const LEAST_FREE_BYTES = 1024 * 1024
/** A disk in trouble is tried at most this often, however many callers ask. */
const TRY_EVERY_MS = 1000
/** The file has lost its structure: no later write repairs it. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/
/** Error codes of a full, read-only or broken disk; lock errors are not among them. */
const TROUBLE = /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN)|53100|25006|58\d{3}|XX00[12])/

type Log = { info(facts: object, message: string): void; error(facts: object, message: string): void }

export type StorageWatch = ReturnType<typeof createStorageWatch>

/**
 * @param file      of an SQLite database; absent for other databases
 * @param folder    of the database
 * @param free      returns the bytes that this process may still write there
 * @param tryWrite  commits something small; rejects while the disk is in trouble
 */
export function createStorageWatch({ file, folder, free = freeBytes, log, now, tryWrite }: WatchNeeds) {
  let trouble: string | null = null
  let isEngineStuck = false
  /** Set for good: only a stop and a restored backup help. */
  let isLost = false
  const opened = identityOf(file)
  let triedAt = -Infinity
  let trying: Promise<void> | null = null
  return { onFault, onEngine, isWritable }

  /** Call when a statement has failed. */
  function onFault(fault: unknown) {
    const code = String((fault as { code?: unknown }).code)
    if (DAMAGE.test(code)) return lose({ code }, 'the database is damaged: stop the service and restore a backup')
    if (!TROUBLE.test(code)) return
    if (trouble === null) log.error({ code, folder }, 'the database cannot be written: check the disk, its free space and its permissions')
    trouble = code
  }

  function lose(facts: object, message: string) {
    if (!isLost) log.error({ ...facts, folder }, message)
    isLost = true
  }

  /** Call when the engine cannot commit, or can again. */
  function onEngine(isStuck: boolean) {
    isEngineStuck = isStuck
  }

  /**
   * False after a failed write until one succeeds, and while there is next to no space; for good when the file is damaged, or no longer the
   * one that was opened. Tries a write only in the first case.
   */
  async function isWritable(): Promise<boolean> {
    try {
      if (identityOf(file) !== opened)
        lose({ file }, 'the database file was moved or replaced while it is in use: stop the service and put it back, or restore a backup')
      if (isLost) return false
      await access(folder, constants.R_OK | constants.W_OK)
      if ((await free(folder)) < LEAST_FREE_BYTES) return false
    } catch {
      return false
    }
    if (trouble !== null) await tryAgain()
    return trouble === null && !isEngineStuck
  }

  async function tryAgain() {
    if (now() - triedAt >= TRY_EVERY_MS || now() < triedAt) {
      triedAt = now()
      trying ??= tryWrite()
        .then(
          () => {
            trouble = null
            log.info({ folder }, 'the database can be written again')
          },
          () => undefined,
        )
        .finally(() => (trying = null))
    }
    await trying
  }
}

type WatchNeeds = {
  file?: string
  folder: string
  free?: (folder: string) => Promise<number>
  log: Log
  now: () => number
  tryWrite: () => Promise<void>
}

/** Space for this user: some file systems reserve a part for the administrator. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bfree, bsize } = await statfs(folder)
  return (process.getuid?.() === 0 ? bfree : bavail) * bsize
}

/** Names the file that a path leads to; empty when there is none. Throws when that cannot be known, as on a disk that does not answer. */
function identityOf(file: string | undefined): string {
  const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev} ${found.ino}`
}
