/**
 * The connection pool of undici, and nothing else of it: its index brings along a browser's whole networking, which took a third of what an
 * idle server holds of other people's code. The version is pinned, so that the file stays where it is.
 */
import { createRequire } from 'node:module'
import type { Pool as UndiciPool } from 'undici'

export const Pool = createRequire(import.meta.url)('undici/lib/dispatcher/pool.js') as typeof UndiciPool
export type Pool = UndiciPool
