/** The query part of an address. Pure. */

/** A page number from 1; what is none is the first. */
export function pageOf(text: string | null): number {
  const page = Number(text ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** How a page stands in the address: the first one goes without saying. */
export const pageText = (page: number): string => (page > 1 ? String(page) : '')

/**
 * Some values changed, the others left; '' takes one away.
 *
 * @returns with its question mark, '' when nothing is left
 */
export function changedSearch(search: string, changes: Readonly<Record<string, string>>): string {
  const pairs = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') pairs.delete(name)
    else pairs.set(name, value)
  }
  return pairs.size === 0 ? '' : `?${pairs}`
}
