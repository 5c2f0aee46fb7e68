/** The URL of one key in the list of keys: its page and its id. Pure. */
import { PATHS } from '#web/navigation.ts'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { pageOf } from '#web/ui/form/query-texts.ts'

/** @param index  from 0, in the order of the whole list */
export function keyHref(keyId: string, index: number): string {
  const page = Math.floor(index / PAGE_SIZE) + 1
  return `${PATHS.apiKeys}?${new URLSearchParams({ ...(page > 1 && { page: String(page) }), key: keyId })}`
}

/** Parses `?page=2&key=…`; an invalid page is the first. */
export function keyPlace(search: string): { page: number; keyId: string | null } {
  const given = new URLSearchParams(search)
  return { page: pageOf(given.get('page')), keyId: given.get('key') }
}
