/** Durations of host leases, for all databases. */

/** From the start or extension of a lease. */
export const HOST_LEASE_MS = 5000
/** A lease that ends later than this from now was written under a wrong clock; see `LATEST_LEASE_MS`. */
export const LATEST_HOST_LEASE_MS = 2 * HOST_LEASE_MS
/** A wish for a host expires unless it is repeated within so many milliseconds. */
export const WISH_MS = 1500
