/** The base URL of this service as the caller sees it. */
import type { FastifyRequest } from 'fastify'

export type BaseUrl = (request: FastifyRequest) => string

/**
 * The public base of absolute addresses in answers, without a trailing slash.
 *
 * The configured one wins. Without it the request tells: Fastify believes forwarding headers from trusted proxies alone.
 */
export function createBaseUrl({ publicUrl }: { publicUrl: string | null }): BaseUrl {
  const configured = publicUrl?.replace(/\/+$/, '')
  return (request) => configured ?? originOf(`${request.protocol}://${request.host}`) ?? 'http://localhost'
}

/** The absolute address of a request, its query included. */
export const hrefOf = (baseUrl: BaseUrl, request: FastifyRequest) =>
  `${baseUrl(request)}${request.url.startsWith('/') ? request.url : `/${request.url}`}`

// A Host header is the caller's own text: what is no host is not written into an answer.
function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url && url.host !== '' && url.username === '' && url.pathname === '/' && url.search === '' && url.hash === ''
    ? url.origin
    : undefined
}
