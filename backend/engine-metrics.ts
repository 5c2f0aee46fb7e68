/** The engine's metrics: content and duration of its commits, and how much waits. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Engine } from './crawler/engine/engine.ts'
import type { MetricValues } from './metric-values.ts'
import type { RunStore } from './store/run-store.ts'

const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * Counts what passes through a store. Counts committed values only, so that nothing is counted twice after a crash.
 *
 * @returns  the store to use instead, and a function that reads the metrics
 */
export function meterStore(store: RunStore): { store: RunStore; read: (engine: Engine) => Promise<MetricValues[]> } {
  const registry = new Registry()
  const registers = [registry]
  registry.setDefaultLabels({ process: 'engine' })
  collectDefaultMetrics({ register: registry })
  const counter = (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames, registers })
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const fetches = counter('seine_urls_settled_total', 'URLs that have ended, by outcome: kept, robots, timeout and so on.', 'outcome')
  const retries = counter('seine_url_retries_total', 'URLs that are tried again later.')
  const added = counter('seine_urls_added_total', 'URLs that were discovered.')
  const pages = counter('seine_pages_kept_total', 'Pages that were stored.')
  const bytes = counter('seine_fetched_bytes_total', 'Bytes of answers on the wire.')
  const parts = counter('seine_commit_parts_total', 'Commits of runs, by outcome.', 'result')
  const took = new Histogram({
    name: 'seine_commit_duration_seconds',
    help: 'Time that the store took for a commit.',
    buckets: COMMIT_SECONDS,
    registers,
  })
  const runs = gauge('seine_engine_runs', 'Runs in progress.')
  const inProgress = gauge('seine_engine_fetches_in_progress', 'URLs in progress, from the request to the read page.')
  const hosts = gauge('seine_engine_hosts', 'Hosts in memory.')
  const parserQueue = gauge('seine_parser_queue_pages', 'Fetched pages that wait for a parser thread.')
  const waiting = gauge('seine_commit_waiting_pages', 'Read pages that wait to be committed.')
  const stuck = gauge('seine_commit_stuck', '1 while the database cannot be written.')

  const commit: RunStore['commit'] = async (group, ...rest) => {
    const end = took.startTimer()
    const results = await store.commit(group, ...rest)
    end()
    const ended = new Map(results.map((result) => [result.runNo, result.kind]))
    for (const [runNo, kind] of ended) if (runNo !== undefined) parts.inc({ result: kind })
    for (const { changes, runNo } of group) {
      if (ended.get(runNo) !== 'done') continue
      for (const { outcome, bytes: sent } of changes.settled) {
        fetches.inc({ outcome })
        if (sent !== null) bytes.inc(sent)
      }
      retries.inc(changes.retries.length)
      added.inc(changes.added.length)
      pages.inc(changes.pages.length)
    }
    return results
  }
  return {
    store: Object.create(store, { commit: { value: commit } }) as RunStore,
    async read(engine) {
      const load = engine.load()
      runs.set(load.runs)
      inProgress.set(load.fetches)
      hosts.set(load.hosts)
      parserQueue.set(load.parserQueue)
      waiting.set(load.waitingPages)
      stuck.set(load.isStuck ? 1 : 0)
      return (await registry.getMetricsAsJSON()) as MetricValues[]
    },
  }
}
