const ENDS = 8

/** The first and last characters (eight each by default) with dots between; a key that is too short becomes dots alone. */
export const maskedKey = (key: string, first = ENDS, last = ENDS): string =>
  key.length > first + last ? `${key.slice(0, first)}${'•'.repeat(ENDS)}${key.slice(-last)}` : '•'.repeat(ENDS * 2)
