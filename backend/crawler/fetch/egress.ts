/**
 * The one door to the outside. Every connection is opened here: the name is resolved once, all its addresses are judged, exactly a judged
 * address is dialled, and the socket is asked whom it reached. There is no second look-up that could answer differently.
 */
import { connect as connectTcp, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { connect as connectTls, getCACertificates } from 'node:tls'
import { Pool } from 'undici'
import type { Dispatcher, buildConnector } from 'undici'
import { classifyAddress, isAllowed, isInternalName, isWebPort, parseAddress, parseEgressAllow } from './address-guard.ts'
import { createResolver } from './resolver.ts'

/** Why no connection came about. Its message is for logs; callers show the reason alone. */
export class EgressError extends Error {
  readonly reason: 'dns' | 'connect' | 'timeout' | 'tls' | 'reset' | 'refused_address'
  constructor(reason: EgressError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export type Egress = ReturnType<typeof createEgress>

const IDLE_POOL_MS = 30_000
const OWN_ADDRESSES_MS = 60_000
const JUDGE_LOOKUP_MS = 2000

/**
 * @param options.allow      text of EGRESS_ALLOW; throws when it is not understood
 * @param options.resolver   text of EGRESS_RESOLVER, or null for the system's name servers
 * @param options.userAgent  how we name ourselves to every host
 * @param options.authorities  PEM certificates trusted besides the usual ones
 */
export function createEgress({
  allow,
  authorities,
  connectTimeoutMs = 10_000,
  connectionsPerOrigin = 64,
  maxHeaderBytes = 64 * 1024,
  resolver: server,
  userAgent,
}: {
  allow: string
  authorities?: string[]
  connectTimeoutMs?: number
  connectionsPerOrigin?: number
  maxHeaderBytes?: number
  resolver: string | null
  userAgent: string
}) {
  const allowances = parseEgressAllow(allow)
  const resolver = createResolver({ server })
  const pools = new Map<string, { pool: Pool; usedAt: number; address: string | null }>()
  let sweeper: NodeJS.Timeout | undefined
  let ownAddresses = new Set<string>()
  let ownAddressesAt = -Infinity
  return { addressOf, close, dispatcher, judgeUrl, userAgent }

  /**
   * Connections to an origin (`https://example.com:8443`, default ports left out), one request at a time each.
   * Ask for it per request and do not keep it: idle ones are closed.
   */
  function dispatcher(origin: string): Dispatcher {
    const now = performance.now()
    const entry = pools.get(origin)
    if (entry !== undefined) {
      entry.usedAt = now
      return entry.pool
    }
    const pool = new Pool(origin, {
      // the fetcher watches the time; undici's own clocks are off
      bodyTimeout: 0,
      headersTimeout: 0,
      connect: (options: buildConnector.Options, callback: buildConnector.Callback) => {
        open(options, origin).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        )
      },
      connections: connectionsPerOrigin,
      keepAliveTimeout: 4000,
      maxHeaderSize: maxHeaderBytes,
      pipelining: 1,
    })
    pools.set(origin, { pool, usedAt: now, address: null })
    sweeper ??= setInterval(sweep, IDLE_POOL_MS / 3).unref()
    return pool
  }

  /** The address that an origin was last reached at; null when there was no connection yet. */
  function addressOf(origin: string): string | null {
    return pools.get(origin)?.address ?? null
  }

  /**
   * Whether a URL may be asked at all. Literals are judged at once; names are resolved within 2 s, and a name that does not resolve in that
   * time is fine: the connection is judged again, always.
   */
  async function judgeUrl(url: string): Promise<null | 'refused_address' | 'dns'> {
    const parsed = URL.parse(url)
    if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return 'refused_address'
    const port = parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : Number(parsed.port)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), JUDGE_LOOKUP_MS)
    })
    const judged = await Promise.race([judgeHost(parsed.hostname, port), late])
    clearTimeout(timer)
    return judged !== null && 'refused' in judged ? 'refused_address' : null
  }

  async function close(): Promise<void> {
    clearInterval(sweeper)
    resolver.cancel()
    const open = [...pools.values()]
    pools.clear()
    await Promise.all(open.map(({ pool }) => pool.destroy()))
  }

  function sweep(): void {
    const now = performance.now()
    for (const [origin, { pool, usedAt }] of pools) {
      if (now - usedAt < IDLE_POOL_MS || pool.stats.size > 0) continue
      pools.delete(origin)
      void pool.close()
    }
  }

  // ---- judging

  /** The addresses that may be dialled for a host, or why none may. */
  async function judgeHost(
    hostname: string,
    port: number,
  ): Promise<{ addresses: string[] } | { refused: string } | { unresolved: string }> {
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    if (parseAddress(host) !== null) return mayDial(host, port, false) ? { addresses: [host] } : { refused: 'address' }
    const isInternal = isInternalName(host)
    if (isInternal && allowances.length === 0) return { refused: 'internal name' }
    if (!isWebPort(port) && allowances.length === 0) return { refused: `port ${port}` }
    // RFC 6761, 6.3: these names are loopback, whatever a name server says
    const resolved =
      host === 'localhost' || host.endsWith('.localhost') ? { addresses: ['127.0.0.1', '::1'] } : await resolver.resolve(host)
    if ('failure' in resolved) return isInternal ? { refused: 'internal name' } : { unresolved: resolved.failure }
    // one wrong address spoils the answer: a name that mixes them is an attack or a mistake
    const isLoopbackName = host === 'localhost' || host.endsWith('.localhost')
    const dialled = isLoopbackName ? resolved.addresses.filter((address) => mayDial(address, port, true)) : resolved.addresses
    if (dialled.length === 0 || !dialled.every((address) => mayDial(address, port, isInternal))) return { refused: 'address' }
    return { addresses: dialled }
  }

  function mayDial(address: string, port: number, needsAllowance: boolean): boolean {
    if (isAllowed(address, port, allowances)) return true
    return !needsAllowance && isWebPort(port) && classifyAddress(address) === 'public' && !isOwn(address)
  }

  /** Our own machine is no web site, even under a public address. */
  function isOwn(address: string): boolean {
    const now = performance.now()
    if (now - ownAddressesAt > OWN_ADDRESSES_MS) {
      ownAddressesAt = now
      ownAddresses = new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((each) => spelled(each.address))))
    }
    return ownAddresses.has(spelled(address))
  }

  // ---- dialling

  async function open({ hostname, port, protocol, servername }: buildConnector.Options, origin: string): Promise<Socket> {
    const isSecure = protocol === 'https:'
    const portNumber = Number(port) || (isSecure ? 443 : 80)
    const deadline = performance.now() + connectTimeoutMs
    const judged = await withDeadline(judgeHost(hostname, portNumber), deadline)
    if ('refused' in judged) throw new EgressError('refused_address', `refused: ${judged.refused}`)
    if ('unresolved' in judged) throw new EgressError('dns', `name not resolved: ${judged.unresolved}`)
    const socket = await dialFirst(judged.addresses, portNumber, deadline)
    const entry = pools.get(origin)
    if (entry !== undefined) entry.address = socket.remoteAddress ?? null
    const host = hostname.replace(/^\[|\]$/g, '')
    return isSecure ? secure(socket, { host, servername: isIP(host) ? '' : (servername ?? host.replace(/\.$/, '')) }, deadline) : socket
  }

  async function dialFirst(addresses: string[], port: number, deadline: number): Promise<Socket> {
    let failure: unknown
    for (const [i, address] of addresses.entries()) {
      const left = deadline - performance.now()
      // the last address may use all the time that is left
      const waitMs = i === addresses.length - 1 ? left : Math.min(left, Math.max(1000, connectTimeoutMs / 4))
      if (waitMs <= 0) break
      try {
        return await dial(address, port, waitMs)
      } catch (error) {
        failure = error
      }
    }
    throw failure ?? new EgressError('timeout', 'no connection in time')
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
      // stays for the life of the socket: the fetcher wants to know whether a broken connection had been used before
      socket.on('error', (error: Error & { bytesRead?: number }) => {
        clearTimeout(timer)
        error.bytesRead = socket.bytesRead
        reject(error instanceof EgressError ? error : new EgressError('connect', error.message, { cause: error }))
      })
    })
  }

  function secure(plain: Socket, { host, servername }: { host: string; servername: string }, deadline: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connectTls({
        ALPNProtocols: ['http/1.1'],
        ...(authorities === undefined ? {} : { ca: [...getCACertificates('default'), ...authorities] }),
        host,
        servername,
        socket: plain,
      })
      const timer = setTimeout(
        () => socket.destroy(new EgressError('timeout', 'no TLS handshake in time')),
        Math.max(1, deadline - performance.now()),
      )
      const fail = (error: Error & { bytesRead?: number; code?: string }): void => {
        clearTimeout(timer)
        error.bytesRead = socket.bytesRead
        if (error instanceof EgressError) return reject(error)
        reject(new EgressError(error.code === 'ECONNRESET' ? 'reset' : 'tls', error.message, { cause: error }))
      }
      socket.on('error', fail)
      socket.once('close', () => fail(new EgressError('reset', 'closed in the TLS handshake')))
      socket.once('secureConnect', () => {
        clearTimeout(timer)
        resolve(socket)
      })
    })
  }
}

/** One spelling of an address, for comparing. */
function spelled(address: string): string {
  return parseAddress(address.replace(/%.*$/, ''))?.join('.') ?? address
}

async function withDeadline<T>(task: Promise<T>, deadline: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new EgressError('dns', 'no answer from the name server in time')),
      Math.max(1, deadline - performance.now()),
    )
  })
  try {
    return await Promise.race([task, late])
  } finally {
    clearTimeout(timer)
  }
}
