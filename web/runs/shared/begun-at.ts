/** Matches the start of a UUIDv7: its first 48 bits, in two groups, are its creation time in milliseconds (RFC 9562, section 5.7). */
export const TIME_IN_ID = /([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/

/** When a run began, in epoch milliseconds, from its id; null if the id contains no time. */
export function begunAt(id: string): number | null {
  const [, first = '', second = ''] = TIME_IN_ID.exec(id) ?? []
  return first === '' ? null : Number.parseInt(first + second, 16)
}
