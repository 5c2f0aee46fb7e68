/**
 * GitHub and Google as their documents describe them, on one port of loopback: codes, access tokens, id tokens, and the keys of the latter.
 *
 * GitHub: docs.github.com, "Authorizing OAuth apps" (a wrong code is an error in an answer of status 200), "List email addresses for the
 * authenticated user", "Get the authenticated user". Google: "Validate access tokens" (tokeninfo: 400 `invalid_token`), OpenID Connect
 * userinfo, and the JSON Web Keys behind `jwks_uri`.
 */
import { createServer } from 'node:http'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { JWTPayload } from 'jose'
import { serve } from './serve.ts'

export type GithubAccount = { emails: { email: string; primary: boolean; verified: boolean }[]; name: string | null }
export type GoogleAccount = { aud: string; sub: string; email: string; email_verified: boolean; given_name?: string; family_name?: string }

export const GITHUB_CLIENT = { githubClientId: 'our-github-app', githubClientSecret: 'our-github-secret' }
export const GOOGLE_CLIENT = { googleClientId: 'our-app.apps.googleusercontent.com' }

export async function startProviders() {
  const codes = new Map<string, GithubAccount>()
  const githubTokens = new Map<string, GithubAccount>()
  const googleTokens = new Map<string, GoogleAccount>()
  const asked: string[] = []
  let keys = await newKeys('key-1')
  let isDown = false

  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const path = (request.url ?? '').split('?')[0] ?? ''
      asked.push(`${request.method} ${path}`)
      const bearer = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
      const [status, body] = isDown ? [502, { error: 'bad gateway' }] : answer(`${request.method} ${path}`, form, bearer)
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    })()
  })
  const { close, url } = await serve(server)

  return {
    /** Options of an app that signs in with both. */
    config: { ...GITHUB_CLIENT, ...GOOGLE_CLIENT, githubApiUrl: url, githubOauthUrl: url, googleApiUrl: url, googleOauthUrl: url },
    codes,
    googleTokens,
    /** The requests, in order. */
    asked,
    idToken,
    rotateKeys: async () => void (keys = await newKeys('key-2')),
    privateKey: () => keys.privateKey,
    publicJwk: () => keys.jwk,
    breakDown: (down = true) => void (isDown = down),
    close,
  }

  function answer(call: string, form: URLSearchParams, bearer: string): [number, unknown] {
    if (call === 'POST /login/oauth/access_token') {
      const account = codes.get(form.get('code') ?? '')
      const isOurs =
        form.get('client_id') === GITHUB_CLIENT.githubClientId && form.get('client_secret') === GITHUB_CLIENT.githubClientSecret
      if (!isOurs) return [200, { error: 'incorrect_client_credentials' }]
      if (!account) return [200, { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }]
      codes.delete(form.get('code') ?? '')
      const token = `gho_${githubTokens.size}`
      githubTokens.set(token, account)
      return [200, { access_token: token, scope: 'user:email', token_type: 'bearer' }]
    }
    const github = githubTokens.get(bearer)
    if (call === 'GET /user/emails') return github ? [200, github.emails] : [401, { message: 'Bad credentials' }]
    if (call === 'GET /user') return github ? [200, { login: 'octocat', name: github.name }] : [401, { message: 'Bad credentials' }]
    if (call === 'POST /tokeninfo') {
      const account = googleTokens.get(form.get('access_token') ?? '')
      if (!account) return [400, { error: 'invalid_token', error_description: 'Invalid Value' }]
      const { aud, sub, email, email_verified: isVerified } = account
      return [200, { azp: aud, aud, sub, scope: 'openid email profile', email, email_verified: String(isVerified), expires_in: '3599' }]
    }
    if (call === 'GET /oauth2/v3/userinfo') {
      const { aud: _aud, ...claims } = googleTokens.get(bearer) ?? { aud: '' }
      return 'sub' in claims ? [200, claims] : [401, { error: 'invalid_request' }]
    }
    if (call === 'GET /oauth2/v3/certs') return [200, { keys: [keys.jwk] }]
    return [404, { message: 'Not Found' }]
  }

  /** An id token as Google's script hands it over; `claims` replace the right ones. */
  async function idToken(claims: JWTPayload = {}, { alg = 'RS256', kid = keys.kid } = {}): Promise<string> {
    const at = Math.floor(Date.now() / 1000)
    const right = {
      iss: 'https://accounts.google.com',
      aud: GOOGLE_CLIENT.googleClientId,
      azp: GOOGLE_CLIENT.googleClientId,
      sub: '1',
      iat: at,
      exp: at + 3600,
    }
    return new SignJWT({ ...right, email_verified: true, ...claims }).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(keys.privateKey)
  }
}

async function newKeys(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } }
}
