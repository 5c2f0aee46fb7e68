import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import fastify, {
  errorCodes,
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Logger } from 'pino'
import { MAX_PARAM_LENGTH } from '#contract/sizes.ts'
import { answerFailure, failureOf } from './answer.ts'
import { apiRoutes } from './api.ts'
import type { TraceHeaders } from './api.ts'
import { warnOfFront } from './start/front-warnings.ts'
import { safeUrl } from './log.ts'
import type { MetricValues } from './metrics.ts'
import { limitPipelines } from './pipelines.ts'
import { runtimeConfigOf, type Config } from '#config/read-config.ts'
import { dropForwardedPorts, isWellAddressed, targetOf } from './request-head.ts'
import { DEADLINES, hasBody, readOn, watchBodies, watchReader, type Deadlines } from './slow-callers.ts'
import { pageRoutes } from './spa.ts'
import { isJobSocket, isRenderCall, tunnelSockets } from './tunnel.ts'

/**
 * Builds the app: limits, request ids and the log of responses, then the API, then the pages. It does not listen.
 *
 * @param backend    the API to host; without one, `config.backendUrl` says where it is
 * @param deadlines  how long requests may take to arrive
 * @param publicDir  the folder of the built page
 */
export async function createApp({ backend, config, deadlines = DEADLINES, log, publicDir }: AppNeeds): Promise<FastifyInstance> {
  const trusted = config.trustProxy
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyInstance['log'],
    // Fastify would log two lines per request; the hook below logs one.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    schemaController: withoutSchemas,
    bodyLimit: config.maxBodyBytes,
    requestTimeout: deadlines.requestMs,
    http: {
      headersTimeout: deadlines.headMs,
      connectionsCheckingInterval: Math.min(5000, deadlines.headMs),
      shouldUpgradeCallback: (request: IncomingMessage) =>
        config.role === 'renderer' ? isRenderCall(request) : isJobSocket(request, config.basePath),
    },
    rewriteUrl(request) {
      dropForwardedPorts(request as IncomingMessage)
      return targetOf(request as IncomingMessage, config.basePath)
    },
    trustProxy: typeof trusted === 'number' ? trusted > 0 && ((_address, hop) => hop < trusted) : [...trusted],
    genReqId: () => randomUUID(),
    // Signed links and tokens are longer than the 100 characters that a parameter may have by default.
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // When the app closes, the writer of a stream ends it; this closes idle connections.
    forceCloseConnections: 'idle',
    // A request on a connection that is still open is answered, with `Connection: close`: in a rolling update no call fails.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => answerError(error, reply),
    clientErrorHandler,
  })
  limitPipelines(app.server as Server)
  const bodies = watchBodies(app.server as Server, deadlines)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!isWellAddressed(request.raw)) return answerFailure(reply.header('connection', 'close'), 400)
    bodies.watch(request.raw)
    return undefined
  })
  readBodies(app, deadlines)
  warnOfFront(app, config)
  logResponses(app)
  closeSilentConnections(app)
  app.setErrorHandler<FastifyError>((error, _request, reply) => answerError(error, reply))

  if (config.metricsToken !== undefined) {
    const { addMetrics } = await import('./metrics.ts')
    addMetrics(app, { token: config.metricsToken, backend: backend?.metrics })
  }
  let traceHeaders: TraceHeaders = () => ({})
  if (config.isTraced) {
    const [{ openTraces }, { addTraces }] = await Promise.all([import('#backend/platform/traces.ts'), import('./traces.ts')])
    const process = config.backendUrl ? 'gateway' : 'api'
    traceHeaders = addTraces(app, openTraces({ log, process, version: config.version }))
  }
  const { backendUrl, maxBodyBytes } = config
  if (backendUrl) tunnelSockets(app.server as Server, { backendUrl, basePath: config.basePath })
  const watch = backendUrl ? (await import('./backend-watch.ts')).watchBackend(backendUrl, log) : null
  if (watch) app.addHook('onClose', async () => watch.close())
  await app.register(apiRoutes({ api: backend?.api, backendUrl, maxBodyBytes, traceHeaders, watch }))
  if (config.role !== 'all' && config.role !== 'gateway') return app
  await app.register(
    pageRoutes({
      allowsAnalytics: config.enterpriseMode && config.googleAnalyticsId !== undefined,
      apiOrigins: [config.apiUrl, config.githubApiUrl].flatMap((url) => (url ? [new URL(url).origin] : [])),
      isHttps: config.publicUrl?.startsWith('https:') ?? false,
      publicDir,
      runtimeConfig: runtimeConfigOf(config),
    }),
  )
  return app
}

