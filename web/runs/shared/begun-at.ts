/** The start of a UUIDv7, the first 48 bits of which are the milliseconds at which it was made (RFC 9562, section 5.7), in two groups. */
export const TIME_IN_ID = /([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/

/** When a run began, in epoch milliseconds, by its id; null if the id holds no time. */
export function begunAt(id: string): number | null {
  const [, first = '', second = ''] = TIME_IN_ID.exec(id) ?? []
  return first === '' ? null : Number.parseInt(first + second, 16)
}
