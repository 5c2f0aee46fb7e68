/** Decides which of two events about one subscription is newer. The provider delivers events in any order, with times in whole seconds. */

/** Orders events within the same second. Nothing comes after `deleted`. */
export const EVENT_RANK = { none: 0, created: 1, updated: 2, deleted: 3 } as const

/** When an event happened, and what orders it among events of the same second. `at` is in seconds. */
export type EventStamp = { at: number; rank: number; id: string }

/**
 * Whether the state in an event replaces the known one.
 *
 * @returns `unclear` for two changes within one second: only the provider knows which one was last
 */
export function compareStamps(told: EventStamp, known: EventStamp): 'later' | 'earlier' | 'unclear' {
  if (told.id === known.id) return 'earlier'
  const { deleted } = EVENT_RANK
  if (told.rank === deleted || known.rank === deleted) return known.rank === deleted ? 'earlier' : 'later'
  const difference = told.at - known.at || told.rank - known.rank
  return difference > 0 ? 'later' : difference < 0 ? 'earlier' : 'unclear'
}
