/** `/metrics`, in the text format of Prometheus, for callers with `METRICS_TOKEN`. Loaded only where that is set. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { answerFailure } from './answer.ts'

const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A metric with its values, of this process or another. */
export type MetricValues = { name: string; help: string; type: unknown; aggregator: unknown; values: { value: number; labels: object }[] }

/**
 * Counts responses and serves the route.
 *
 * @param backend  returns the metrics of the backend; absent in a gateway
 */
export function addMetrics(
  app: FastifyInstance,
  { token, backend }: { token: string; backend: (() => Promise<MetricValues[]>) | undefined },
) {
  const registry = new Registry()
  registry.setDefaultLabels({ process: 'api' })
  collectDefaultMetrics({ register: registry })
  const answers = new Histogram({
    name: 'seine_http_request_duration_seconds',
    help: 'How long answers took, by the pattern of their path.',
    labelNames: ['method', 'route', 'status'],
    buckets: HTTP_SECONDS,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    answers.observe({ method, route: routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  const expected = digestOf(`Bearer ${token}`)
  app.get('/metrics', async (request, reply) => {
    if (!timingSafeEqual(digestOf(request.headers.authorization ?? ''), expected))
      return answerFailure(reply.header('www-authenticate', 'Bearer'), 401)
    const own = (await registry.getMetricsAsJSON()) as unknown as MetricValues[]
    const text = await textOf([...own, ...((await backend?.()) ?? [])])
    return reply.header('content-type', Registry.PROMETHEUS_CONTENT_TYPE).header('cache-control', 'no-store').send(text)
  })
}

/** Joins the metrics of several processes: groups them by name, and labels each with its process. */
function textOf(metrics: readonly MetricValues[]): Promise<string> {
  const merged = new Map<string, MetricValues>()
  for (const metric of metrics) {
    const known = merged.get(metric.name)
    if (known === undefined) merged.set(metric.name, { ...metric, values: [...metric.values] })
    else known.values.push(...metric.values)
  }
  const registry = new Registry()
  for (const metric of merged.values())
    registry.registerMetric({ ...metric, get: async () => metric as unknown as MetricObjectWithValues<MetricValue<string>> } as never)
  return registry.metrics()
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()
