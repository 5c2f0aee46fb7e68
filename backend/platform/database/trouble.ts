/** Trouble with the machine, not with the data: the same write can succeed later. */
export type Trouble = 'full' | 'busy'

/** Classifies a database error; null when it is no trouble of the machine. */
export function troubleOf(fault: unknown): Trouble | null {
  const code = (fault as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return null
  if (code === 'SQLITE_FULL' || code === '53100') return 'full'
  if (/^SQLITE_(BUSY|IOERR|LOCKED|READONLY|CANTOPEN|NOMEM)/.test(code)) return 'busy'
  return isPostgresTrouble(code) ? 'busy' : null
}

export const isTrouble = (fault: unknown): boolean => troubleOf(fault) !== null

/** The code that `postgres.ts` gives to a connection that broke or could not be opened. */
export const NO_CONNECTION = 'POSTGRES_UNREACHABLE'

/** The code that `postgres.ts` gives to a connection that TLS refuses: an expired certificate, another name, no TLS at all. */
export const NOT_SECURE = 'POSTGRES_NOT_SECURE'

/**
 * There is no connection to the database although the server can be reached: wrong password or user, no such database, one that is closed
 * to connections, or a certificate that is not accepted.
 */
export const isRefused = (fault: unknown): boolean => REFUSED.test(String((fault as { code?: unknown } | null)?.code))
const REFUSED = new RegExp(`^(28...|3D000|55000|${NOT_SECURE})$`)

/**
 * Source: PostgreSQL's list of error codes. 08 connection; 25P03 and 57P05 a session that was idle for too long; 40 deadlock or conflict;
 * 53 resources; 55P03 lock timeout; 57 shutdown or statement timeout; 58 disk.
 */
const isPostgresTrouble = (code: string) =>
  code === NO_CONNECTION || REFUSED.test(code) || /^(08...|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0[1-5]|58...)$/.test(code)
