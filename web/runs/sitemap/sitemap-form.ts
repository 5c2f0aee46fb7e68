/** The sitemap form: its values, its request, and its differences from the defaults. Pure; fields have the API's names. */
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { isTarget, withScheme } from '#web/runs/shared/target-url.ts'
import * as t from '#texts/sitemap.ts'

export type SitemapForm = {
  url: string
  include_subdomains: boolean
  ignore_sitemap_xml: boolean
  search: string
  include_paths: string[]
  exclude_paths: string[]
  proxy_server: string
}

export const DEFAULT_FORM: SitemapForm = {
  url: '',
  include_subdomains: true,
  ignore_sitemap_xml: false,
  search: '',
  include_paths: [],
  exclude_paths: [],
  proxy_server: '',
}

/** The request; adds the missing scheme to the URL. */
export function requestBody({ url, search, proxy_server, ...options }: SitemapForm) {
  return { url: withScheme(url), options: { ...options, search: search.trim() || null, proxy_server: proxy_server || null } }
}

/** The error of the URL. An empty URL has a separate message. */
export const targetFault = (url: string): string | undefined =>
  url.trim() === '' || isTarget(withScheme(url)) ? undefined : t.enterAValidURLBeginningWith

/** The form for repeating a sitemap. */
export const formOf = ({ url, options }: Pick<SitemapRequest, 'url' | 'options'>): SitemapForm => ({
  url,
  include_subdomains: options.include_subdomains,
  ignore_sitemap_xml: options.ignore_sitemap_xml,
  search: options.search ?? '',
  include_paths: [...options.include_paths],
  exclude_paths: [...options.exclude_paths],
  proxy_server: options.proxy_server ?? '',
})

/** What differs from the defaults, in words. */
export function differences(form: SitemapForm): string[] {
  const several = ({ length }: readonly string[], words: (n: number) => string) => (length === 0 ? '' : words(length))
  return [
    form.include_subdomains ? '' : t.withoutSubdomains,
    form.ignore_sitemap_xml ? t.byFollowingLinks : '',
    form.search.trim() === '' ? '' : t.about(form.search.trim()),
    several(form.include_paths, t.includedPaths),
    several(form.exclude_paths, t.excludedPaths),
    form.proxy_server === '' ? '' : t.proxy(form.proxy_server),
  ].filter(Boolean)
}

/** The price of a sitemap in credits: following links takes many requests, reading sitemap files few. */
export const creditsOf = ({ ignore_sitemap_xml: ignoresFiles }: Pick<SitemapForm, 'ignore_sitemap_xml'>): number => (ignoresFiles ? 15 : 5)
