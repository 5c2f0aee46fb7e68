/** Texts that are sent while they are being made. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export type Texts = AsyncIterable<string>

export const readable = (texts: Texts): Readable => Readable.from(texts, { objectMode: false })

/** Texts of which the first were taken already. */
export async function* chained(taken: readonly string[], rest: Texts): AsyncGenerator<string> {
  yield* taken
  yield* rest
}

/** Sends the pieces of a JSON text as exactly `application/json`. */
export const sendJsonTexts = (reply: FastifyReply, texts: Texts): FastifyReply =>
  reply.header('cache-control', 'no-store').header('content-type', 'application/json').send(readable(texts))
