const ENDS = 8

/** First and last eight characters with dots between; a key too short for that is dots alone. */
export const maskedKey = (key: string): string =>
  key.length > ENDS * 2 ? `${key.slice(0, ENDS)}${'•'.repeat(ENDS)}${key.slice(-ENDS)}` : '•'.repeat(ENDS * 2)
