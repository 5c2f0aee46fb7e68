/**
 * The page that a user wanted before signing in. It is stored in the history entry of the login page, so it survives a reload but not a
 * new visit.
 */
import { PATHS } from '#web/navigation.ts'

/** The history state of a login page that leads to `wanted` after signing in. */
export const returningTo = (wanted: string) => ({ wanted })

/** Path, query and fragment of the current URL. */
export const currentPlace = (): string => window.location.pathname + window.location.search + window.location.hash

const PLACES = [PATHS.dashboard, PATHS.register]

/**
 * Where to go after signing in: the wanted page if it is in the dashboard, or an invitation to sign up; else the dashboard.
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
