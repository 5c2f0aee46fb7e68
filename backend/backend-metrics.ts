/** The backend's metrics: runs, jobs and streams of this process, and the counters of its engine. */
import { Gauge, Registry } from 'prom-client'
import type { EngineHost } from './engine-host.ts'
import type { MetricValues } from './metric-values.ts'
import type { Database } from './platform/database/database.ts'
import { isTrouble } from './platform/database/trouble.ts'
import type { Progress } from './runs/progress.ts'

/**
 * While the database does not answer, metrics that are read from it are missing, and the others are returned.
 *
 * @param now  the wall clock
 */
export function backendMetrics({
  database,
  engine,
  now,
  progress,
}: {
  database: Database
  engine: EngineHost
  now: () => number
  progress: Pick<Progress, 'readerCount'>
}): () => Promise<MetricValues[]> {
  const [stored, own] = [new Registry(), new Registry()]
  const gauge = (registry: Registry, name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const unfinished = gauge(stored, 'seine_runs_unfinished', 'Runs that have not ended.', 'kind', 'status')
  const oldest = gauge(stored, 'seine_runs_oldest_new_seconds', 'Longest time that a run has waited for its first turn.')
  const jobs = gauge(stored, 'seine_jobs_waiting', 'Jobs in the queue, by kind.', 'kind')
  const streams = gauge(own, 'seine_streams_open', 'Open event streams.')
  const isUp = gauge(own, 'seine_engine_up', '1 while the engine runs; it ends when it is idle.')

  return async () => {
    const [isRead, measured] = await Promise.all([readStored(), engine.measure?.() ?? null])
    streams.set(progress.readerCount())
    isUp.set(measured === null ? 0 : 1)
    const registries = isRead ? [stored, own] : [own]
    const metrics = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))
    return [...(metrics.flat() as MetricValues[]), ...(measured ?? [])]
  }

  /** False when the database does not answer. */
  async function readStored(): Promise<boolean> {
    const rows = await Promise.all([
      database
        .selectFrom('run')
        .where('endedAt', 'is', null)
        .select(({ fn }) => ['kind', 'status', fn.countAll<number>().as('count'), fn.min('createdAt').as('since')])
        .groupBy(['kind', 'status'])
        .execute(),
      database
        .selectFrom('job')
        .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
        .groupBy('kind')
        .execute(),
    ]).catch((fault: unknown) => {
      if (!isTrouble(fault)) throw fault
      return null
    })
    if (rows === null) return false
    const [runs, waiting] = rows
    unfinished.reset()
    jobs.reset()
    for (const { count, kind, status } of runs) unfinished.set({ kind, status }, count)
    for (const { count, kind } of waiting) jobs.set({ kind }, count)
    const since = runs.filter(({ status }) => status === 'new').map((row) => Number(row.since))
    oldest.set(since.length === 0 ? 0 : Math.max(0, now() - Math.min(...since)) / 1000)
    return true
  }
}
