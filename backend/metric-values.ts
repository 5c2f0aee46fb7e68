/** A metric with its values, as plain data: for messages between processes, and for writing `/metrics`. */
export type MetricValues = {
  name: string
  help: string
  type: unknown
  aggregator: unknown
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[]
}
