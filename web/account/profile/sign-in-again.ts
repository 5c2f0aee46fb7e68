import { login } from '#contract/accounts.ts'
import { ApiError, call } from '#web/api/client.ts'
import { signIn } from '#web/state/session.ts'

/** Signs in again after a password change, which has ended the tokens. Returns false if the server refuses. */
export async function signInAgain(email: string, password: string): Promise<boolean> {
  try {
    signIn(await call(login, { body: { email, password } }))
    return true
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    return false
  }
}
