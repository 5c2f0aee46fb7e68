/** Rules of the profile's forms. Pure. */
import { confirmationError, foundErrors, passwordError } from '#web/account/session/account-rules.ts'
import * as t from '#texts/profile.ts'
import { passwordIsRequired } from '#texts/session.ts'

export function nameErrors({ firstName, lastName }: { firstName: string; lastName: string }): { firstName?: string; lastName?: string } {
  return {
    ...(firstName.trim() === '' && { firstName: t.firstNameIsRequired }),
    ...(lastName.trim() === '' && { lastName: t.lastNameIsRequired }),
  }
}

type PasswordChange = { current: string; password: string; confirmation: string }

/** The first error of each of the three fields. An account without a password has no current one to enter. */
export function passwordChangeErrors({ current, password, confirmation }: PasswordChange, hasPassword = true): Partial<PasswordChange> {
  return foundErrors({
    current: hasPassword && current === '' ? passwordIsRequired : undefined,
    password: passwordError(password),
    confirmation: confirmationError(confirmation, password),
  })
}
