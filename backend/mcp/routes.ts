/** The HTTP endpoint of the Model Context Protocol: authentication, one message in, one answer or a stream of progress out. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { sendMcpMessage } from '#contract/mcp.ts'
import { AppError } from '#backend/errors.ts'
import type { TeamActor } from '#backend/http/actor.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { allowOrigin } from '#backend/http/cors.ts'
import { eventFrame, openEventStream, PING } from '#backend/http/event-stream.ts'
import type { EventSink } from '#backend/http/event-stream.ts'
import { sendEmpty, sendError, sendJson } from '#backend/http/reply.ts'
import { route, spellings } from '#backend/http/route.ts'
import { isAllowedOrigin } from './origins.ts'
import { CODES, idOf, McpFault, readMessage, SUBSCRIPTION_KEY } from './protocol.ts'
import type { Id, Message } from './protocol.ts'
import { createRunningCalls } from './running-calls.ts'
import { answerRequest } from './server.ts'
import type { McpServer } from './server.ts'

type McpRouteNeeds = {
  baseUrl: BaseUrl
  /** Origins of pages that may call, as browsers send them. */
  corsOrigins: readonly string[]
  /** Counts a waiting caller like the reader of a stream; throws `throttled` when there are too many. */
  enter: (actor: TeamActor) => void
  leave: (actor: TeamActor) => void
  publicUrl: string | undefined
  server: McpServer
}

/** Interval of keep-alive comments in a stream, for proxies. */
const PING_EVERY_MS = 15_000

export function mcpRoutes({ baseUrl, corsOrigins, enter, leave, publicUrl, server }: McpRouteNeeds): FastifyPluginAsync {
  return async (app) => {
    const calls = createRunningCalls()
    const listeners = new Set<EventSink>()
    app.addHook('preClose', async () => listeners.forEach((sink) => sink.end()))
    app.addHook('onRequest', async (request, reply) => {
      const { host, origin } = request.headers
      if (origin === undefined) return undefined
      if (!isAllowedOrigin(origin, { host, corsOrigins, publicUrl }))
        throw new AppError('forbidden', { message: 'Pages of this origin may not call: see CORS_ORIGINS.' })
      return allowOrigin(request, reply.header('vary', 'Origin'), origin)
    })
    app.setErrorHandler((error, _request, reply) => sendError(reply, error))
    refuseOtherMethods(app)
    route(app, sendMcpMessage, async ({ actor, body, reply, request }) => {
      try {
        return await answer(actor, readMessage(body, request.headers), request, reply)
      } catch (fault) {
        if (!(fault instanceof McpFault)) throw fault
        return sendJson(reply, fault.status, JSON.stringify(errorMessage(fault, idOf(body))))
      }
    })

    async function answer(actor: TeamActor, message: Message, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const session = sessionOf(request)
      const caller = actor.apiKeyId ?? actor.userId ?? ''
      const { id, method, params } = message
      if (id === null) {
        if (method === 'notifications/cancelled') calls.cancel(caller, session, params['requestId'])
        return sendEmpty(reply, 202)
      }
      if (message.isModern && method === 'subscriptions/listen') return listen(actor, id, request, reply)
      if (!message.isModern && method === 'initialize') reply.header('mcp-session-id', calls.newSession())
      if (method !== 'tools/call') {
        const quiet = { actor, base: baseUrl(request), signal: NEVER, progress: () => undefined }
        return sendJson(reply, 200, JSON.stringify(resultMessage(id, await answerRequest(server, message, quiet))))
      }
      enter(actor)
      const canceled = new AbortController()
      const call = { canceled, context: { actor, base: baseUrl(request), signal: canceled.signal }, id, message }
      const end = message.isModern ? () => undefined : calls.begin(caller, session, id, () => canceled.abort())
      try {
        return message.progressToken !== null && takesStream(request)
          ? await sendStream(server, call, message.progressToken, request, reply)
          : await sendWhole(server, call, reply)
      } finally {
        end()
        leave(actor)
      }
    }

    /** A stream of changes. The server announces none, as its first message says; the stream stays open until the client disconnects. */
    async function listen(actor: TeamActor, id: Id, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      enter(actor)
      const sink = await openEventStream(request, reply)
      const ping = setInterval(() => sink.write([PING]), PING_EVERY_MS).unref()
      listeners.add(sink)
      sink.onClose(() => {
        clearInterval(ping)
        if (listeners.delete(sink)) leave(actor)
      })
      const params = { _meta: { [SUBSCRIPTION_KEY]: id }, notifications: {} }
      sink.write([eventFrame(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }))])
      return reply
    }
  }
}

