/** The connection pool of undici. It is loaded with the first request: a server that sends none does without its 4 MiB. */
import type { Pool } from 'undici'

type PoolClass = typeof Pool

let loading: Promise<PoolClass> | undefined
let loaded: PoolClass | undefined

/** Loads the pool; to be called ahead of time where the first request must not wait for it. */
export function loadPool(): Promise<PoolClass> {
  loading ??= import('./undici-pool.ts').then(({ Pool }) => (loaded = Pool))
  return loading
}

/** The pool, undefined until loadPool() is through. */
export const loadedPool = (): PoolClass | undefined => loaded
