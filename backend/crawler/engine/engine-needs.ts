/** What an engine is made of: what the operator set, its store, and what its process brings. */
import type { RunHint, RunStore } from '#backend/store/run-store.ts'
import type { RunRendering } from '#backend/crawler/crawl/crawl-rendering.ts'
import type { ModelAccess, ModelSettings } from '#backend/crawler/models/model-port.ts'
import type { Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import type { RunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import type { Renderer } from '#backend/crawler/crawl/renderer.ts'
import type { Tasks } from '#backend/crawler/tasks/task.ts'
import type { WorkRecord } from './work-record.ts'

/** What the operator set, as plain values: they travel to the engine's process. */
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

/** Told of what the engine does, where that is traced. */
export type EngineTraces = {
  /** Does the work on a URL of a run; the requests inside of it belong to it. */
  work(run: string | undefined, url: string, work: () => Promise<void>): Promise<void>
  /** The fetcher to use in the place of this one. */
  fetching(fetcher: Fetcher): Fetcher
}

export type EngineModels = { access: ModelAccess; settings: ModelSettings }

export type EngineNeeds = {
  store: RunStore
  settings: EngineSettings
  /** The clock of the day. */
  now: () => number
  /** The clock that everything is waited for and measured by; without one that of the day, which then must not jump. */
  steady?: () => number
  random: () => number
  publish: (hints: RunHint[]) => void
  log: EngineLog
  /** Who does the work of runs that are no crawls; runs of other kinds are left alone. */
  tasks?: Tasks
  /** What the requests of a team's run leave through, by the name that its spec gives, asked when the run is taken; null when none has that name. */
  proxyFor?: ProxyFor
  /** Draws pages with a browser, and stores what is captured of them; null where there is none. */
  renderer?: EngineRenderer | null
  /** The language models that crawls may ask; null where there is none. */
  models?: EngineModels | null
  traces?: EngineTraces | null
  /** Opens what is sealed of a run; null when that cannot be. */
  openSecrets?: (runId: string, sealed: string) => RunSecrets | null
  /** No other engine works on this database: leases of others are void, and hosts need none. */
  isAlone?: boolean
  /** The last engine over this database crashed: the runs that it worked on are suspects. */
  isAfterCrash?: boolean
  /** What the last engine was at work on when it died; null when that is not known, and then all that it held are suspect. */
  suspects?: readonly number[] | null
  /** Where it is written down which runs are at work. */
  record?: WorkRecord
  /** The database refuses to be written, or takes what is written again. */
  onStuck?: (isStuck: boolean) => void
  /** Milliseconds between two looks at the store, besides those that hints ask for. */
  lookMs?: number
  /** How often runs without an owner are looked for. */
  reconcileMs?: number
  /** Milliseconds after which a crawl hands its place to one that waits. */
  sliceMs?: number
}

export type ProxyFor = (teamId: string, slug: string | null) => RunProxy | null | Promise<RunProxy | null>
