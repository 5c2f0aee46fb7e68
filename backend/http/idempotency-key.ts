/** The header with which a client may repeat a call that starts something. */
import type { FastifyRequest } from 'fastify'

export function idempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>, name = 'idempotency-key'): string | undefined {
  const key = headers[name]
  return Array.isArray(key) ? key[0] : key
}
