/** The crawl form: its values, what they become on the wire, and how they differ from where they started. Pure; fields are named as on the wire. */
import { BLOCKABLE } from '#contract/document-types.ts'
import type { Blockable, DocumentType } from '#contract/document-types.ts'
import { withScheme } from '#web/runs/shared/address.ts'
import { isActive, sentPlugins } from './plugin-form.ts'
import type { PluginForms, PluginValues } from './plugin-form.ts'

export type Header = { name: string; value: string }

export type SpiderFields = {
  max_depth: number | null
  page_limit: number | null
  concurrent_requests: number | null
  exclude_paths: string[]
  include_paths: string[]
  allowed_domains: string[]
  proxy_server: string
}

export type PageFields = {
  only_main_content: boolean
  article_text_only: boolean
  include_html: boolean
  include_links: boolean
  ignore_rendering: boolean
  mobile: boolean
  block: Blockable[]
  /** As typed: what is no kind of document is refused at its field. */
  keep_types: string[]
  skip_types: string[]
  exclude_tags: string[]
  include_tags: string[]
  wait_time: number | null
  timeout: number | null
  pdf: boolean
  screenshot: boolean
  accept_cookies_selector: string
  locale: string
  extra_headers: Header[]
}

export type CrawlForm = {
  crawl_type: 'single' | 'batch'
  url: string
  /** One address per line. */
  urls: string
  spider_options: SpiderFields
  page_options: PageFields
  plugin_options: PluginValues
}

/** What the form begins with. It asks for links and waits longer than the API would by itself. */
export const DEFAULT_FORM: CrawlForm = {
  crawl_type: 'single',
  url: '',
  urls: '',
  spider_options: {
    max_depth: 1,
    page_limit: 1,
    concurrent_requests: null,
    exclude_paths: [],
    include_paths: [],
    allowed_domains: [],
    proxy_server: '',
  },
  page_options: {
    only_main_content: true,
    article_text_only: false,
    include_html: false,
    include_links: true,
    ignore_rendering: false,
    mobile: false,
    block: [],
    keep_types: [],
    skip_types: [],
    exclude_tags: [],
    include_tags: [],
    wait_time: 1000,
    timeout: 15_000,
    pdf: false,
    screenshot: false,
    accept_cookies_selector: '',
    locale: '',
    extra_headers: [],
  },
  plugin_options: {},
}

export type StartingPoint = { id: 'page' | 'some' | 'site'; label: string; max_depth: number; page_limit: number }

/** What a plan allows at most; absent is no bound. */
export type CrawlBounds = { max_depth?: number | undefined; page_limit?: number | undefined }

const STARTING_POINTS: readonly StartingPoint[] = [
  { id: 'page', label: 'This page', max_depth: 1, page_limit: 1 },
  { id: 'some', label: '50 pages', max_depth: 5, page_limit: 50 },
  { id: 'site', label: 'Whole site', max_depth: 100, page_limit: 10_000 },
]

/** How far most crawls go, as far as the plan allows. */
export const startingPoints = ({ max_depth = Infinity, page_limit = Infinity }: CrawlBounds): StartingPoint[] =>
  STARTING_POINTS.map((point) => ({
    ...point,
    max_depth: Math.min(point.max_depth, max_depth),
    page_limit: Math.min(point.page_limit, page_limit),
  }))

/** The addresses of a batch: the lines that are not empty. */
export const linesOf = (urls: string): string[] =>
  urls
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The form with its addresses as they will be sent. */
export const normalised = (form: CrawlForm): CrawlForm => ({
  ...form,
  url: withScheme(form.url),
  urls: form.crawl_type === 'batch' ? form.urls.split('\n').map(withScheme).join('\n') : form.urls,
})

export const hasTarget = (form: CrawlForm): boolean =>
  form.crawl_type === 'batch' ? linesOf(form.urls).length > 0 : form.url.trim() !== ''

/** Whether pages can be rendered at all, and this crawl wants it. */
export const rendersPages = (form: CrawlForm, isRenderingConfigured: boolean): boolean =>
  isRenderingConfigured && !form.page_options.ignore_rendering

