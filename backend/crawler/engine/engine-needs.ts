/** What an engine needs: settings of the operator, its store, and what its process provides. */
import type { RunHint, RunStore } from '#backend/store/run-store.ts'
import type { RunRendering } from '#backend/crawler/crawl/crawl-rendering.ts'
import type { ModelAccess, ModelSettings } from '#backend/crawler/models/model-port.ts'
import type { Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import type { RunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import type { Renderer } from '#backend/crawler/crawl/renderer.ts'
import type { Tasks } from '#backend/crawler/tasks/task.ts'
import type { WorkRecord } from './work-record.ts'

/** Settings of the operator, as plain values: they are sent to the engine's process. */
export type EngineSettings = {
  userAgent: string
  productToken: string
  obeysRobots: boolean
  maxConcurrency: number
  hostConcurrency: number
  hostDelayMs: number
  maxPageBytes: number
  maxJobSeconds: number
  egressAllow: string
  egressResolver: string | null
  parserThreads: number
  /** Runs in progress at once. */
  runConcurrency: number
}

export type EngineLog = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export type EngineRenderer = { use: Renderer } & Omit<RunRendering, 'queue'>

/** Called where the engine's work is traced. */
export type EngineTraces = {
  /** Does the work on a URL of a run; requests inside of it belong to its span. */
  work(run: string | undefined, url: string, work: () => Promise<void>): Promise<void>
  /** Wraps a fetcher. */
  fetching(fetcher: Fetcher): Fetcher
}

export type EngineModels = { access: ModelAccess; settings: ModelSettings }

export type EngineNeeds = {
  store: RunStore
  settings: EngineSettings
  /** The wall clock. */
  now: () => number
  /** The clock for waits and durations; by default the wall clock, which then must not jump. */
  steady?: () => number
  random: () => number
  publish: (hints: RunHint[]) => void
  log: EngineLog
  /** Does the work of runs that are no crawls; without it they are left alone. */
  tasks?: Tasks
  /** Resolves the proxy that a team's spec names, when the run is taken; null when there is none of that name. */
  proxyFor?: ProxyFor
  /** Renders pages in a browser, and stores their captures; null without one. */
  renderer?: EngineRenderer | null
  /** Language models that crawls may ask; null without any. */
  models?: EngineModels | null
  traces?: EngineTraces | null
  /** Decrypts the sealed secrets of a run; null when that is not possible. */
  openSecrets?: (runId: string, sealed: string) => RunSecrets | null
  /** No other engine works on this database: leases of others are void, and hosts are not leased. */
  isAlone?: boolean
  /** The last engine on this database crashed: the runs that it worked on are suspects. */
  isAfterCrash?: boolean
  /** Runs that the last engine was working on when it died; null when unknown, and then all its runs are suspects. */
  suspects?: readonly number[] | null
  /** Records which runs are at work. */
  record?: WorkRecord
  /** Called when the database can no longer be written, and when it can again. */
  onStuck?: (isStuck: boolean) => void
  /** Milliseconds between two looks at the store, besides those that hints trigger. */
  lookMs?: number
  /** Milliseconds between two searches for runs without an owner. */
  reconcileMs?: number
  /** After so many milliseconds a crawl gives its place to a waiting one. */
  sliceMs?: number
}

export type ProxyFor = (teamId: string, slug: string | null) => RunProxy | null | Promise<RunProxy | null>
