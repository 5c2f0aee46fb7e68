/** What a screen shows, kept in the address: a reload, a shared link and the way back lead to it again. */
import { navigate, useSearch } from 'wouter/use-browser-location'
import { changedSearch, pageOf } from '#web/ui/form/query-texts.ts'

export type Query = {
  /** '' when the address does not say. */
  get: (name: string) => string
  /** A page number from 1; text that is no number gives 1. */
  page: (name?: string) => number
  /** Sets some values and leaves the others; '' takes one away. The entry of the history stays the same. */
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
