/** Pages of a list: the rows of a page, and links to the next and previous page. */
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#contract/endpoint.ts'
import type { Paged } from '#contract/endpoint.ts'
import { AppError } from '#backend/errors.ts'

export type Query = Readonly<Record<string, unknown>>

/** The rows of one page. `page` counts from 1. */
export type PageWindow = { page: number; pageSize: number; offset: number; count: number }

/**
 * The last value of a query parameter as text; also accepts the alias `params[name]` of one published client. Undefined when it is absent
 * or empty.
 */
export function queryText(query: Query, name: string): string | undefined {
  for (const key of [name, `params[${name}]`]) {
    const given = query[key]
    const value: unknown = Array.isArray(given) ? given.at(-1) : given
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  }
  return undefined
}

/**
 * The rows that a query asks for, from a list of `count`.
 *
 * Page sizes over 100 become 100; invalid ones become 25. An empty list has one page. Throws `invalid_page` for a missing page; the alias
 * `params[page]` returns an empty page instead.
 */
export function pageWindow(query: Query, count: number): PageWindow {
  const size = Number(queryText(query, 'page_size'))
  const pageSize = Number.isInteger(size) && size > 0 ? Math.min(size, MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE
  const pages = Math.max(1, Math.ceil(count / pageSize))
  const asked = queryText(query, 'page') ?? '1'
  const page = asked === 'last' ? pages : /^\d{1,15}$/.test(asked) ? Number(asked) : 0
  const isAlias = queryText({ page: query['page'] }, 'page') === undefined
  if (page >= 1 && (page <= pages || isAlias)) return { page, pageSize, offset: (page - 1) * pageSize, count }
  if (isAlias) return { page: pages + 1, pageSize, offset: pages * pageSize, count }
  throw new AppError('invalid_page')
}

/**
 * The links to the next and previous page. All other parameters stay; the link to page 1 has no `page`.
 *
 * @param href  the absolute URL of the request
 */
export function pageLinks(href: string, { page, pageSize, count }: PageWindow): { next: string | null; previous: string | null } {
  const pages = Math.max(1, Math.ceil(count / pageSize))
  const link = (to: number) => {
    const url = new URL(href)
    url.searchParams.delete('params[page]')
    if (to === 1) url.searchParams.delete('page')
    else url.searchParams.set('page', String(to))
    return url.href
  }
  return { next: page < pages ? link(page + 1) : null, previous: page > 1 ? link(Math.min(page - 1, pages)) : null }
}

/** One page of a list in the API's format. */
export const pagedAnswer = <T>(href: string, window: PageWindow, results: T[]): Paged<T> => ({
  count: window.count,
  ...pageLinks(href, window),
  results,
})
