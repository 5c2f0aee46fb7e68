/** Who is calling: a user by access token or a team by API key, and which team is acted for. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { AppError } from '#backend/errors.ts'
import type { Actor } from './actor.ts'

export type Callers = {
  /** The user of a good access token and the session that it belongs to, or null. */
  userOf(accessToken: string): Promise<{ userId: string; sessionId: string } | null>
  /** The team of a key, or null; notes that the key was used. */
  teamOfKey(key: string): Promise<{ apiKeyId: string; teamId: string } | null>
  /** The asked team when the user is a member, else the user's oldest, which is made when there is none. */
  teamFor(userId: string, askedTeamId: string | null): Promise<string>
  /** Counts a call made with a key; throws `throttled`. */
  countCall(apiKeyId: string): void | Promise<void>
  /** Counts a call that sends a body where anybody may, by the caller's network address; throws `throttled`. */
  countStranger(ip: string): void | Promise<void>
}

/** What every API key begins with, so that a key is known from a token on sight. */
export const API_KEY_PREFIX = 'sn-'

/**
 * Gives `app.authenticate` to this plugin and those below.
 *
 * A bearer token that is no API key decides alone, also when a key stands beside it; then the key; then the request is anonymous. Where anybody
 * may call, nothing is looked at, so that a stale token does no harm.
 */
export function authenticateWith(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('actor', null)
  app.decorate('authenticate', (request, endpoint) => identify(request, endpoint, callers))
}

async function identify(request: FastifyRequest, { access, isUncounted, method }: EndpointSpec, callers: Callers): Promise<Actor> {
  if (access === 'public' || access === 'signed') {
    // Before the body is read, so that a refused caller costs no more than a head.
    if (method !== 'GET' && !isUncounted) await callers.countStranger(request.ip)
    return null
  }
  const { token, key } = credentialsOf(request)
  if (token !== undefined) {
    const user = await callers.userOf(token)
    if (!user) throw new AppError('bad_access_token')
    if (access === 'user') return { userId: user.userId }
    const teamId = await callers.teamFor(user.userId, askedTeam(request))
    return access === 'user+team' ? { userId: user.userId, teamId } : { ...user, teamId, apiKeyId: null }
  }
  if (key === undefined) throw new AppError('not_authenticated')
  const known = await callers.teamOfKey(key)
  if (!known) throw new AppError('unknown_api_key')
  if (access !== 'team') throw new AppError('not_authenticated')
  if (!isUncounted) await callers.countCall(known.apiKeyId)
  return { userId: null, sessionId: null, teamId: known.teamId, apiKeyId: known.apiKeyId }
}

/** The credential that counts. A key is also taken from the Authorization header, in the three ways that published examples write it. */
function credentialsOf(request: FastifyRequest): { token?: string; key?: string } {
  const sent = (request.headers.authorization ?? '').trim()
  // One search instead of a pattern with choices, which takes seconds for a header of blanks.
  const [scheme = ''] = sent.split(/\s/, 1)
  const text = sent.slice(scheme.length).trim()
  const isKey = text.startsWith(API_KEY_PREFIX)
  if (isKey && /^(bearer|api-key|token)$/i.test(scheme)) return { key: text }
  if (/^bearer$/i.test(scheme)) return { token: text }
  const header = request.headers['x-api-key']
  const key = (Array.isArray(header) ? header[0] : header)?.trim()
  return key ? { key } : {}
}

function askedTeam(request: FastifyRequest): string | null {
  const header = request.headers['x-team-id']
  return (Array.isArray(header) ? header[0] : header)?.trim().toLowerCase() ?? null
}