/**
 * What is sent: only what has a value, and only plugins that are active.
 *
 * @param plugins  the forms of the installed ones; without them their options go as they came
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
      ...(page.wait_time === null ? {} : { wait_time: page.wait_time }),
      include_html: page.include_html,
      only_main_content: page.only_main_content,
      ...(page.article_text_only && page.only_main_content ? { article_text_only: true } : {}),
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

/** The form that would have sent this crawl. Values that are not understood are left at their start. */
export function formOf(crawl: { urls: readonly string[]; crawl_type: string; options: unknown }): CrawlForm {
  const options = objectOf(crawl.options)
  const spider = objectOf(options['spider_options'])
  const page = objectOf(options['page_options'])
  const start = DEFAULT_FORM
  const actions = Array.isArray(page['actions']) ? page['actions'].map((action) => objectOf(action)['type']) : []
  const batch = crawl.crawl_type === 'batch'
  return {
    crawl_type: batch ? 'batch' : 'single',
    url: batch ? '' : (crawl.urls[0] ?? ''),
    urls: batch ? crawl.urls.join('\n') : '',
    spider_options: {
      max_depth: batch ? start.spider_options.max_depth : numberOf(spider['max_depth'], start.spider_options.max_depth),
      page_limit: batch ? start.spider_options.page_limit : numberOf(spider['page_limit'], start.spider_options.page_limit),
      concurrent_requests: numberOf(spider['concurrent_requests'], null),
      exclude_paths: listOf(spider['exclude_paths']),
      include_paths: listOf(spider['include_paths']),
      allowed_domains: listOf(spider['allowed_domains']),
      proxy_server: textOf(spider['proxy_server']),
    },
    page_options: {
      only_main_content: flagOf(page['only_main_content'], start.page_options.only_main_content),
      article_text_only: flagOf(page['article_text_only'], start.page_options.article_text_only),
      include_html: flagOf(page['include_html'], start.page_options.include_html),
      include_links: flagOf(page['include_links'], start.page_options.include_links),
      ignore_rendering: flagOf(page['ignore_rendering'], start.page_options.ignore_rendering),
      mobile: flagOf(page['mobile'], start.page_options.mobile),
      block: BLOCKABLE.filter((name) => listOf(page['block']).includes(name)),
      keep_types: listOf(page['keep_types']),
      skip_types: listOf(page['skip_types']),
      exclude_tags: listOf(page['exclude_tags']),
      include_tags: listOf(page['include_tags']),
      wait_time: numberOf(page['wait_time'], start.page_options.wait_time),
      timeout: numberOf(page['timeout'], start.page_options.timeout),
      pdf: actions.includes('pdf'),
      screenshot: actions.includes('screenshot'),
      accept_cookies_selector: textOf(page['accept_cookies_selector']),
      locale: textOf(page['locale']),
      extra_headers: Object.entries(objectOf(page['extra_headers'])).map(([name, value]) => ({ name, value: String(value) })),
    },
    plugin_options: objectOf(options['plugin_options']),
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const numberOf = <T>(value: unknown, otherwise: T) => (typeof value === 'number' ? value : otherwise)
const flagOf = (value: unknown, otherwise: boolean) => (typeof value === 'boolean' ? value : otherwise)
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const listOf = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

export type Difference = { tab: 'spider' | 'page' | 'plugin'; name: string; value: string }

/** What differs from the defaults and will have an effect, in words; the number of one tab's entries is its count. */
export function differences(form: CrawlForm, isRenderingConfigured = true, plugins: PluginForms = {}): Difference[] {
  const found: Difference[] = []
  const { spider_options: spider, page_options: page } = form
  const start = DEFAULT_FORM
  const add = (tab: Difference['tab'], differs: boolean, name: string, value = '') => differs && found.push({ tab, name, value })
  const number = (value: number | null, start: number | null) =>
    value === null ? String(start) : Number.isNaN(value) ? '?' : String(value)
  const several = (tab: Difference['tab'], list: readonly unknown[], one: string, more = `${one}s`) =>
    add(tab, list.length > 0, `${list.length} ${list.length === 1 ? one : more}`)

  if (form.crawl_type === 'single') {
    add('spider', spider.max_depth !== start.spider_options.max_depth, 'Max depth', number(spider.max_depth, 1))
    add('spider', spider.page_limit !== start.spider_options.page_limit, 'Page limit', number(spider.page_limit, 1))
  }
  add('spider', spider.concurrent_requests !== null, 'Concurrent requests', number(spider.concurrent_requests, null))
  if (form.crawl_type === 'single') {
    several('spider', spider.exclude_paths, 'excluded path')
    several('spider', spider.include_paths, 'included path')
    several('spider', spider.allowed_domains, 'allowed domain')
  }
  add('spider', spider.proxy_server !== '', 'Proxy', spider.proxy_server)

  add('page', !page.only_main_content, 'Whole page')
  add('page', page.only_main_content && page.article_text_only, 'Bare article text')
  add('page', page.include_html, 'With HTML')
  add('page', !page.include_links, 'Without links')
  several('page', page.exclude_tags, 'excluded element')
  several('page', page.include_tags, 'included element')
  add('page', page.timeout !== start.page_options.timeout, 'Timeout', `${number(page.timeout, start.page_options.timeout)} ms`)
  add('page', page.locale.trim() !== '', 'Locale', page.locale.trim())
  several('page', page.extra_headers, 'header')
  add('page', page.keep_types.length > 0, 'Keeps', page.keep_types.join(', '))
  add('page', page.skip_types.length > 0, 'Skips', page.skip_types.join(', '))
  add('page', page.ignore_rendering, 'Without rendering')
  if (rendersPages(form, isRenderingConfigured)) {
    add('page', page.wait_time !== start.page_options.wait_time, 'Wait', `${number(page.wait_time, start.page_options.wait_time)} ms`)
    add('page', page.pdf, 'PDF')
    add('page', page.screenshot, 'Screenshot')
    add('page', page.mobile, 'As on a phone')
    add('page', page.block.length > 0, 'Blocks', page.block.join(', '))
    add('page', page.accept_cookies_selector.trim() !== '', 'Accepts cookies')
  }
  for (const key of Object.keys(form.plugin_options)) add('plugin', isActive(form.plugin_options, key), plugins[key]?.title ?? key)
  return found
}

/** The form with its options as they began; the addresses stay. */
export const withoutChanges = (form: CrawlForm): CrawlForm => ({
  ...form,
  spider_options: DEFAULT_FORM.spider_options,
  page_options: DEFAULT_FORM.page_options,
  plugin_options: DEFAULT_FORM.plugin_options,
})
