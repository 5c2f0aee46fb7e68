/**
 * The connection pool of undici, and nothing else of it: its index brings along a browser's whole networking, which took a third of what an
 * idle server holds of other people's code. The version is pinned, so that the file stays where it is.
 */
import type { Pool as UndiciPool } from 'undici'
import UndiciPoolClass from 'undici/lib/dispatcher/pool.js'

export const Pool = UndiciPoolClass
export type Pool = UndiciPool
