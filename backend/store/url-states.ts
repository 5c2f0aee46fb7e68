/** Names of URL states, by their numbers in the tables. */
export const URL_STATES = ['pending', 'waiting', 'settled', 'listed'] as const
