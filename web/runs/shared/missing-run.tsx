/** Shown for a run that the current team does not have: another of the user's teams may have it, as with a shared link. */
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { listTeams } from '#contract/teams.ts'
import type { Team } from '#contract/teams.ts'
import { call } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { chooseTeam, useCurrentTeamId } from '#web/state/current-team.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/missing-run.ts'
import type { RunBase, RunEndpoint } from './run-base.ts'

/** How many teams are searched for the run: a user may be a member of hundreds. */
const MOST_TEAMS = 20

type MissingRunProps = {
  base: RunBase
  id: string
  level?: 'page'
  /** Where to go when no team has it. */
  action: ReactNode
}

export function MissingRun({ base, id, level, action }: MissingRunProps) {
  const team = useTeamOf(base.get, id)
  return (
    <EmptyState
      net="hole"
      {...(level && { level })}
      title={team ? t.thisBelongsTo(base.noun, team.name) : base.words.notFound}
      action={
        team ? (
          <Button look="primary" onClick={() => chooseTeam(team.uuid)}>
            {t.switchTo(team.name)}
          </Button>
        ) : (
          action
        )
      }
    >
      {team ? t.switchToThatTeam : t.itMayBeDeletedBelongTo}
    </EmptyState>
  )
}

/** The user's other team that has the run; undefined until one is found. */
function useTeamOf(get: RunEndpoint, id: string): Team | undefined {
  const { data: teams } = useEndpoint(listTeams)
  const current = useCurrentTeamId()
  const [found, setFound] = useState<{ id: string; team: Team }>()
  useEffect(() => {
    const leaving = new AbortController()
    const ask = async () => {
      for (const team of (teams ?? []).filter(({ uuid }) => uuid !== current).slice(0, MOST_TEAMS)) {
        const has = await call(get, { params: { id } }, leaving.signal, team.uuid).then(
          () => true,
          () => false,
        )
        if (leaving.signal.aborted) return
        if (has) return setFound({ id, team })
      }
    }
    void ask()
    return () => leaving.abort()
  }, [teams, current, get, id])
  // A team that was found for another run says nothing about this one.
  return found?.id === id ? found.team : undefined
}
