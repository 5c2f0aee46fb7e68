/** Messages between the API's process and the engine's process. They are only hints: both read the state from the tables. */
import type { EngineSettings } from '#backend/crawler/engine/engine-needs.ts'
import type { RunHint } from '#backend/platform/events/event-bus.ts'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'
import type { MetricValues } from './metric-values.ts'
import type { ModelSetup } from '#backend/models/model-setup.ts'
import type { SearchSetup } from '#backend/searches/providers/configured.ts'

/**
 * @property blobs  where captured files are stored
 * @property by     the browser of this machine, or remote renderers with their token
 */
export type RenderingSetup = {
  blobs: BlobPlace
  by: { browserPath: string; dataDir: string } | { urls: readonly string[]; token: string }
  slots: number
}

export type ToEngine =
  | {
      type: 'start'
      /** The path of a file, or the URL of a PostgreSQL. */
      database: string
      notes?: string
      owner?: string
      settings: EngineSettings
      search: SearchSetup
      /** The language models that crawls may ask, and the key that decrypts those of teams. */
      models?: { setup: ModelSetup; key: Uint8Array } | null
      /** The browser that renders pages; absent if there is none. */
      rendering?: RenderingSetup | null
      proxyKey: Uint8Array
      secretsKey: Uint8Array
      /** The previous engine died, and the API's process survived. */
      isAfterCrash: boolean
      /** The engine was killed from outside: then only the runs it was working on are suspects. */
      wasKilled?: boolean
      /** It collects metrics. */
      isMeasured?: boolean
      /** Its traces are exported, with this version of the product; absent: no traces. */
      traced?: { version: string } | null
    }
  | { type: 'wake' }
  | { type: 'measure'; id: number }
  | { type: 'cancel'; runNo: number }
  | { type: 'close'; graceMs: number }

export type FromEngine =
  | { type: 'ready' }
  | { type: 'hints'; hints: RunHint[] }
  | { type: 'idle'; forMs: number }
  | { type: 'stuck'; isStuck: boolean }
  | { type: 'measured'; id: number; metrics: MetricValues[] }
  /** The browser could not be started, or could again. */
  | { type: 'rendering'; isUsable: boolean }
  | { type: 'closed' }
