/**
 * Sign-in with a GitHub or Google account: the URL to open, and the result of the return. Pure.
 *
 * No script of a provider is loaded. A window opens the provider's own page and returns to our root page: from GitHub with a code in the
 * query (OAuth 2.0, RFC 6749 section 4.1), from Google with an access token in the fragment (section 4.2), which no server sees. The server
 * checks that the code or token was issued to this installation, and that the address is verified.
 */
import * as t from '#texts/providers.ts'
import { STATE_PREFIX } from './provider-return.ts'
import type { ProviderReturn } from './provider-return.ts'

export type Provider = 'github' | 'google'

export const PROVIDER_NAMES: Record<Provider, string> = { github: 'GitHub', google: 'Google' }

const PAGES: Record<Provider, { url: string; asks: Record<string, string> }> = {
  github: { url: '/login/oauth/authorize', asks: { scope: 'read:user user:email' } },
  google: {
    url: 'https://accounts.google.com/o/oauth2/v2/auth',
    asks: { response_type: 'token', scope: 'openid email profile', prompt: 'select_account' },
  },
}

/** @param secret  random and known only to this page; the return must contain it */
export const stateOf = (provider: Provider, secret: string): string => `${STATE_PREFIX}${provider}.${secret}`

/** The URL of the provider's page. @param base  URL of our root page without the final slash; it must be registered with the provider */
export function providerUrl(
  provider: Provider,
  { base, clientId, githubUrl, state }: { base: string; clientId: string; githubUrl: string; state: string },
) {
  const { url, asks } = PAGES[provider]
  const page = provider === 'github' ? githubUrl.replace(/\/+$/, '') + url : url
  return `${page}?${new URLSearchParams({ client_id: clientId, redirect_uri: `${base}/`, ...asks, state })}`
}

/** Validates a message from the channel. */
export function isReturn(value: unknown): value is ProviderReturn {
  if (typeof value !== 'object' || value === null) return false
  const { state, token, error }: { state?: unknown; token?: unknown; error?: unknown } = value
  return typeof state === 'string' && (typeof token === 'string' || typeof error === 'string')
}

/** Why a provider sent a user back without signing them in. */
export const providerRefusal = (provider: Provider, error: string): string =>
  error === 'access_denied' ? t.signingInWithWasCanceled(PROVIDER_NAMES[provider]) : t.signInFailed(PROVIDER_NAMES[provider])
