/** Opens PostgreSQL for the engine's process. Loaded only if one is configured. */
import type { EngineState } from './state.ts'
import { createDatabaseClock } from './platform/database/database-clock.ts'
import { openPostgres } from './platform/database/postgres/postgres.ts'
import { createPostgresSearch } from './searches/postgres-index/search.ts'
import { createPostgresRunStore } from './store/postgres/postgres-run-store.ts'
import { createSessions } from './store/postgres/session.ts'

/** One for commits, two for renewing and reconciling, the rest for reads of runs. */
const CONNECTIONS = 6
const ANSWER_MS = 20_000

export function openEngineState(url: string): EngineState {
  const pool = openPostgres(url, { answerMs: ANSWER_MS, connections: CONNECTIONS, name: 'engine' })
  const clock = createDatabaseClock(pool)
  const { read } = createSessions(pool)
  return {
    ask: (sql, ...values) => read(({ get }) => get(sql, ...values)),
    ownSearch: createPostgresSearch({ pool }),
    /** The clock that all engines on the database share. */
    now: clock.now,
    createStore: (needs) => createPostgresRunStore({ ...needs, pool, setClock: clock.measure }),
    close: () => pool.end(),
  }
}
