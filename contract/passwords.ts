/** The five rules of a password, and its score from 0 to 5. */

/** The characters that count as special, and no others. */
export const SPECIAL_CHARACTERS = '!@#$%^&*(),.?":{}|<>'

export const MIN_PASSWORD_LENGTH = 8

/** The rules of the forms, in the order in which they are shown and checked. The server itself asks for less (see `password`). */
export const PASSWORD_RULES = [
  {
    id: 'length',
    label: 'At least 8 characters',
    message: 'Password must be at least 8 characters',
    holds: (value: string) => value.length >= MIN_PASSWORD_LENGTH,
  },
  {
    id: 'number',
    label: 'At least one number',
    message: 'Password must contain at least one number',
    holds: (value: string) => /[0-9]/.test(value),
  },
  {
    id: 'uppercase',
    label: 'At least one uppercase letter',
    message: 'Password must contain at least one uppercase letter',
    holds: (value: string) => /[A-Z]/.test(value),
  },
  {
    id: 'lowercase',
    label: 'At least one lowercase letter',
    message: 'Password must contain at least one lowercase letter',
    holds: (value: string) => /[a-z]/.test(value),
  },
  {
    id: 'special',
    label: 'At least one special character',
    message: 'Password must contain at least one special character',
    holds: (value: string) => Array.from(value).some((character) => SPECIAL_CHARACTERS.includes(character)),
  },
] as const

export const STRENGTH_LABELS = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong', 'Very strong'] as const

/** How many of the five rules hold, 0 to 5. */
export const passwordScore = (value: string) => PASSWORD_RULES.filter((rule) => rule.holds(value)).length
