/** Joins the pieces of a file, to send fewer messages between threads. */

/** A joined piece has about this many bytes. */
const PIECE_BYTES = 128 * 1024
/** A slow file is sent in smaller pieces, so that its reader gets something now and then. */
const MOST_MS = 1000

/**
 * The next bytes of a file, in a buffer of their own that can be transferred; null when none are left.
 *
 * @param now  milliseconds of a monotonic clock
 */
export async function joinedPiece(
  file: AsyncIterator<string | Uint8Array>,
  now = () => performance.now(),
): Promise<{ piece: Uint8Array<ArrayBuffer> | null; isEnd: boolean }> {
  const parts: Uint8Array[] = []
  let bytes = 0
  let isEnd = false
  const from = now()
  while (bytes < PIECE_BYTES && (bytes === 0 || now() - from < MOST_MS)) {
    const { done, value } = await file.next()
    isEnd = done === true
    if (done) break
    const part = typeof value === 'string' ? Buffer.from(value) : value
    parts.push(part)
    bytes += part.length
  }
  if (bytes === 0) return { piece: null, isEnd }
  const piece = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    piece.set(part, at)
    at += part.length
  }
  return { piece, isEnd }
}
