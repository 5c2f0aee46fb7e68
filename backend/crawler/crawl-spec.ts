import type { DocumentType } from '#contract/document-types.ts'
import type { ActivePlugin } from './plugins/plugin.ts'
import type { PageAction, RenderJob } from './crawl/renderer.ts'
import type { ExtractionRules } from './page/extraction-rules.ts'
import type { RunSpec } from './run-spec.ts'
import type { ScopeRules } from './url/scope.ts'

/** The spec of a crawl. Its start URLs, page limit and secret headers are stored separately. */
export type CrawlSpec = RunSpec & {
  /** Most links from a start URL; 0 fetches the start URLs alone. */
  maxDepth: number
  /** Fetches at once; null uses the server's limit. */
  maxConcurrency: number | null
  /** Patterns of hosts and paths, see `scope.ts`; without domains: the hosts of the start URLs. */
  scope: Omit<ScopeRules, 'seedHosts'>
  /** URLs that differ only in their query are one page; it is fetched without the query. */
  ignoresQuery?: boolean
  /** `include`: adds the URLs from the site's sitemap files. `only`: and follows no links. */
  sitemap?: 'include' | 'only'
  /** Shortest pause between two requests of this run, in milliseconds. */
  delayMs?: number
  page: {
    /** Most milliseconds for one fetch. */
    timeoutMs: number
    /** BCP 47 tag, sent as `Accept-Language`. */
    locale: string
    /** Also keeps pages with a 4xx or 5xx status, if they have text. */
    keepsErrorPages?: boolean
    /** Document types to keep; absent: all. */
    keepTypes?: DocumentType[]
    /** Document types to skip. */
    skipTypes?: DocumentType[]
    /**
     * Validators of an older copy: if it is still current, the run ends with the outcome `not_modified` instead of a page (RFC 9110, 13.1).
     */
    known?: { etag: string | null; lastModified: string | null }
    /** False: no later run reuses the pages of this one. */
    isReusable?: boolean
    /** Stores the validators of each page with it. */
    keepsValidators?: boolean
  }
  extraction: ExtractionRules & {
    includeLinks: boolean
    /** Lists all links of a page in its order, not just those that the crawl may follow, sorted. */
    allLinks?: boolean
  }
  /** Options that need a browser; null when there are none. */
  browser: BrowserSpec | null
  plugins: ActivePlugin[]
}

export type BrowserSpec = {
  /** Wait between the load of a page and its reading; null uses the browser's default. */
  waitMs: number | null
  /** Selector of a button that is clicked before the page is read. */
  consentSelector: string | null
  captures: { type: 'screenshot' | 'pdf' }[]
  /** All actions on each page, captures included, in order; absent: only the captures. */
  actions?: PageAction[]
  /** Absent: a desktop. */
  viewport?: RenderJob['viewport']
  /** Resource types that are not loaded. */
  blocks?: RenderJob['blocks']
  /** `always`: renders every page. Absent: renders those that need it. */
  mode?: 'always'
}
