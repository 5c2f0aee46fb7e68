/** Pages of which other origins may call the API: those on the operator's list, by default none. */
import type { FastifyInstance } from 'fastify'
import { sendEmpty } from './reply.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'
const HEADERS = 'authorization, content-type, x-team-id, x-api-key, accept, idempotency-key'
const EXPOSED = 'content-disposition, retry-after, x-request-id'
const PREFLIGHT_SECONDS = 600

/** @param origins  as browsers send them, in lower case: scheme, host and port */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (origin === undefined || !allowed.has(origin.toLowerCase())) return undefined
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED })
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return undefined
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': HEADERS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    return sendEmpty(reply)
  })
}
