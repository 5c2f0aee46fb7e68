/** A span for each call of the API, in the trace of its caller where it names one. Loaded only where traces are exported. */
import { SpanKind } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import { failSpan } from '#backend/platform/traces.ts'
import type { Traces } from '#backend/platform/traces.ts'
import type { TraceHeaders } from './api.ts'

/** Files and health checks come by the hundred and tell no story. */
const UNTOLD = /^\/(?:assets|health|metrics)(?:\/|$)/

/** @returns  the headers by which a call that is passed on belongs to the same trace */
export function addTraces(app: FastifyInstance, traces: Traces): TraceHeaders {
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', async (request) => {
    if (UNTOLD.test(request.url)) return
    const { method, routeOptions } = request
    // The pattern alone: an address may hold a signed link or a token.
    const route = routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route, 'seine.request.id': String(request.id) }
    const span = traces.begin(`${method} ${route}`, { kind: SpanKind.SERVER, attributes, headers: request.headers })
    spans.set(request.raw, span)
    request.log = request.log.child({ traceId: span.spanContext().traceId })
  })
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request.raw)
    if (span === undefined) return
    span.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) failSpan(span, String(reply.statusCode))
    span.end()
  })
  app.addHook('onClose', () => traces.close())
  return (request) => {
    const span = spans.get(request)
    return span === undefined ? {} : traces.headersOf(span)
  }
}
