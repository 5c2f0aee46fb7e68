/** The query of a URL. Pure. */

/** A page number from 1; text that is no number gives 1. */
export function pageOf(text: string | null): number {
  const page = Number(text ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** A page number for the URL; '' for the first page. */
export const pageText = (page: number): string => (page > 1 ? String(page) : '')

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A UUID in lower case; '' for any other text. */
export const uuidOf = (text: string | null): string => (text !== null && UUID.test(text) ? text.toLowerCase() : '')

/**
 * Changes some values and keeps the others; '' removes one.
 *
 * @returns with the question mark, '' when nothing is left
 */
export function changedSearch(search: string, changes: Readonly<Record<string, string>>): string {
  const pairs = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') pairs.delete(name)
    else pairs.set(name, value)
  }
  return pairs.size === 0 ? '' : `?${pairs}`
}
