/** Header lines of an answer that say where its body ends (RFC 9112, 6). */
import { EgressError } from './dial.ts'

const NAME = /^(?:content-length|transfer-encoding):/i

/** Whether a header line says where the body ends. */
export function isFraming(line: string): boolean {
  return NAME.test(line)
}

/**
 * Makes a judge of the lines of one head that say where the body ends. `read` takes a line without its end, and returns what the parser gets
 * in its place: null the line itself, an empty text nothing. `isCoded`: a line has named a transfer coding.
 *
 * - A length that is given several times counts once; two different ones are refused.
 * - `identity` is no coding: it says nothing (it left HTTP with RFC 7230).
 * - A length beside a coding is refused: it may be an attack on a reader that takes only one of them (RFC 9112, 6.3).
 */
export function createFraming() {
  let length: string | null = null
  let isCoded = false
  return { isCoded: () => isCoded, read }

  function read(line: string): string | null | EgressError {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trim()
    const isLength = line.slice(0, colon).toLowerCase() === 'content-length'
    if (!isLength && value.toLowerCase() === 'identity') return ''
    if (!isLength) isCoded = true
    const lengths = isLength ? value.split(',').map((each) => each.trim()) : []
    if (!lengths.every((each) => /^\d{1,19}$/.test(each))) return null
    if (isCoded && (length !== null || isLength)) return new EgressError('protocol', 'a Content-Length and a Transfer-Encoding together')
    if (!isLength) return null
    const isRepeated = length !== null
    length ??= lengths[0]!
    if (lengths.some((each) => each !== length)) return new EgressError('protocol', 'two different values of Content-Length')
    if (isRepeated) return ''
    return lengths.length === 1 ? null : `Content-Length: ${length}\r\n`
  }
}
