/**
 * The page's address when a provider's window comes back: read before anything else is drawn, and by every visit. What opens that
 * window, and what it shows, is loaded with the screen that does.
 */
import { ownName } from '#web/state/runtime-config.ts'

/** Pages of our origin speak over it; the window that comes back has no opener any more. */
export const CHANNEL = ownName('provider-return')

/** Begins every state of ours, so that other addresses with a `state` in them are not taken for a return. */
export const STATE_PREFIX = 'sign-in.'

/** What a person came back with. `token` is a code for GitHub and an access token for Google. */
export type ProviderReturn = { state: string; token: string } | { state: string; error: string }

/** Reads a URL of our root page; null when it is not the return from a provider. */
export function readReturn(href: string): ProviderReturn | null {
  const { search, hash } = new URL(href)
  for (const part of [search, hash]) {
    const told = new URLSearchParams(part.slice(1))
    const state = told.get('state')
    if (!state?.startsWith(STATE_PREFIX)) continue
    const token = told.get('code') ?? told.get('access_token')
    return token ? { state, token } : { state, error: told.get('error') ?? 'no_answer' }
  }
  return null
}

/** What the page's address says of a return, if it is one; the address then no longer says it. */
export function takeReturn(): ProviderReturn | null {
  const found = readReturn(window.location.href)
  if (found) window.history.replaceState(null, '', window.location.pathname)
  return found
}

/** Hands over what the window came back with, and closes it where the browser lets us. */
export function reportReturn(found: ProviderReturn): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(found)
  channel.close()
  window.close()
}
