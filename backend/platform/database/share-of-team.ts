/**
 * Whose part of what teams share a team uses: its owner's. A user who owns many teams gets no more than a user who owns one.
 *
 * The owner of a team never changes, and its row names them until the last of its data is removed.
 */
import { LRUCache } from 'lru-cache'
import type { Database } from './database.ts'

const MOST_TEAMS = 10_000

export type ShareOf = (teamId: string) => Promise<string>

/**
 * SQL for the share of a team. A team without an owner is a share of its own.
 *
 * @param teamId  a column
 */
export const shareOfTeam = (teamId: string) => `coalesce((SELECT team.owner_id FROM team WHERE team.id = ${teamId}), ${teamId})`

/** Returns the share of a team, for work of the API. */
export function createShareOf(database: Database): ShareOf {
  const known = new LRUCache<string, string>({ max: MOST_TEAMS })
  return async (teamId) => {
    const share = known.get(teamId)
    if (share !== undefined) return share
    const row = await database.selectFrom('team').select('ownerId').where('id', '=', teamId).executeTakeFirst()
    const found = row?.ownerId ?? teamId
    if (row !== undefined) known.set(teamId, found)
    return found
  }
}
