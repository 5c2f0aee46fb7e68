/** Validation of email address, password and confirmation, with the specification's texts; undefined means valid. Pure. */
import { PASSWORD_RULES } from '#contract/passwords.ts'
import { isEmail } from '#contract/addresses.ts'
import { messages } from '#texts/passwords.ts'
import * as t from '#texts/session.ts'

export function emailError(email: string): string | undefined {
  if (email.trim() === '') return t.emailIsRequired
  return isEmail(email.trim()) ? undefined : t.pleaseEnterAValidEmail
}

/** The text of the first rule that a new password breaks. */
export function brokenRule(password: string): string | undefined {
  const broken = PASSWORD_RULES.find((rule) => !rule.holds(password))
  return broken && messages[broken.id]
}

/** The error for a new password: the text of the first broken rule. */
export function passwordError(password: string): string | undefined {
  if (password === '') return t.passwordIsRequired
  return brokenRule(password)
}

export function confirmationError(confirmation: string, password: string): string | undefined {
  if (confirmation === '') return t.pleaseConfirmYourPassword
  return confirmation === password ? undefined : t.passwordsMustMatch
}

/** Removes entries without an error. */
export const foundErrors = <Name extends string>(found: { [N in Name]: string | undefined }): { [N in Name]?: string } =>
  Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined)) as { [N in Name]?: string }
