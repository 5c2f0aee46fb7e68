/** Translates the crawl options of the v1 API to the engine's spec. */
import { DEFAULT_WAIT_MS } from '#contract/crawls.ts'
import type { PageOptions, SpiderOptions } from '#contract/crawls.ts'
import type { BrowserSpec, CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { PageAction } from '#backend/crawler/crawl/renderer.ts'
import { activePlugins } from '#backend/crawler/plugins/active-plugins.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'

export type V1CrawlOptions = {
  spider_options: SpiderOptions
  page_options: Omit<PageOptions, 'extra_headers'>
  plugin_options?: Record<string, unknown>
}

/** @param options  with defaults. Extra headers are not part of the spec: they are sealed separately. */
export function crawlSpecOfV1({ spider_options: spider, page_options: page, plugin_options: plugins }: V1CrawlOptions): CrawlSpec {
  return {
    version: SPEC_VERSION,
    proxySlug: spider.proxy_server || null,
    maxDepth: spider.max_depth,
    maxConcurrency: spider.concurrent_requests,
    scope: { allowedDomains: spider.allowed_domains, includePaths: spider.include_paths, excludePaths: spider.exclude_paths },
    page: {
      timeoutMs: page.timeout,
      locale: page.locale,
      ...(page.keep_types?.length && { keepTypes: page.keep_types }),
      ...(page.skip_types?.length && { skipTypes: page.skip_types }),
    },
    extraction: {
      includeHtml: page.include_html,
      includeLinks: page.include_links,
      onlyMainContent: page.only_main_content,
      articleFrame: page.article_text_only !== true,
      ...(page.html_in_markdown === true && { htmlInMarkdown: true }),
      includeTags: page.include_tags,
      excludeTags: page.exclude_tags,
    },
    browser: page.ignore_rendering
      ? null
      : {
          // Clients send the default with every crawl: treat it as unset.
          waitMs: page.wait_time === DEFAULT_WAIT_MS ? null : page.wait_time,
          consentSelector: page.accept_cookies_selector || null,
          ...actionsOf(page.actions),
          ...(page.mobile === true && { viewport: 'mobile' as const }),
          ...(page.block?.length && { blocks: page.block }),
        },
    plugins: activePlugins(plugins),
  }
}

/** Captures alone go to `captures`; with other actions, all go to `actions` in order. */
function actionsOf(asked: PageOptions['actions']): Pick<BrowserSpec, 'captures' | 'actions'> {
  const captures = asked.flatMap(({ type }) => (type === 'screenshot' || type === 'pdf' ? [{ type }] : []))
  return captures.length === asked.length ? { captures } : { captures, actions: asked.map(actionOf) }
}

function actionOf({ key = '', ms, pixels, selector = '', text = '', type }: PageOptions['actions'][number]): PageAction {
  switch (type) {
    case 'screenshot':
    case 'pdf':
      return { type }
    case 'click':
      return { type, selector }
    case 'type':
      return { type, selector, text }
    case 'press':
      return { type, key }
    case 'scroll':
      return { type, pixels: pixels ?? null }
    case 'wait':
      return ms === undefined ? { type, selector } : { type, ms }
  }
}
