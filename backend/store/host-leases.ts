/** How long the lease of a host holds, in every database. */

/** After it was given or extended. */
export const HOST_LEASE_MS = 5000
/** One that ends later than this from now was given under another time of the clock; see `LATEST_LEASE_MS`. */
export const LATEST_HOST_LEASE_MS = 2 * HOST_LEASE_MS
/** A wish expires when it was not repeated for so many milliseconds. */
export const WISH_MS = 1500
