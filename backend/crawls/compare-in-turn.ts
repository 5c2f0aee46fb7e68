/** Comparisons of whole crawls. Each takes seconds with large crawls, so there is one at a time, and the owners of teams take turns. */
import { createRoundRobinLimit } from '#backend/http/round-robin-limit.ts'
import type { ShareOf } from '#backend/platform/database/share-of-team.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Readers } from '#backend/platform/database/readers.ts'

/** Most waiting comparisons: more can only come from callers that do not wait for their answers. */
const MOST_WAITING = 500

/** Runs statements that compare crawls when it is the team's turn. Throws `unavailable` when too many wait. */
export type CompareInTurn = <T>(teamId: string, compare: (database: Database) => Promise<T>) => Promise<T>

export function createCompareInTurn({ apart, shareOf }: Pick<Readers, 'apart'> & { shareOf: ShareOf }): CompareInTurn {
  const inTurn = createRoundRobinLimit({ atOnce: 1, maxWaiting: MOST_WAITING })
  return async (teamId, compare) => inTurn(await shareOf(teamId), () => compare(apart))
}
