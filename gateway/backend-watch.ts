/** Whether an API answers at `BACKEND_URL`. */
import { getSettings } from '#contract/settings.ts'
import { createServiceWatch } from '#backend/platform/service-watch.ts'
import type { AskService, ServiceWatch } from '#backend/platform/service-watch.ts'
import type { Logger } from 'pino'

const EVERY_MS = 10_000
const TIMEOUT_MS = 3000

/** Asks after the start, and logs what is wrong. */
export function watchBackend(backendUrl: string, log: Logger): ServiceWatch {
  const watch = createServiceWatch({
    ask: askBackend(backendUrl),
    every: (ms, call) => {
      const timer = setInterval(call, ms).unref()
      return () => clearInterval(timer)
    },
    everyMs: EVERY_MS,
    log,
    name: 'backend',
    steady: () => performance.now(),
  })
  watch.start()
  return watch
}

/** Reads the public settings, which every server that implements the contract has. */
export const askBackend =
  (backendUrl: string): AskService =>
  async () => {
    const url = `${backendUrl}${getSettings.path}`
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
      await answer.body?.cancel()
      // It is there and in trouble: it says so itself.
      if (answer.ok || answer.status >= 500) return null
      return `BACKEND_URL is ${backendUrl}, where no API answers (status ${answer.status} at ${getSettings.path}): set it to the URL of a process with ROLE=api`
    } catch (fault) {
      const { cause, message } = fault as Error
      const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message
      return `BACKEND_URL is ${backendUrl}, which cannot be reached (${reason}): API calls get 502 until it can`
    }
  }
