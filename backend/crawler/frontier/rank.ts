/**
 * A URL's rank is its depth, plus this offset when it goes behind all others because its pattern has used its share, or its page asks not to follow it. So depth = rank modulo
 * `LATE`.
 */
export const LATE = 2 ** 24
