/** Sends the formats of a site with the exact media types that clients compare. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pieces } from '#backend/platform/database/readers.ts'
import { sendJsonPieces, sendPieces } from '#backend/http/send-pieces.ts'

/**
 * A bullet list: one JSON string, or plain Markdown for a caller that accepts that and not JSON.
 *
 * @param make  returns the list, as a JSON string or as plain text
 */
export function sendMarkdownList(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  make: (form: { asJson: boolean }) => Pieces,
): Promise<FastifyReply> {
  reply.header('content-disposition', `attachment; filename="${name}"`)
  const accept = request.headers.accept ?? ''
  if (!/text\/markdown/i.test(accept) || /json/i.test(accept)) return sendJsonPieces(reply, make({ asJson: true }))
  return sendPieces(reply.header('content-type', 'text/markdown; charset=utf-8'), make({ asJson: false }))
}
