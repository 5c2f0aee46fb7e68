/** The spans of the engine's process: the work on each URL with its request, and each commit. Loaded only where traces are exported. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { SpanKind } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import type { EngineTraces } from './crawler/engine/engine-means.ts'
import { failSpan } from './platform/traces.ts'
import type { Traces } from './platform/traces.ts'
import type { RunStore } from './store/run-store.ts'

/** @returns  the callbacks for the engine, and the store to use instead of `store` */
export function traceEngine(traces: Traces, store: RunStore): { traces: EngineTraces; store: RunStore } {
  const current = new AsyncLocalStorage<Span>()

  const work: EngineTraces['work'] = async (run, url, doWork) => {
    const attributes = { 'seine.run.id': run, 'url.full': url }
    const span = traces.begin('url', { kind: SpanKind.INTERNAL, attributes })
    try {
      await current.run(span, doWork)
    } catch (fault) {
      failSpan(span, 'internal')
      throw fault
    } finally {
      span.end()
    }
  }

  const fetching: EngineTraces['fetching'] = (fetcher) => ({
    ...fetcher,
    async fetch(request) {
      const attributes = { 'http.request.method': 'GET', 'url.full': request.url, 'server.address': new URL(request.url).hostname }
      const span = traces.begin('GET', { kind: SpanKind.CLIENT, attributes, parent: current.getStore() })
      try {
        const outcome = await fetcher.fetch(request)
        if (outcome.kind === 'failure') failSpan(span, outcome.reason)
        else span.setAttribute('http.response.status_code', outcome.status)
        return outcome
      } finally {
        span.end()
      }
    },
  })

  const commit: RunStore['commit'] = async (group, ...rest) => {
    const pages = group.reduce((sum, { changes }) => sum + changes.pages.length, 0)
    const span = traces.begin('commit', {
      kind: SpanKind.CLIENT,
      attributes: { 'seine.commit.runs': group.length, 'seine.commit.pages': pages },
    })
    try {
      return await store.commit(group, ...rest)
    } catch (fault) {
      failSpan(span, 'database')
      throw fault
    } finally {
      span.end()
    }
  }
  return { traces: { work, fetching }, store: Object.create(store, { commit: { value: commit } }) as RunStore }
}
