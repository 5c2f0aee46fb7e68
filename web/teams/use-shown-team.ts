import { currentTeam, listTeams } from '#contract/teams.ts'
import type { Team } from '#contract/teams.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { useCurrentTeamId } from '#web/state/current-team.ts'

/** The list of teams, and the one acted for: the chosen one, or the one that the server takes when none is chosen. */
export function useShownTeam(): { teams: readonly Team[]; team: Team | undefined } {
  const chosen = useCurrentTeamId()
  const { data: teams = [] } = useEndpoint(listTeams, undefined, { keepPreviousData: true })
  const { data: current } = useEndpoint(currentTeam)
  return { teams, team: teams.find(({ uuid }) => uuid === (chosen ?? current?.uuid)) ?? current }
}
