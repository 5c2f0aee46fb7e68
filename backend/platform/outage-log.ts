/**
 * A log that does not repeat an outage of the database. Background work tries again every few seconds, and each attempt fails with the same
 * error.
 */
import { isTrouble } from './database/trouble.ts'

/** The same line is written again after this time, for an operator who reads only the end of the log. */
const AGAIN_MS = 10 * 60_000

type Log = Record<'info' | 'warn' | 'error', (facts: object, message: string) => void>

/**
 * Of lines whose `err` is an outage, writes each message once in ten minutes for each code, and of the error only its code and its message:
 * a stack does not help.
 *
 * @param steady  a clock for durations
 */
export function withoutRepeatedOutages(log: Log, steady: () => number): Log {
  const saidAt = new Map<string, number>()
  const quiet = (level: 'warn' | 'error') => (facts: object, message: string) => {
    const { err } = facts as { err?: unknown }
    if (!isTrouble(err)) return log[level](facts, message)
    const { code, message: reason } = err as { code: string; message: string }
    const key = `${code} ${message}`
    if (steady() - (saidAt.get(key) ?? -Infinity) < AGAIN_MS) return
    saidAt.set(key, steady())
    log[level]({ ...facts, err: { code, message: reason } }, message)
  }
  return { info: (facts, message) => log.info(facts, message), warn: quiet('warn'), error: quiet('error') }
}
