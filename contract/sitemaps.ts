/** The tree of a site's addresses, as crawls and sitemaps write it. */
import * as z from 'zod/mini'

/** A page in the tree; `title` only when it is known. */
export type SitePage = { url: string; title?: string }

/**
 * Hosts at the first level, path segments below. `__self__` is the page at exactly this path, `__query__` its variants with a query.
 * A segment that is spelled like one of the two is written percent-encoded.
 */
export type SiteTree = { [segment: string]: SiteTree | SitePage | SitePage[] }

export const siteTree = z.record(z.string(), z.unknown())
