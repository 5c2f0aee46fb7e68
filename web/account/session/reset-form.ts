/** Rules of the form for a new password, and of the word that a dead link leaves at the login. Pure. */
import * as t from '#texts/session.ts'
import { confirmationError, foundErrors, passwordError } from './account-rules.ts'

export const RESET_FAILED = t.thePasswordCouldNotBeSet

export const resetErrors = ({ password, confirmation }: { password: string; confirmation: string }) =>
  foundErrors({ password: passwordError(password), confirmation: confirmationError(confirmation, password) })

/** Kept in the history entry of the login page, so that going back and forth tells it again and a new visit does not. */
export const DEAD_RESET_LINK = { deadResetLink: true } as const

export const isDeadResetLink = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'deadResetLink' in state && state.deadResetLink === true
