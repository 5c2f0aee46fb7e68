/** Ids: UUIDv7, created by us, sortable by age even within one millisecond. */
import { randomFillSync } from 'node:crypto'

/**
 * Creates a generator of ids. Each id is greater than the previous one, as text, even when the clock steps back.
 * Source: RFC 9562, sections 5.7 and 6.2 (method 1: a counter of 12 bits with a random start, which increments the time when it overflows).
 */
export function createIds(now: () => number): () => string {
  const bytes = Buffer.alloc(8)
  let at = 0
  let counter = 0
  return () => {
    const clock = now()
    randomFillSync(bytes)
    if (clock > at) {
      at = clock
      // Start in the lower half, to leave room for more ids in this millisecond.
      counter = bytes.readUInt16BE(0) & 0x7ff
      randomFillSync(bytes)
    } else if (counter < 0xfff) counter += 1
    else {
      at += 1
      counter = 0
    }
    const time = at.toString(16).padStart(12, '0')
    bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x80
    const tail = bytes.toString('hex')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`
  }
}
