/** Whether the disk can be written, judged by the errors of this installation's writers. */
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'

/** With less free space, the next checkpoint of the log or the next stored page will fail. */
const LEAST_FREE_BYTES = 1024 * 1024
/** A disk in trouble is tried at most this often, however many callers ask. */
const TRY_EVERY_MS = 1000
/** Error codes of a full, read-only or broken disk; lock errors are not among them. */
const TROUBLE = /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)|53100|25006|58\d{3}|XX00[12])/

type Log = { info(facts: object, message: string): void; error(facts: object, message: string): void }

export type StorageWatch = ReturnType<typeof createStorageWatch>

/**
 * @param folder    of the database
 * @param free      returns the bytes that this process may still write there
 * @param tryWrite  commits something small; rejects while the disk is in trouble
 */
export function createStorageWatch({ folder, free = freeBytes, log, now, tryWrite }: WatchNeeds) {
  let trouble: string | null = null
  let isEngineStuck = false
  let triedAt = -Infinity
  let trying: Promise<void> | null = null
  return { onFault, onEngine, isWritable }

  /** Call when a statement of the API has failed. */
  function onFault(fault: unknown) {
    const code = String((fault as { code?: unknown }).code)
    if (!TROUBLE.test(code)) return
    if (trouble === null) log.error({ code, folder }, 'the database cannot be written: check the disk, its free space and its permissions')
    trouble = code
  }

  /** Call when the engine cannot commit, or can again. */
  function onEngine(isStuck: boolean) {
    isEngineStuck = isStuck
  }

  /** False after a failed write until one succeeds, and while there is next to no space. Tries a write only in the first case. */
  async function isWritable(): Promise<boolean> {
    try {
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
