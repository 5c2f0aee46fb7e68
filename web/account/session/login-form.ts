/** Validation of the login form, and how it reacts when the server refuses. Pure. */
import { fieldError } from '#web/api/field-error.ts'
import * as t from '#texts/session.ts'
import { emailError, foundErrors } from './account-rules.ts'
import { refusalMessage } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export type LoginErrors = { email?: string; password?: string }

export const LOGIN_FAILED = t.anErrorOccurredDuringLoginPlease

/** The server's message when sign-in with a password is off; any other 403 is about an unverified address. */
const SWITCHED_OFF = 'You do not have permission to perform this action.'

/** The rules for new passwords do not apply to an existing one. */
export const loginErrors = ({ email, password }: { email: string; password: string }): LoginErrors =>
  foundErrors({ email: emailError(email), password: password === '' ? t.passwordIsRequired : undefined })

/** `verify` opens the dialog that sends the mail again; everything else is a message at the form. */
export type LoginFailure = { kind: 'verify' } | { kind: 'words'; words: string }

export function loginFailure(refusal: Refusal): LoginFailure {
  const { said, status } = refusal
  if (status === 403 && said !== SWITCHED_OFF) return { kind: 'verify' }
  if (status === 403) return { kind: 'words', words: t.passwordsAreOffSentence }
  if (status === 400) return { kind: 'words', words: fieldError(refusal, 'email') ?? LOGIN_FAILED }
  return { kind: 'words', words: refusalMessage(refusal, LOGIN_FAILED) ?? LOGIN_FAILED }
}
