/** What the errors of a request mean for its outcome. */
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
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'canceled',
  UND_ERR_CLOSED: 'canceled',
}

/** Messages with which undici says that a socket broke a rule and was not just closed, and what they mean. */
const PROTOCOL_MESSAGES = new Map([
  ['bad response', 'bytes that answer nothing'],
  ['bad upgrade', 'another protocol, which the request did not ask for'],
])

/** What codes mean, for people. */
const WORDS: Record<string, string> = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_HEADERS_OVERFLOW: 'a head of more than 64 KiB',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'a Content-Length that its body does not have',
  UND_ERR_SOCKET: 'the connection was closed',
}

/** Why a request got no answer, by the error that undici, the TLS layer or our own guard ended it with. */
export function reasonOf(error: Error & { code?: string }): { reason: FailureReason; detail: string } {
  if (error instanceof EgressError) return { reason: error.reason, detail: error.message }
  const code = error.code ?? ''
  const broken = code === 'UND_ERR_SOCKET' ? PROTOCOL_MESSAGES.get(error.message) : undefined
  if (broken !== undefined) return { reason: 'protocol', detail: broken }
  // The parser's own words stand in brackets at the end of its message.
  const parsers = code.startsWith('HPE_') ? /\((.+)\)$/.exec(error.message)?.[1] : undefined
  return {
    reason: CODES[code] ?? (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') ? 'tls' : 'protocol'),
    detail: (WORDS[code] ?? parsers ?? `${code || error.name}: ${error.message}`).slice(0, 200),
  }
}

/** Bytes that had come over the connection, for earlier requests too. */
export function bytesReadOf(error: Error & { bytesRead?: number; socket?: { bytesRead?: number } }): number {
  return error.bytesRead ?? error.socket?.bytesRead ?? 0
}
