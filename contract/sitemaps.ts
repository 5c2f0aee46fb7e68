/** Sitemaps: options, results, and the tree of a site's URLs, which crawls and sitemaps share. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { count, flag, httpUrl, optionsOf, patterns, shape, text } from './fields.ts'
import { deleteQuery, deletedCount, followQuery, prefetchedQuery, status, stopQuery } from './run-fields.ts'
import { OPTIONS_BODY } from './sizes.ts'

const SITEMAPS = '/api/v1/core/sitemaps'
const TAG = 'Sitemap Requests'

/** A page in the tree; `title` only when it is known. */
export type SitePage = { url: string; title?: string }

/**
 * Hosts at the first level, path segments below. `__self__` is the page at exactly this path, `__query__` its variants with a query. A
 * segment with one of these two names is percent-encoded.
 */
export type SiteTree = { [segment: string]: SiteTree | SitePage | SitePage[] }

export const siteTree = z.record(z.string(), z.unknown())

/** A text; a missing value, null and '' mean the same. */
const textOrNull = (max: number) =>
  z.pipe(
    z.optional(z.nullable(text({ max, blank: true }))),
    z.transform((value: string | null | undefined) => value || null),
  )

/** Which URLs of a site are listed, and how they are found. */
export const sitemapOptions = shape({
  /** Includes URLs of subdomains of the start host; `www.` always counts as the bare host. */
  include_subdomains: z._default(flag(), true),
  /** Ignores robots.txt and sitemap files, and follows links instead. */
  ignore_sitemap_xml: z._default(flag(), false),
  /** Words; a URL's path must contain at least one of them. */
  search: textOrNull(255),
  include_paths: patterns(),
  exclude_paths: patterns(),
  proxy_server: textOrNull(255),
})
export type SitemapOptions = z.output<typeof sitemapOptions>

export const sitemapRequest = z.object({
  uuid: z.string(),
  url: z.string(),
  status,
  options: z.object({
    include_subdomains: z.boolean(),
    ignore_sitemap_xml: z.boolean(),
    search: z.nullable(z.string()),
    include_paths: z.array(z.string()),
    exclude_paths: z.array(z.string()),
    proxy_server: z.nullable(z.string()),
  }),
  /** Why it ended, in a word: done, url_limit, time_limit, canceled, unreachable … */
  reason: z.nullable(z.string()),
  duration: z.nullable(z.string()),
  /** A signed link, or the list of URLs itself when `prefetched`; null until there is one. */
  result: z.nullable(z.union([z.string(), z.array(z.string())])),
  number_of_documents: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type SitemapRequest = z.output<typeof sitemapRequest>

export const listSitemaps = endpoint({
  method: 'GET',
  path: `${SITEMAPS}/`,
  access: 'team',
  tag: TAG,
  summary: 'List sitemaps, newest first',
  query: prefetchedQuery,
  answer: paged(sitemapRequest),
  description:
    'Filters: `status`, `status__in`, `uuid`, `url`, `url__contains`, `url__startswith`, `created_at` with `__gt`, `__gte`, `__lt`, `__lte`. `ordering` sorts them.',
})
export const createSitemap = endpoint({
  method: 'POST',
  path: `${SITEMAPS}/`,
  access: 'team',
  tag: TAG,
  summary: "List a site's URLs",
  query: prefetchedQuery,
  body: shape({ url: httpUrl(), options: optionsOf(sitemapOptions) }),
  size: OPTIONS_BODY,
  answer: sitemapRequest,
  status: 201,
  description: 'For 24 hours, a repeated `Idempotency-Key` of the same team returns the same sitemap.',
})
export const getSitemap = endpoint({
  method: 'GET',
  path: `${SITEMAPS}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'One sitemap',
  query: prefetchedQuery,
  answer: sitemapRequest,
})
export const rerunSitemap = endpoint({
  method: 'POST',
  path: `${SITEMAPS}/{id}/rerun/`,
  access: 'team',
  tag: TAG,
  summary: 'Run a sitemap again',
  answer: sitemapRequest,
  status: 201,
  description: 'A new sitemap of the same site with the same options. Takes an `Idempotency-Key`.',
})
export const stopSitemap = endpoint({
  method: 'DELETE',
  path: `${SITEMAPS}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'Stop a sitemap, or delete it',
  query: stopQuery,
  status: 204,
  description:
    'With `purge=true` the sitemap is deleted: it is stopped if it still runs, can no longer be read, and its data is removed within minutes.',
})
export const deleteSitemaps = endpoint({
  method: 'DELETE',
  path: `${SITEMAPS}/`,
  access: 'team',
  tag: TAG,
  summary: 'Delete several sitemaps',
  query: deleteQuery,
  answer: deletedCount,
  description: 'Up to 100 ids, separated by commas; `purge=true` is required. Ids that name no sitemap of the team are not counted.',
})
export const followSitemap = endpoint({
  method: 'GET',
  path: `${SITEMAPS}/{id}/status/`,
  access: 'team',
  tag: TAG,
  summary: 'Follow a sitemap live',
  query: followQuery,
  media: 'text/event-stream',
  description:
    'Server-sent events, each one line `data: {"type": "state" | "feed", …}`. The stream ends after the final state, which contains the result: a link, or the list itself when `prefetched` and when it is no longer than 32 MiB. `after=<seq>` resumes after an event: all later events follow in order. With `ids=true` each event is preceded by `id: <seq>`, so that an `EventSource` resumes by itself; a stream that has no further event is answered 204.',
})
export const sitemapGraph = endpoint({
  method: 'GET',
  path: `${SITEMAPS}/{id}/graph/`,
  access: 'team',
  tag: TAG,
  summary: "The tree of a site's URLs",
  answer: siteTree,
})
export const sitemapMarkdown = endpoint({
  method: 'GET',
  path: `${SITEMAPS}/{id}/markdown/`,
  access: 'team',
  tag: TAG,
  summary: "A site's URLs as Markdown, in one JSON string",
  answer: z.string(),
})
export const sitemapXml = endpoint({
  method: 'GET',
  path: `${SITEMAPS}/{id}/xml/`,
  access: 'team',
  tag: TAG,
  summary: 'The sitemap as XML, in the sitemaps protocol',
  query: z.object({ part: z.optional(count({ min: 1, max: 1_000_000 })) }),
  media: 'application/xml',
  description:
    'One `urlset`, with `lastmod` if the site states it. Above 50,000 URLs or 50 MB it is a `sitemapindex` whose parts are signed links; `part=<n>` returns one of them, counted from 1.',
})

export const getSitemapFile = endpoint({
  method: 'GET',
  path: '/api/v1/files/sitemaps/{id}/*',
  access: 'signed',
  tag: TAG,
  summary: 'The result of a sitemap by its signed link',
  description: 'The link ends in `/sitemap/json`; its signature also opens `/sitemap/graph`, `/sitemap/markdown` and `/sitemap/xml`.',
})

/** One URL of a sitemap; `lastmod` as the site states it. */
export const sitemapUrl = z.object({ url: z.string(), lastmod: z.nullable(z.string()) })
export type SitemapUrl = z.output<typeof sitemapUrl>

export const listSitemapUrls = endpoint({
  method: 'GET',
  path: `${SITEMAPS}/{id}/urls/`,
  access: 'team',
  tag: TAG,
  summary: 'The URLs of a sitemap, page by page',
  answer: paged(sitemapUrl),
  description: 'In order of discovery, also while it is running. Filters: `url`, `url__contains`, `url__startswith`.',
})
