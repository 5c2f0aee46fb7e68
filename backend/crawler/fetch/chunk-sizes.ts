/**
 * The sizes that the chunks of a body declare (RFC 9112, 7.1), read beside the parser: it takes any that fits in 64 bits, and waits for
 * the bytes. What breaks the grammar is the parser's to refuse.
 */
const SIZE = 0
const LINE = 1
const DATA = 2
const END = 3

const LF = 10

/** @returns reads the body piece by piece, as it is on the wire; gives a size above `most`, else null */
export function chunkSizes(most: number): (piece: Uint8Array) => number | null {
  let state = SIZE
  let size = 0
  let left = 0
  return (piece) => {
    for (let at = 0; at < piece.length && state !== END;) {
      if (state === SIZE) {
        const digit = hexDigit(piece[at]!)
        if (digit !== -1) {
          size = size * 16 + digit
          at += 1
          continue
        }
        if (size > most) {
          state = END
          return size
        }
        state = LINE
      } else if (state === LINE) {
        const end = piece.indexOf(LF, at)
        if (end === -1) return null
        at = end + 1
        // The line break behind the data is read with it. After the last chunk come trailers.
        left = size + 2
        state = size === 0 ? END : DATA
        size = 0
      } else {
        const step = Math.min(left, piece.length - at)
        at += step
        left -= step
        if (left === 0) state = SIZE
      }
    }
    return null
  }
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
