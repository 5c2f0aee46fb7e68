/** The row of a new user. */
import type { Insertable } from 'kysely'
import type { UserTable } from '#backend/platform/database/database.ts'

type NewUser = {
  id: string
  email: string
  /** Null for a user who signs in through a provider only. */
  passwordHash: string | null
  firstName?: string
  lastName?: string
  isSuperuser?: boolean
  /** Whether the user may sign in. */
  emailVerified: boolean
  /** Whether the user has proved that the address is theirs; by default like `emailVerified`. */
  emailProven?: boolean
  newsletterConfirmed?: boolean
  /** Neither a privacy policy nor terms are published, so there is nothing to confirm. */
  hasNothingToConfirm?: boolean
}

/** The row of a new user. Privacy policy and terms count as confirmed only where there are none. */
export const userRow = (user: NewUser, at: number): Insertable<UserTable> => ({
  id: user.id,
  email: user.email,
  // For lookups, which ignore letter case.
  emailLower: user.email.toLowerCase(),
  passwordHash: user.passwordHash,
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  isActive: 1,
  isSuperuser: Number(user.isSuperuser ?? false),
  emailVerified: Number(user.emailVerified),
  emailProven: Number(user.emailProven ?? user.emailVerified),
  newsletterConfirmed: Number(user.newsletterConfirmed ?? false),
  language: null,
  privacyConfirmedAt: user.hasNothingToConfirm ? at : null,
  termsConfirmedAt: user.hasNothingToConfirm ? at : null,
  createdAt: at,
  updatedAt: at,
})
