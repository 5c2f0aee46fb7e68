/**
 * The only way out. Every connection is opened here: the name is resolved once, all its addresses are judged, a judged address is dialled,
 * and the socket is checked for the address it reached. No second DNS lookup could return something else.
 *
 * With a proxy both are judged, the target and the proxy, and the proxy gets the judged address instead of the name. Only for plain HTTP,
 * when a proxy opens no tunnel to an address, is it asked by name (RFC 9112, 3.2.2), and then it resolves the name itself.
 */
import type { Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import type { Dispatcher, Pool, buildConnector } from 'undici'
import { boundSocket } from './bounded-socket.ts'
import { EgressError, dialFirst, secure } from './dial.ts'
import { bareHost, createHostJudge, portOf } from './host-judge.ts'
import { loadPool, loadedPool } from './pool.ts'
import { openTunnel, proxyAuthorization, proxyKey } from './proxy.ts'
import type { Proxy } from './proxy.ts'
import { putWireOn } from './wire.ts'

export type Egress = ReturnType<typeof createEgress>

const IDLE_POOL_MS = 30_000
/** Origins that proxies must be asked for by name; beyond this number they are forgotten, and tried again. */
const MOST_PLAIN = 10_000
const MAX_HEADER_BYTES = 64 * 1024

/** The route to an origin through a proxy; `isPlain`: the proxy is asked by name. */
type Way = { proxy: Proxy; isPlain: boolean }

/**
 * @param options.allow      text of EGRESS_ALLOW; throws when it is invalid
 * @param options.resolver   text of EGRESS_RESOLVER, or null for the system's name servers
 * @param options.userAgent  sent to every host
 * @param options.mostAnswerBytes  per connection: with one byte more it is closed before the answer is parsed, for answers that are hardly
 *   read
 * @param options.onShortage  called with the system's error code whenever this machine has no room for a new socket
 * @param options.authorities  PEM certificates trusted besides the usual ones
 */
export function createEgress({
  allow,
  authorities,
  connectTimeoutMs = 10_000,
  connectionsPerOrigin = 64,
  mostAnswerBytes = Infinity,
  onShortage,
  resolver,
  userAgent,
}: {
  allow: string
  authorities?: string[]
  connectTimeoutMs?: number
  connectionsPerOrigin?: number
  mostAnswerBytes?: number
  onShortage?: (code: string) => void
  resolver: string | null
  userAgent: string
}) {
  const hostJudge = createHostJudge({ allow, server: resolver })
  const trusted = authorities === undefined ? null : [...getCACertificates('default'), ...authorities]
  const pools = new Map<string, { pool: Pool; origin: string; usedAt: number }>()
  /** The address at which each origin was last reached, directly or by a proxy. */
  const reached = new Map<string, string>()
  const plainWays = new Set<string>()
  const proxyKeys = new WeakMap<Proxy, string>()
  let sweeper: NodeJS.Timeout | undefined
  return { addressOf, close, judgeUrl: hostJudge.judgeUrl, open, openByName, request, send, userAgent }

  /** Sends a request to an origin (`https://example.com:8443`, without default ports); each connection carries one at a time. */
  function request(origin: string, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    dispatch(origin, origin, null, options, handler)
  }

  /** Sends a GET for a URL, through a proxy or directly; never falls back from one to the other. */
  function send(url: string, headers: string[], proxy: Proxy | null, handler: Dispatcher.DispatchHandler): void {
    const pathStart = url.indexOf('/', url.indexOf('://') + 3)
    const origin = url.slice(0, pathStart)
    const path = url.slice(pathStart)
    if (proxy === null) {
      request(origin, { path, method: 'GET', headers }, handler)
      return
    }
    const key = `${origin} ${keyOf(proxy)}`
    if (!plainWays.has(key)) {
      dispatch(key, origin, { proxy, isPlain: false }, { path, method: 'GET', headers }, handler)
      return
    }
    const authorization = proxyAuthorization(proxy)
    const sent = authorization === null ? headers : [...headers, 'proxy-authorization', authorization]
    dispatch(`${key} plain`, origin, { proxy, isPlain: true }, { path: url, method: 'GET', headers: sent }, handler)
  }

  function dispatch(
    key: string,
    origin: string,
    way: Way | null,
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): void {
    const begin = (Connections: typeof Pool) => poolOf(Connections, key, origin, way).dispatch(options, handler)
    const ready = loadedPool()
    if (ready === undefined) loadPool().then(begin, (fault: Error) => handler.onError?.(fault))
    else begin(ready)
  }

  function poolOf(Connections: typeof Pool, key: string, origin: string, way: Way | null): Pool {
    const now = performance.now()
    const entry = pools.get(key)
    if (entry !== undefined) {
      entry.usedAt = now
      return entry.pool
    }
    const pool = new Connections(origin, {
      // the fetcher enforces all timeouts itself
      bodyTimeout: 0,
      headersTimeout: 0,
      connect: (options: buildConnector.Options, callback: buildConnector.Callback) => {
        void openFor(options, origin, way, callback)
      },
      connections: connectionsPerOrigin,
      keepAliveMaxTimeout: 30_000,
      keepAliveTimeout: 4000,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
    })
    pools.set(key, { pool, origin, usedAt: now })
    sweeper ??= setInterval(sweep, IDLE_POOL_MS / 3).unref()
    return pool
  }

  function keyOf(proxy: Proxy): string {
    let key = proxyKeys.get(proxy)
    if (key === undefined) {
      key = proxyKey(proxy)
      proxyKeys.set(proxy, key)
    }
    return key
  }

  /** The address at which an origin was last reached, by us or by a proxy; null before the first connection. */
  function addressOf(origin: string): string | null {
    return reached.get(origin) ?? null
  }

  async function close(): Promise<void> {
    clearInterval(sweeper)
    hostJudge.close()
    const closing = [...pools.values()]
    pools.clear()
    await Promise.all(closing.map(({ pool }) => pool.destroy()))
  }

  function sweep(): void {
    const now = performance.now()
    for (const [key, { pool, usedAt }] of pools) {
      if (now - usedAt < IDLE_POOL_MS || pool.stats.size > 0) continue
      pools.delete(key)
      void pool.close()
    }
    const origins = new Set([...pools.values()].map(({ origin }) => origin))
    for (const origin of reached.keys()) if (!origins.has(origin)) reached.delete(origin)
  }

  // ---- dialling

  /**
   * A raw connection to a judged host, for clients with a protocol of their own: the browser.
   *
   * @throws EgressError; with `wantsPlain` when the proxy opens no tunnel to this port
   */
  async function open(hostname: string, port: number, proxy: Proxy | null): Promise<Socket> {
    const deadline = performance.now() + connectTimeoutMs
    const addresses = await hostJudge.addressesOf(hostname, port, deadline)
    if (proxy === null) return dialFirst(addresses, port, deadline, onShortage)
    const socket = await dialProxy(proxy, deadline)
    await openTunnel(socket, proxy, { addresses, port }, userAgent, deadline)
    return socket
  }

  /** A connection to a proxy that is asked by name for a plain HTTP URL. The URL is judged first. */
  async function openByName(hostname: string, port: number, proxy: Proxy): Promise<{ socket: Socket; authorization: string | null }> {
    const deadline = performance.now() + connectTimeoutMs
    await hostJudge.addressesOf(hostname, port, deadline)
    return { socket: await dialProxy(proxy, deadline), authorization: proxyAuthorization(proxy) }
  }

  async function openFor(
    options: buildConnector.Options,
    origin: string,
    way: Way | null,
    callback: buildConnector.Callback,
  ): Promise<void> {
    let socket: Socket
    try {
      socket = await connect(options, origin, way)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
      return
    }
    callback(null, socket)
  }

  async function connect({ hostname, port, protocol }: buildConnector.Options, origin: string, way: Way | null): Promise<Socket> {
    const deadline = performance.now() + connectTimeoutMs
    const target = { host: bareHost(hostname), port: portOf(port, protocol), isSecure: protocol === 'https:' }
    const addresses = await hostJudge.addressesOf(hostname, target.port, deadline)
    if (way !== null) return connectThrough(way, addresses, target, origin, deadline)
    const socket = await dialFirst(addresses, target.port, deadline, onShortage)
    note(origin, socket.remoteAddress ?? null)
    try {
      return await finish(socket, target, deadline)
    } catch (error) {
      // Without a proxy in between, the server itself broke the handshake off.
      if (error instanceof EgressError && error.reason === 'reset') throw new EgressError('tls', error.message, { cause: error })
      throw error
    }
  }

  /** The last step of every connection: TLS if needed, and the wire that counts bytes and reads heads. */
  async function finish(transport: Socket, target: { host: string; isSecure: boolean }, deadline: number): Promise<Socket> {
    const opened = target.isSecure ? await secure(transport, target.host, trusted, deadline) : transport
    const socket = mostAnswerBytes === Infinity ? opened : boundSocket(opened, mostAnswerBytes)
    putWireOn(socket, transport)
    return socket
  }

  /** A connection to a judged target through a proxy, which is judged as well. Any failure counts as the proxy's. */
  async function connectThrough(
    { proxy, isPlain }: Way,
    addresses: string[],
    target: { host: string; port: number; isSecure: boolean },
    origin: string,
    deadline: number,
  ): Promise<Socket> {
    try {
      const socket = await dialProxy(proxy, deadline)
      if (!isPlain) await openTunnel(socket, proxy, { addresses, port: target.port }, userAgent, deadline)
      note(origin, addresses[0] ?? null)
      return await finish(socket, target, deadline)
    } catch (error) {
      if (!(error instanceof EgressError) || error.reason === 'tls' || error.reason === 'no_socket') throw error
      if (error.reason !== 'proxy') throw new EgressError('proxy', `proxy: ${error.message}`, { cause: error })
      if (!error.wantsPlain) throw error
      if (target.isSecure) throw new EgressError('proxy', error.message, { cause: error })
      if (plainWays.size >= MOST_PLAIN) plainWays.clear()
      plainWays.add(`${origin} ${keyOf(proxy)}`)
      throw error
    }
  }

  async function dialProxy(proxy: Proxy, deadline: number): Promise<Socket> {
    const url = URL.parse(`http://${hostForUrl(proxy.host)}:${proxy.port}/`)
    const judged = url === null ? { refused: 'address' } : await hostJudge.judge(url.hostname, proxy.port, deadline)
    if ('refused' in judged) throw new EgressError('proxy', 'proxy: its address is not allowed')
    if ('unresolved' in judged) throw new EgressError('proxy', 'proxy: its name does not resolve')
    try {
      return await dialFirst(judged.addresses, proxy.port, deadline, onShortage)
    } catch (cause) {
      if (cause instanceof EgressError && cause.reason === 'no_socket') throw cause
      throw new EgressError('proxy', 'proxy: it does not answer', { cause })
    }
  }

  function note(origin: string, address: string | null): void {
    if (address !== null) reached.set(origin, address)
  }
}

/** Spells a host as URLs do: an IPv6 address in brackets. */
export function hostForUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
