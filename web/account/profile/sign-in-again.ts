import { login } from '#contract/accounts.ts'
import { ApiError, call } from '#web/api/client.ts'
import { signIn } from '#web/state/session.ts'

/** Replaces the tokens that a password change has ended. False when the server refuses sign-ins at the moment. */
export async function signInAgain(email: string, password: string): Promise<boolean> {
  try {
    signIn(await call(login, { body: { email, password } }))
    return true
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    return false
  }
}
