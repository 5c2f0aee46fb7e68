/** The connection pool of undici, loaded with the first request: a server that sends none saves its 4 MiB. */
import type { Pool } from 'undici'

type PoolClass = typeof Pool

let loading: Promise<PoolClass> | undefined
let loaded: PoolClass | undefined

/** Loads the pool; call it ahead of time where the first request must not wait. */
export function loadPool(): Promise<PoolClass> {
  loading ??= import('./undici-pool.ts').then(({ Pool }) => (loaded = Pool))
  return loading
}

/** The pool; undefined until `loadPool` has resolved. */
export const loadedPool = (): PoolClass | undefined => loaded
