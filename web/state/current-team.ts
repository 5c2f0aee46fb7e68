/** The current team, kept between visits. Without a choice the server uses the user's oldest team. */
import { effect, signal } from '@preact/signals-react'
import { browserStorage, keep, onStoredElsewhere } from './browser-storage.ts'
import type { KeyStorage } from './browser-storage.ts'
import { useSignalValue } from './use-signal-value.ts'

const TEAM_KEY = 'current_team'

/** A team id is a UUID of any version; ignore anything else in the storage. */
const isTeamId = (value: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

export function createCurrentTeam({ storage }: { storage: KeyStorage }) {
  const team = signal(read(storage.getItem(TEAM_KEY)))
  effect(() => keep(storage, TEAM_KEY, team.value))
  onStoredElsewhere(TEAM_KEY, (value) => (team.value = read(value)))
  return { choose, team }

  function choose(teamId: string | null): void {
    team.value = teamId
  }
}

function read(value: string | null): string | null {
  if (value === null || isTeamId(value)) return value
  console.warn('the stored team is not a team id and was dropped')
  return null
}

const current = createCurrentTeam({ storage: browserStorage() })

/** The chosen team; null without a choice. */
export const useCurrentTeamId = (): string | null => useSignalValue(current.team)
export const currentTeamId = (): string | null => current.team.peek()
/** Changes the team. Screens are remounted and SWR's keys contain the team, so no data of the previous team is shown. */
export const chooseTeam = (teamId: string): void => current.choose(teamId)
/** Forgets the choice, at login and logout: the next user has other teams. */
export const forgetTeam = (): void => current.choose(null)
