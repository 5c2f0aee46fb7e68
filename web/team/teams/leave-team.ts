/** Leaves a team: finds the user's membership in the paged list of members, ends it, and switches to another team. */
import { MAX_PAGE_SIZE } from '#contract/endpoint.ts'
import { currentTeam, listMembers, removeMember } from '#contract/teams.ts'
import { call } from '#web/api/client.ts'
import { switchToOldestTeam } from './switch-to-oldest-team.ts'

/**
 * Leaves a team, and switches to the user's oldest remaining team. Throws `ApiError`.
 *
 * @param teamId       the team on the screen; if the server's current team is another one, the user is no longer a member
 * @param revokesKeys  also revokes the API keys that the user created
 */
export async function leaveTeam(teamId: string, userId: string, revokesKeys: boolean): Promise<void> {
  const { uuid } = await call(currentTeam)
  const membership = uuid === teamId ? await membershipOf(userId) : null
  if (membership !== null) await call(removeMember, { params: { id: membership }, query: { revoke_keys: revokesKeys } })
  await switchToOldestTeam()
}

async function membershipOf(userId: string): Promise<string | null> {
  for (let page = 1; ; page++) {
    const { results, next } = await call(listMembers, { query: { page, page_size: MAX_PAGE_SIZE } })
    const own = results.find(({ user }) => user.uuid === userId)
    if (own) return own.uuid
    if (next === null) return null
  }
}
