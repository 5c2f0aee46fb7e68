/** Rules of the login form, and what to say when the server refuses. Pure. */
import { isEmail } from '#contract/fields.ts'

export type LoginErrors = { email?: string; password?: string }

export const LOGIN_FAILED = 'An error occurred during login. Please try again.'

export function loginErrors({ email, password }: { email: string; password: string }): LoginErrors {
  const address = email.trim()
  return {
    ...(address === '' ? { email: 'Email is required' } : isEmail(address) ? {} : { email: 'Please enter a valid email' }),
    ...(password === '' && { password: 'Password is required' }),
  }
}

type Refusal = { status: number; body: { errors?: unknown; message?: unknown }; retryAfter: number | null }

/** One sentence for a refused login: the email's error, the server's words on 403, how long to wait on 429. */
export function loginFailure({ status, body, retryAfter }: Refusal): string {
  const message = typeof body.message === 'string' && body.message !== '' ? body.message : LOGIN_FAILED
  if (status === 429)
    return retryAfter === null ? 'Too many attempts. Please wait a little.' : `Too many attempts. Please wait ${waitText(retryAfter)}.`
  if (status === 403 || status === 0) return message
  const errors: Record<string, unknown> = Object.fromEntries(Object.entries(body.errors ?? {}))
  const first: unknown = Array.isArray(errors['email']) ? errors['email'][0] : errors['email']
  return status === 400 && typeof first === 'string' && first !== '' ? first : LOGIN_FAILED
}

function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return seconds <= 90 ? `${Math.max(1, Math.ceil(seconds))} seconds` : `${minutes} minutes`
}
