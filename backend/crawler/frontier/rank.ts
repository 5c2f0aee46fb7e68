/** The rank of a URL in its run is its depth, plus this when it waits behind all others: beyond the share of one pattern. Depth is rank modulo `LATE`. */
export const LATE = 2 ** 24