/** Nothing is kept between requests, so there is no stream to open with GET and no session to end with DELETE. */
function refuseOtherMethods(app: FastifyInstance): void {
  for (const url of spellings(sendMcpMessage.path))
    app.route({
      method: ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'],
      url,
      exposeHeadRoute: false,
      handler: ({ method }, reply) =>
        method === 'OPTIONS'
          ? sendEmpty(reply.header('allow', 'POST, OPTIONS'))
          : sendError(reply.header('allow', 'POST'), new AppError('method_not_allowed', { message: `Method "${method}" not allowed.` })),
    })
}

/** A call of a tool. */
type ToolCall = { canceled: AbortController; context: { actor: TeamActor; base: string; signal: AbortSignal }; id: Id; message: Message }

/** Sends the answer alone. A caller that disconnects cancels the call. */
async function sendWhole(server: McpServer, { canceled, context, id, message }: ToolCall, reply: FastifyReply): Promise<FastifyReply> {
  const abort = () => canceled.abort()
  if (reply.raw.destroyed) abort()
  reply.raw.once('close', abort)
  try {
    const result = await answerRequest(server, message, { ...context, progress: () => undefined })
    return sendJson(reply, 200, JSON.stringify(resultMessage(id, result)))
  } finally {
    reply.raw.off('close', abort)
  }
}

/** Sends progress notifications, then the answer, which ends the stream. */
async function sendStream(
  server: McpServer,
  { canceled, context, id, message }: ToolCall,
  token: Id,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sink = await openEventStream(request, reply)
  sink.onClose(() => canceled.abort())
  const ping = setInterval(() => sink.write([PING]), PING_EVERY_MS)
  let last = -1
  const progress = (done: number, total: number | null, text: string) => {
    // Progress must increase with each notification.
    if (done <= last) return
    last = done
    const params = { progressToken: token, progress: done, ...(total !== null && { total }), message: text }
    sink.write([eventFrame(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))])
  }
  try {
    const result = await answerRequest(server, message, { ...context, progress })
    if (!context.signal.aborted) sink.write([eventFrame(JSON.stringify(resultMessage(id, result)))])
  } catch (fault) {
    // The HTTP head has been sent, so an error goes into the stream.
    const known = fault instanceof McpFault ? fault : new McpFault(CODES.internal, 'An unexpected error occurred.')
    if (known !== fault) request.log.error({ err: fault }, 'a call of a tool failed')
    sink.write([eventFrame(JSON.stringify(errorMessage(known, id)))])
  } finally {
    clearInterval(ping)
    sink.end()
  }
  return reply
}

const NEVER = new AbortController().signal

const resultMessage = (id: Id, result: object) => ({ jsonrpc: '2.0', id, result })

const errorMessage = ({ code, data, message }: McpFault, id: Id | undefined) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code, message, ...(data !== undefined && { data }) },
})

const takesStream = ({ headers: { accept = '' } }: FastifyRequest) => /text\/event-stream|\*\/\*/i.test(accept)

function sessionOf({ headers }: FastifyRequest): string | null {
  const session = headers['mcp-session-id']
  return typeof session === 'string' && session.length <= 100 ? session : null
}
