/** State of a screen in the URL, for reloads, shared links and going back. */
import { navigate, useSearch } from 'wouter/use-browser-location'
import { changedSearch, pageOf } from '#web/ui/form/query-texts.ts'

export type Query = {
  /** '' when the URL does not contain it. */
  get: (name: string) => string
  /** A page number from 1; text that is no number gives 1. */
  page: (name?: string) => number
  /** Sets some values and keeps the others; '' removes one. Stays in the same history entry. */
  change: (changes: Record<string, string>) => void
}

export function useQuery(): Query {
  const given = new URLSearchParams(useSearch())
  return {
    get: (name) => given.get(name) ?? '',
    page: (name = 'page') => pageOf(given.get(name)),
    change(changes) {
      const { hash, pathname, search } = window.location
      navigate(pathname + changedSearch(search, changes) + hash, { replace: true, state: window.history.state as unknown })
    },
  }
}
