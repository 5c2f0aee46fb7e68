/** Added to the depth of a URL that waits behind all others of its run: the column then still tells both. */
export const LATE = 2 ** 24
