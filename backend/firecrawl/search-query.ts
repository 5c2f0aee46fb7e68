/** The query of a search with its domains and categories, in the syntax of search engines. Pure. */
import type { SearchBody } from '#contract/firecrawl/shapes.ts'
import { MAX_QUERY } from '#contract/searches.ts'
import { badRequest } from './errors.ts'

/** The sites of each category; `pdf` is a type of file. */
const SITES = {
  github: ['github.com'],
  developer: ['github.com', 'stackoverflow.com', 'readthedocs.io', 'developer.mozilla.org', 'learn.microsoft.com'],
  research: ['arxiv.org', 'pubmed.ncbi.nlm.nih.gov', 'nature.com', 'ieee.org', 'sciencedirect.com', 'biorxiv.org'],
  pdf: [],
} as const
type Category = keyof typeof SITES
const CATEGORIES = Object.keys(SITES) as Category[]

/** Adds domains and categories to the query. Throws 400 for unknown categories, and for a query that is too long. */
export function queryOf(body: SearchBody): string {
  const { excludeDomains = [], includeDomains = [], query } = body
  if (includeDomains.length > 0 && excludeDomains.length > 0)
    throw badRequest('Only one of includeDomains and excludeDomains may be given.')
  const wanted = categoriesOf(body)
  const parts = [
    query,
    anyOf(includeDomains.map(ofSite)),
    ...excludeDomains.map((domain) => `-${ofSite(domain)}`),
    anyOf(wanted.flatMap((category) => (category === 'pdf' ? ['filetype:pdf'] : SITES[category].map(ofSite)))),
  ]
  const whole = parts.filter((part) => part !== '').join(' ')
  if (whole.length > MAX_QUERY) throw badRequest(`The query may have at most ${MAX_QUERY} characters, its domains and categories included.`)
  return whole
}

/** The first of the requested categories that a hit belongs to; absent without one. */
export function categoryOf(body: SearchBody, url: string): { category?: Category } {
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {}
  const category = categoriesOf(body).find((one) =>
    one === 'pdf' ? /\.pdf$/i.test(pathname) : SITES[one].some((site: string) => hostname === site || hostname.endsWith(`.${site}`)),
  )
  return category === undefined ? {} : { category }
}

function categoriesOf({ categories = [] }: SearchBody): Category[] {
  const names = categories.map((one) => (typeof one === 'string' ? one : one.type))
  const unknown = names.filter((name) => !(CATEGORIES as string[]).includes(name))
  if (unknown.length > 0) throw badRequest(`categories: ${unknown.join(', ')} is not one of ${CATEGORIES.join(', ')}.`)
  return CATEGORIES.filter((one) => names.includes(one))
}

const ofSite = (domain: string) => `site:${domain}`
const anyOf = (terms: readonly string[]) => (terms.length > 1 ? `(${terms.join(' OR ')})` : (terms[0] ?? ''))
