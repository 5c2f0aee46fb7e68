/** Trouble of the machine, not of the data: it will pass, and the same write can succeed then. */
export type Trouble = 'full' | 'busy'

/** What sort of trouble a fault of a database tells of; null when it is another fault. */
export function troubleOf(fault: unknown): Trouble | null {
  const code = (fault as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return null
  if (code === 'SQLITE_FULL' || code === '53100') return 'full'
  if (/^SQLITE_(BUSY|IOERR|LOCKED|READONLY|CANTOPEN|NOMEM)/.test(code)) return 'busy'
  return isPostgresTrouble(code) ? 'busy' : null
}

export const isTrouble = (fault: unknown): boolean => troubleOf(fault) !== null

/** Given by `postgres.ts` to a connection that broke, or could not be made. */
export const NO_CONNECTION = 'POSTGRES_UNREACHABLE'

/**
 * Source: PostgreSQL's list of error codes. 08 connection, 25P03 and 57P05 a session that was idle for too long, 40 a deadlock or a conflict,
 * 53 resources, 55P03 a lock that was waited for too long, 57 a server that ends or a statement that took too long, 58 the disk.
 */
const isPostgresTrouble = (code: string) =>
  code === NO_CONNECTION || /^(08...|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0[1-5]|58...)$/.test(code)
