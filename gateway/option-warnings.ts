import type { Config } from '#config/read-config.ts'

type Signs = Pick<Config, 'githubClientId' | 'googleClientId' | 'loginEnabled' | 'newDatabase' | 'oidcIssuer'>

/**
 * What the log says at the start about options that are valid, but have an effect that the operator may not expect.
 *
 * @param isDatabaseThere  null if it is not known
 */
export function warningsOf(
  { githubClientId, googleClientId, loginEnabled, newDatabase, oidcIssuer }: Signs,
  isDatabaseThere: boolean | null,
): string[] {
  const warnings = []
  if (newDatabase && isDatabaseThere === true)
    warnings.push(
      'NEW_DATABASE is set, but there is a database: unset it, or a start after the loss of the database begins with an empty one',
    )
  if (!loginEnabled && [githubClientId, googleClientId, oidcIssuer].every((value) => value === undefined))
    warnings.push(
      'LOGIN_ENABLED is false, and none of GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID and OIDC_ISSUER is set: nobody can sign in to the dashboard',
    )
  return warnings
}
