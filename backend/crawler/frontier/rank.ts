/**
 * A URL's rank is its depth, plus this offset when it is fetched after all others: its pattern has used its share, its link is
 * `nofollow`, or it is an action or another view of a page (`url/side-views.ts`). So depth = rank modulo `LATE`.
 */
export const LATE = 2 ** 24
