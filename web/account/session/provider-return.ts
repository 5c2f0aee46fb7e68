/**
 * Handles the URL with which a provider's window returns. Every page load runs this before anything is rendered, so the code that opens the
 * window and the screen that it shows are separate files.
 */
import { ownName } from '#web/state/runtime-config.ts'

/** The channel from the returning window to the page that opened it; the window no longer has an opener. */
export const CHANNEL = ownName('provider-return')

/** Prefix of every `state` that we send to a provider: other URLs with a `state` are no return. */
export const STATE_PREFIX = 'sign-in.'

/** The result of a return. `token` is an access token from Google and a code from others; `iss` is the provider's own name, if it tells it. */
export type ProviderReturn = { state: string; token: string; iss?: string } | { state: string; error: string }

/** Parses a URL of our root page; null when it is no return from a provider. */
export function readReturn(href: string): ProviderReturn | null {
  const { search, hash } = new URL(href)
  for (const part of [search, hash]) {
    const params = new URLSearchParams(part.slice(1))
    const state = params.get('state')
    if (!state?.startsWith(STATE_PREFIX)) continue
    const token = params.get('code') ?? params.get('access_token')
    const iss = params.get('iss')
    if (token) return { state, token, ...(iss !== null && { iss }) }
    return { state, error: params.get('error') ?? 'no_answer' }
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
