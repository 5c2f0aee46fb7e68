/** States of a URL, by their numbers in the tables: waiting until `dueAt`, settled with an outcome, listed (known, will not be fetched). */
export const URL_STATES = ['pending', 'waiting', 'settled', 'listed'] as const
