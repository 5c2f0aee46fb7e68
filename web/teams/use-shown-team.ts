import { useEffect } from 'react'
import { currentTeam, listTeams } from '#contract/teams.ts'
import type { Team } from '#contract/teams.ts'
import { refresh, useEndpoint } from '#web/api/hooks.ts'
import { chooseTeam, useCurrentTeamId } from '#web/state/current-team.ts'
import { toast } from '#web/ui/toaster.tsx'

/** How often the page asks which team it acts for: somebody may have been removed from it in the meantime. */
const WATCH_MS = 30_000

/** The list of teams, and the one acted for: the chosen one, or the one that the server takes when none is chosen. */
export function useShownTeam(): { teams: readonly Team[]; team: Team | undefined } {
  const chosen = useCurrentTeamId()
  const { data: teams = [] } = useEndpoint(listTeams, undefined, { keepPreviousData: true })
  const { data: current } = useEndpoint(currentTeam)
  return { teams, team: teams.find(({ uuid }) => uuid === (chosen ?? current?.uuid)) ?? current }
}

/** Keeps the chosen team to what the server acts for: it silently takes another one for somebody who is no longer a member. */
export function useKeptTeam(): void {
  const chosen = useCurrentTeamId()
  const { data: current } = useEndpoint(currentTeam, undefined, {
    revalidateOnFocus: true,
    refreshInterval: WATCH_MS,
    refreshWhenHidden: false,
  })
  useEffect(() => {
    if (chosen === null || !current || current.uuid === chosen) return
    chooseTeam(current.uuid)
    void refresh(listTeams)
    toast.blank(`You are no longer a member of that team. This is ${current.name} now.`, 'team-lost')
  }, [chosen, current])
}
