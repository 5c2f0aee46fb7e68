/** The options that the text of a page depends on. If two crawls differ in one of them, a changed text need not mean a changed page. */
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import { isCapture } from '#backend/crawler/crawl/renderer.ts'

/** Values by the option's name in the API. */
const VALUES: Record<string, (spec: CrawlSpec) => unknown> = {
  only_main_content: ({ extraction }) => extraction.onlyMainContent,
  article_text_only: ({ extraction }) => extraction.onlyMainContent && extraction.articleFrame !== true,
  html_in_markdown: ({ extraction }) => extraction.htmlInMarkdown === true,
  include_tags: ({ extraction }) => extraction.includeTags.toSorted(),
  exclude_tags: ({ extraction }) => [extraction.excludeTags.toSorted(), extraction.excludesInIncluded === true],
  ignore_rendering: ({ browser }) => browser === null || browser.mode,
  wait_time: ({ browser }) => browser?.waitMs ?? null,
  accept_cookies_selector: ({ browser }) => browser?.consentSelector ?? null,
  // A capture changes nothing of a page.
  actions: ({ browser }) => browser?.actions?.filter((action) => !isCapture(action)) ?? [],
  mobile: ({ browser }) => browser?.viewport,
  block: ({ browser }) => browser?.blocks?.toSorted() ?? [],
  locale: ({ page }) => page.locale,
  proxy_server: ({ proxySlug }) => proxySlug,
}

/** The API's names of the options in which two crawls differ. */
export function differingOptions(one: CrawlSpec, other: CrawlSpec): string[] {
  return Object.entries(VALUES).flatMap(([name, valueOf]) =>
    JSON.stringify(valueOf(one)) === JSON.stringify(valueOf(other)) ? [] : [name],
  )
}
