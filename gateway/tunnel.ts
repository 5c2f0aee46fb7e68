/** WebSockets of jobs: detects such requests, and forwards them to a remote backend. */
import { request as ask } from 'node:http'
import { request as askSecurely } from 'node:https'
import type { IncomingMessage, Server } from 'node:http'
import { pipeline, type Duplex } from 'node:stream'
import { targetOf } from './request-head.ts'

/** Paths below which jobs are followed by WebSocket. */
const JOB = /^\/v[12]\/(?:crawl|batch\/scrape)\/[0-9a-f-]{36}\/?(?:\?|$)/i

/**
 * Whether a request asks for a WebSocket. The gateway ignores every other upgrade and handles the request as if there
 * were none, so a client that offers HTTP/2 in clear text continues with HTTP/1.1 (RFC 9110, 7.8).
 */
export const isJobSocket = (request: IncomingMessage, basePath: string): boolean =>
  /(?:^|,)\s*websocket\s*(?:,|$)/i.test(request.headers.upgrade ?? '') && JOB.test(targetOf(request, basePath))

/** Whether a worker asks to render a page. */
export const isRenderCall = ({ headers, url }: IncomingMessage): boolean =>
  url === '/render' && headers.upgrade?.toLowerCase() === 'seine-render'

/** Timeout for the backend's handshake response. */
const HANDSHAKE_MS = 30_000

/** Forwards WebSocket requests to a backend, and copies bytes after the handshake. */
export function tunnelSockets(server: Server, { backendUrl, basePath }: { backendUrl: string; basePath: string }): void {
  const { origin, pathname, protocol } = new URL(backendUrl)
  const prefix = pathname.replace(/\/$/, '')
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener, a connection reset by the client would crash the process.
    socket.on('error', () => socket.destroy())
    const url = `${origin}${prefix}${targetOf(request, basePath)}`
    const forwarded = { 'x-forwarded-host': request.headers.host ?? '', 'x-forwarded-for': request.socket.remoteAddress ?? '' }
    const call = (protocol === 'https:' ? askSecurely : ask)(url, {
      headers: { ...request.headers, ...forwarded },
      setHost: false,
      timeout: HANDSHAKE_MS,
    })
    call.on('upgrade', (response, backend, first) => {
      backend.on('error', () => backend.destroy())
      socket.write(headOf(response))
      if (first.length > 0) socket.write(first)
      if (head.length > 0) backend.write(head)
      backend.setTimeout(0)
      backend.pipe(socket).pipe(backend)
      backend.on('close', () => socket.destroy())
      socket.on('close', () => backend.destroy())
    })
    call.on('response', (response) => {
      socket.write(headOf(response))
      // Destroys the socket if the answer breaks off: its client would wait for the rest.
      pipeline(response, socket, () => undefined)
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'))
    socket.on('close', () => call.destroy())
    call.end()
  })
}

function headOf({ rawHeaders, statusCode, statusMessage }: IncomingMessage): string {
  const lines: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`)
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`
}
