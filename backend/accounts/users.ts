/** A new user as rows know it. */
import type { Insertable } from 'kysely'
import type { UserTable } from '#backend/platform/database/database.ts'

export type NewUser = {
  id: string
  email: string
  /** Null for who signs in by a provider alone. */
  passwordHash: string | null
  firstName?: string
  lastName?: string
  isSuperuser?: boolean
  emailVerified: boolean
  newsletterConfirmed?: boolean
}

/** The row of a user who has confirmed nothing: the privacy and terms dialog greets everybody once. */
export const userRow = (user: NewUser, at: number): Insertable<UserTable> => ({
  id: user.id,
  email: user.email,
  // All look-ups ignore letter case.
  emailLower: user.email.toLowerCase(),
  passwordHash: user.passwordHash,
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  isActive: 1,
  isSuperuser: Number(user.isSuperuser ?? false),
  emailVerified: Number(user.emailVerified),
  newsletterConfirmed: Number(user.newsletterConfirmed ?? false),
  privacyConfirmedAt: null,
  termsConfirmedAt: null,
  createdAt: at,
  updatedAt: at,
})
