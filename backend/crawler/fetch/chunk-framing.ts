/**
 * Reads the framing of a chunked body (RFC 9112, 7.1) before the parser, and drops what a recipient has to ignore, because the parser refuses
 * some spellings of it: blanks behind a size, extensions and trailers. Invalid grammar is left to the parser.
 *
 * It also knows the declared sizes: the parser accepts any size that fits in 64 bits and then waits for the bytes.
 */
const SIZE = 0
const BEHIND_SIZE = 1
const EXTENSION = 2
const SIZE_END = 3
const DATA = 4
const TRAILER_START = 5
const TRAILER = 6
/** The parser gets the rest as it is: the body has ended, or its grammar is invalid. */
const REST = 7

const TAB = 9
const LF = 10
const CR = 13
const BLANK = Buffer.from(' ')
const SEMICOLON = 59

export class ChunkFraming {
  /** The largest size that was declared, in bytes. */
  largest = 0
  #state = SIZE
  #size = 0
  /** Bytes up to the next size, with the line break behind the data. */
  #left = 0
  #sawBlank = false
  #passed: Buffer[] = []
  /** The piece up to here has been passed or dropped. */
  #from = 0

  /** The last chunk has come, and the empty line that ends the trailers has not. */
  get isInTrailers(): boolean {
    return this.#state === TRAILER_START || this.#state === TRAILER
  }

  /** @returns what the parser gets of the next piece of the body: the piece itself, unless something is dropped */
  read(piece: Buffer): Buffer {
    this.#passed = []
    this.#from = 0
    let at = 0
    while (at < piece.length && this.#state !== REST) {
      if (this.#state !== DATA) {
        this.#readByte(piece, at)
        at += 1
        continue
      }
      const step = Math.min(this.#left, piece.length - at)
      at += step
      this.#left -= step
      if (this.#left === 0) this.#beginSize()
    }
    const rest = piece.subarray(this.#from)
    return this.#passed.length === 0 && this.#from === 0 ? piece : Buffer.concat([...this.#passed, rest])
  }

  #beginSize(): void {
    this.#state = SIZE
    this.#size = 0
    this.#sawBlank = false
  }

  #readByte(piece: Buffer, at: number): void {
    const byte = piece[at]!
    switch (this.#state) {
      case SIZE: {
        const digit = hexDigit(byte)
        if (digit !== -1) this.#size = this.#size * 16 + digit
        else {
          this.largest = Math.max(this.largest, this.#size)
          this.#readBehindSize(piece, at, byte)
        }
        return
      }
      case BEHIND_SIZE:
        return this.#readBehindSize(piece, at, byte)
      case EXTENSION:
        if (byte === CR) this.#state = SIZE_END
        else if (byte === LF) this.#state = REST
        else this.#drop(piece, at)
        return
      case SIZE_END:
        this.#left = this.#size + 2
        this.#state = byte !== LF ? REST : this.#size === 0 ? TRAILER_START : DATA
        return
      case TRAILER_START:
        if (byte === CR || byte === LF) this.#state = REST
        else {
          this.#state = TRAILER
          this.#drop(piece, at)
        }
        return
      default:
        if (byte === LF) this.#state = TRAILER_START
        this.#drop(piece, at)
    }
  }

  #readBehindSize(piece: Buffer, at: number, byte: number): void {
    if (byte === CR) this.#state = SIZE_END
    else if (byte === BLANK[0] || byte === TAB || byte === SEMICOLON) {
      this.#state = byte === SEMICOLON ? EXTENSION : BEHIND_SIZE
      this.#sawBlank = true
      this.#drop(piece, at)
    } else {
      this.#state = REST
      // Two sizes with a blank between them must not become one.
      if (this.#sawBlank) this.#passed.push(piece.subarray(this.#from, at), BLANK)
      this.#from = this.#sawBlank ? at : this.#from
    }
  }

  #drop(piece: Buffer, at: number): void {
    if (at > this.#from) this.#passed.push(piece.subarray(this.#from, at))
    this.#from = at + 1
  }
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
