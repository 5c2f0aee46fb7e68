/**
 * Calls endpoints of the contract. Adds headers and the API base, and handles a 401: one token refresh at a time over all tabs, shared by
 * all waiting calls, then one retry each; if the refresh fails, the tokens are dropped and the user is sent to the login. Throws `ApiError`
 * when the server refuses a call; the screens decide on the message.
 */
import { navigate } from 'wouter/use-browser-location'
import { refreshToken } from '#contract/accounts.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { AnswerOf, BodyInput, EndpointSpec, ErrorBody, PathParam } from '#contract/endpoint.ts'
import { getSettings } from '#contract/settings.ts'
import { currentTeamId } from '#web/state/current-team.ts'
import { apiBase, basePath } from '#web/state/runtime-config.ts'
import { isSamePerson, session as pageSession } from '#web/state/session.ts'
import type { Session } from '#web/state/session.ts'
import { tabLock } from '#web/state/tab-lock.ts'
import type { TabLock } from '#web/state/tab-lock.ts'
import * as t from '#texts/client.ts'
import { translatedBody, translator } from './server-messages.ts'

export type QueryValue = string | number | boolean | null | undefined
export type Query = Record<string, QueryValue>

/** Arguments of a call: path parameters, query, body; each only if the endpoint has it. */
export type CallArgs<E extends EndpointSpec> = ([PathParam<E['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParam<E['path']>, string> }) &
  (BodyInput<E> extends undefined ? { body?: undefined } : { body: BodyInput<E> }) & { query?: Query }

export type AnyCallArgs = { params?: Record<string, string> | undefined; query?: Query; body?: unknown }

/** The server refused, or could not be reached (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Seconds to wait, if the server named them. */
  readonly retryAfter: number | null
  /** The message in the server's own words, for comparisons; `body` has it in the language of the dashboard. */
  readonly said: string

  constructor(status: number, body: ErrorBody, retryAfter: number | null = null, said = body.message) {
    super(body.message || fallbackMessage(status))
    this.name = 'ApiError'
    this.status = status
    this.body = body
    this.retryAfter = retryAfter
    this.said = said
  }
}

const REFRESH_FAILED = t.failedToRefreshToken
const ANOTHER_USER = t.anotherUserHasSignedInIn
export const UNREACHABLE = t.theServerCannotBeReachedCheck

const failure = (status: number, message: string) => new ApiError(status, { code: status, errors: null, message })

type Needs = {
  apiUrl: string
  fetch: typeof fetch
  session: Pick<Session, 'access' | 'refresh' | 'reload' | 'renew' | 'signOut'>
  /** Held while a token is refreshed, so that no other tab refreshes too. */
  lock: TabLock
  teamId: () => string | null
  /** Called after the tokens were dropped because the refresh failed. */
  goToLogin: () => void
  /** True once the page is left or reloaded: the browser then aborts its requests. */
  isLeaving: () => boolean
}

/** Creates a client; the page's own is below. */
export function createClient({ apiUrl, fetch, session, lock, teamId, goToLogin, isLeaving }: Needs) {
  let refreshing: Promise<string> | null = null
  return { call, open }

  /**
   * Calls an endpoint and returns its JSON answer, or undefined where the contract has none. Throws `ApiError`; an abort stays an abort.
   *
   * @param team  acts for this team instead of the current one
   */
  async function call<const E extends EndpointSpec>(
    endpoint: E,
    args?: CallArgs<E>,
    signal?: AbortSignal,
    team?: string,
  ): Promise<AnswerOf<E>> {
    const response = await open(endpoint, args, signal, team)
    if (response.status === 204 || endpoint.answer === undefined) return undefined as AnswerOf<E>
    try {
      return (await response.json()) as AnswerOf<E>
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw failure(response.status, t.theAnswerIsNotUnderstood)
    }
  }

  /** Like `call`, but returns the response itself: for streams and archives. */
  async function open<const E extends EndpointSpec>(
    endpoint: E,
    args?: CallArgs<E>,
    signal?: AbortSignal,
    team?: string,
  ): Promise<Response> {
    const given: AnyCallArgs = args ?? {}
    const token = session.access.peek()
    const first = await send(endpoint, given, token, signal, team)
    if (first.ok) return first
    const mayRefresh = first.status === 401 && (session.refresh.peek() !== null || endpoint.access !== 'public')
    if (!mayRefresh) throw await errorOf(first)

    // Another tab may have refreshed meanwhile: prefer its token.
    const renewed = newerThan(token) ?? (await refreshOnce(token))
    // Another user may have signed in meanwhile: do not send one user's call as another.
    if (!isSamePerson(token, renewed)) throw failure(401, ANOTHER_USER)
    const second = await send(endpoint, given, renewed, signal, team)
    if (second.ok) return second
    throw await errorOf(second)
  }

  async function send(
    endpoint: EndpointSpec,
    args: AnyCallArgs,
    token: string | null,
    signal?: AbortSignal,
    team: string | null = teamId(),
  ): Promise<Response> {
    const headers = new Headers()
    // The settings are the same for everyone. Without headers, the request matches the preload in the HTML.
    const isBare = endpoint.path === getSettings.path
    if (token !== null && !isBare) headers.set('authorization', `Bearer ${token}`)
    if (team !== null && !isBare) headers.set('x-team-id', team)
    if (args.body !== undefined) headers.set('content-type', 'application/json')
    try {
      return await fetch(apiUrl + fillPath(endpoint.path, args.params) + queryString(args.query), {
        method: endpoint.method,
        headers,
        ...(args.body === undefined ? {} : { body: JSON.stringify(args.body) }),
        ...(signal ? { signal } : {}),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw failure(0, UNREACHABLE)
    }
  }

  /** An access token that this tab or another one has stored meanwhile. */
  function newerThan(token: string | null): string | null {
    const latest = session.access.peek()
    return latest === token ? null : latest
  }

  function refreshOnce(stale: string | null): Promise<string> {
    refreshing ??= lock(() => refresh(stale)).finally(() => (refreshing = null))
    return refreshing
  }

  async function refresh(stale: string | null): Promise<string> {
    // The previous holder of the lock may have stored new tokens, or removed them.
    session.reload()
    const left = newerThan(stale)
    if (left !== null) return left
    const token = session.refresh.peek()
    try {
      if (token === null) throw failure(401, 'There is no refresh token.')
      const response = await send(refreshToken, { body: { refresh: token } }, null)
      if (!response.ok) throw await errorOf(response)
      const { access } = (await response.json()) as AnswerOf<typeof refreshToken>
      return kept(token, access)
    } catch {
      // The browser aborted the request: keep the tokens for other tabs and for the next page.
      if (isLeaving()) throw failure(0, UNREACHABLE)
      // Whatever the reason, the user must sign in again, unless another tab has stored new tokens meanwhile.
      session.reload()
      const latest = session.refresh.peek() === token ? null : session.access.peek()
      if (latest !== null) return latest
      session.signOut()
      goToLogin()
      throw failure(401, REFRESH_FAILED)
    }
  }

  /** Stores the new access token, unless another tab has ended its session meanwhile. */
  function kept(token: string, access: string): string {
    session.reload()
    if (session.refresh.peek() !== token) throw failure(401, 'The session was ended meanwhile.')
    session.renew(access)
    return access
  }
}

/** `?a=1&b=x`, without null and undefined values; '' when nothing is left. */
export function queryString(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, String(value)]]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

async function errorOf(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : null
  const body: unknown = await response.json().catch(() => null)
  const said = errorBody(response.status, body)
  return new ApiError(response.status, translatedBody(said, await translator()), retryAfter, said.message)
}

/** The error body in the contract's form; missing parts become null or empty. */
function errorBody(status: number, body: unknown): ErrorBody {
  if (typeof body !== 'object' || body === null) return { code: status, errors: null, message: '' }
  const { errors, message }: { errors?: unknown; message?: unknown } = body
  const fields = typeof errors === 'object' ? (errors as ErrorBody['errors']) : null
  return { code: status, errors: fields, message: typeof message === 'string' ? message : '' }
}

const fallbackMessage = (status: number) => t.theServerAnsweredWithStatus(status)

/** The client of this page. */
export const { call, open } = createClient({
  apiUrl: apiBase,
  fetch: (input, init) => globalThis.fetch(input, init),
  session: pageSession,
  lock: tabLock('refreshing'),
  teamId: currentTeamId,
  // After signing in, the user returns to the current place (`account/session/place-after-sign-in.ts`).
  goToLogin: () => {
    const { pathname, search, hash } = window.location
    navigate(`${basePath}/`, { replace: true, state: { wanted: pathname + search + hash } })
  },
  isLeaving: watchLeaving(),
})

/** Returns a function that tells whether the user has left the page. A page restored from the browser's cache counts as open. */
function watchLeaving(): () => boolean {
  let left = false
  if (typeof window === 'undefined') return () => false
  window.addEventListener('pagehide', () => (left = true))
  window.addEventListener('pageshow', () => (left = false))
  return () => left
}
