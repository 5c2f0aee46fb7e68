/** Parses forms with files (`multipart/form-data`): RFC 7578, and RFC 2046, 5.1.1, for the lines between the parts. Pure. */
import { AppError } from '#backend/errors.ts'

export type Part = {
  name: string
  /** Null for a part that is no file. */
  filename: string | null
  /** Empty when the part names none. */
  contentType: string
  /** A view of the body. */
  bytes: Buffer<ArrayBuffer>
}

const MOST_PARTS = 16
const MOST_HEAD_BYTES = 8 * 1024
const MAX_NAME = 255
/** RFC 2046, 5.1.1: the characters of a boundary; the last one is not a blank. */
const BOUNDARY = /;\s{0,20}boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * The parts of a form, in order.
 *
 * @throws {AppError} `invalid_input` for an invalid form, or one with more than 16 parts
 */
export function readMultipart(body: Buffer<ArrayBuffer>, contentType: string): Part[] {
  const boundary = boundaryOf(contentType)
  if (boundary === null) throw notAForm('its Content-Type names no boundary')
  const line = Buffer.from(`--${boundary}`, 'latin1')
  const between = Buffer.concat([Buffer.from('\r\n'), line])
  const parts: Part[] = []
  let at = body.subarray(0, line.length).equals(line) ? line.length : after(body.indexOf(between), between.length)
  for (;;) {
    if (at < 0) throw notAForm('its end is missing')
    if (body[at] === 0x2d && body[at + 1] === 0x2d) return parts
    const begin = body.indexOf('\r\n', at)
    // RFC 2046 allows blanks after a boundary.
    if (begin < 0 || body.subarray(at, begin).toString('latin1').trim() !== '') throw notAForm('a line between its parts is malformed')
    const end = body.indexOf(between, begin)
    if (end < 0) throw notAForm('its end is missing')
    if (parts.length >= MOST_PARTS) throw notAForm(`it has more than ${MOST_PARTS} parts`)
    parts.push(readPart(body.subarray(begin + 2, end)))
    at = end + between.length
  }
}

function readPart(part: Buffer<ArrayBuffer>): Part {
  const headEnd = part.subarray(0, MOST_HEAD_BYTES).indexOf(END_OF_HEAD)
  if (headEnd < 0) throw notAForm('a part has no headers')
  const head = part.subarray(0, headEnd).toString('utf8').split('\r\n')
  const header = (name: string) =>
    head
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  const parameters = parametersOf(header('content-disposition'))
  const name = parameters.get('name')
  if (name === undefined) throw notAForm('a part has no name')
  return {
    name: name.slice(0, MAX_NAME),
    filename: filenameOf(parameters)?.slice(0, MAX_NAME) ?? null,
    contentType: header('content-type').slice(0, MAX_NAME),
    bytes: part.subarray(headEnd + END_OF_HEAD.length),
  }
}

/**
 * `; name=value`, the value quoted or not (.NET quotes only where it must). Matched one after the other, so that nothing inside quotes is
 * taken for a parameter.
 */
const PARAMETER = /;\s{0,20}([\w-]{1,50}\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g

/** The parameters of a disposition by their names in lower case. Of a repeated one, the first counts. */
function parametersOf(disposition: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, bare = ''] of disposition.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, quoted === undefined ? bare : unescaped(quoted))
  }
  return found
}

/** Decodes `\"`, and the three characters that browsers percent-encode (WHATWG HTML, 4.10.21.8). */
function unescaped(quoted: string): string {
  return quoted
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/%0A/gi, '\n')
    .replaceAll(/%0D/gi, '\r')
    .replaceAll('%22', '"')
}

/** Some clients send a name in other scripts only in the extended form (RFC 8187), or beside one that is encoded for mail. */
function filenameOf(parameters: ReadonlyMap<string, string>): string | null {
  const extended = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '')?.[1]
  try {
    if (extended !== undefined) return decodeURIComponent(extended)
  } catch {
    // Use the plain form.
  }
  return parameters.get('filename') ?? null
}

function boundaryOf(contentType: string): string | null {
  const found = BOUNDARY.exec(contentType.slice(0, 1000))
  return found?.[1] ?? found?.[2] ?? null
}

const after = (at: number, length: number) => (at < 0 ? -1 : at + length)

const notAForm = (why: string) =>
  new AppError('invalid_input', { fields: { non_field_errors: [`The body is not a form with files: ${why}.`] } })
