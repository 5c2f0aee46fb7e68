/** The connection pool of undici, by a static import: in the bundle, a dynamic import of a CommonJS package has only a default export. */
export { Pool } from 'undici'
