/** Rules of the profile's forms. Pure. */
import { PASSWORD_RULES } from '#contract/passwords.ts'

export function nameErrors({ firstName, lastName }: { firstName: string; lastName: string }): { firstName?: string; lastName?: string } {
  return {
    ...(firstName.trim() === '' && { firstName: 'First name is required' }),
    ...(lastName.trim() === '' && { lastName: 'Last name is required' }),
  }
}

type PasswordChange = { current: string; password: string; confirmation: string }

/** The first thing that is wrong with each of the three boxes; without a password there is no current one to give. */
export function passwordChangeErrors({ current, password, confirmation }: PasswordChange, hasPassword = true): Partial<PasswordChange> {
  const broken = PASSWORD_RULES.find((rule) => !rule.holds(password))?.message
  return {
    ...(hasPassword && current === '' && { current: 'Password is required' }),
    ...(password === '' ? { password: 'Password is required' } : broken && { password: broken }),
    ...(confirmation === ''
      ? { confirmation: 'Please confirm your password' }
      : confirmation !== password && { confirmation: 'Passwords must match' }),
  }
}
