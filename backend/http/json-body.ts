/** Reads request bodies of any method: JSON and nothing else. An empty body counts as none. */
import type { FastifyInstance } from 'fastify'
import { FORM_BODY } from '#contract/sizes.ts'
import type { BodySize } from '#contract/sizes.ts'
import { AppError } from '#backend/errors.ts'

// Exact, so that no proxy in front reads another type than we do. Parameters are allowed: many clients name the charset.
// Every blank can be matched in one way only: a pattern with a choice takes seconds for a header of blanks.
const JSON_TYPE = /^application\/json(?: *;(?: *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\]*"))?)* *$/i

const LARGE_BYTES = 64 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How much a body of this route may hold; without it a form's worth. */
    size?: BodySize
  }
  interface FastifyInstance {
    /** Bytes that no body of any route may exceed. */
    maxBodyBytes: number
  }
}

/**
 * Takes the place of Fastify's own parsers in this plugin and below. A route's own `bodyLimit` counts the bytes, by Content-Length first
 * and as they arrive; the values and the depth of its `config.size` are counted over the bytes before anything is built of them.
 */
export function acceptJsonBodies(app: FastifyInstance, { maxBytes }: { maxBytes: number }): void {
  app.decorate('maxBodyBytes', maxBytes)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (request, body, done) => {
    try {
      const parsed = parseBody(request.headers['content-type'], body as Buffer, request.routeOptions.config.size)
      // Others have a turn between the parsing of a large body and its checking.
      if (body.length > LARGE_BYTES) setImmediate(() => done(null, parsed))
      else done(null, parsed)
    } catch (error) {
      done(error as Error)
    }
  })
}

/** The 415 for a type, or for none. */
export const unsupportedType = (contentType: string | undefined) =>
  new AppError('unsupported_media_type', { message: `Unsupported media type "${(contentType ?? '').slice(0, 100)}" in request.` })

/**
 * @returns undefined for an empty body, of whatever type: clients announce JSON on calls that send nothing
 * Throws `unsupported_media_type`, `body_too_large` for too many values, and `json_parse_error`, also for what nests too deep.
 */
export function parseBody(contentType: string | undefined, body: Buffer, size: Pick<BodySize, 'values' | 'depth'> = FORM_BODY): unknown {
  if (body.length === 0) return undefined
  if (!JSON_TYPE.test(contentType ?? '')) throw unsupportedType(contentType)
  checkStructure(body, size)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    if (text.trim() === '') return undefined
    // In JSON this key is a name like any other; code that copies the object sets its prototype. It may be written with escapes.
    return text.includes('__proto__') || (text.includes('\\u') && /\\u00[57]/i.test(text))
      ? JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
      : JSON.parse(text)
  } catch (cause) {
    throw new AppError('json_parse_error', { cause })
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Counts values and depth in one pass over the bytes, and throws at the first that is too many. A container has one value more than commas, so
 * openings and commas outside of texts, and one for the whole, are never fewer than the values.
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
      if (open > depth) throw new AppError('json_parse_error')
    }
    if (left < 0) throw new AppError('body_too_large', { message: `Request body has more than ${values} values.` })
  }
}

/** Bytes of a text that are looked at one by one before the next quote is searched for, which is dear for short ways and ten times as fast for long ones. */
const SHORT_WAY = 64

/** The place of the quote that ends the text from `at` on; the length of the body where none does. */
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
