/** The connection pool of undici. */
export { Pool } from 'undici'
