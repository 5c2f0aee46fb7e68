/** Forms that were filled in and not sent, by keys of storage. The first screens load this file, so it has only what logging out needs. */
import { ownName } from './runtime-config.ts'

/** The values of a form, and whose it is: another user, or another team, must not see it. */
export type Draft = { owner: string; values: unknown }

/**
 * The drafts of this page. A form can contain passwords, so the browser's storage has a draft only from when the page is left, as for a
 * reload, until the form is shown again or the user logs out.
 */
export const drafts = new Map<string, Draft>()

let logOuts = 0
/** A form that was shown before the user logged out must not keep a draft afterwards. */
export const logOutsSoFar = (): number => logOuts

export const draftKey = (name: string): string => ownName(`draft-${name}`)

/** Removes all drafts when the user logs out. */
export function forgetDrafts(): void {
  logOuts += 1
  drafts.clear()
  try {
    for (const key of Object.keys(window.sessionStorage)) if (key.startsWith(draftKey(''))) window.sessionStorage.removeItem(key)
  } catch {
    // The browser refuses storage, so no draft is in it.
  }
}
