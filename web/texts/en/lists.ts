import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const remove = (value: string | number) => `Remove ${value}`
export const addTo = (label: string) => `Add to ${label}`
export const clear = (label: string) => `Clear ${label}`
export const nothingMatches = 'Nothing matches'
export const copy = 'Copy'
export const copied = 'Copied'
export const theFirstOfCharacters = (shown: string, code: string) => `The first ${shown} of ${code} characters`
export const showAll = 'Show all'
export const pages = 'Pages'
export const showingToOfResults = (first: string, last: string, numberText: string) =>
  `Showing ${first} to ${last} of ${numberText} results`
export const rowsOnAPage = 'Rows on a page'
export const rows = (size: string | number) => `${size} rows`
export const previous = 'Previous'
export const next = 'Next'
export const page1To = (pages: string | number) => `Page, 1 to ${pages}`
export const pageOf = (input: Part, pages: string) => rich`Page${input}of ${pages}`
export const updating = 'Updating…'
export const inAll = (total: string) => `${total} in all`
