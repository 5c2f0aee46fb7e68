/** Texts that are sent while they are being made. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export type Texts = AsyncIterable<string>

export const readable = (texts: Texts): Readable => Readable.from(texts, { objectMode: false })

/** Sends the pieces of a JSON text as exactly `application/json`. */
export const sendJsonTexts = (reply: FastifyReply, texts: Texts): FastifyReply =>
  reply.header('content-type', 'application/json').send(readable(texts))
