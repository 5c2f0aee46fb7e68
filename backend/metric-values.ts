/** A metric with its values, as a plain value: what goes from one process to another, and what `/metrics` is written from. */
export type MetricValues = {
  name: string
  help: string
  type: unknown
  aggregator: unknown
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[]
}
