/**
 * The browser's only way out: a proxy on loopback with one port per page, which judges every connection like the engine's own
 * (`egress.ts`). The browser resolves no name and dials no address itself; what the guard refuses never gets a socket.
 *
 * Each page has limits of bytes and requests; beyond them its port no longer answers.
 */
import { Agent, createServer, request as ask } from 'node:http'
import type { ClientRequestArgs, IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { EgressError } from './dial.ts'
import type { Egress } from './egress.ts'
import type { Proxy } from './proxy.ts'

/** The number that browsers use. */
const CONNECTIONS_PER_HOST = 6
const MAX_HEADER_BYTES = 64 * 1024
const MOST_FAULTS = 1000
/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers for a proxy. */
const OF_CONNECTION = new Set(
  'connection proxy-connection keep-alive proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade'.split(' '),
)

/** Our own ports: a page has no reason to reach one proxy through another. */
const ownPorts = new Set<number>()

export type BrowserWay = {
  /** The port on 127.0.0.1. */
  port: number
  /** Why an origin (`http://example.com`) could not be reached; null when it could, or was not asked. */
  faultOf: (origin: string) => EgressError | null
  /** Bytes received. */
  bytes: () => number
  close: () => void
}

/**
 * Opens the proxy for one page.
 *
 * @param most  limits for all servers together: bytes, and requests (for tunnels, connections)
 */
export async function openBrowserWay({
  egress,
  most,
  proxy,
}: {
  egress: Pick<Egress, 'open' | 'openByName'>
  most: { bytes: number; requests: number }
  proxy: Proxy | null
}): Promise<BrowserWay> {
  const faults = new Map<string, EgressError>()
  const sockets = new Set<Duplex>()
  /** Origins that the run's proxy must be asked for by name. */
  const plainOrigins = new Set<string>()
  let bytes = 0
  let requests = 0
  let isClosed = false
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_PER_HOST })
  // The only place from which this agent gets its sockets.
  Object.assign(agent, {
    createConnection: (options: ClientRequestArgs, done: (fault: Error | null, socket?: Socket) => void) => {
      void connectFor(options, done)
    },
  })
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 0 })
  server.on('request', (request, response) => void forward(request, response))
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(request, client, head))
  server.on('clientError', (_fault, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const { port: own } = server.address() as AddressInfo
  ownPorts.add(own)
  return { port: own, faultOf: (origin) => faults.get(origin) ?? null, bytes: () => bytes, close }

  function close() {
    isClosed = true
    ownPorts.delete(own)
    server.close()
    server.closeAllConnections()
    agent.destroy()
    for (const socket of sockets) socket.destroy()
  }

  async function connectFor({ host, port }: ClientRequestArgs, done: (fault: Error | null, socket?: Socket) => void) {
    let socket: Socket
    try {
      socket = await reach(host ?? '', Number(port ?? 80))
    } catch (fault) {
      done(fault as Error)
      return
    }
    done(null, socket)
  }

  /** A connection for the page; throws the reason when there is none. */
  async function reach(hostname: string, port: number): Promise<Socket> {
    check(hostname, port)
    return keep(await egress.open(hostname, port, proxy))
  }

  function check(hostname: string, port: number) {
    if (isClosed || bytes > most.bytes)
      throw new EgressError('too_large', 'the page has loaded the largest number of bytes that a page may')
    if (ownPorts.has(port) && (isIP(hostname) !== 0 || /(^|\.)localhost$/i.test(hostname)))
      throw new EgressError('refused_address', 'refused: address')
  }

  function keep<S extends Duplex>(socket: S): S {
    if (isClosed) socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    return socket
  }

  function note(origin: string, fault: unknown) {
    if (!(fault instanceof EgressError)) return
    if (faults.size >= MOST_FAULTS) faults.clear()
    faults.set(origin, fault)
  }

  function count(length: number): boolean {
    bytes += length
    return bytes <= most.bytes
  }

  // ---- plain HTTP

  async function forward(incoming: IncomingMessage, answer: ServerResponse) {
    const url = URL.parse(incoming.url ?? '')
    requests += 1
    const client = incoming.socket
    // Break the connection off instead of answering: the browser must not take our text for the site's.
    if (url === null || url.protocol !== 'http:' || requests > most.requests) return void client.destroy()
    const port = url.port === '' ? 80 : Number(url.port)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const { origin } = url
    // Chromium requests an icon for each page and never shows it.
    if (url.pathname === '/favicon.ico') return void answer.writeHead(404, { 'content-length': '0' }).end()
    const headers = passedOn(incoming.headers)
    try {
      const outgoing = plainOrigins.has(origin)
        ? await askByName(url, host, port, incoming.method ?? 'GET', headers)
        : ask({ agent, host, port, method: incoming.method, path: `${url.pathname}${url.search}`, headers, setHost: false })
      outgoing.on('error', (fault: Error) => {
        note(origin, fault)
        if (fault instanceof EgressError && fault.wantsPlain && isRepeatable(incoming)) {
          plainOrigins.add(origin)
          requests -= 1
          return void forward(incoming, answer)
        }
        client.destroy()
      })
      outgoing.on('response', (response) => relay(response, answer, client))
      answer.once('close', () => answer.writableFinished || outgoing.destroy())
      incoming.pipe(outgoing)
    } catch (fault) {
      note(origin, fault)
      client.destroy()
    }
  }

  /** Sends the request itself to a proxy that opens no tunnel to this port. */
  async function askByName(url: URL, host: string, port: number, method: string, headers: Record<string, string | string[]>) {
    check(host, port)
    const { authorization, socket } = await egress.openByName(host, port, proxy!)
    keep(socket)
    return ask({
      createConnection: () => socket,
      method,
      path: url.href,
      headers: { ...headers, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
      setHost: false,
    })
  }

  function relay(response: IncomingMessage, answer: ServerResponse, client: Duplex) {
    const raw: string[] = []
    for (let at = 0; at < response.rawHeaders.length; at += 2)
      if (!OF_CONNECTION.has(response.rawHeaders[at]!.toLowerCase())) raw.push(response.rawHeaders[at]!, response.rawHeaders[at + 1]!)
    try {
      answer.writeHead(response.statusCode ?? 502, raw)
    } catch {
      // A head that cannot be passed on.
      response.destroy()
      return void client.destroy()
    }
    response.on('data', (piece: Buffer) => {
      if (!count(piece.length)) client.destroy()
      else if (!answer.write(piece)) response.pause()
    })
    answer.on('drain', () => response.resume())
    response.on('end', () => answer.end())
    response.on('error', () => client.destroy())
    response.on('aborted', () => client.destroy())
  }

  // ---- HTTPS, and WebSockets

  async function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer) {
    keep(client)
    const target = URL.parse(`https://${incoming.url ?? ''}`)
    const port = Number(/:(\d+)$/.exec(incoming.url ?? '')?.[1] ?? 443)
    requests += 1
    if (target === null || requests > most.requests) return void client.destroy()
    try {
      const server = await reach(target.hostname.replace(/^\[|\]$/g, ''), port)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) server.write(head)
      client.on('data', (piece: Buffer) => server.write(piece) || client.pause())
      server.on('drain', () => client.resume())
      server.on('data', (piece: Buffer) => {
        if (!count(piece.length)) server.destroy()
        else if (!client.write(piece)) server.pause()
      })
      client.on('drain', () => server.resume())
      client.once('end', () => server.end())
      server.once('end', () => client.end())
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
    } catch (fault) {
      note(port === 443 ? `https://${target.hostname}` : `https://${target.hostname}:${port}`, fault)
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    }
  }
}

const isRepeatable = ({ method, complete }: IncomingMessage) => complete && (method === 'GET' || method === 'HEAD')

function passedOn(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && !OF_CONNECTION.has(name)) passed[name] = value
  return passed
}
