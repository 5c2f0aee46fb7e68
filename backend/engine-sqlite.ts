/** Opens the SQLite file for the engine's process. */
import type { ModelSetup } from './models/model-setup.ts'
import { runModels } from './models/run-models.ts'
import { openSqlite } from './platform/database/sqlite.ts'
import type { Sealer } from './platform/secrets.ts'
import { runProxies } from './proxies/run-proxies.ts'
import { createOwnSearch } from './searches/own-index/own-search.ts'
import { createSqliteRunStore } from './store/sqlite/sqlite-run-store.ts'

const CACHE_MIB = 8

type StoreNeeds = Omit<Parameters<typeof createSqliteRunStore>[0], 'connection'>

export function openEngineState(database: string) {
  const connection = openSqlite(database, { cacheMiB: CACHE_MIB, mustExist: true })
  return {
    ownSearch: createOwnSearch({ database }),
    now: Date.now,
    createStore: (needs: StoreNeeds) => createSqliteRunStore({ ...needs, connection }),
    proxyFor: (sealer: Sealer) => runProxies({ connection, sealer }),
    models: (sealer: Sealer, setup: ModelSetup) => runModels({ connection, sealer, setup }),
    close: async () => void connection.close(),
  }
}
