/** Rules of the profile's forms. Pure. */
import { brokenRule } from '#web/account/session/account-rules.ts'
import * as t from '#texts/profile.ts'

export function nameErrors({ firstName, lastName }: { firstName: string; lastName: string }): { firstName?: string; lastName?: string } {
  return {
    ...(firstName.trim() === '' && { firstName: t.firstNameIsRequired }),
    ...(lastName.trim() === '' && { lastName: t.lastNameIsRequired }),
  }
}

type PasswordChange = { current: string; password: string; confirmation: string }

/** The first error of each of the three fields. An account without a password has no current one to enter. */
export function passwordChangeErrors({ current, password, confirmation }: PasswordChange, hasPassword = true): Partial<PasswordChange> {
  const broken = brokenRule(password)
  return {
    ...(hasPassword && current === '' && { current: t.passwordIsRequired }),
    ...(password === '' ? { password: t.passwordIsRequired } : broken && { password: broken }),
    ...(confirmation === ''
      ? { confirmation: t.pleaseConfirmYourPassword }
      : confirmation !== password && { confirmation: t.passwordsMustMatch }),
  }
}
