/** Maps errors of a request to the reasons of its failure. */
import { EgressError } from './dial.ts'
import type { FailureReason } from './fetcher.ts'

const CODES: Record<string, FailureReason> = {
  ECONNREFUSED: 'connect',
  ECONNRESET: 'reset',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_DESTROYED: 'canceled',
  UND_ERR_CLOSED: 'canceled',
}

/** What a server means that switches protocols. */
export const OTHER_PROTOCOL = 'another protocol, which the request did not ask for'

/** Messages by which undici reports a protocol violation (and no mere close), with their meaning. */
const PROTOCOL_MESSAGES = new Map([
  ['bad response', 'unexpected bytes that belong to no answer'],
  ['bad upgrade', OTHER_PROTOCOL],
])

/** Plain words for error codes. */
const WORDS: Record<string, string> = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_HEADERS_OVERFLOW: 'a head of more than 64 KiB',
}

/**
 * Why a request got no answer, from the error of undici, of the TLS layer or of our own guard. `isClose`: the server closed the connection
 * in the regular way.
 *
 * @param hasHead  the head of the answer has come
 */
export function reasonOf(error: Error & { code?: string }, hasHead: boolean): { reason: FailureReason; detail: string; isClose?: boolean } {
  if (error instanceof EgressError) return { reason: error.reason, detail: error.message }
  const code = error.code ?? ''
  const broken = code === 'UND_ERR_SOCKET' ? PROTOCOL_MESSAGES.get(error.message) : undefined
  if (broken !== undefined) return { reason: 'protocol', detail: broken }
  // With a length in the head, the parser reports everything as a mismatch.
  const isMismatch = code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  if (isMismatch && !hasHead) return { reason: 'protocol', detail: 'an invalid line in the head' }
  if (isMismatch || code === 'UND_ERR_SOCKET' || error.message.includes('(Invalid EOF state)'))
    return { reason: 'reset', detail: `the connection was closed${hasHead ? ' before the end of the body' : ''}`, isClose: true }
  // The parser's own message stands in parentheses at the end.
  const parsers = error.name === 'HTTPParserError' ? /\((.+)\)$/.exec(error.message)?.[1] : undefined
  return {
    reason: CODES[code] ?? (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') ? 'tls' : 'protocol'),
    detail: (WORDS[code] ?? parsers ?? `${code || error.name}: ${error.message}`).slice(0, 200),
  }
}

/** Bytes received over the connection, including those of earlier requests. */
export function bytesReadOf(error: Error & { bytesRead?: number; socket?: { bytesRead?: number } }): number {
  return error.bytesRead ?? error.socket?.bytesRead ?? 0
}
