const ENDS = 8

/** First and last characters (eight each unless said otherwise) with dots between; a key too short for that is dots alone. */
export const maskedKey = (key: string, first = ENDS, last = ENDS): string =>
  key.length > first + last ? `${key.slice(0, first)}${'•'.repeat(ENDS)}${key.slice(-last)}` : '•'.repeat(ENDS * 2)
