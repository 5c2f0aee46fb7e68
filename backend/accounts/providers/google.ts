/**
 * Sign-in with Google, in the two ways that its browser script offers: an access token, or a signed ID token.
 *
 * Both name the application that they were issued for, and it must be ours: otherwise a token that a person gave to another application
 * would open their account here. Source: developers.google.com, "Using OAuth 2.0 for Client-side Web Applications" (validate access
 * tokens), "Verify the Google ID token on your server side"; OpenID Connect Core 1.0, sections 3.1.3.7 and 5.3.2.
 */
import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { AppError } from '#backend/errors.ts'
import { field, textField } from './provider.ts'
import type { AskJson, Person, Provider } from './provider.ts'

type GoogleNeeds = { apiUrl: string; askJson: AskJson; clientId: string; oauthUrl: string }

/** By access token: asks Google which application it was issued for, then whose it is. */
export function googleProvider({ apiUrl, askJson, clientId, oauthUrl }: GoogleNeeds): Provider {
  return async ({ token }) => {
    const facts = await askJson({ url: `${oauthUrl}/tokeninfo`, form: { access_token: token } })
    if (textField(facts, 'aud') !== clientId || textField(facts, 'sub') === '') return null
    const person = await askJson({ url: `${apiUrl}/oauth2/v3/userinfo`, bearer: token })
    return textField(person, 'sub') === textField(facts, 'sub') ? personOf(person) : null
  }
}

const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
const KEYS_MS = 60 * 60 * 1000
/** Keys are fetched again for an unknown key id, but not more often than this: anyone can send unknown ids. */
const LEAST_KEYS_MS = 60_000
/** Tolerated difference between Google's clock and ours. */
const CLOCK_SECONDS = 60

/** By ID token: checks that Google signed it for us and that it has not expired. */
export function googleIdTokens({ apiUrl, askJson, clientId, now }: Omit<GoogleNeeds, 'oauthUrl'> & { now: () => number }): Provider {
  let keys: { found: JSONWebKeySet; at: number } | null = null
  return async ({ token }) => {
    try {
      return await read(token, await keySet(KEYS_MS))
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return tryNewerKeys(token)
      return refusalOf(error)
    }
  }

  async function tryNewerKeys(token: string): Promise<Person | null> {
    try {
      return await read(token, await keySet(LEAST_KEYS_MS))
    } catch (error) {
      return refusalOf(error)
    }
  }

  async function read(token: string, found: JSONWebKeySet): Promise<Person | null> {
    const { payload } = await jwtVerify(token, createLocalJWKSet(found), {
      algorithms: ['RS256'],
      audience: clientId,
      issuer: ISSUERS,
      clockTolerance: CLOCK_SECONDS,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    // A token for several audiences must name us as the authorised party.
    const isOurs = payload['azp'] === undefined ? !Array.isArray(payload.aud) || payload.aud.length === 1 : payload['azp'] === clientId
    return isOurs ? personOf(payload) : null
  }

  async function keySet(maxAgeMs: number): Promise<JSONWebKeySet> {
    if (keys && now() - keys.at < maxAgeMs) return keys.found
    const found = await askJson({ url: `${apiUrl}/oauth2/v3/certs` })
    if (!Array.isArray(field(found, 'keys'))) throw new AppError('provider_unavailable')
    keys = { found: found as JSONWebKeySet, at: now() }
    return keys.found
  }
}

/** Null when the token is invalid; throws errors of ours and of the provider. */
function refusalOf(error: unknown): null {
  if (error instanceof errors.JOSEError) return null
  throw error
}

function personOf(claims: unknown): Person | null {
  // Some of Google's endpoints send the flag as a string.
  const isVerified = ['true', true].includes(field(claims, 'email_verified') as string | boolean)
  if (!isVerified) return null
  return { email: textField(claims, 'email'), firstName: textField(claims, 'given_name'), lastName: textField(claims, 'family_name') }
}
