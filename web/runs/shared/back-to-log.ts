/** The link from a run back to the log it was opened from, with filters and page, stored in the history state. */
import { pathTo } from '#web/navigation.ts'
import type { PathName } from '#web/navigation.ts'

type State = { log?: string }

/** The history state for the navigation from the log to a run. */
export const fromLog = (): State => ({ log: window.location.search })

/** The URL of the log as the user left it; without filters if they did not come from the log. */
export function backToLog(log: PathName): string {
  const state = window.history.state as State | null
  return pathTo(log) + (state?.log ?? '')
}
