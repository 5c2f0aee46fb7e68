/** The link from a run back to the log it was opened from, with filters and page, stored in the history state. */
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'

type State = { log?: string }

/** For the navigation that leaves the log. */
export const fromLog = (): State => ({ log: window.location.search })

/** The log as the user left it; the plain log when they came another way. */
export function backToLog(log: PathName): string {
  const state = window.history.state as State | null
  return pathTo(log) + (state?.log ?? '')
}
