/** States of a URL outside of the tables, by their numbers there. */
export const URL_STATES = ['pending', 'waiting', 'settled', 'listed'] as const
