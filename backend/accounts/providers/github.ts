/**
 * Sign-in with GitHub: exchanges an authorisation code for a token, and reads the user with it.
 *
 * GitHub itself checks that the code was issued for us: it accepts a code only with the id and secret of its application.
 * Source: docs.github.com, "Authorizing OAuth apps", "List email addresses for the authenticated user", "Get the authenticated user".
 */
import { field, textField } from './provider.ts'
import type { AskJson, Provider } from './provider.ts'

/** @param apiUrl, oauthUrl  without a final slash */
export function githubProvider({ apiUrl, askJson, clientId, clientSecret, oauthUrl }: GithubNeeds): Provider {
  return async ({ token: code }) => {
    const grant = await askJson({
      url: `${oauthUrl}/login/oauth/access_token`,
      form: { client_id: clientId, client_secret: clientSecret, code },
    })
    // GitHub reports a wrong or used code with status 200 and an error in the body.
    const token = textField(grant, 'access_token')
    if (token === '') return null
    const addresses = await askJson({ url: `${apiUrl}/user/emails`, bearer: token })
    const primary = Array.isArray(addresses)
      ? addresses.find((entry) => field(entry, 'primary') === true && field(entry, 'verified') === true)
      : undefined
    if (primary === undefined) return null
    const name = textField(await askJson({ url: `${apiUrl}/user`, bearer: token }), 'name')
    const [firstName = '', ...rest] = name.split(/\s+/)
    return { email: textField(primary, 'email'), firstName, lastName: rest.join(' ') }
  }
}

type GithubNeeds = { apiUrl: string; askJson: AskJson; clientId: string; clientSecret: string; oauthUrl: string }
