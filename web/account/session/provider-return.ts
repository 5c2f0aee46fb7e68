/**
 * Handles the URL when a provider's window returns: every visit runs it before anything is rendered. The code that opens that window, and
 * the screen that it shows, are loaded separately.
 */
import { ownName } from '#web/state/runtime-config.ts'

/** Pages of our origin communicate over it, because the returning window no longer has an opener. */
export const CHANNEL = ownName('provider-return')

/** Prefix of all our states, so that other URLs with a `state` are not mistaken for a return. */
export const STATE_PREFIX = 'sign-in.'

/** The result of a return. `token` is a code from GitHub and an access token from Google. */
export type ProviderReturn = { state: string; token: string } | { state: string; error: string }

/** Parses a URL of our root page; null when it is no return from a provider. */
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

/** Reads a return from the page's URL, if there is one, and removes it from the URL. */
export function takeReturn(): ProviderReturn | null {
  const found = readReturn(window.location.href)
  if (found) window.history.replaceState(null, '', window.location.pathname)
  return found
}

/** Sends the result to the other page, and closes this window if the browser allows that. */
export function reportReturn(found: ProviderReturn): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(found)
  channel.close()
  window.close()
}
