/** Warns once about a proxy in front, or a `PUBLIC_URL`, that does not fit what arrives. */
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#config/read-config.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
/** Addresses of private networks, of a machine itself and of a network segment (RFC 1918, 4193, 3927, 4291, 6598). */
const PRIVATE =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd]|fe80:)/i

type Facts = {
  /** The address that counts as the client's. */
  ip: string
  /** The entries of `X-Forwarded-For`, the client first. */
  forwarded: readonly string[]
  /** The other end of the connection. */
  peer: string
}

/** What the proxies in front and `TRUST_PROXY` do not agree on; null if they do, or it cannot be known. */
export function proxyWarning({ forwarded, ip, peer }: Facts, trusted: Config['trustProxy']): string | null {
  if (forwarded.length === 0) return null
  const set = typeof trusted === 'number' ? `TRUST_PROXY is ${trusted}` : `TRUST_PROXY is ${trusted.join(',')}`
  const isNone = trusted === 0 || (typeof trusted !== 'number' && trusted.length === 0)
  if (isNone)
    return isPrivate(peer)
      ? `requests arrive through a proxy at ${peer}, whose X-Forwarded-For is not trusted, so all users count as one: set TRUST_PROXY to its address`
      : null
  if (typeof trusted === 'number' && trusted > forwarded.length)
    return `${set}, but requests arrive through ${forwarded.length === 1 ? 'one proxy' : `${forwarded.length} proxies`} only: set TRUST_PROXY to the number of proxies, or users can choose the address that they count under`
  const isProxy = ip === peer || forwarded.some((entry) => isIP(entry) !== 0 && !isPrivate(entry))
  if (isPrivate(ip) && isProxy)
    return `${set}, but requests arrive through a further proxy at ${ip}, so all users count as one: add its address to TRUST_PROXY, or count it`
  return null
}

/** That browsers open another URL than links begin with; null if they do not, or it cannot be known. */
export function publicUrlWarning(
  { host, origin, protocol }: { host: string; origin: string | undefined; protocol: string },
  publicUrl: string | undefined,
): string | null {
  const opened = origin === undefined ? null : URL.parse(origin)
  if (opened === null || !/^https?:$/.test(opened.protocol)) return null
  if (publicUrl === undefined) {
    if (opened.host === host ? opened.protocol === `${protocol}:` : LOOPBACK.test(opened.hostname)) return null
    return `browsers open the dashboard at ${opened.origin}, but links begin with ${protocol}://${host}: set PUBLIC_URL to the URL that users open`
  }
  const { origin: expected } = new URL(publicUrl)
  if (opened.origin === expected || LOOPBACK.test(opened.hostname)) return null
  return `browsers open the dashboard at ${opened.origin}, but PUBLIC_URL is ${publicUrl}, with which links begin: set it to the URL that users open`
}

/** Adds the checks; each warns once. */
export function warnOfFront(
  app: FastifyInstance,
  { corsOrigins, publicUrl, trustProxy }: Pick<Config, 'corsOrigins' | 'publicUrl' | 'trustProxy'>,
): void {
  let hasWarnedOfProxy = false
  let hasWarnedOfUrl = false
  app.addHook('onRequest', async (request) => {
    const { headers } = request
    if (!hasWarnedOfProxy && headers['x-forwarded-for'] !== undefined)
      hasWarnedOfProxy = warn(request, proxyWarning(factsOf(request), trustProxy))
    const { origin } = headers
    if (!hasWarnedOfUrl && origin !== undefined && isOwnPage(request, corsOrigins))
      hasWarnedOfUrl = warn(request, publicUrlWarning({ host: request.host, origin, protocol: request.protocol }, publicUrl))
  })
}

/** Whether the request comes from a page of the dashboard. Browsers send `Sec-Fetch-Site` over https and on this machine only. */
const isOwnPage = ({ headers, host }: FastifyRequest, others: readonly string[]): boolean => {
  const site = headers['sec-fetch-site']
  const origin = String(headers.origin)
  return !others.includes(origin) && (site === undefined ? URL.parse(origin)?.host === host : site === 'same-origin')
}

const factsOf = ({ headers, ip, socket }: FastifyRequest): Facts => ({
  ip: withoutMapping(ip),
  forwarded: String(headers['x-forwarded-for'])
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
  peer: withoutMapping(socket.remoteAddress ?? ''),
})

function warn({ log }: FastifyRequest, warning: string | null): boolean {
  if (warning !== null) log.warn({}, warning)
  return warning !== null
}

/** A socket of IPv6 writes an IPv4 address as ::ffff:10.0.0.1. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:/i, '')

const isPrivate = (address: string): boolean => PRIVATE.test(withoutMapping(address))
