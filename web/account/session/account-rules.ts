/** What the forms ask of an address, a password and its repetition, in the words of the specification. Pure. */
import { PASSWORD_RULES } from '#contract/passwords.ts'
import { isEmail } from '#contract/addresses.ts'

export function emailError(email: string): string | undefined {
  if (email.trim() === '') return 'Email is required'
  return isEmail(email.trim()) ? undefined : 'Please enter a valid email'
}

/** The first rule that a new password breaks, in the words of that rule. */
export function passwordError(password: string): string | undefined {
  if (password === '') return 'Password is required'
  return PASSWORD_RULES.find((rule) => !rule.holds(password))?.message
}

export function confirmationError(confirmation: string, password: string): string | undefined {
  if (confirmation === '') return 'Please confirm your password'
  return confirmation === password ? undefined : 'Passwords must match'
}

/** The entries that say something. */
export const foundErrors = <Name extends string>(found: { [N in Name]: string | undefined }): { [N in Name]?: string } =>
  Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined)) as { [N in Name]?: string }
