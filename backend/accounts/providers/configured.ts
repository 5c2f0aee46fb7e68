/** The providers that the operator has configured. */
import type { ProviderName } from '#backend/accounts/provider-sign-in.ts'
import { githubProvider } from './github.ts'
import { googleIdTokens, googleProvider } from './google.ts'
import { createOidc } from './oidc.ts'
import type { Oidc, OidcNeeds } from './oidc.ts'
import { askJson } from './provider.ts'
import type { Ask, Provider } from './provider.ts'

/** A provider is on when its client id is set. */
export function configuredProviders(setup: ProviderSetup): Partial<Record<ProviderName, Provider>> {
  const { ask, githubApiUrl, githubClientId, githubClientSecret, githubOauthUrl, googleApiUrl, googleClientId, googleOauthUrl, now, oidc } =
    setup
  const json = askJson(ask)
  return {
    ...(githubClientId !== undefined &&
      githubClientSecret !== undefined && {
        github: githubProvider({
          apiUrl: githubApiUrl,
          askJson: json,
          clientId: githubClientId,
          clientSecret: githubClientSecret,
          oauthUrl: githubOauthUrl,
        }),
      }),
    ...(googleClientId !== undefined && {
      google: googleProvider({ apiUrl: googleApiUrl, askJson: json, clientId: googleClientId, oauthUrl: googleOauthUrl }),
      'google-signin': googleIdTokens({ apiUrl: googleApiUrl, askJson: json, clientId: googleClientId, now }),
    }),
    ...(oidc !== null && { oidc: oidc.person }),
  }
}

/** The operator's own OpenID provider; null if none is configured. */
export function configuredOidc(setup: OidcSetup, needs: Pick<OidcNeeds, 'ask' | 'now' | 'sealer' | 'warn'>): Oidc | null {
  const { oidcClientId, oidcClientSecret, oidcIssuer, oidcTrustEmail } = setup
  if (oidcIssuer === undefined || oidcClientId === undefined) return null
  return createOidc({
    ...needs,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    isEmailTrusted: oidcTrustEmail,
    issuer: oidcIssuer,
  })
}

type OidcSetup = {
  oidcClientId?: string | undefined
  oidcClientSecret?: string | undefined
  oidcIssuer?: string | undefined
  oidcTrustEmail: boolean
}

type ProviderSetup = {
  ask: Ask
  githubApiUrl: string
  githubClientId?: string | undefined
  githubClientSecret?: string | undefined
  githubOauthUrl: string
  googleApiUrl: string
  googleClientId?: string | undefined
  googleOauthUrl: string
  now: () => number
  oidc: Oidc | null
}
