import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import { Transform, type Readable } from 'node:stream'
import { answerFailure, answerJson } from './answer.ts'
import { endToEnd } from './request-head.ts'

/** Every path of the API and of its descriptions; the backend defines what is below them. */
const PREFIXES = ['/api/v1', '/api/schema', '/v1', '/v2', '/mcp', '/llms.txt']

/** What a call that is passed on says of its trace. */
export type TraceHeaders = (request: object) => Record<string, string>

/** Hosts the API that it is handed, or passes calls on to another server that speaks the contract. */
export function apiRoutes({
  api,
  backendUrl,
  maxBodyBytes,
  traceHeaders,
}: {
  api: FastifyPluginAsync | undefined
  backendUrl: string | undefined
  maxBodyBytes: number
  traceHeaders: TraceHeaders
}): FastifyPluginAsync {
  if (backendUrl) return proxied(backendUrl, maxBodyBytes, traceHeaders)
  if (!api) throw new Error('There is neither an API to host nor an address to pass calls on to')
  return hosted(api)
}

function hosted(api: FastifyPluginAsync): FastifyPluginAsync {
  return async (app) => {
    // No answer of the API is a page: should a browser be led to show one, it may run and load nothing.
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
 * Passes calls on as they are: streams as they come, bodies unread but for their length, headers as they are but for the forwarding ones and
 * those between neighbours. Answers for its own health, since pages are served also while the backend is down.
 */
function proxied(backendUrl: string, maxBodyBytes: number, traceHeaders: TraceHeaders): FastifyPluginAsync {
  return async (app) => {
    const { default: proxy } = await import('@fastify/http-proxy')
    const { origin, pathname } = new URL(backendUrl)
    // Nothing is parsed here, not even what the server knows how to.
    app.removeAllContentTypeParsers()
    // A length that is announced has been judged before; a body without one is counted as it comes.
    app.addHook('preParsing', async (request, _reply, payload) =>
      request.headers['transfer-encoding'] === undefined ? payload : counted(payload, maxBodyBytes),
    )
    for (const prefix of PREFIXES) {
      await app.register(proxy, {
        upstream: origin,
        prefix,
        rewritePrefix: `${pathname.replace(/\/$/, '')}${prefix}`,
        disableRequestLogging: true,
        // A stream may be silent for as long as it likes; its backend sends a comment now and then.
        undici: { connections: 256, bodyTimeout: 0, headersTimeout: 120_000 },
        replyOptions: {
          // The caller decides whether to try again, never the door.
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
    app.get('/health/ready', (_request, reply) => answerJson(reply, 200, { status: 'ok', checks: {} }))
  }
}

const TOO_LARGE = new Error('the body is larger than MAX_BODY_BYTES')
const isTooLarge = (error: unknown) => error === TOO_LARGE

/** The bytes of a body, failing with `TOO_LARGE` at the first that is too many. The body itself stays whole, so that it can be answered. */
function counted(body: Readable, maxBytes: number): Transform {
  let left = maxBytes
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(TOO_LARGE)
      else done(null, chunk)
    },
  })
  // A caller who leaves has not sent the end.
  body.once('error', (error) => counter.destroy(error))
  return body.pipe(counter)
}

/** What the backend cannot see for itself. `request` has weighed the headers of proxies in front of us by TRUST_PROXY already. */
function forwardingHeaders(request: { host: string; ip: string; ips?: string[] | undefined; protocol: string }) {
  return {
    'x-forwarded-for': request.ips?.toReversed().join(', ') ?? request.ip,
    'x-forwarded-host': request.host,
    'x-forwarded-proto': request.protocol,
  }
}
