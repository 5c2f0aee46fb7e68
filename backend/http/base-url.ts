/** The base URL of this service as the caller sees it. */
import type { FastifyRequest } from 'fastify'

export type BaseUrl = (request: FastifyRequest) => string

/**
 * The base of absolute URLs in answers, without a trailing slash.
 *
 * The configured URL wins. Without one, it is taken from the request; Fastify trusts forwarding headers from trusted proxies only.
 */
export function createBaseUrl({ publicUrl }: { publicUrl: string | null }): BaseUrl {
  const configured = publicUrl?.replace(/\/+$/, '')
  return (request) => configured ?? originOf(`${request.protocol}://${request.host}`) ?? 'http://localhost'
}

/** The absolute URL of a request, with its query. */
export const hrefOf = (baseUrl: BaseUrl, request: FastifyRequest) =>
  `${baseUrl(request)}${request.url.startsWith('/') ? request.url : `/${request.url}`}`

// The Host header is the caller's text: an invalid host is not written into an answer.
function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url && url.host !== '' && url.username === '' && url.pathname === '/' && url.search === '' && url.hash === ''
    ? url.origin
    : undefined
}
