/** Decides which addresses may be dialled for a host. */
import { networkInterfaces } from 'node:os'
import { classifyAddress, isAllowed, isInternalName, isWebPort, parseAddress, parseEgressAllow } from './address-guard.ts'
import { EgressError, spelled } from './dial.ts'
import { createNameResolver } from './name-resolver.ts'

/** The addresses that may be dialled, or why none may. */
type Judgement = { addresses: string[] } | { refused: string } | { unresolved: string }

const OWN_ADDRESSES_MS = 60_000
const JUDGE_LOOKUP_MS = 2000

/**
 * @param allow   text of EGRESS_ALLOW; throws when it is invalid
 * @param server  text of EGRESS_RESOLVER, or null for the system's name servers
 */
export function createHostJudge({ allow, server }: { allow: string; server: string | null }) {
  const allowances = parseEgressAllow(allow)
  const resolver = createNameResolver({ server })
  let ownAddresses = new Set<string>()
  let ownAddressesAt = -Infinity
  return { addressesOf, close: resolver.cancel, judge, judgeUrl }

  /** @throws EgressError when none may be dialled, or after the deadline */
  async function addressesOf(hostname: string, port: number, deadline: number): Promise<string[]> {
    const judged = await judge(hostname, port, deadline)
    if ('refused' in judged) throw new EgressError('refused_address', `refused: ${judged.refused}`)
    if ('unresolved' in judged)
      throw new EgressError(NO_SUCH_NAME.has(judged.unresolved) ? 'dns' : 'name_server', noAddress(judged.unresolved))
    return judged.addresses
  }

  /** @throws EgressError after the deadline */
  function judge(hostname: string, port: number, deadline: number): Promise<Judgement> {
    return withDeadline(judgeHost(hostname, port), deadline)
  }

  /**
   * Whether a URL may be requested at all. Literals are judged at once. Names are resolved within 2 s; a name that does not resolve in that
   * time passes, because every connection is judged again.
   */
  async function judgeUrl(url: string): Promise<null | 'refused_address'> {
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

  async function judgeHost(hostname: string, port: number): Promise<Judgement> {
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
    // one refused address refuses the name: a mixture is an attack or a mistake
    return resolved.addresses.every((address) => mayDial(address, port, isInternal)) ? resolved : { refused: 'address' }
  }

  function mayDial(address: string, port: number, needsAllowance: boolean): boolean {
    if (isAllowed(address, port, allowances)) return true
    return !needsAllowance && isWebPort(port) && classifyAddress(address) === 'public' && !isOwn(address)
  }

  /** Requests to this machine itself are refused, even under a public address. */
  function isOwn(address: string): boolean {
    const now = performance.now()
    if (now - ownAddressesAt > OWN_ADDRESSES_MS) {
      ownAddressesAt = now
      ownAddresses = new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((each) => spelled(each.address))))
    }
    return ownAddresses.has(spelled(address))
  }
}

/** Answers after which a name has no address; after other codes it may have one, and the name server is the problem. */
const NO_SUCH_NAME: ReadonlySet<string> = new Set(['EBADNAME', 'ENODATA', 'ENOTFOUND'])

/** Says why a name has no address; `code` is the resolver's. */
function noAddress(code: string): string {
  if (code === 'ENOTFOUND') return 'there is no such name'
  if (code === 'EBADNAME') return 'no name server can have such a name'
  if (code === 'ENODATA') return 'the name has no address'
  if (code === 'ESERVFAIL') return 'the name server failed'
  if (code === 'ETIMEOUT') return 'no answer from the name server in time'
  return `name not resolved: ${code}`
}

export function portOf(port: string, protocol: string): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** Strips the brackets of an IPv6 literal and the final dot of a name. */
export function bareHost(hostname: string): string {
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
      () => reject(new EgressError('name_server', 'no answer from the name server in time')),
      Math.max(1, deadline - performance.now()),
    )
  })
  try {
    return await Promise.race([task, late])
  } finally {
    clearTimeout(timer)
  }
}
