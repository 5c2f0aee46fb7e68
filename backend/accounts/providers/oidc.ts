/**
 * Sign-in with the operator's own OpenID provider: authorisation code flow with PKCE, for any provider that publishes its configuration.
 *
 * Between the start and the return nothing is stored: the page keeps a sealed ticket, which holds what the return is checked against.
 * Source: OpenID Connect Core 1.0, section 3.1; OpenID Connect Discovery 1.0, section 4; RFC 7636 (PKCE); RFC 9207 (`iss` of a return).
 */
import type { ClientAuth, Configuration, CustomFetch, UserInfoResponse } from 'openid-client'
import { AppError } from '#backend/errors.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import { answerOf, field, textField } from './provider.ts'
import type { Ask, Grant, Person } from './provider.ts'

/** Time to sign in at the provider, with a password reset or a second factor there. */
const TICKET_MS = 30 * 60_000
/** How long the provider's configuration is used before it is read again. */
const CONFIGURATION_MS = 60 * 60_000
/** Tolerated difference between the provider's clock and ours. */
const CLOCK_SECONDS = 60
const TIMEOUT_MS = 10_000
const MAX_BYTES = 256 * 1024
const CONTEXT = 'sign-in with OpenID'
/** Responses that have no body. Source: Fetch Standard, "null body status". */
const EMPTY = new Set([204, 205, 304])

type Library = typeof import('openid-client')

/** What a return is checked against. */
type Ticket = { verifier: string; nonce: string; state: string; redirectUri: string; until: number }

/**
 * @param clientSecret    undefined for a public client
 * @param isEmailTrusted  whether addresses count as verified although the provider does not say so
 * @param issuer          the URL of the provider, without a final slash
 * @param warn            writes to the log why a return was refused, for the operator
 */
