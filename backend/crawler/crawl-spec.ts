import type { DocumentType } from '#contract/document-types.ts'
import type { ActivePlugin } from './plugins/plugin.ts'
import type { PageAction, RenderJob } from './crawl/renderer.ts'
import type { RunSpec } from './run-spec.ts'
import type { ScopeRules } from './url/scope.ts'

/** What is asked of a crawl. Its start URLs, its page limit and its secret headers are stored by themselves. */
export type CrawlSpec = RunSpec & {
  /** Links followed from a start URL; 0 fetches the start URLs alone. */
  maxDepth: number
  /** Fetches at once; null takes the server's own limit. */
  maxConcurrency: number | null
  /** Patterns of hosts and paths, see `scope.ts`; no domains: the hosts of the start URLs. */
  scope: Omit<ScopeRules, 'seedHosts'>
  /** URLs that differ by their query alone are one page, without it. */
  ignoresQuery?: boolean
  /** `include`: the URLs that the site's sitemap files name join the start URLs. `only`: and no link of a page is followed. */
  sitemap?: 'include' | 'only'
  /** Least pause between two requests of this run, in milliseconds. */
  delayMs?: number
  page: {
    /** Budget of one fetch. */
    timeoutMs: number
    /** BCP 47 tag, sent as `Accept-Language`. */
    locale: string
    /** What an origin answers with 4xx or 5xx is a page too, unless it holds no text. */
    keepsErrorPages?: boolean
    /** Kinds of documents that alone are kept; absent: all. */
    keepTypes?: DocumentType[]
    /** Kinds that are not kept. */
    skipTypes?: DocumentType[]
    /** Validators of an older copy: when they still hold, the run ends with the outcome `not_modified` instead of a page (RFC 9110, 13.1). */
    known?: { etag: string | null; lastModified: string | null }
    /** False: what this run brings is never served to a later one. */
    isReusable?: boolean
    /** The validators of each page are stored with it. */
    keepsValidators?: boolean
  }
  extraction: {
    includeHtml: boolean
    includeLinks: boolean
    onlyMainContent: boolean
    /** Articles keep their headline and captions. Absent: the running text alone. */
    articleFrame?: boolean
    /** All links of a page, not those alone that the crawl may follow. */
    allLinks?: boolean
    /** The page as it was fetched, decoded. */
    includeRawHtml?: boolean
    /** Addresses of the page's images. */
    includeImages?: boolean
    /** Values of attributes, by CSS selector. */
    attributes?: { selector: string; attribute: string }[]
    /** `excludeTags` holds inside of what `includeTags` keeps too. */
    excludesInIncluded?: boolean
    /** CSS selectors, or `*…*` around a regular expression on tag names. */
    includeTags: string[]
    excludeTags: string[]
  }
  /** What only a browser can do; null when none is wanted. */
  browser: BrowserSpec | null
  plugins: ActivePlugin[]
}

export type BrowserSpec = {
  /** Pause between the load of a page and its reading; null leaves it to the browser's own default. */
  waitMs: number | null
  /** Selector of a button that is clicked before the page is read. */
  consentSelector: string | null
  captures: { type: 'screenshot' | 'pdf' }[]
  /** All that is done on each page, captures among it, in order; absent: the captures. */
  actions?: PageAction[]
  /** Absent: a desktop's. */
  viewport?: RenderJob['viewport']
  /** What is not loaded. */
  blocks?: RenderJob['blocks']
  /** `always`: every page is drawn. Absent: those that need it. */
  mode?: 'always'
}
