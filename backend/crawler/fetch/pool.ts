/** The connection pool of undici, loaded with the first request: a server that sends none saves its 4 MiB. */
import type { Pool } from 'undici'
import { loadOnce } from '#backend/platform/load-once.ts'

type PoolClass = typeof Pool

let loaded: PoolClass | undefined

/** Loads the pool; call it ahead of time where the first request must not wait. */
export const loadPool = loadOnce(async (): Promise<PoolClass> => (loaded = (await import('./undici-pool.ts')).Pool))

/** The pool; undefined until `loadPool` has resolved. */
export const loadedPool = (): PoolClass | undefined => loaded
