/** What is read of a page: the options of a crawl that the parser threads need. */
export type ExtractionRules = {
  includeHtml: boolean
  onlyMainContent: boolean
  /** An article keeps its headline and the captions of its figures. Absent: only its running text. */
  articleFrame?: boolean
  /** Elements that Markdown has no syntax for stay HTML tags in it. Absent: only their content is written. */
  htmlInMarkdown?: boolean
  /**
   * CSS selectors, or `*…*` around a regular expression on tag names. If not empty, only matching elements are kept, and `onlyMainContent`
   * and `excludeTags` do not apply.
   */
  includeTags: string[]
  excludeTags: string[]
  /** `excludeTags` also applies inside elements that `includeTags` keeps. */
  excludesInIncluded?: boolean
  /** URLs in the HTML are absolute. Absent: they are as the page spells them. */
  absoluteUrls?: boolean
  /** Most pages that are read of a PDF. */
  maxPdfPages?: number
  /** Keeps the decoded HTML as it was fetched. */
  includeRawHtml?: boolean
  /** Lists the URLs of the page's images. */
  includeImages?: boolean
  /** Values of attributes, by CSS selector. */
  attributes?: { selector: string; attribute: string }[]
}
