/** How long the lease of a host holds, in every database. */

/** After it was given or extended. */
export const HOST_LEASE_MS = 5000
/** A wish that was not repeated for so long is over. */
export const WISH_MS = 1500
