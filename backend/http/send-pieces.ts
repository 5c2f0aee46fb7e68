/** Sends texts and archives while they are produced. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { AppError } from '#backend/errors.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'

/** The code of an error that breaks a download off, because what it reads is deleted. Errors of reader threads keep their code, not their class. */
export const DOWNLOAD_ENDED = 'download_ended'

/** Most milliseconds without the reader taking anything. */
const STUCK_MS = 60_000

/** Puts pieces that were taken back in front of the rest. */
export async function* chained(taken: readonly (string | Uint8Array)[], rest: Pieces): AsyncGenerator<string | Uint8Array> {
  yield* taken
  yield* rest
}

/** The header of a file to save. */
export const attachment = (name: string): string => disposition('attachment', name)

/** Headers are ASCII, and a quote ends the name, so other names are sent in both forms of RFC 6266. */
export function disposition(kind: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]+|["\\]/g, '_')
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`}`
}

/** Sends the pieces of a JSON text as exactly `application/json`. */
export function sendJsonPieces(reply: FastifyReply, pieces: Pieces): Promise<FastifyReply> {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  return sendPieces(reply.header('content-type', 'application/json'), pieces)
}

/**
 * Sends pieces as they are produced; the next one is requested when the reader has taken the previous ones.
 *
 * An error in the first piece is answered like any other. A later one breaks the answer off, and is logged as an error, unless what was read
 * is deleted. When the reader disconnects early, as often with downloads, that is one log line at `debug`, and production stops.
 */
export async function sendPieces(reply: FastifyReply, pieces: Pieces): Promise<FastifyReply> {
  const source = pieces[Symbol.asyncIterator]()
  let next = await source.next().catch((cause: unknown) => {
    throw isEnded(cause) ? new AppError('not_found', { cause }) : cause
  })
  reply.hijack()
  const response = reply.raw
  response.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  response.on('error', () => undefined)
  response.on('timeout', () => response.destroy())
  try {
    for (; !next.done && !response.destroyed && reply.request.method !== 'HEAD'; next = await source.next()) {
      if (next.value.length === 0 || response.write(next.value)) continue
      if (!response.destroyed) await roomIn(response)
    }
    if (response.destroyed) reply.log.debug('a download was cut off by its reader')
    else response.end()
  } catch (cause) {
    if (isEnded(cause)) reply.log.info({ reason: cause.message }, 'a download was broken off')
    else reply.log.error({ err: cause }, 'an answer failed before its end')
    response.destroy()
  } finally {
    await source.return?.(undefined)
  }
  return reply
}

const isEnded = (cause: unknown): cause is Error => cause instanceof Error && 'code' in cause && cause.code === DOWNLOAD_ENDED

/** Resolves when there is room for the next piece, or the reader has disconnected. */
function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    // Only while the reader has something to take: the time for producing a piece does not count.
    response.setTimeout(STUCK_MS)
    const go = () => {
      response.setTimeout(0)
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}
