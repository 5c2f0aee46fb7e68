/**
 * Sign-in with an account of GitHub, Google or the operator's OpenID provider: the URL to open, and the result of the return. Pure.
 *
 * No script of a provider is loaded. A window opens the provider's own page and returns to our root page: from Google with an access token in
 * the fragment (OAuth 2.0, RFC 6749 section 4.2), which no server sees, from the others with a code in the query (section 4.1). The server
 * checks that the code or token was issued to this installation, and that the address is verified.
 */
import type { Settings } from '#contract/settings.ts'
import * as t from '#texts/providers.ts'
import { STATE_PREFIX } from './provider-return.ts'
import type { ProviderReturn } from './provider-return.ts'

export type ProviderKind = 'github' | 'google' | 'oidc'
/** `clientId` is this installation's at the provider; the server adds that of an OpenID provider. */
export type Provider = { kind: 'github' | 'google'; name: string; clientId: string } | { kind: 'oidc'; name: string }

/** The configured providers. */
export function activeProviders(settings: Settings | undefined): Provider[] {
  if (!settings) return []
  const providers: Provider[] = []
  if (settings.is_oidc_login_active) providers.push({ kind: 'oidc', name: settings.oidc_name || t.singleSignOn })
  if (settings.is_github_login_active && settings.github_client_id)
    providers.push({ kind: 'github', name: 'GitHub', clientId: settings.github_client_id })
  if (settings.is_google_login_active && settings.google_client_id)
    providers.push({ kind: 'google', name: 'Google', clientId: settings.google_client_id })
  return providers
}

const PAGES: Record<'github' | 'google', { url: string; asks: Record<string, string> }> = {
  github: { url: '/login/oauth/authorize', asks: { scope: 'read:user user:email' } },
  google: {
    url: 'https://accounts.google.com/o/oauth2/v2/auth',
    asks: { response_type: 'token', scope: 'openid email profile', prompt: 'select_account' },
  },
}

/** @param secret  random and known only to this page; the return must contain it */
export const stateOf = (kind: ProviderKind, secret: string): string => `${STATE_PREFIX}${kind}.${secret}`

/** The URL of the page of GitHub or Google. @param base  URL of our root page without the final slash; it must be registered with the provider */
export function providerUrl(
  kind: 'github' | 'google',
  { base, clientId, githubUrl, state }: { base: string; clientId: string; githubUrl: string; state: string },
) {
  const { url, asks } = PAGES[kind]
  const page = kind === 'github' ? githubUrl.replace(/\/+$/, '') + url : url
  return `${page}?${new URLSearchParams({ client_id: clientId, redirect_uri: `${base}/`, ...asks, state })}`
}

/** Validates a message from the channel. */
export function isReturn(value: unknown): value is ProviderReturn {
  if (typeof value !== 'object' || value === null) return false
  const { state, token, error, iss }: { state?: unknown; token?: unknown; error?: unknown; iss?: unknown } = value
  if (iss !== undefined && typeof iss !== 'string') return false
  return typeof state === 'string' && (typeof token === 'string' || typeof error === 'string')
}

/** Why a provider sent a user back without signing them in. @param name  the provider's */
export const providerRefusal = (name: string, error: string): string =>
  error === 'access_denied' ? t.signingInWithWasCanceled(name) : t.signInFailed(name)
