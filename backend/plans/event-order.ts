/**
 * Which of two events about one subscription is the last word. The provider delivers in any order, and says to the second only when something
 * has happened.
 */

/** Of the same second, the later sort is the later event. Nothing comes after `deleted`. */
export const EVENT_RANK = { none: 0, created: 1, updated: 2, deleted: 3 } as const

/** `at` is in seconds. */
export type Word = { at: number; rank: number; id: string }

/**
 * Whether the state in an event replaces the known one.
 *
 * @returns `unclear` for two changes of one second: only the provider knows which of them was the last
 */
export function compareWords(told: Word, known: Word): 'later' | 'earlier' | 'unclear' {
  if (told.id === known.id) return 'earlier'
  const { deleted } = EVENT_RANK
  if (told.rank === deleted || known.rank === deleted) return known.rank === deleted ? 'earlier' : 'later'
  const difference = told.at - known.at || told.rank - known.rank
  return difference > 0 ? 'later' : difference < 0 ? 'earlier' : 'unclear'
}
