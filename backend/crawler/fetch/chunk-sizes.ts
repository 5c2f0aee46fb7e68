/**
 * Reads the declared chunk sizes of a body (RFC 9112, 7.1) beside the parser, which accepts any size that fits in 64 bits and then waits
 * for the bytes. Invalid grammar is left to the parser.
 */
const SIZE = 0
const LINE = 1
const DATA = 2
const END = 3

const LF = 10

/** @returns a function that takes the body piece by piece, as on the wire; it returns a size above `most`, else null */
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
        // Includes the line break after the data. Trailers follow the last chunk.
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
