/**
 * The one door to the outside. Every connection is opened here: the name is resolved once, all its addresses are judged, exactly a judged
 * address is dialled, and the socket is asked whom it reached. There is no second look-up that could answer differently.
 */
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { getCACertificates } from 'node:tls'
import { Pool } from 'undici'
import type { Dispatcher, buildConnector } from 'undici'
import { classifyAddress, isAllowed, isInternalName, isWebPort, parseAddress, parseEgressAllow } from './address-guard.ts'
import { EgressError, dialFirst, secure, spelled } from './dial.ts'
import { createResolver } from './resolver.ts'

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
  const trusted = authorities === undefined ? null : [...getCACertificates('default'), ...authorities]
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
        void openFor(options, origin, callback)
      },
      connections: connectionsPerOrigin,
      keepAliveMaxTimeout: 30_000,
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
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), JUDGE_LOOKUP_MS)
    })
    const judged = await Promise.race([judgeHost(parsed.hostname, portOf(parsed.port, parsed.protocol)), late])
    clearTimeout(timer)
    return judged !== null && 'refused' in judged ? 'refused_address' : null
  }

  async function close(): Promise<void> {
    clearInterval(sweeper)
    resolver.cancel()
    const closing = [...pools.values()]
    pools.clear()
    await Promise.all(closing.map(({ pool }) => pool.destroy()))
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
    const host = bareHost(hostname)
    if (parseAddress(host) !== null) return mayDial(host, port, false) ? { addresses: [host] } : { refused: 'address' }
    const isInternal = isInternalName(host)
    if (allowances.length === 0 && (isInternal || !isWebPort(port))) return { refused: isInternal ? 'internal name' : 'port' }
    if (isLoopbackName(host)) {
      const addresses = ['127.0.0.1', '::1'].filter((address) => mayDial(address, port, true))
      return addresses.length > 0 ? { addresses } : { refused: 'address' }
    }
    const resolved = await resolver.resolve(host)
    if ('failure' in resolved) return isInternal ? { refused: 'internal name' } : { unresolved: resolved.failure }
    // one wrong address spoils the answer: a name that mixes them is an attack or a mistake
    return resolved.addresses.every((address) => mayDial(address, port, isInternal)) ? resolved : { refused: 'address' }
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

  async function openFor(options: buildConnector.Options, origin: string, callback: buildConnector.Callback): Promise<void> {
    let socket: Socket
    try {
      socket = await connect(options, origin)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
      return
    }
    callback(null, socket)
  }

  async function connect({ hostname, port, protocol }: buildConnector.Options, origin: string): Promise<Socket> {
    const deadline = performance.now() + connectTimeoutMs
    const judged = await withDeadline(judgeHost(hostname, portOf(port, protocol)), deadline)
    if ('refused' in judged) throw new EgressError('refused_address', `refused: ${judged.refused}`)
    if ('unresolved' in judged) throw new EgressError('dns', `name not resolved: ${judged.unresolved}`)
    const socket = await dialFirst(judged.addresses, portOf(port, protocol), deadline)
    const entry = pools.get(origin)
    if (entry !== undefined) entry.address = socket.remoteAddress ?? null
    return protocol === 'https:' ? secure(socket, bareHost(hostname), trusted, deadline) : socket
  }
}

function portOf(port: string, protocol: string): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** Without the brackets of an IPv6 literal and the dot of a full name. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** RFC 6761, 6.3: these names are loopback, whatever a name server says. */
function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
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
