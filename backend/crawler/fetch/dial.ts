import { connect as connectTcp, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { parseAddress } from './address-guard.ts'

/** Why no connection was made. The message is for logs; callers show the reason alone. */
export class EgressError extends Error {
  readonly reason:
    'dns' | 'name_server' | 'connect' | 'no_socket' | 'timeout' | 'tls' | 'reset' | 'refused_address' | 'proxy' | 'too_large' | 'protocol'
  /** The proxy opens no tunnel to this port, but may take the request itself. */
  readonly wantsPlain: boolean
  constructor(
    reason: EgressError['reason'],
    message: string,
    { wantsPlain = false, ...options }: ErrorOptions & { wantsPlain?: boolean } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.wantsPlain = wantsPlain
  }
}

/** Only the code is shown: the message contains addresses. */
type SocketError = Error & { bytesRead?: number; code?: string }

/** Plain words for codes of sockets and TLS. */
const WORDS: Record<string, string> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not valid yet',
  CERT_REVOKED: 'certificate revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in the chain',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'no common version of TLS',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'no common version of TLS',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the server refused the handshake',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the server does not know this name',
  ECONNRESET: 'connection reset in the handshake',
  EPIPE: 'connection reset in the handshake',
}

const wordsFor = (code: string | undefined, fallback: string): string => (code === undefined ? fallback : (WORDS[code] ?? code))

/** Codes of a machine that has no file handle or memory for a new socket. Source: errno(3), connect(2) */
const SHORTAGES: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])
/** Pause before the next try on such a machine: meanwhile other connections are closed. */
const SHORTAGE_MS = 200

/** For IPv4 it means that no port is free; for IPv6, that the machine has no such address to connect from. */
const isShortage = (code: string | undefined, address: string) => SHORTAGES.has(code) || (code === 'EADDRNOTAVAIL' && isIP(address) === 4)

/** The least time that an address gets while others wait behind it. */
const LEAST_WAIT_MS = 1000

/**
 * Opens a TCP connection to the first of these addresses that accepts one, tried in order.
 *
 * @param deadline    instant of `performance.now`; each address gets a quarter of the remaining time, the last one all of it
 * @param onShortage  called with the system's error code when this machine has no room for a new socket
 */
export async function dialFirst(
  addresses: string[],
  port: number,
  deadline: number,
  onShortage: (code: string) => void = () => undefined,
): Promise<Socket> {
  let failure: unknown
  for (const [i, address] of addresses.entries()) {
    const leftMs = deadline - performance.now()
    const waitMs = i === addresses.length - 1 ? leftMs : Math.min(leftMs, Math.max(LEAST_WAIT_MS, leftMs / 4))
    if (waitMs <= 0) break
    try {
      return await dialPatiently(address, port, performance.now() + waitMs, onShortage)
    } catch (error) {
      failure ??= error
    }
  }
  throw failure ?? new EgressError('timeout', 'no connection in time')
}

/** Dials again until the deadline while this machine has no room for a new socket. */
async function dialPatiently(address: string, port: number, deadline: number, onShortage: (code: string) => void): Promise<Socket> {
  for (;;) {
    try {
      return await dial(address, port, Math.max(1, deadline - performance.now()))
    } catch (error) {
      if (!(error instanceof EgressError) || error.reason !== 'no_socket') throw error
      onShortage((error.cause as SocketError).code!)
      if (performance.now() + SHORTAGE_MS >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, SHORTAGE_MS))
    }
  }
}

function dial(address: string, port: number, waitMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 })
    const timer = setTimeout(() => socket.destroy(new EgressError('timeout', 'no connection in time')), waitMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      if (socket.remoteAddress !== undefined && spelled(socket.remoteAddress) === spelled(address)) return resolve(socket)
      socket.destroy()
      reject(new EgressError('refused_address', 'the socket reached another address'))
    })
    // stays for the life of the socket: the fetcher asks whether a broken connection had been used before
    socket.on('error', (error: SocketError) => {
      clearTimeout(timer)
      error.bytesRead = socket.bytesRead
      if (error instanceof EgressError) return reject(error)
      if (error.code === 'ETIMEDOUT') return reject(new EgressError('timeout', 'no connection in time', { cause: error }))
      if (isShortage(error.code, address))
        return reject(new EgressError('no_socket', `this machine cannot open more connections: ${error.code}`, { cause: error }))
      reject(new EgressError('connect', wordsFor(error.code, 'no connection'), { cause: error }))
    })
  })
}

/**
 * Starts TLS over a connection. The certificate must be valid for `host`, a name or an address; `authorities` null = the usual ones.
 * @throws EgressError `tls`, `timeout`, or `reset` when the connection breaks in the handshake
 */
export function secure(plain: Socket, host: string, authorities: string[] | null, deadline: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      ALPNProtocols: ['http/1.1'],
      ...(authorities === null ? {} : { ca: authorities }),
      host,
      // the server name cannot be an address (RFC 6066, 3)
      servername: isIP(host) === 0 ? host : '',
      socket: plain,
    })
    const timer = setTimeout(
      () => socket.destroy(new EgressError('timeout', 'no TLS handshake in time')),
      Math.max(1, deadline - performance.now()),
    )
    const fail = (error: SocketError): void => {
      clearTimeout(timer)
      error.bytesRead = socket.bytesRead
      if (error instanceof EgressError) return reject(error)
      const isCut = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      reject(new EgressError(isCut ? 'reset' : 'tls', wordsFor(error.code, 'no TLS handshake'), { cause: error }))
    }
    socket.on('error', fail)
    socket.once('close', () => fail(new EgressError('reset', 'connection closed in the handshake')))
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
  })
}

/** One spelling per address, for comparing. */
export function spelled(address: string): string {
  return parseAddress(address.replace(/%.*$/, ''))?.join('.') ?? address
}
