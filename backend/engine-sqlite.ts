/** Opens the SQLite file for the engine's process. */
import type { EngineState } from './state.ts'
import { openSqlite } from './platform/database/sqlite.ts'
import { createOwnSearch } from './searches/own-index/own-search.ts'
import { createSqliteRunStore } from './store/sqlite/sqlite-run-store.ts'

const CACHE_MIB = 8

export function openEngineState(database: string): EngineState {
  const connection = openSqlite(database, { cacheMiB: CACHE_MIB, mustExist: true })
  return {
    // `get` would ignore that a row which it returns cannot be committed.
    ask: async <Row>(sql: string, ...values: unknown[]) => connection.prepare(sql).all(...values)[0] as Row | undefined,
    ownSearch: createOwnSearch({ database }),
    now: Date.now,
    createStore: (needs) => createSqliteRunStore({ ...needs, connection }),
    close: async () => void connection.close(),
  }
}