export function createOidc(needs: OidcNeeds) {
  const { isEmailTrusted, now, sealer, warn } = needs
  const configuration = createConfiguration(needs)
  return { person, start }

  /**
   * The URL at the provider to open, and the ticket to send with the code. `state` and `redirectUri` are the page's own: the provider returns
   * `state`, and accepts only a registered `redirectUri`. Throws `provider_unavailable`.
   */
  async function start(state: string, redirectUri: string): Promise<{ authorizationUrl: string; ticket: string }> {
    const client = await import('openid-client')
    const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
    const url = client.buildAuthorizationUrl(await configuration(), {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const ticket: Ticket = { verifier, nonce, state, redirectUri, until: now() + TICKET_MS }
    return { authorizationUrl: url.href, ticket: sealer.seal(JSON.stringify(ticket), CONTEXT) }
  }

  /** A `Provider`. */
  async function person(grant: Grant): Promise<Person | null> {
    const ticket = openTicket(grant.ticket)
    if (ticket === null) return null
    const setup = await configuration()
    try {
      const claims = await claimsOf(setup, returnUrl(grant, ticket), ticket)
      const found = personOf(claims, isEmailTrusted)
      if (found === null) warn({ emailVerified: claims['email_verified'] ?? null }, 'the OpenID provider sent no verified email address')
      return found
    } catch (error) {
      return refusalOf(error, warn)
    }
  }

  function openTicket(sealed: string | undefined): Ticket | null {
    const text = sealed === undefined ? null : sealer.tryOpen(sealed, CONTEXT)
    const ticket = text === null ? null : (JSON.parse(text) as Ticket)
    return ticket !== null && ticket.until > now() ? ticket : null
  }
}

export type Oidc = ReturnType<typeof createOidc>

/** Returns a function that reads the provider's configuration, or the copy of the last hour. */
function createConfiguration({ ask, clientId, clientSecret, issuer, now }: OidcNeeds): () => Promise<Configuration> {
  let last: { found: Promise<Configuration>; at: number } | null = null
  return () => {
    if (last && now() - last.at < CONFIGURATION_MS) return last.found
    const reading = { found: read(), at: now() }
    last = reading
    // The next call tries again.
    reading.found.catch(() => void (last === reading && (last = null)))
    return reading.found
  }

  async function read(): Promise<Configuration> {
    const client = await import('openid-client')
    const options = { [client.customFetch]: fetchBy(ask), execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [] }
    try {
      const url = new URL(`${issuer}/.well-known/openid-configuration`)
      const metadata = (await client.discovery(url, clientId, undefined, client.None(), options)).serverMetadata()
      if (metadata.issuer.replace(/\/+$/, '') !== issuer)
        throw new Error(`OIDC_ISSUER must be ${metadata.issuer}, as the provider calls itself`)
      const configured = new client.Configuration(
        metadata,
        clientId,
        { [client.clockTolerance]: CLOCK_SECONDS },
        authentication(client, metadata.token_endpoint_auth_methods_supported),
      )
      configured[client.customFetch] = options[client.customFetch]
      for (const extend of options.execute) extend(configured)
      return configured
    } catch (cause) {
      throw new AppError('provider_unavailable', { cause })
    }
  }

  /** @param methods  those that the provider knows; `client_secret_basic` is the default of the protocol, and what most providers register */
  function authentication({ ClientSecretBasic, ClientSecretPost, None }: Library, methods: string[] | undefined): ClientAuth {
    if (clientSecret === undefined) return None()
    return methods === undefined || methods.includes('client_secret_basic')
      ? ClientSecretBasic(clientSecret)
      : ClientSecretPost(clientSecret)
  }
}

/** Exchanges the code. The claims of the ID token, or of the user info endpoint when the token has no address. */
async function claimsOf(setup: Configuration, url: URL, { nonce, state, verifier }: Ticket): Promise<UserInfoResponse> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
  const tokens = await authorizationCodeGrant(setup, url, {
    expectedNonce: nonce,
    expectedState: state,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  if (textField(claims, 'email') !== '' || setup.serverMetadata().userinfo_endpoint === undefined) return claims
  return fetchUserInfo(setup, tokens.access_token, claims.sub)
}

/** The URL with which the provider returned to the page, as far as it is checked. */
function returnUrl({ issuer, token }: Grant, { redirectUri, state }: Ticket): URL {
  const url = new URL(redirectUri)
  url.search = new URLSearchParams({ code: token, state, ...(issuer !== undefined && { iss: issuer }) }).toString()
  return url
}

function personOf(claims: UserInfoResponse, isEmailTrusted: boolean): Person | null {
  const email = textField(claims, 'email')
  // Some providers send the flag as a string. One that says no is believed even if it is trusted otherwise.
  const flag = field(claims, 'email_verified')
  const isVerified = flag === undefined ? isEmailTrusted : flag === true || flag === 'true'
  if (email === '' || !isVerified) return null
  const [firstWord = '', ...others] = textField(claims, 'name').split(/\s+/)
  const [first, last] = [textField(claims, 'given_name'), textField(claims, 'family_name')]
  return first === '' && last === ''
    ? { email, firstName: firstWord, lastName: others.join(' ') }
    : { email, firstName: first, lastName: last }
}

/** Null for a code or token that is wrong; throws when the provider failed, or refuses this installation. */
async function refusalOf(error: unknown, warn: OidcNeeds['warn']): Promise<null> {
  // The library wraps what our client throws.
  const ours = error instanceof Error ? error.cause : undefined
  if (ours instanceof AppError) throw ours
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await import('openid-client')
  // The code is unknown, used or expired. Source: RFC 6749, section 5.2.
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return null
  if (error instanceof ClientError || error instanceof AuthorizationResponseError) {
    warn({ err: error }, 'a return from the OpenID provider was refused')
    return null
  }
  throw new AppError('provider_unavailable', { cause: error })
}

/** The library's HTTP client, by ours: with limits, and without redirects. */
function fetchBy(ask: Ask): CustomFetch {
  return async (url, { body, headers, method }) => {
    const reply = await ask({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      // The library sends forms only.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    const answer = answerOf(reply)
    return new Response(EMPTY.has(answer.status) ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: { 'content-type': answer.contentType ?? '' },
    })
  }
}

export type OidcNeeds = {
  ask: Ask
  clientId: string
  clientSecret: string | undefined
  isEmailTrusted: boolean
  issuer: string
  now: () => number
  sealer: Sealer
  warn: (facts: object, message: string) => void
}