/** Reads the rest of a body after its response, and tells a caller that waits for it when to send it. */
function readBodies(app: FastifyInstance, deadlines: Deadlines): void {
  // `Expect: 100-continue` asks whether to send the body: respond once the caller is authenticated and the length is acceptable.
  const going = new WeakSet<IncomingMessage>()
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.addHook('preParsing', async (request, reply, payload) => {
    if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    if (waitsForContinue(request)) {
      reply.raw.writeContinue()
      going.add(request.raw)
    }
    return payload
  })
  app.addHook('onSend', async (request, reply, payload) => {
    // Without this, some caches keep a response for minutes.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    watchReader(request.raw, payload, deadlines)
    if (request.raw.complete || !hasBody(request.raw)) return payload
    reply.removeHeader('connection')
    if (waitsForContinue(request) && !going.has(request.raw)) reply.header('connection', 'close')
    else readOn(request.raw, reply.raw)
    return payload
  })
}

function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const facts = {
      method: request.method,
      url: safeUrl(request.url),
      status: reply.statusCode,
      ip: request.ip,
      tookMs: Math.round(reply.elapsedTime),
    }
    // Requests for files, health checks and metrics are too many to log; refused ones are not.
    const isFrequent = /^\/(?:assets|health)\//.test(request.url) || (request.routeOptions.url === '/metrics' && reply.statusCode === 200)
    request.log[isFrequent ? 'debug' : 'info'](facts, 'request answered')
  })
}

/** When the app closes, ends the connections that would keep it open. */
function closeSilentConnections(app: FastifyInstance): void {
  // Node does not count a connection that never sent a request as idle; it would delay the close for a minute.
  const silent = new Set<Socket>()
  function forget(this: Socket) {
    silent.delete(this)
  }
  app.server.on('connection', (socket: Socket) => silent.add(socket.on('close', forget)))
  app.addHook('onRequest', async (request) => void silent.delete(request.raw.socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
    const late = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS)
    app.server.once('close', () => clearTimeout(late))
  })
}

/** The contract's own schemas validate bodies and responses; without these two stubs, Fastify loads JSON Schema compilers that nothing uses. */
const withoutSchemas = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

const waitsForContinue = ({ headers, raw }: FastifyRequest) => headers.expect !== undefined && raw.httpVersion === '1.1'

/** How long an open response may take when the app closes. */
const CLOSE_GRACE_MS = 3000

type AppNeeds = {
  backend?: { api: FastifyPluginAsync; metrics?: () => Promise<MetricValues[]> }
  config: Config
  deadlines?: Deadlines
  log: Logger
  publicDir: string
}

/** Errors outside the backend's own routes, in the format of the API. */
function answerError(error: FastifyError, reply: FastifyReply) {
  // A URL that cannot be decoded matches no route.
  const status = error.code === 'FST_ERR_BAD_URL' ? 404 : (error.statusCode ?? 500)
  if (status >= 500) reply.log.error({ err: error }, 'request failed')
  return answerFailure(reply, status)
}

/** Responds to bytes that are not HTTP: there is no request object, so it writes the response to the socket itself. */
function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify(failureOf(status))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // Ignore everything that the client sends after this.
  socket.destroySoon()
}
