/** An error outside the program prevents its start. The message is one line: what is wrong, and what to do about it. */
export class StartFault extends Error {}

/** By the start of the error code; the first match counts. */
const HINTS: readonly (readonly [codes: RegExp, says: (path: string) => string])[] = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/, (path) => `The disk of ${path} is full: free some space there, then start again`],
  [/^SQLITE_(?:BUSY|LOCKED)/, (path) => `The database in ${path} is in use by another program: stop it, then start again`],
  [
    /^(?:SQLITE_READONLY|SQLITE_CANTOPEN|EROFS|EACCES|EPERM|ENOTDIR)/,
    (path) => `${path} cannot be written: it and its files must belong to the user who runs this, on a disk that is not read-only`,
  ],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, (path) => `The database in ${path} is damaged: restore a backup with npm run admin -- restore FILE`],
  [
    /^(?:SQLITE_IOERR|EIO|EMFILE|ENFILE|ENOMEM|SQLITE_NOMEM)/,
    (path) => `${path} could not be read or written: check the disk, its free space and the limits of this user`,
  ],
]

/**
 * What an operator can do about an error of the system or the database.
 *
 * @param path  the folder that it happened in
 * @returns     null for an error that the operator cannot fix: a bug keeps its stack
 */
export function startFaultOf(error: unknown, path: string): StartFault | null {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code !== 'string') return null
  const hint = HINTS.find(([codes]) => codes.test(code))?.[1]
  return hint === undefined ? null : new StartFault(`${hint(path)} (${reasonOf(code, String(message).split('\n', 1)[0]!)})`)
}

/** Messages of the system begin with the code, those of the database do not have it. */
const reasonOf = (code: string, message: string) => (message.startsWith(code) ? message : `${code}: ${message}`)
