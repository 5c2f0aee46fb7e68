/** The five rules of a password; its score is how many of them hold. */

/** The characters that count as special, and no others. */
export const SPECIAL_CHARACTERS = '!@#$%^&*(),.?":{}|<>'

export const MIN_PASSWORD_LENGTH = 8

/** The rules of the forms, in the order in which they are shown and checked; the catalogues have their texts by `id`. The server itself asks for less (see `password`). */
export const PASSWORD_RULES = [
  {
    id: 'length',
    holds: (value: string) => value.length >= MIN_PASSWORD_LENGTH,
  },
  {
    id: 'number',
    holds: (value: string) => /[0-9]/.test(value),
  },
  {
    id: 'uppercase',
    holds: (value: string) => /[A-Z]/.test(value),
  },
  {
    id: 'lowercase',
    holds: (value: string) => /[a-z]/.test(value),
  },
  {
    id: 'special',
    holds: (value: string) => Array.from(value).some((character) => SPECIAL_CHARACTERS.includes(character)),
  },
] as const
