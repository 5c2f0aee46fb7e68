/**
 * Where a person wanted to go before signing in. Stored in the history entry of the login page, so it survives a reload but not a new
 * visit.
 */
import { PATHS } from '#web/navigation.ts'

/** A history state that leads to this place after signing in. */
export const wayTo = (wanted: string) => ({ wanted })

/** The current place, with query and fragment. */
export const openPlace = (): string => window.location.pathname + window.location.search + window.location.hash

const PLACES = [PATHS.dashboard, PATHS.register]

/**
 * Where to go after signing in: the wanted place if it is one of this page's own that needs a session, else the dashboard.
 *
 * @param state  of the history entry
 */
export function placeAfterSignIn(state: unknown): string {
  const wanted = typeof state === 'object' && state !== null && 'wanted' in state ? state.wanted : null
  if (typeof wanted !== 'string' || !URL.canParse(wanted, window.location.origin)) return PATHS.dashboard
  const { hash, origin, pathname, search } = new URL(wanted, window.location.origin)
  const isOwn = origin === window.location.origin && PLACES.some((place) => pathname === place || pathname.startsWith(`${place}/`))
  return isOwn ? pathname + search + hash : PATHS.dashboard
}
