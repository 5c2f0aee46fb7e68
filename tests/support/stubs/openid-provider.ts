/** A real OpenID provider on loopback, the library `oidc-provider`, whose sign-in page is answered without a browser. */
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'
import { serve } from './serve.ts'

export const OIDC_CLIENT = { oidcClientId: 'seine', oidcClientSecret: 'a secret of 32 characters, or more' }

/** What the provider says of a person, by the name that they sign in with. */
export type OpenIdAccount = { email?: string; email_verified?: boolean | string; name?: string; given_name?: string; family_name?: string }

type Setup = {
  /** Whether ID tokens have the address; else only the user info endpoint does. */
  isEmailInToken?: boolean
  authentication?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** Read with the first request, so that they can be added later. */
  redirectUris: string[]
}

export async function startOpenIdProvider({ authentication = 'client_secret_basic', isEmailInToken = false, redirectUris }: Setup) {
  const accounts = new Map<string, OpenIdAccount>()
  const asked: string[] = []
  let answerInstead: ((path: string) => number | null) | null = null
  const server = createServer()
  const { close, url } = await serve(server)
  const configuration = (): Configuration => ({
    clients: [
      {
        client_id: OIDC_CLIENT.oidcClientId,
        ...(authentication !== 'none' && { client_secret: OIDC_CLIENT.oidcClientSecret }),
        redirect_uris: redirectUris,
        token_endpoint_auth_method: authentication,
      },
    ],
    clientAuthMethods: [authentication],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    conformIdTokenClaims: !isEmailInToken,
    cookies: { keys: ['a key of this test'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts.get(id) }) }),
    // Agreed to in advance: the page then asks only who signs in.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
  })
  let answer: ReturnType<Provider['callback']> | null = null
  server.on('request', (request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    const status = answerInstead?.(request.url ?? '') ?? null
    answer ??= new Provider(url, configuration()).callback()
    if (status === null) void answer(request, response)
    else response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  return {
    config: { ...(authentication === 'none' ? { oidcClientId: OIDC_CLIENT.oidcClientId } : OIDC_CLIENT), oidcIssuer: url },
    accounts,
    /** The requests, in order. */
    asked,
    /** Answers requests to some paths by a status; null ends that. */
    answerBy: (status: ((path: string) => number | null) | null) => void (answerInstead = status),
    signInAs,
    url,
    close,
  }

  /** Signs in at the page of `authorizationUrl`; the URL to which the provider returns. */
  async function signInAs(name: string, authorizationUrl: string): Promise<URL> {
    const cookies = new Map<string, string>()
    let next = new URL(authorizationUrl)
    let form: string | null = null
    for (let step = 0; step < 8; step += 1) {
      if (next.origin !== url) return next
      const reply: Response = await fetch(next, {
        method: form === null ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
          ...(form !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body: form,
      })
      form = null
      for (const line of reply.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(key, value)
      }
      const location = reply.headers.get('location')
      if (location !== null) next = new URL(location, next)
      else if (next.pathname.startsWith('/interaction/'))
        form = new URLSearchParams({ prompt: 'login', login: name, password: 'x' }).toString()
      else throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`)
    }
    throw new Error('the provider did not return')
  }
}
