/** A paged list that grows at its end. Separate from the other hooks, because few screens have one. */
import { useCallback } from 'react'
import useSWRInfinite from 'swr/infinite'
import type { AnswerOf, EndpointSpec, Paged } from '#contract/endpoint.ts'
import { useCurrentTeamId } from '#web/state/current-team.ts'
import { session } from '#web/state/session.ts'
import { useSignalValue } from '#web/state/use-signal-value.ts'
import { call } from './client.ts'
import type { ApiError, CallArgs } from './client.ts'
import { isRetryable, keyOf } from './hooks.ts'

/**
 * A paged list that grows at its end.
 *
 * `loadMore` keeps its identity until another page has arrived, so that an effect may depend on it. After an error it requests the missing
 * page, once per call; `hasMore` stays true, and the caller decides whether to retry automatically.
 *
 * @param args      as for `useEndpoint`, without the page; `null`: no request
 * @param pageSize  rows per page, at most 100
 */
export function usePages<const E extends EndpointSpec & { method: 'GET' }>(endpoint: E, args: CallArgs<E> | null, pageSize: number) {
  const teamId = useCurrentTeamId()
  const userId = useSignalValue(session.userId)
  const argsOf = (index: number): CallArgs<E> | null =>
    args === null
      ? null
      : ({ ...args, query: { ...args.query, page: index === 0 ? undefined : index + 1, page_size: pageSize } } as CallArgs<E>)
  const pages = useSWRInfinite<Paged<ItemOf<E>>, ApiError>(
    (index: number, before: Paged<ItemOf<E>> | null) => {
      const at = argsOf(index)
      return at === null || (before !== null && before.next === null) ? null : [...keyOf(endpoint, at, userId, teamId), index]
    },
    async (key: readonly unknown[]) => {
      const answer: unknown = await call(endpoint, argsOf(Number(key[3])) ?? undefined)
      return answer as Paged<ItemOf<E>>
    },
    // The list of the previous filter stays until the first page of the new one arrives.
    {
      keepPreviousData: true,
      revalidateOnFocus: false,
      revalidateFirstPage: false,
      shouldRetryOnError: isRetryable,
      errorRetryCount: 5,
    },
  )
  const loaded = pages.data ?? []
  const { mutate: again, setSize } = pages
  const next = loaded.length + 1
  const loadMore = useCallback(() => void setSize(next), [setSize, next])
  return {
    items: loaded.flatMap(({ results }) => results),
    count: loaded[0]?.count ?? null,
    error: pages.error,
    isLoading: pages.isLoading,
    isLoadingMore: pages.isValidating && pages.size > loaded.length,
    hasMore: loaded.at(-1)?.next != null,
    loadMore,
    retry: () => void again(),
  }
}

type ItemOf<E extends EndpointSpec> = AnswerOf<E> extends { results: (infer Item)[] } ? Item : never
