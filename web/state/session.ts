/** The tokens of the signed-in user, under two keys of local storage. */
import { batch, computed, effect, signal } from '@preact/signals-react'
import type { TokenPair } from '#contract/accounts.ts'
import { browserStorage, keep, onRestored, onStoredElsewhere } from './browser-storage.ts'
import type { KeyStorage } from './browser-storage.ts'
import { useSignalValue } from './use-signal-value.ts'

const ACCESS_KEY = 'access_token'
const REFRESH_KEY = 'refresh_token'

/** The claims of a token, unverified: only the server can verify them. */
export function claimsOf(token: string | null): Record<string, unknown> | null {
  const middle = token?.split('.')[1]
  if (!middle) return null
  try {
    const bytes = Uint8Array.from(atob(middle.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null
  } catch {
    return null // not a JWT: the caller treats it as no token
  }
}

/** Whether a token's `exp` (seconds since 1970) has passed, or cannot be read. */
export function isExpired(token: string | null, nowMs: number): boolean {
  const exp = claimsOf(token)?.['exp']
  return typeof exp !== 'number' || exp * 1000 <= nowMs
}

/** Whether two tokens name the same user, or one of them names none. */
export function isSamePerson(one: string | null, other: string | null): boolean {
  const [a, b] = [one, other].map((token) => claimsOf(token)?.['user_id'])
  return a === undefined || b === undefined || a === b
}

/** A session over a storage. It ends when the refresh token expires: access tokens are renewed. */
export function createSession({ storage, now }: { storage: KeyStorage; now: () => number }) {
  const access = signal(storage.getItem(ACCESS_KEY))
  const refresh = signal(storage.getItem(REFRESH_KEY))
  const hasSession = computed(() => refresh.value !== null && !isExpired(refresh.value, now()))
  const userId = computed(() => {
    const id = claimsOf(access.value ?? refresh.value)?.['user_id']
    return typeof id === 'string' ? id : null
  })
  if (refresh.peek() !== null && isExpired(refresh.peek(), now())) signOut()

  effect(() => keep(storage, ACCESS_KEY, access.value))
  effect(() => keep(storage, REFRESH_KEY, refresh.value))
  // Reads the storage's current value, not the event's, which may be outdated.
  onStoredElsewhere(ACCESS_KEY, reload)
  onStoredElsewhere(REFRESH_KEY, reload)
  onRestored(reload)

  return { access, hasSession, isSignedIn, refresh, reload, renew, signIn, signOut, userId }

  /** Reads what another tab may have stored, without waiting for its event. */
  function reload(): void {
    batch(() => {
      access.value = storage.getItem(ACCESS_KEY)
      refresh.value = storage.getItem(REFRESH_KEY)
    })
  }

  /** Reads the clock at each call, unlike a computed signal. */
  function isSignedIn(): boolean {
    return refresh.peek() !== null && !isExpired(refresh.peek(), now())
  }

  function signIn(tokens: TokenPair): void {
    batch(() => {
      access.value = tokens.access
      refresh.value = tokens.refresh
    })
  }

  function renew(token: string): void {
    access.value = token
  }

  function signOut(): void {
    batch(() => {
      access.value = null
      refresh.value = null
    })
  }
}

export type Session = ReturnType<typeof createSession>

/** The session of this page. */
export const session: Session = createSession({ storage: browserStorage(), now: () => Date.now() })

/** Whether there is a refresh token that has not expired. */
export const useHasSession = (): boolean => useSignalValue(session.hasSession)
/** The same, read once at the time of the call. */
export const isSignedIn = (): boolean => session.isSignedIn()
/** Stores the tokens of a login. */
export const signIn = (tokens: TokenPair): void => session.signIn(tokens)
/** Removes the tokens; the caller ends the session on the server. */
export const signOut = (): void => session.signOut()
/** The refresh token, for ending the session on the server. */
export const refreshTokenOf = (): string | null => session.refresh.peek()
