/** Server data on screens: SWR with keys of endpoint and arguments. Keys are created here, and for lists in `use-pages.ts`. */
import { useState } from 'react'
import useSWR, { SWRConfig, mutate, unstable_serialize } from 'swr'
import type { SWRConfiguration, SWRResponse } from 'swr'
import { fillPath } from '#contract/endpoint.ts'
import type { AnswerOf, EndpointSpec } from '#contract/endpoint.ts'
import { currentTeamId, useCurrentTeamId } from '#web/state/current-team.ts'
import { session } from '#web/state/session.ts'
import { useSignalValue } from '#web/state/use-signal-value.ts'
import { ApiError, call, queryString, UNREACHABLE } from './client.ts'
import type { AnyCallArgs, CallArgs } from './client.ts'

/** Path template, path with query, and user with team, so that no other user or team gets a cached answer. */
type Key = readonly [template: string, asked: string, forWhom: string]

/** SWR's key of a request. Its last part depends on who may see the answer: '' for everyone, else the user, or the user and the team. */
export function keyOf(endpoint: EndpointSpec, args: AnyCallArgs, userId: string | null, teamId: string | null): Key {
  const forWhom = endpoint.access === 'public' ? '' : endpoint.access === 'user' ? `${userId}` : `${userId} ${teamId}`
  return [endpoint.path, fillPath(endpoint.path, args.params) + queryString(args.query), forWhom]
}

const isKeyOf = (key: unknown, endpoint: EndpointSpec): boolean => Array.isArray(key) && key[0] === endpoint.path

/** Whether a later attempt may succeed: no answer, too many requests, or a server error. */
export const isRetryable = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

/**
 * The answer of a GET endpoint, from the cache first. `null` arguments mean "not yet": no request.
 *
 * With `keepPreviousData` the answer before stays until the next one is there, such as that of another page or filter. It does not stay
 * when the next one could not be loaded: then it would pass for it.
 *
 * @returns SWR's answer; `error` is an `ApiError`
 */
export function useEndpoint<const E extends EndpointSpec & { method: 'GET' }>(
  endpoint: E,
  ...[args, options]: HookArgs<E>
): SWRResponse<AnswerOf<E>, ApiError> {
  const teamId = useCurrentTeamId()
  const userId = useSignalValue(session.userId)
  const key = args === null ? null : keyOf(endpoint, args ?? {}, userId, teamId)
  const answer = useSWR<AnswerOf<E>, ApiError, Key | null>(key, () => call(endpoint, args ?? undefined), {
    revalidateOnFocus: false,
    shouldRetryOnError: isRetryable,
    errorRetryCount: 5,
    ...options,
  })
  if (options?.keepPreviousData !== true) return answer
  // SWR renders again for what is read of its answer only, so the other properties stay getters.
  return Object.create(answer, {
    data: { get: () => (answer.error !== undefined && !hasAnswer(key) ? undefined : answer.data) },
  }) as typeof answer
}

const hasAnswer = (key: Key | null): boolean => SWRConfig.defaultValue.cache.get(unstable_serialize(key))?.data !== undefined

export type EndpointOptions<E extends EndpointSpec> = SWRConfiguration<AnswerOf<E>, ApiError>

type HookArgs<E extends EndpointSpec> =
  Record<string, never> extends CallArgs<E>
    ? [args?: CallArgs<E> | null, options?: EndpointOptions<E>]
    : [args: CallArgs<E> | null, options?: EndpointOptions<E>]

/** The result of an action. Errors of the server are values, so that a handler cannot forget them. */
export type Outcome<T> = { ok: true; answer: T } | { ok: false; error: ApiError }

/**
 * A call that changes something.
 *
 * @param refreshes  endpoints whose answers are stale afterwards
 * @returns          `run(args)`; `busy` while it runs; `error` of the last run, null again with the next one; `reset()` clears it
 */
export function useAction<const E extends EndpointSpec>(endpoint: E, { refreshes = [] }: { refreshes?: readonly EndpointSpec[] } = {}) {
  const [state, setState] = useState<{ busy: boolean; error: ApiError | null }>({ busy: false, error: null })
  async function run(args?: CallArgs<E>): Promise<Outcome<AnswerOf<E>>> {
    setState({ busy: true, error: null })
    try {
      const answer = await call(endpoint, args)
      for (const stale of refreshes) void refresh(stale)
      setState({ busy: false, error: null })
      return { ok: true, answer }
    } catch (cause) {
      const error = asApiError(cause)
      setState({ busy: false, error })
      return { ok: false, error }
    }
  }

  const reset = () => setState({ busy: false, error: null })
  return { run, reset, ...state }
}

/** Requests all answers of an endpoint again that the screen shows. */
export const refresh = (endpoint: EndpointSpec): Promise<unknown> => mutate((key) => isKeyOf(key, endpoint))

/** Drops all cached answers of an endpoint, errors too, and requests again what the screen shows. */
export const reload = (endpoint: EndpointSpec): Promise<unknown> => mutate((key) => isKeyOf(key, endpoint), undefined, { revalidate: true })

/** Stores an answer that came another way (a live event) for `useEndpoint`, without a request. */
export function putAnswer<const E extends EndpointSpec & { method: 'GET' }>(endpoint: E, args: CallArgs<E>, answer: AnswerOf<E>): void {
  void mutate(keyOf(endpoint, args, session.userId.peek(), currentTeamId()), answer, { revalidate: false })
}

/** Changes all cached answers of an endpoint, without a request. */
export function amendAnswers<const E extends EndpointSpec>(endpoint: E, amend: (answer: AnswerOf<E>) => AnswerOf<E>): void {
  void mutate<AnswerOf<E>>(
    (key) => isKeyOf(key, endpoint),
    (answer) => (answer === undefined ? answer : amend(answer)),
    { revalidate: false },
  )
}

/**
 * Drops all cached answers about a deleted run, without new requests: the run itself, its parts, and the pages of its lists.
 *
 * @param id  a part of the paths of all its requests
 */
export function forgetAbout(id: string): void {
  const { cache } = SWRConfig.defaultValue
  for (const key of cache.keys()) if (key.includes(`/${id}/`)) cache.delete(key)
}

/** Drops all cached answers for a deleted team. */
export function forgetTeamAnswers(teamId: string): void {
  const { cache } = SWRConfig.defaultValue
  for (const key of cache.keys()) if (key.includes(` ${teamId}"`)) cache.delete(key)
}

/** Drops all cached answers for a user, at logout. Answers that are the same for everyone, such as the settings, stay. */
export async function forgetAnswers(): Promise<void> {
  const isPersonal = (key: unknown) => Array.isArray(key) && key[2] !== ''
  // This also makes SWR ignore the answers to pending requests.
  await mutate(isPersonal, undefined, { revalidate: false })
  const { cache } = SWRConfig.defaultValue
  // SWR caches the pages of a list a second time, under a key that filters never get.
  for (const name of cache.keys()) {
    const { _k: key } = (cache.get(name) ?? {}) as { _k?: unknown }
    if (name.startsWith('$inf$') || isPersonal(key)) cache.delete(name)
  }
}

/** An error that is no answer of the server counts as one of status 0. */
export const asApiError = (cause: unknown): ApiError =>
  cause instanceof ApiError
    ? cause
    : new ApiError(0, { code: 0, errors: null, message: cause instanceof Error ? cause.message : UNREACHABLE })
