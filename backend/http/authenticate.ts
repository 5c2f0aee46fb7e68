/** Authenticates the caller, a user by access token or a team by API key, and determines the team. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { AppError } from '#backend/errors.ts'
import type { Actor } from './actor.ts'
import { queryText } from './pagination.ts'
import type { Query } from './pagination.ts'

export type Callers = {
  /** The user and session of a valid access token, or null. */
  userOf(accessToken: string): Promise<{ userId: string; sessionId: string } | null>
  /** The team of a key, or null; records the use of the key. */
  teamOfKey(key: string): Promise<{ apiKeyId: string; teamId: string } | null>
  /** The requested team if the user is a member, else the user's oldest team, which is created when there is none. */
  teamFor(userId: string, askedTeamId: string | null): Promise<string>
  /** Whose part of scarce resources a team uses. */
  shareOf(teamId: string): Promise<string>
  /** Counts a call with a key; throws `throttled`. */
  countCall(apiKeyId: string): void | Promise<void>
  /** Counts a call with a body to a public endpoint, by the caller's network address; throws `throttled`. */
  countStranger(ip: string): void | Promise<void>
}

/** Prefix of every API key, which tells a key from a token. */
export const API_KEY_PREFIX = 'sn-'

/**
 * Adds `app.authenticate` to this plugin and those below.
 *
 * A bearer token that is no API key takes precedence over a key; without either, the request is anonymous. Public endpoints ignore
 * credentials, so that a stale token does no harm.
 */
export function authenticateWith(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('actor', null)
  app.decorate('authenticate', (request, endpoint) => identify(request, endpoint, callers))
}

async function identify(request: FastifyRequest, endpoint: EndpointSpec, callers: Callers): Promise<Actor> {
  const { access, isUncounted, method } = endpoint
  if (access === 'public' || access === 'signed') {
    // Before the body is read, so that a refused caller costs no more than the head.
    if (method !== 'GET' && !isUncounted) await callers.countStranger(request.ip)
    return null
  }
  const { token, key = keyInQuery(request, endpoint) } = credentialsOf(request)
  if (token !== undefined) {
    const user = await callers.userOf(token)
    if (!user) throw new AppError('bad_access_token')
    if (access === 'user') return { userId: user.userId }
    const teamId = await callers.teamFor(user.userId, askedTeam(request))
    if (access === 'user+team') return { userId: user.userId, teamId }
    return { ...user, teamId, share: await callers.shareOf(teamId), apiKeyId: null }
  }
  if (key === undefined) throw new AppError('not_authenticated')
  const known = await callers.teamOfKey(key)
  if (!known) throw new AppError('unknown_api_key')
  if (access !== 'team') throw new AppError('not_authenticated')
  if (!isUncounted) await callers.countCall(known.apiKeyId)
  const { apiKeyId, teamId } = known
  return { userId: null, sessionId: null, teamId, share: await callers.shareOf(teamId), apiKeyId }
}

/** The credential of a request. A key is also accepted in the Authorization header, in the three ways of published examples. */
function credentialsOf(request: FastifyRequest): { token?: string; key?: string } {
  const sent = (request.headers.authorization ?? '').trim()
  // A single search: a pattern with alternatives takes seconds on a header of blanks.
  const [scheme = ''] = sent.split(/\s/, 1)
  const text = sent.slice(scheme.length).trim()
  const isKey = text.startsWith(API_KEY_PREFIX)
  if (isKey && /^(bearer|api-key|token)$/i.test(scheme)) return { key: text }
  if (/^bearer$/i.test(scheme)) return { token: text }
  const header = request.headers['x-api-key']
  const key = (Array.isArray(header) ? header[0] : header)?.trim()
  return key ? { key } : {}
}

const keyInQuery = ({ query }: FastifyRequest, { keyParameter }: EndpointSpec): string | undefined =>
  keyParameter === undefined ? undefined : queryText(query as Query, keyParameter)

function askedTeam(request: FastifyRequest): string | null {
  const header = request.headers['x-team-id']
  return (Array.isArray(header) ? header[0] : header)?.trim().toLowerCase() ?? null
}
