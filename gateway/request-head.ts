/** Validates and normalises the head of a request before anything else uses it. */
import type { IncomingMessage } from 'node:http'

const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[\w.~!$&'()*+,;=%-]{0,255})(?::\d{0,5})?$/i

/**
 * False for more than one Host field, or one that names no host (RFC 9112, 3.2), and for a target that is neither a path nor `*`, once
 * `targetOf` has made a path of the absolute form. A missing Host field is refused by Node.
 */
export function isWellAddressed({ headers, method, rawHeaders, url = '' }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts <= 1 && HOST.test(headers.host ?? '') && (url.startsWith('/') || (url === '*' && method === 'OPTIONS'))
}

/**
 * The path and query that a request asks for, without `basePath`. Several slashes at the start count as one: clients join a base URL that
 * ends in a slash and a path.
 *
 * @param basePath  '' or such as `/crawl`
 */
export const targetOf = (request: IncomingMessage, basePath: string): string =>
  oneSlash(withoutBase(oneSlash(originForm(request)), basePath))

/**
 * The path and query of a request target. In the absolute form, which clients of a proxy may send, the host of the target replaces the Host
 * field (RFC 9112, 3.2.2).
 */
function originForm(request: IncomingMessage): string {
  const { url = '/' } = request
  if (url.startsWith('/')) return url
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? []
  if (authority === undefined) return url
  request.headers.host = authority
  return rest.startsWith('/') ? rest : `/${rest}`
}

const oneSlash = (path: string) => path.replace(/^\/{2,}/, '/')

const ADDRESS_AND_PORT = /^(?:\[([0-9a-f:.]+)\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i

/**
 * Removes the ports that some proxies (those of Azure, IIS) write behind the addresses in `X-Forwarded-For`. With its port, an address would
 * match no range of trusted proxies, and limits would take each connection of a client for another client.
 */
export function dropForwardedPorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string') return
  headers['x-forwarded-for'] = forwarded
    .split(',')
    .map((entry) => {
      const [, v6, v4] = ADDRESS_AND_PORT.exec(entry.trim()) ?? []
      return v6 ?? v4 ?? entry.trim()
    })
    .join(', ')
}

/** Removes `basePath` from a path with query. A proxy may keep the prefix or strip it, so a path without it stays unchanged. */
function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

/** Hop-by-hop fields (RFC 9110, 7.6.1), and `expect`, which the gateway handles itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The fields that a proxy forwards: all but hop-by-hop fields and those that `connection` names. */
export function endToEnd<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> {
  const named = String(headers['connection'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.includes(name.toLowerCase())),
  )
}
