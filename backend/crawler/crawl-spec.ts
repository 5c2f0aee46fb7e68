import type { ActivePlugin } from './plugins/plugin.ts'
import type { RunSpec } from './run-spec.ts'

/** What is asked of a crawl. Its start URLs, its page limit and its secret headers are stored by themselves. */
export type CrawlSpec = RunSpec & {
  /** Links followed from a start URL; 0 fetches the start URLs alone. */
  maxDepth: number
  /** Fetches at once; null takes the server's own limit. */
  maxConcurrency: number | null
  /** Patterns of hosts and paths, see `scope.ts`; no domains: the hosts of the start URLs. */
  scope: { allowedDomains: string[]; includePaths: string[]; excludePaths: string[] }
  page: {
    /** Budget of one fetch. */
    timeoutMs: number
    /** BCP 47 tag, sent as `Accept-Language`. */
    locale: string
  }
  extraction: {
    includeHtml: boolean
    includeLinks: boolean
    onlyMainContent: boolean
    /** Articles keep their headline and captions. Absent: the running text alone. */
    articleFrame?: boolean
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
}
