/** The crawl form: its values, its defaults, and values from an earlier crawl. Pure; fields have the API's names. */
import { DEFAULT_LOCALE } from '#contract/crawls.ts'
import { BLOCKABLE } from '#contract/document-types.ts'
import type { Blockable } from '#contract/document-types.ts'
import { objectOf } from '#web/api/json-object.ts'
import { withScheme } from '#web/runs/shared/target-url.ts'
import * as t from '#texts/crawl-form.ts'
import type { PluginValues } from './plugin-form.ts'

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
  html_in_markdown: boolean
  include_html: boolean
  include_links: boolean
  ignore_rendering: boolean
  mobile: boolean
  block: Blockable[]
  /** The text as typed. An unknown document type is an error of the field. */
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
  /** One URL per line. */
  urls: string
  spider_options: SpiderFields
  page_options: PageFields
  plugin_options: PluginValues
}

/** Initial values. They differ from the API's defaults: links are included, and a rendered page gets a second to settle (`wait_time`). */
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
    html_in_markdown: false,
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

/** The plan's limits; absent means no limit. */
export type CrawlBounds = { max_depth?: number | undefined; page_limit?: number | undefined }

const STARTING_POINTS: readonly StartingPoint[] = [
  { id: 'page', label: t.thisPage, max_depth: 1, page_limit: 1 },
  { id: 'some', label: t.n50Pages, max_depth: 5, page_limit: 50 },
  { id: 'site', label: t.wholeSite, max_depth: 100, page_limit: 10_000 },
]

/** Common combinations of depth and page limit, capped by the plan's limits. */
export const startingPoints = ({ max_depth = Infinity, page_limit = Infinity }: CrawlBounds): StartingPoint[] =>
  STARTING_POINTS.map((point) => ({
    ...point,
    max_depth: Math.min(point.max_depth, max_depth),
    page_limit: Math.min(point.page_limit, page_limit),
  }))

/** The URLs of a batch: the non-empty lines. */
export const linesOf = (urls: string): string[] =>
  urls
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The form with complete URLs, as they will be sent. */
export const normalised = (form: CrawlForm): CrawlForm => ({
  ...form,
  url: withScheme(form.url),
  urls: form.crawl_type === 'batch' ? form.urls.split('\n').map(withScheme).join('\n') : form.urls,
})

export const hasTarget = (form: CrawlForm): boolean =>
  form.crawl_type === 'batch' ? linesOf(form.urls).length > 0 : form.url.trim() !== ''

/** The values that fill a form: of a crawl, or of another screen. */
export type CrawlHandOver = { urls: readonly string[]; crawl_type: string; options: unknown }

/**
 * The form for repeating a crawl. Unknown values keep their defaults.
 *
 * @param automatic  the requests at once that the server stores for a crawl that leaves them open
 */
export function formOf(crawl: CrawlHandOver, automatic: number | null = null): CrawlForm {
  const options = objectOf(crawl.options)
  const spider = objectOf(options['spider_options'])
  const page = objectOf(options['page_options'])
  const start = DEFAULT_FORM.spider_options
  const actions = Array.isArray(page['actions']) ? page['actions'].map((action) => objectOf(action)['type']) : []
  const batch = crawl.crawl_type === 'batch'
  return {
    crawl_type: batch ? 'batch' : 'single',
    url: batch ? '' : (crawl.urls[0] ?? ''),
    urls: batch ? crawl.urls.join('\n') : '',
    spider_options: {
      ...filled(start, spider),
      ...(batch && { max_depth: start.max_depth, page_limit: start.page_limit }),
      concurrent_requests: spider['concurrent_requests'] === automatic ? null : numberOf(spider['concurrent_requests']),
    },
    page_options: {
      ...filled(DEFAULT_FORM.page_options, page),
      block: BLOCKABLE.filter((name) => textsOf(page['block']).includes(name)),
      pdf: actions.includes('pdf'),
      screenshot: actions.includes('screenshot'),
      ...(page['locale'] === DEFAULT_LOCALE && { locale: '' }),
      extra_headers: Object.entries(objectOf(page['extra_headers'])).map(([name, value]) => ({ name, value: String(value) })),
    },
    plugin_options: objectOf(options['plugin_options']),
  }
}

/** The fields with the values that have their type, and with the defaults of the others. */
const filled = <Fields extends object>(defaults: Fields, values: Record<string, unknown>): Fields =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, usual]: [string, unknown]) => [
      name,
      Array.isArray(usual) ? textsOf(values[name]) : typeof values[name] === typeof usual ? values[name] : usual,
    ]),
  ) as Fields

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])

/** Resets the options; the URLs stay. */
export const withoutChanges = (form: CrawlForm): CrawlForm => ({
  ...form,
  spider_options: DEFAULT_FORM.spider_options,
  page_options: DEFAULT_FORM.page_options,
  plugin_options: DEFAULT_FORM.plugin_options,
})
