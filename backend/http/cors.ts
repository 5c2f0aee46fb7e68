/** Pages of which other origins may call the API: those on the operator's list, by default none. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendEmpty } from './reply.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'
/** The last ones: of streams that are resumed, of clients of Firecrawl, and of the Model Context Protocol. */
const HEADERS =
  'authorization, content-type, x-team-id, x-api-key, accept, idempotency-key, last-event-id, x-idempotency-key, ' +
  'mcp-protocol-version, mcp-session-id, mcp-method, mcp-name'
const EXPOSED = 'content-disposition, retry-after, x-request-id, mcp-session-id'
const PREFLIGHT_SECONDS = 600

/** @param origins  as browsers send them, in lower case: scheme, host and port */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    return origin !== undefined && allowed.has(origin.toLowerCase()) ? allowOrigin(request, reply, origin) : undefined
  })
}

/** Lets pages of an origin read an answer. A preflight (Fetch, 4.8) is answered at once; then the result is the reply. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origin: string): FastifyReply | undefined {
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED })
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return undefined
  reply.headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
  })
  return sendEmpty(reply)
}
