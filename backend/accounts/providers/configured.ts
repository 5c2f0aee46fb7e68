/** The providers that the operator has configured. */
import type { ProviderName } from '#backend/accounts/provider-sign-in.ts'
import { githubProvider } from './github.ts'
import { googleIdTokens, googleProvider } from './google.ts'
import { askJson } from './provider.ts'
import type { Ask, Provider } from './provider.ts'

/** A provider is on when its client id is set. */
export function configuredProviders(setup: ProviderSetup): Partial<Record<ProviderName, Provider>> {
  const { ask, githubApiUrl, githubClientId, githubClientSecret, githubOauthUrl, googleApiUrl, googleClientId, googleOauthUrl, now } = setup
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
  }
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
}
