/**
 * Which of two events about one thing is the last word. The provider delivers in any order and says when something happened to the second
 * only, so that two events of one second need rules of their own; whatever the order in which they come, the same one wins.
 */

/** Of the same second, the later sort is the later event. Nothing comes after `deleted`. */
export const EVENT_RANK = { none: 0, created: 1, updated: 2, deleted: 3 } as const

export type Word = {
  /** Seconds. */
  at: number
  rank: number
  id: string
  /** When the billing period began, if that is known. */
  periodStartAt: number | null
  status: string
}

/** Of two updates in a second, the one that is further on in a subscription's life. */
const PROGRESS = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete_expired', 'canceled']

/** True when what is told replaces what is known. */
export function isLater(told: Word, known: Word): boolean {
  return difference(told, known) > 0
}

function difference(one: Word, other: Word): number {
  if ((one.rank === EVENT_RANK.deleted) !== (other.rank === EVENT_RANK.deleted)) return one.rank - other.rank
  return (
    one.at - other.at ||
    one.rank - other.rank ||
    (one.periodStartAt ?? 0) - (other.periodStartAt ?? 0) ||
    PROGRESS.indexOf(one.status) - PROGRESS.indexOf(other.status) ||
    (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
  )
}
