import { navigate } from 'wouter/use-browser-location'
import { logout } from '#contract/accounts.ts'
import { call } from '#web/api/client.ts'
import { forgetAnswers } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { forgetTeam } from '#web/state/current-team.ts'
import { refreshTokenOf, signOut } from '#web/state/session.ts'

/** Ends the session: here at once, on the server in the background. Nothing about this person stays in the page. */
export function logOut(): void {
  const refresh = refreshTokenOf()
  signOut()
  forgetTeam()
  navigate(PATHS.login)
  void forgetAnswers()
  // Already signed out here; if the server cannot be reached, the token will expire.
  if (refresh !== null)
    void call(logout, { body: { refresh } }).catch((cause: unknown) => console.warn('the server did not hear of the logout', cause))
}
