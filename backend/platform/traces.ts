/**
 * Traces by OpenTelemetry, exported by OTLP over HTTP. Loaded only where `OTEL_EXPORTER_OTLP_ENDPOINT` or
 * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set; the SDK itself reads the other variables of the specification (headers, sampler, resource,
 * batches).
 */
import { DiagLogLevel, ROOT_CONTEXT, SpanStatusCode, defaultTextMapGetter, defaultTextMapSetter, diag, trace } from '@opentelemetry/api'
import type { Attributes, Span, SpanKind } from '@opentelemetry/api'
import type { IncomingHttpHeaders } from 'node:http'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'

/** How long a process waits at its end for the last spans to be exported. */
const CLOSE_MS = 2000

type Log = { warn(facts: object, message: string): void }

export type Traces = {
  /**
   * Starts a span: a trace of its own, unless it has a parent.
   *
   * @param parent   a span of this process
   * @param headers  of a request that may contain a span of another process
   */
  begin(name: string, about: { kind: SpanKind; attributes: Attributes; parent?: Span | undefined; headers?: IncomingHttpHeaders }): Span
  /** Headers for a request to another process, so that its spans belong to the same trace. */
  headersOf(span: Span): Record<string, string>
  /** Exports the remaining spans, for two seconds at most. */
  close(): Promise<void>
}

/**
 * @param process  the part of the product, for its spans
 * @param log      receives warnings of the exporter
 */
export function openTraces({ log, process, version }: { log: Log; process: string; version: string }): Traces {
  const say = (message: string, ...more: unknown[]) => log.warn({ details: more.map(String) }, `traces: ${message}`)
  diag.setLogger(
    { error: say, warn: say, info: say, debug: say, verbose: say },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const own = resourceFromAttributes({ 'service.name': 'seine', 'service.version': version, 'seine.process': process })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('seine', version)
  const propagator = new W3CTraceContextPropagator()
  return { begin, headersOf, close }

  function begin(name: string, { attributes, headers = {}, kind, parent }: Parameters<Traces['begin']>[1]): Span {
    const context =
      parent === undefined ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter) : trace.setSpan(ROOT_CONTEXT, parent)
    return tracer.startSpan(name, { kind, attributes }, context)
  }

  function headersOf(span: Span) {
    const headers: Record<string, string> = {}
    propagator.inject(trace.setSpan(ROOT_CONTEXT, span), headers, defaultTextMapSetter)
    return headers
  }

  async function close() {
    let late: NodeJS.Timeout | undefined
    const waited = new Promise<void>((resolve) => (late = setTimeout(resolve, CLOSE_MS)))
    // Export errors were logged already.
    await Promise.race([provider.shutdown().catch(() => undefined), waited])
    clearTimeout(late)
  }
}

/** Ends a failed span; `type` is a short word, the same for the same kind of failure. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
}
