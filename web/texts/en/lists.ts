import { count } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const pages = 'Pages'
export const showingToOfResults = (first: string, last: string, n: number) =>
  `Showing ${first} to ${last} of ${count(n, { one: 'result', other: 'results' })}`
export const rowsOnAPage = 'Rows on a page'
export const rows = (size: string | number) => `${size} rows`
export const previous = 'Previous'
export const next = 'Next'
export const page1To = (pages: string | number) => `Page, 1 to ${pages}`
export const pageOf = (input: Part, pages: string) => rich`Page${input}of ${pages}`
export const inAll = (total: string) => `${total} in all`
export const pageNotFound = 'Page not found'
export const toTheFirstPage = 'To the first page'
