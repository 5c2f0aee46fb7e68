import { useEffect, useRef } from 'react'
import { currentTeam, listTeams } from '#contract/teams.ts'
import type { Team } from '#contract/teams.ts'
import { call } from '#web/api/client.ts'
import { refresh, useEndpoint } from '#web/api/hooks.ts'
import { chooseTeam, useCurrentTeamId } from '#web/state/current-team.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/switcher.ts'

/** How often the page checks its team: the user may have been removed from it. */
const WATCH_MS = 30_000

/** The list of teams, and the current one: the chosen one, or the server's default without a choice. */
export function useShownTeam(): { teams: readonly Team[]; team: Team | undefined } {
  const chosen = useCurrentTeamId()
  const { data: teams = [] } = useEndpoint(listTeams, undefined, { keepPreviousData: true })
  const { data: current } = useEndpoint(currentTeam)
  return { teams, team: teams.find(({ uuid }) => uuid === (chosen ?? current?.uuid)) ?? current }
}

/**
 * Notices when the server's current team is no longer the one on the page. Without a choice the server uses the user's oldest team, which
 * may change: then the page chooses the team that it has shown so far. When the user is removed from the team on the page, the server
 * silently uses another one: then the page switches to it and shows a message.
 */
export function useTeamSync(): void {
  const chosen = useCurrentTeamId()
  const unchosen = useRef<string | null>(null)
  const { data: current } = useEndpoint(currentTeam, undefined, {
    revalidateOnFocus: true,
    refreshInterval: WATCH_MS,
    refreshWhenHidden: false,
  })
  useEffect(() => {
    if (!current) return
    const before = chosen ?? unchosen.current
    unchosen.current = chosen === null ? current.uuid : null
    if (before === null || before === current.uuid) return
    stayOrMove(before, current).catch((cause: unknown) => console.warn('the teams could not be read', cause))
  }, [chosen, current])
}

async function stayOrMove(before: string, current: Team): Promise<void> {
  const teams = await call(listTeams)
  if (teams.some(({ uuid }) => uuid === before)) return chooseTeam(before)
  chooseTeam(current.uuid)
  void refresh(listTeams)
  toast.blank(t.youAreNoLongerAMember(current.name), 'team-lost')
}
