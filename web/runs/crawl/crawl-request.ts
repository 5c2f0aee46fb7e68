/** Converts a crawl form to a request, and describes how it differs from the defaults. Pure. */
import type { DocumentType } from '#contract/document-types.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/crawl.ts'
import { DEFAULT_FORM, linesOf } from './crawl-form.ts'
import type { CrawlForm, PageFields } from './crawl-form.ts'
import { isActive, sentPlugins } from './plugin-form.ts'
import type { PluginForms } from './plugin-form.ts'

/** Whether the crawl renders pages in a browser: the server must have one, and the form must not forbid it. */
const rendersPages = (form: CrawlForm, isRenderingConfigured: boolean): boolean =>
  isRenderingConfigured && !form.page_options.ignore_rendering

/**
 * The request: only set values, and only active plugins.
 *
 * @param plugins  the forms of the installed plugins; options of a plugin without a form are sent unchanged
 */
export function requestBody(form: CrawlForm, isRenderingConfigured: boolean, plugins: PluginForms = {}) {
  const { spider_options: spider, page_options: page } = form
  const batch = form.crawl_type === 'batch'
  const shared = {
    ...(spider.concurrent_requests === null ? {} : { concurrent_requests: spider.concurrent_requests }),
    ...(spider.proxy_server === '' ? {} : { proxy_server: spider.proxy_server }),
  }
  const options = {
    spider_options: batch
      ? shared
      : {
          max_depth: spider.max_depth ?? 1,
          page_limit: spider.page_limit ?? 1,
          ...shared,
          allowed_domains: spider.allowed_domains,
          exclude_paths: spider.exclude_paths,
          include_paths: spider.include_paths,
        },
    page_options: {
      exclude_tags: page.exclude_tags,
      include_tags: page.include_tags,
      wait_time: page.wait_time ?? DEFAULT_FORM.page_options.wait_time,
      include_html: page.include_html,
      only_main_content: page.only_main_content,
      ...(page.article_text_only && page.only_main_content ? { article_text_only: true } : {}),
      ...(page.html_in_markdown ? { html_in_markdown: true } : {}),
      include_links: page.include_links,
      ...(page.timeout === null ? {} : { timeout: page.timeout }),
      ...(page.accept_cookies_selector.trim() === '' ? {} : { accept_cookies_selector: page.accept_cookies_selector.trim() }),
      ...(page.locale.trim() === '' ? {} : { locale: page.locale.trim() }),
      extra_headers: Object.fromEntries(page.extra_headers.map(({ name, value }) => [name, value])),
      actions: actionsOf(page, rendersPages(form, isRenderingConfigured)),
      ignore_rendering: page.ignore_rendering,
      ...(rendersPages(form, isRenderingConfigured) && page.mobile ? { mobile: true } : {}),
      ...(rendersPages(form, isRenderingConfigured) && page.block.length > 0 ? { block: page.block } : {}),
      ...(page.keep_types.length > 0 ? { keep_types: page.keep_types as DocumentType[] } : {}),
      ...(page.skip_types.length > 0 ? { skip_types: page.skip_types as DocumentType[] } : {}),
    },
    plugin_options: sentPlugins(plugins, form.plugin_options),
  }
  return batch ? { urls: linesOf(form.urls), options } : { urls: undefined, url: form.url.trim(), options }
}

export type CrawlBody = ReturnType<typeof requestBody>

const actionsOf = (page: PageFields, renders: boolean) =>
  renders ? (['pdf', 'screenshot'] as const).filter((type) => page[type]).map((type) => ({ type })) : []

export type Difference = { tab: 'spider' | 'page' | 'plugin'; name: string; value: string }

/** The differences from the defaults that have an effect, in words. A tab's badge shows how many are in the tab. */
export function differences(form: CrawlForm, isRenderingConfigured = true, plugins: PluginForms = {}): Difference[] {
  const found: Difference[] = []
  const { spider_options: spider, page_options: page } = form
  const start = DEFAULT_FORM
  const add = (tab: Difference['tab'], differs: boolean, name: string, value = '') => differs && found.push({ tab, name, value })
  /** An emptied field has its default. */
  const number = (tab: Difference['tab'], value: number | null, standard: number | null, name: string, words = (text: string) => text) =>
    add(tab, (value ?? standard) !== standard, name, words(Number.isNaN(value) ? '?' : numberText(value ?? 0)))
  const several = (tab: Difference['tab'], { length }: readonly unknown[], words: (n: number) => string) =>
    add(tab, length > 0, words(length))

  if (form.crawl_type === 'single') {
    number('spider', spider.max_depth, start.spider_options.max_depth, t.maxDepth)
    number('spider', spider.page_limit, start.spider_options.page_limit, t.pageLimit)
  }
  number('spider', spider.concurrent_requests, null, t.concurrentRequests)
  if (form.crawl_type === 'single') {
    several('spider', spider.exclude_paths, t.excludedPaths)
    several('spider', spider.include_paths, t.includedPaths)
    several('spider', spider.allowed_domains, t.allowedDomainCount)
  }
  add('spider', spider.proxy_server !== '', t.proxy, spider.proxy_server)

  add('page', !page.only_main_content, t.wholePage)
  add('page', page.only_main_content && page.article_text_only, t.bareArticleText)
  add('page', page.html_in_markdown, t.htmlInTheMarkdown)
  add('page', page.include_html, t.withHTML)
  add('page', !page.include_links, t.withoutLinks)
  several('page', page.exclude_tags, t.excludedElements)
  several('page', page.include_tags, t.includedElements)
  number('page', page.timeout, start.page_options.timeout, t.timeoutLabel, t.timeoutMs)
  add('page', page.locale.trim() !== '', t.localeLabel, page.locale.trim())
  several('page', page.extra_headers, t.headerCount)
  add('page', page.keep_types.length > 0, t.keeps, page.keep_types.join(', '))
  add('page', page.skip_types.length > 0, t.skips, page.skip_types.join(', '))
  add('page', page.ignore_rendering, t.withoutRendering)
  if (rendersPages(form, isRenderingConfigured)) {
    number('page', page.wait_time, start.page_options.wait_time, t.wait, t.waitMs)
    add('page', page.pdf, 'PDF')
    add('page', page.screenshot, t.screenshotLabel)
    add('page', page.mobile, t.asOnAPhone)
    add('page', page.block.length > 0, t.blocks, page.block.map((name) => t.blockable[name]).join(', '))
    add('page', page.accept_cookies_selector.trim() !== '', t.acceptsCookies)
  }
  for (const key of Object.keys(form.plugin_options)) add('plugin', isActive(form.plugin_options, key), plugins[key]?.title ?? key)
  return found
}
