import { navigate } from 'wouter/use-browser-location'
import { logout } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { forgetAnswers } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { forgetTeam } from '#web/state/current-team.ts'
import { forgetDrafts } from '#web/state/drafts.ts'
import { refreshTokenOf, signOut } from '#web/state/session.ts'

/** Ends the session: here at once, on the server in the background. Drops everything that the page knows about the user. */
export function logOut(): void {
  const refresh = refreshTokenOf()
  signOut()
  forgetTeam()
  forgetDrafts()
  navigate(PATHS.login)
  void forgetAnswers()
  // The user is signed out here already. If the server cannot be reached, the token stays valid until it expires.
  if (refresh !== null)
    void call(logout, { body: { refresh } }).catch((cause: unknown) => console.warn('the server did not end the session', cause))
}
