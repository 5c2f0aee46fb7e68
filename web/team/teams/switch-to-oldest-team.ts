/** Switches to the user's oldest team, after the user has left or deleted the one on the screen. */
import { currentTeam, listTeams } from '#contract/teams.ts'
import { call } from '#web/api/client.ts'
import { refresh } from '#web/api/hooks.ts'
import { chooseTeam, forgetTeam } from '#web/state/current-team.ts'

/** Never throws: the user has no access to the team any more, whether the others can be read or not. */
export async function switchToOldestTeam(): Promise<void> {
  try {
    // Listing teams makes the server create one for a user without a team.
    const [next] = await call(listTeams)
    if (next) chooseTeam(next.uuid)
  } catch (cause) {
    console.warn('the teams could not be read', cause)
    // Without a choice the server uses the oldest team.
    forgetTeam()
    void refresh(currentTeam)
  }
  void refresh(listTeams)
}
