/** Opens PostgreSQL for the engine's process. Loaded only if one is configured. */
import type { ModelAccess } from './crawler/models/model-port.ts'
import type { ModelSetup } from './models/model-setup.ts'
import { ADD_USE, ENDPOINT_OF_TEAM, USE_OF_RUN, presentEndpoint, presentUse, useValues } from './models/run-models.ts'
import type { ModelRow, ModelUseRow } from './models/run-models.ts'
import { createDatabaseClock } from './platform/database/database-clock.ts'
import { openPostgres, postgresFault } from './platform/database/postgres.ts'
import { isTrouble } from './platform/database/trouble.ts'
import type { Sealer } from './platform/secrets.ts'
import { presentRunProxy, proxyQuery } from './proxies/run-proxies.ts'
import type { RunProxyRow } from './proxies/run-proxies.ts'
import { createPostgresSearch } from './searches/postgres-index/search.ts'
import { createPostgresRunStore } from './store/postgres/postgres-run-store.ts'
import { asStoreTrouble } from './store/run-store.ts'

/** One for commits, two for renewing and reconciling, the rest for reads of runs. */
const CONNECTIONS = 6
const ANSWER_MS = 20_000
const COUNT_AGAIN_MS = 1000

type StoreNeeds = Omit<Parameters<typeof createPostgresRunStore>[0], 'pool' | 'setClock'>

export function openEngineState(url: string) {
  const pool = openPostgres(url, { answerMs: ANSWER_MS, connections: CONNECTIONS, name: 'engine' })
  const clock = createDatabaseClock(pool)
  /** Model uses that are being written. */
  const counting = new Set<Promise<void>>()
  let isClosing = false
  return {
    ownSearch: createPostgresSearch({ pool }),
    /** The clock that all engines on the database share. */
    now: clock.now,
    createStore: (needs: StoreNeeds) => createPostgresRunStore({ ...needs, pool, setClock: clock.measure }),
    proxyFor: (sealer: Sealer) => async (teamId: string, slug: string | null) => {
      try {
        const { rows } = await pool.query<RunProxyRow>(
          proxyQuery(slug === null ? null : '$2', '$1'),
          slug === null ? [teamId] : [teamId, slug],
        )
        return presentRunProxy(rows[0], slug, sealer)
      } catch (fault) {
        throw asStoreTrouble(postgresFault(fault))
      }
    },
    models: (sealer: Sealer, setup: ModelSetup): ModelAccess => ({
      endpointFor: async (teamId, model) => {
        const { rows } = await pool.query<ModelRow>(ENDPOINT_OF_TEAM('$1'), [teamId])
        return presentEndpoint(rows[0], { teamId, model, sealer, setup })
      },
      usedBy: async (runNo) => presentUse((await pool.query<ModelUseRow>(USE_OF_RUN('$1'), [runNo])).rows[0]),
      count: (...use) => {
        const counted = count(use).finally(() => counting.delete(counted))
        counting.add(counted)
      },
    }),
    async close() {
      isClosing = true
      await Promise.all(counting)
      await pool.end()
    },
  }

  /** Counts a model use. Retries until the database can be reached, because the use has cost money. */
  async function count(use: Parameters<ModelAccess['count']>): Promise<void> {
    for (;;) {
      try {
        await pool.query(ADD_USE('$1, $2, $3, $4, $5, $6, $7'), useValues(...use))
        return
      } catch (fault) {
        if (isClosing || !isTrouble(postgresFault(fault))) return
        await new Promise((resolve) => setTimeout(resolve, COUNT_AGAIN_MS))
      }
    }
  }
}
