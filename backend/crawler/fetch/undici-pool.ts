/**
 * The connection pool of undici, by a static import. In the bundle a dynamic import of a CommonJS package has nothing but a default
 * export; a static one has the names.
 */
export { Pool } from 'undici'
