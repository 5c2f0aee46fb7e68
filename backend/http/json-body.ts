/** Parses JSON bodies of requests of any method, and rejects other types. An empty body counts as none. */
import type { FastifyInstance } from 'fastify'
import { FORM_BODY } from '#contract/sizes.ts'
import type { BodySize } from '#contract/sizes.ts'
import { AppError } from '#backend/errors.ts'

// Exact, so that no proxy in front reads another type than we do. Parameters are allowed, because many clients add the charset.
// Each blank can match in one way only: a pattern with alternatives takes seconds on a header of blanks.
const JSON_TYPE = /^application\/json(?: *;(?: *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\]*"))?)* *$/i

const KIB = 1024
const LARGE_BYTES = 64 * KIB

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limits for the body of this route; by default those of a form. */
    size?: BodySize
  }
  interface FastifyInstance {
    /** Most bytes of a body of any route. */
    maxBodyBytes: number
  }
}

/**
 * Replaces Fastify's own parsers in this plugin and below. A route's `bodyLimit` limits the bytes, by Content-Length first and as they
 * arrive; `config.size` limits values and depth, which are counted over the bytes before parsing.
 */
export function acceptJsonBodies(app: FastifyInstance, { maxBytes }: { maxBytes: number }): void {
  app.decorate('maxBodyBytes', maxBytes)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (request, body, done) => {
    try {
      refuseCoded(request.headers['content-encoding'], body as Buffer)
      const parsed = parseBody(request.headers['content-type'], body as Buffer, request.routeOptions.config.size)
      // Lets other work run between the parsing of a large body and its validation.
      if (body.length > LARGE_BYTES) setImmediate(() => done(null, parsed))
      else done(null, parsed)
    } catch (error) {
      done(error as Error)
    }
  })
}

/** The 415 error for a type, or for none. */
export const unsupportedType = (contentType: string | undefined) =>
  new AppError('unsupported_media_type', { message: `Unsupported media type "${(contentType ?? '').slice(0, 100)}" in request.` })

/** The 413 error for a body with more bytes than `limit`. */
export const tooManyBytes = (limit: number) =>
  new AppError('body_too_large', {
    message: `Request body has more than ${limit % KIB === 0 ? `${limit / KIB} KiB` : `${limit} bytes`}.`,
  })

/** Bodies are read as they come: nothing unpacks them, so that a small one cannot become a large one. @throws `unsupported_media_type` */
function refuseCoded(coding: string | undefined, { length }: Buffer): void {
  if (length === 0 || coding === undefined || /^(?:identity)?$/i.test(coding.trim())) return
  throw new AppError('unsupported_media_type', { message: `Unsupported content encoding "${coding.slice(0, 100)}" in request.` })
}

/**
 * @returns undefined for an empty body of any type: clients announce JSON on calls without a body
 * Throws `unsupported_media_type`, `body_too_large` for too many values, and `json_parse_error`, also for too deep nesting.
 */
export function parseBody(contentType: string | undefined, body: Buffer, size: Pick<BodySize, 'values' | 'depth'> = FORM_BODY): unknown {
  if (body.length === 0) return undefined
  if (!JSON_TYPE.test(contentType ?? '')) throw unsupportedType(contentType)
  checkStructure(body, size)
  const text = textOf(body)
  try {
    if (text.trim() === '') return undefined
    // In JSON this key is a normal name, but code that copies the object would set its prototype. It may be escaped.
    return text.includes('__proto__') || (text.includes('\\u') && /\\u00[57]/i.test(text))
      ? JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
      : JSON.parse(text)
  } catch (cause) {
    throw new AppError('json_parse_error', { cause })
  }
}

/** @throws `json_parse_error` for bytes that are not UTF-8: the text before them may well be JSON */
function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw new AppError('json_parse_error', { message: 'JSON parse error: the body is not encoded in UTF-8', cause })
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Counts values and depth in one pass over the bytes, and throws at the first excess. A container has at most one value more than commas,
 * so opening brackets and commas outside of strings, plus one, are never fewer than the values.
 */
function checkStructure(body: Buffer, { values, depth }: Pick<BodySize, 'values' | 'depth'>): void {
  let left = values - 1
  let open = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === QUOTE) at = endOfText(body, at + 1)
    else if (byte === 0x7d || byte === 0x5d) open -= 1
    else if (byte === 0x2c) left -= 1
    else if (byte === 0x7b || byte === 0x5b) {
      left -= 1
      open += 1
      if (open > depth)
        throw new AppError('json_parse_error', { message: `JSON parse error: more than ${depth} lists and objects inside one another` })
    }
    if (left < 0) throw new AppError('body_too_large', { message: `Request body has more than ${values} values.` })
  }
}

/**
 * So many bytes of a string are scanned one by one before `indexOf` is used, which is slow for short strings and ten times as fast for long
 * ones.
 */
const SHORT_WAY = 64

/** The index of the quote that ends the string; the length of the body without one. */
function endOfText(body: Buffer, from: number): number {
  let at = from
  for (;;) {
    for (const end = Math.min(at + SHORT_WAY, body.length); at < end; at += 1) {
      const byte = body[at]
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) return at
    }
    const quote = body.indexOf(QUOTE, at)
    if (quote === -1) return body.length
    let first = quote
    while (first > at && body[first - 1] === BACKSLASH) first -= 1
    if ((quote - first) % 2 === 0) return quote
    at = quote + 1
  }
}
