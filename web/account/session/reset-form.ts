/** Rules of the form for a new password, and the message about an invalid link on the login page. Pure. */
import * as t from '#texts/session.ts'
import { confirmationError, foundErrors, passwordError } from './account-rules.ts'

export const RESET_FAILED = t.thePasswordCouldNotBeSet

export const resetErrors = ({ password, confirmation }: { password: string; confirmation: string }) =>
  foundErrors({ password: passwordError(password), confirmation: confirmationError(confirmation, password) })

/** The history state of a login page that shows the message. Back and forward show it again, a new visit does not. */
export const DEAD_RESET_LINK = { deadResetLink: true } as const

export const isDeadResetLink = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'deadResetLink' in state && state.deadResetLink === true
