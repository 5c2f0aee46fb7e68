/**
 * A URL's rank is its depth, plus this offset when it is fetched after all others: its pattern has used its share, or its link is
 * `nofollow`. So depth = rank modulo `LATE`.
 */
export const LATE = 2 ** 24
