/** Starts work on a run that was taken: reads its spec, and creates what it needs. */
import { getDomain } from 'tldts'
import type { RunStatus } from '#contract/runs.ts'
import type { RunHint, RunStore, TakenRun } from '#backend/store/run-store.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { BROKEN, MOST_BREAKS } from '#backend/crawler/engine/broken-runs.ts'
import type { BrokenRuns } from '#backend/crawler/engine/broken-runs.ts'
import { hostKey } from '#backend/crawler/url/canonical-url.ts'
import type { Committer } from './committer.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { EngineLog, EngineMeans, EngineSettings, ProxyFor } from '#backend/crawler/engine/engine-means.ts'
import type { EngineTrouble } from '#backend/crawler/engine/engine-trouble.ts'
import type { EngineRun, HeldRuns } from '#backend/crawler/engine/held-runs.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import { hostsThrough } from '#backend/crawler/frontier/hosts.ts'
import type { HostRecord } from '#backend/crawler/frontier/host-record.ts'
import { NO_SECRETS } from './own-headers.ts'
import type { RunSecrets } from './own-headers.ts'
import type { PageToParse, ParsePool } from '#backend/crawler/page/parse-pool.ts'
import { createCrawlRun } from './run-crawl.ts'
import { createTaskRun } from '#backend/crawler/tasks/run-task.ts'
import type { Task } from '#backend/crawler/tasks/task.ts'
import type { WorkRecord } from '#backend/crawler/engine/work-record.ts'

const MOST_RECORDS = 1000

/** A run that names a proxy never goes around it. */
const withoutProxy = (slug: string | null) => ({
  reason: 'proxy_missing',
  message: `Stopped: the proxy server “${slug}” no longer exists, and this run must not make requests without it`,
})

/**
 * @param leave    ends the run for this engine
 * @param mayTurn  adds the run to the turns
 * @param pump     called when there may be something to fetch
 */
export function createRunStarter(needs: {
  broken: BrokenRuns
  clock: Clock
  committer: Committer
  held: HeldRuns
  leave: (runNo: number, why: RunStatus | 'taken' | 'broken', fault?: unknown) => void
  log: EngineLog
  mayTurn: (run: EngineRun) => void
  means: EngineMeans
  openSecrets: (runId: string, sealed: string) => RunSecrets | null
  proxyFor: ProxyFor
  publish: (hints: RunHint[]) => void
  pump: () => void
  random: () => number
  record: WorkRecord
  report: EngineTrouble['report']
  settings: EngineSettings
  store: RunStore
}) {
  const { broken, held, log, means, record, settings, store } = needs
  /** What each run knows of its hosts, kept from slice to slice. */
  const hostRecords = new Map<number, Map<string, HostRecord>>()
  return {
    begin: (row: TakenRun, task: Task | undefined) => {
      // After an outage, this engine may take a run again before it notices that its lease had run out.
      held.get(row.runNo)?.drop()
      return record.during(row.runNo, () => (task === undefined ? beginCrawl(row) : beginTask(row, task)))
    },
    /** Call for a run that this engine will not take again. */
    forget: (runNo: number) => void hostRecords.delete(runNo),
  }

  async function beginCrawl(row: TakenRun) {
    const asked = await describe(row)
    if (asked === null) return
    const { seedUrls, spec } = asked
    const run = createCrawlRun({
      ...shared(row, asked),
      spec: spec as CrawlSpec,
      seedHosts: [...new Set(seedUrls.map(({ url }) => new URL(url).hostname))],
      seedOrigins: [...new Set(seedUrls.filter(({ hops }) => hops === 0).map(({ url }) => hostKey(url)))],
      store,
      committer: needs.committer,
      parts: store.parts,
      robots: means.robots,
      models: means.models,
      siteOf: (host) => getDomain(host) ?? host,
      hostRecords: recordsOf(row.runNo),
      obeysRobots: settings.obeysRobots,
    })
    held.add(run, row.crashes > 0)
    await run.start(() => new Promise((resolve) => setImmediate(resolve)))
    // Only once its memory is complete: with half of it, a lease could hand out URLs that have ended.
    if (held.get(row.runNo) === run) needs.mayTurn(run)
    needs.pump()
    // After the first request has started: logging takes 0.7 ms.
    tell(row)
  }

  async function beginTask(row: TakenRun, task: Task) {
    const asked = await describe(row)
    if (asked === null) return
    const run = createTaskRun({ ...shared(row, asked), spec: asked.spec, seeds: asked.seeds, task, store, publish: needs.publish })
    held.add(run, row.crashes > 0)
    needs.mayTurn(run)
    tell(row)
    await run.start()
  }

  /** The run's spec and its proxy; null when the run cannot go on and was ended. */
  async function describe(row: TakenRun) {
    if (row.crashes >= MOST_BREAKS) {
      await broken.endEarly(row.runNo, BROKEN)
      return null
    }
    const description = await store.describe(row.runNo)
    const slug = description.spec.proxySlug
    const through = await needs.proxyFor(row.teamId, slug)
    if (through === null) {
      await broken.endEarly(row.runNo, withoutProxy(slug))
      return null
    }
    return { ...description, through: { ...through, proxy: countedFor(row.share, through.proxy) } }
  }

  /** The proxy of a team counts for the team's share. */
  function countedFor(share: string, proxy: Proxy | null): Proxy | null {
    return typeof proxy?.share === 'string' ? { ...proxy, share } : proxy
  }

  /** What crawls and tasks both need. */
  function shared(row: TakenRun, { sealedSecrets, through }: NonNullable<Awaited<ReturnType<typeof describe>>>) {
    return {
      row,
      secrets: secretsOf(row.id, sealedSecrets),
      through,
      fetcher: means.fetcher,
      hosts: hostsThrough(means.hosts, through.proxy, row.share),
      pool: poolOf(row.runNo),
      rendering: means.rendering,
      clock: needs.clock,
      mostWorkMs: settings.maxJobSeconds * 1000,
      random: needs.random,
      maxConcurrency: settings.maxConcurrency,
      maxPageBytes: settings.maxPageBytes,
      gone: (why: RunStatus | 'taken' | 'broken', fault?: unknown) => needs.leave(row.runNo, why, fault),
      holdBytes: (change: number) => means.memory.change(row.share, change),
      pump: needs.pump,
      report: (message: string, fault: unknown) => needs.report(message, fault, { run: row.id }),
    }
  }

  function tell(row: TakenRun) {
    needs.publish([{ runNo: row.runNo, eventSeq: row.eventSeq, status: 'running' }])
    log.info({ run: row.id, team: row.teamId, kind: row.kind, resumed: row.isResumed }, 'run taken')
  }

  /** The parser threads for one run; counts the run as at work while they have a page of it. */
  function poolOf(runNo: number): ParsePool {
    const { pool } = means
    return Object.defineProperties(
      { ...pool, parse: (page: PageToParse) => record.during(runNo, () => pool.parse(page)) },
      { queued: { get: () => pool.queued } },
    )
  }

  /** The run's own headers and credentials; `lost` when another secret key sealed them. */
  function secretsOf(runId: string, sealed: string | null): RunSecrets | 'lost' {
    return sealed === null ? NO_SECRETS : (needs.openSecrets(runId, sealed) ?? 'lost')
  }

  function recordsOf(runNo: number): Map<string, HostRecord> {
    const records = hostRecords.get(runNo) ?? new Map<string, HostRecord>()
    hostRecords.set(runNo, records)
    // The oldest entries belong to runs that ended between two slices.
    if (hostRecords.size > MOST_RECORDS) hostRecords.delete(hostRecords.keys().next().value!)
    return records
  }
}
