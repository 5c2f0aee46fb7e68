/** A span for each API call, in the caller's trace if the call names one. Loaded only if traces are exported. */
import { finished } from 'node:stream'
import { SpanKind } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import { failSpan } from '#backend/platform/traces.ts'
import type { Traces } from '#backend/platform/traces.ts'
import type { TraceHeaders } from './api.ts'

/** Requests for files and health checks are too many to trace. */
const UNTOLD = /^\/(?:assets|health|metrics)(?:\/|$)/

/** @returns  headers that put a proxied call into the same trace */
export function addTraces(app: FastifyInstance, traces: Traces): TraceHeaders {
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', async (request, reply) => {
    if (UNTOLD.test(request.url)) return
    const { method, routeOptions } = request
    // Only the route pattern: a URL may contain a signed link or a token.
    const route = routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'seine.request.id': String(request.id) }
    const span = traces.begin(`${method} ${route}`, { kind: SpanKind.SERVER, attributes, headers: request.headers })
    spans.set(request.raw, span)
    request.log = request.log.child({ traceId: span.spanContext().traceId })
    // `onResponse` is not called when the caller disconnects before the answer.
    finished(reply.raw, (fault) => {
      if (fault) failSpan(span, 'disconnected')
      else {
        span.setAttribute('http.response.status_code', reply.statusCode)
        if (reply.statusCode >= 500) failSpan(span, String(reply.statusCode))
      }
      span.end()
    })
  })
  app.addHook('onClose', () => traces.close())
  return (request) => {
    const span = spans.get(request)
    return span === undefined ? {} : traces.headersOf(span)
  }
}
