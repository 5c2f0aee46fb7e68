/** Reads request bodies: JSON and nothing else, whatever the method, an empty one being none. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '#backend/errors.ts'

// Exact, so that no proxy in front reads another type than we do. Parameters are allowed: many clients name the charset.
const JSON_TYPE = /^application\/json(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\]*"))* *;? *$/i

/** Deeper texts are refused: whoever walks them later, walks them by calling itself. */
const MAX_DEPTH = 100

/** Takes the place of Fastify's own parsers in this plugin and below. */
export function acceptJsonBodies(app: FastifyInstance, { maxBytes }: { maxBytes: number }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (request, body, done) => {
    try {
      done(null, parseBody(request.headers['content-type'], body as Buffer))
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
 * Throws `unsupported_media_type` and `json_parse_error`.
 */
export function parseBody(contentType: string | undefined, body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!JSON_TYPE.test(contentType ?? '')) throw unsupportedType(contentType)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    if (text.trim() === '') return undefined
    if (depthOf(text) > MAX_DEPTH) throw new SyntaxError('too deep')
    // A key of this name is a name in JSON, but a prototype to whoever copies it. It may be written with escapes.
    return /__proto__|\\u00[57]/i.test(text)
      ? JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
      : JSON.parse(text)
  } catch (cause) {
    throw new AppError('json_parse_error', { cause })
  }
}

/** How deep objects and lists stand in one another. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) isInText = false
    } else if (code === 0x22) isInText = true
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1))
    else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return deepest
}
