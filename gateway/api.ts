import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import { Transform, type Readable } from 'node:stream'
import { answerFailure, answerJson } from './answer.ts'
import { endToEnd } from './request-head.ts'
import type { ServiceWatch } from '#backend/platform/service-watch.ts'

/** Every path of the API and of its descriptions; the backend defines what is below them. */
const PREFIXES = ['/api/v1', '/api/schema', '/v1', '/v2', '/mcp', '/llms.txt']

/** Trace headers of a proxied call. */
export type TraceHeaders = (request: object) => Record<string, string>

/** Hosts the given API, or proxies calls to another server that implements the contract. */
export function apiRoutes({
  api,
  backendUrl,
  maxBodyBytes,
  traceHeaders,
  watch,
}: {
  api: FastifyPluginAsync | undefined
  backendUrl: string | undefined
  maxBodyBytes: number
  traceHeaders: TraceHeaders
  /** Of the backend at `backendUrl`. */
  watch: Pick<ServiceWatch, 'check'> | null
}): FastifyPluginAsync {
  if (backendUrl && watch) return proxied(backendUrl, maxBodyBytes, traceHeaders, watch)
  if (!api) throw new Error('There is neither an API to host nor a backend URL to forward calls to')
  return hosted(api)
}

function hosted(api: FastifyPluginAsync): FastifyPluginAsync {
  return async (app) => {
    // API responses are not pages: if a browser displays one, it may run and load nothing.
    await app.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
      // Anyone with the signed link may fetch files of results, from any origin.
      crossOriginResourcePolicy: false,
      crossOriginOpenerPolicy: false,
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xFrameOptions: { action: 'deny' },
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    })
    await app.register(api)
  }
}

/**
 * Proxies calls unchanged: it streams bodies and checks only their length, and it changes only forwarding and hop-by-hop
 * headers. It has health checks of its own, since it serves pages also while the backend is down.
 */
function proxied(
  backendUrl: string,
  maxBodyBytes: number,
  traceHeaders: TraceHeaders,
  watch: Pick<ServiceWatch, 'check'>,
): FastifyPluginAsync {
  return async (app) => {
    const { default: proxy } = await import('@fastify/http-proxy')
    const { origin, pathname } = new URL(backendUrl)
    // Do not parse bodies here, not even types that Fastify has a parser for.
    app.removeAllContentTypeParsers()
    // Content-Length was checked earlier; count the bytes of a body without one.
    app.addHook('preParsing', async (request, _reply, payload) =>
      request.headers['transfer-encoding'] === undefined ? payload : counted(payload, maxBodyBytes),
    )
    for (const prefix of PREFIXES) {
      await app.register(proxy, {
        upstream: origin,
        prefix,
        rewritePrefix: `${pathname.replace(/\/$/, '')}${prefix}`,
        disableRequestLogging: true,
        // Each call has a connection of its own, without a limit: open streams and slow bodies of some callers must not hold up the calls of
        // others. No idle timeout for streams; the backend sends a comment now and then.
        undici: { connections: null, bodyTimeout: 0, headersTimeout: 120_000 },
        replyOptions: {
          // The client decides whether to retry; the gateway never does.
          retryDelay: () => null,
          rewriteRequestHeaders: (request, headers) => ({
            ...endToEnd(headers),
            ...forwardingHeaders(request),
            ...traceHeaders(request.raw),
          }),
          rewriteHeaders: endToEnd,
          onError: (reply, { error }) => {
            if (isTooLarge(error.cause)) return answerFailure(reply.header('connection', 'close'), 413)
            reply.log.warn({ err: error }, 'backend did not answer')
            answerFailure(reply, 'statusCode' in error && error.statusCode === 504 ? 504 : 502)
          },
        },
      })
    }
    app.get('/health/live', (_request, reply) => answerJson(reply, 200, { status: 'ok' }))
    app.get('/health/ready', async (_request, reply) => answerJson(reply, 200, { status: 'ok', checks: { backend: await watch.check() } }))
  }
}

const TOO_LARGE = new Error('the body is larger than MAX_BODY_BYTES')
const isTooLarge = (error: unknown) => error === TOO_LARGE

/** The bytes of a body; fails with `TOO_LARGE` at the first byte above the limit. It does not destroy the body, so the gateway can still respond. */
function counted(body: Readable, maxBytes: number): Transform {
  let left = maxBytes
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(TOO_LARGE)
      else done(null, chunk)
    },
  })
  // A client that disconnects has not sent the whole body.
  body.once('error', (error) => counter.destroy(error))
  return body.pipe(counter)
}

/** The client address and the like, which the backend cannot see. `request` has applied TRUST_PROXY to the forwarding headers already. */
function forwardingHeaders(request: { host: string; ip: string; protocol: string }) {
  return {
    // Not the proxies in between, which the backend would have to trust too.
    'x-forwarded-for': request.ip,
    'x-forwarded-host': request.host,
    'x-forwarded-proto': request.protocol,
  }
}
