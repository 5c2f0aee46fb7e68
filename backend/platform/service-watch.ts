/**
 * Whether a service that only some work needs can be used, such as the mail server: readiness reports it, and the log says what is wrong.
 *
 * It is asked in the background after the start, again when readiness is read, and by a timer while it fails. A slow answer does not delay
 * readiness, whose readers give up after a second: until it is there, the answer before it counts.
 */
import { setTimeout as wait } from 'node:timers/promises'

/** `off` is fine: the service is not configured. */
export type ServiceState = 'ok' | 'failed' | 'off'

/** Asks a service. Returns what is wrong and what to do about it, in one line; null when it can be used. */
export type AskService = () => Promise<string | null>

export type ServiceWatch = { check: () => Promise<ServiceState>; start: () => void; close: () => void }

const SOON_MS = 300

/**
 * @param ask      null if the service is not configured
 * @param every    calls a function repeatedly, until the returned function is called
 * @param everyMs  least time between two questions
 * @param name     of the service, in the log
 * @param steady   a clock for durations
 */
export function createServiceWatch({ ask, every, everyMs, log, name, steady }: WatchNeeds): ServiceWatch {
  if (ask === null) return { check: async () => 'off', start: () => undefined, close: () => undefined }
  let askedAt = -Infinity
  let asking: Promise<void> | null = null
  /** Null also before the first answer: nothing is known to be wrong. */
  let wrong: string | null = null
  let isClosed = false
  let stop = () => undefined as void
  return { check, start, close }

  function start(): void {
    void look()
    stop = every(everyMs, () => {
      if (wrong !== null) void look()
    })
  }

  function close(): void {
    isClosed = true
    stop()
  }

  async function check(): Promise<ServiceState> {
    if (steady() - askedAt >= everyMs) void look()
    if (asking !== null) await Promise.race([asking, wait(SOON_MS, undefined, { ref: false })])
    return wrong === null ? 'ok' : 'failed'
  }

  /** Never rejects. */
  function look(): Promise<void> {
    askedAt = steady()
    asking ??= ask!()
      .catch((fault: unknown) => `${name} cannot be asked: ${(fault as Error).message}`)
      .then(hear)
      .finally(() => (asking = null))
    return asking
  }

  function hear(answer: string | null): void {
    if (isClosed) return
    if (answer !== null && answer !== wrong) log.warn({ service: name }, answer)
    if (answer === null && wrong !== null) log.info({ service: name }, 'the service can be used again')
    wrong = answer
  }
}

type WatchNeeds = {
  ask: AskService | null
  every: (ms: number, call: () => void) => () => void
  everyMs: number
  log: Record<'info' | 'warn', (facts: object, message: string) => void>
  name: string
  steady: () => number
}
