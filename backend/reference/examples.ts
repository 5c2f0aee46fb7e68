/** Values as they would be seen, by the name of their shape; and bodies as they would be sent, by the name of their endpoint. */
const AT = '2026-03-04T09:12:33.481920Z'
const LATER = '2026-03-04T09:12:41.902318Z'
const FILES = 'https://seine.example.com/api/v1/files'
const SIGNED = '?expires=1772640753&signature=Q2h1cHBlcg'
const CRAWL = '01955f2a-7c31-7e08-9d53-1f2b6a40c8e1'
const RESULT = '01955f2a-8a06-7b54-a1c7-90d2e3f41b7a'

const item = {
  url: 'https://example.com/docs/nets',
  title: 'Nets and how to mend them',
  description: 'A short guide to the repair of fishing nets.',
  order: 0,
  depth: 'basic',
}

const PLAN = {
  uuid: '01955f2d-0c11-7a40-b6d2-2f0c8e5a9d31',
  name: 'Studio',
  label: '',
  group: 'monthly',
  description: 'For teams that crawl every day.',
  price_before_discount: '59.00',
  price: '49.00',
  number_of_users: 5,
  page_credit: 20_000,
  daily_page_credit: 1500,
  crawl_max_depth: 10,
  crawl_max_limit: 1000,
  max_concurrent_crawl: 4,
  is_default: false,
  features: [{ title: '20,000 pages a month', help_text: null, icon: 'check' }],
}

/** Examples of components; a test holds each to its schema. */
export const SHAPE_EXAMPLES: Readonly<Record<string, unknown>> = {
  CrawlRequest: {
    uuid: CRAWL,
    url: 'https://example.com',
    urls: ['https://example.com'],
    crawl_type: 'single',
    status: 'finished',
    options: {
      spider_options: {
        max_depth: 1,
        page_limit: 10,
        concurrent_requests: 16,
        allowed_domains: [],
        exclude_paths: [],
        include_paths: [],
        proxy_server: null,
      },
      page_options: {
        exclude_tags: [],
        include_tags: [],
        wait_time: 100,
        include_html: false,
        only_main_content: true,
        include_links: false,
        timeout: 15_000,
        accept_cookies_selector: null,
        locale: 'en-US',
        extra_headers: {},
        actions: [],
        ignore_rendering: false,
      },
      plugin_options: {},
    },
    created_at: AT,
    updated_at: LATER,
    duration: '00:00:08.420398',
    number_of_documents: 10,
    sitemap: `${FILES}/crawls/${CRAWL}/sitemap/json${SIGNED}`,
    reason: 'page_limit',
    counts: { known: 37, kept: 10, failed: 1, settled: 11, pending: 26 },
  },
  CrawlResult: {
    uuid: RESULT,
    url: 'https://example.com/docs/nets',
    title: 'Nets and how to mend them',
    result: `${FILES}/crawls/${CRAWL}/results/${RESULT}.json${SIGNED}`,
    attachments: [],
    created_at: AT,
    updated_at: AT,
  },
  ResultDocument: {
    metadata: { title: 'Nets and how to mend them', language: 'en' },
    markdown: '# Nets and how to mend them\n\nBegin at the edge of the hole.',
  },
  UrlOutcome: {
    url: 'https://example.com/docs/nets',
    title: 'Nets and how to mend them',
    depth: 1,
    outcome: 'kept',
    detail: null,
    http_status: 200,
    tries: 1,
    bytes: 18_234,
    took_ms: 142,
  },
  SearchItem: item,
  SearchRequest: {
    uuid: '01955f2b-0d44-7a19-8e6f-2c5d7b90aa13',
    query: 'how to mend a net',
    search_options: { language: 'en', country: null, time_range: 'any', time_renge: 'any', search_type: 'web', depth: 'basic' },
    result_limit: 5,
    status: 'finished',
    reason: 'result_limit',
    duration: '00:00:01.204117',
    created_at: AT,
    updated_at: LATER,
    number_of_documents: 5,
    result: `${FILES}/searches/01955f2b-0d44-7a19-8e6f-2c5d7b90aa13/result.json${SIGNED}`,
  },
  SitemapRequest: {
    uuid: '01955f2c-55e0-7d3b-b2a4-6f8e9c01d7f5',
    url: 'https://example.com',
    status: 'finished',
    options: {
      include_subdomains: true,
      ignore_sitemap_xml: false,
      search: null,
      include_paths: [],
      exclude_paths: [],
      proxy_server: null,
    },
    reason: 'done',
    duration: '00:00:02.731904',
    result: `${FILES}/sitemaps/01955f2c-55e0-7d3b-b2a4-6f8e9c01d7f5/sitemap/json${SIGNED}`,
    number_of_documents: 412,
    created_at: AT,
    updated_at: LATER,
  },
  SitemapUrl: { url: 'https://example.com/docs/nets', lastmod: '2026-02-17' },
  SiteTree: { 'example.com': { __self__: { url: 'https://example.com' }, docs: { nets: { url: 'https://example.com/docs/nets' } } } },
  OwnPageHit: {
    uuid: RESULT,
    crawl_uuid: CRAWL,
    url: 'https://example.com/docs/nets',
    title: [
      { text: 'Nets and how to ', is_match: false },
      { text: 'mend', is_match: true },
      { text: ' them', is_match: false },
    ],
    snippet: [
      { text: 'Begin at the edge of the hole and ', is_match: false },
      { text: 'mend', is_match: true },
      { text: ' inwards.', is_match: false },
    ],
    language: 'en',
    created_at: AT,
    is_newest: true,
    score: 4.31,
  },
  Plan: PLAN,
  Subscription: {
    uuid: '01955f2d-2b7a-7c04-8f3e-61d0a9b85c27',
    plan: PLAN,
    status: 'active',
    remain_page_credit: 18_211,
    remain_daily_page_credit: 1411,
    start_at: '2026-02-11T10:00:00.000000Z',
    current_period_start_at: '2026-03-11T10:00:00.000000Z',
    current_period_end_at: '2026-04-11T10:00:00.000000Z',
    cancel_at: null,
    created_at: '2026-02-11T10:00:03.204000Z',
    updated_at: '2026-03-11T10:00:05.871000Z',
  },
  CurrentSubscription: {
    plan_uuid: PLAN.uuid,
    plan_name: 'Studio',
    status: 'active',
    plan_page_credit: 20_000,
    plan_daily_page_credit: 1500,
    plan_number_users: 5,
    remain_number_users: 3,
    remaining_page_credit: 18_211,
    remaining_daily_page_credit: 1411,
    max_depth: 10,
    crawl_max_limit: 1000,
    max_concurrent_crawl: 4,
    start_at: '2026-02-11T10:00:00.000000Z',
    current_period_start_at: '2026-03-11T10:00:00.000000Z',
    current_period_end_at: '2026-04-11T10:00:00.000000Z',
    cancel_at: null,
    is_default: false,
  },
  ProxyChoice: { name: 'Frankfurt', slug: 'frankfurt', category: 'team' },
  FeedMessage: { id: '17', type: 'info', message: 'Fetched 10 pages', timestamp: AT, metadata: {} },
  Error: { code: 400, errors: { url: ['Enter a valid URL.'] }, message: 'Invalid input data.' },
}

/** Answers that no shape has an example of, by the name of their endpoint. */
export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  deleteCrawls: { deleted: 2 },
  deleteSearches: { deleted: 2 },
  deleteSitemaps: { deleted: 2 },
  crawlSitemapMarkdown: '# example.com\n\n- [Nets and how to mend them](https://example.com/docs/nets)\n',
  sitemapMarkdown: '# example.com\n\n- https://example.com/docs/nets\n',
  countOutcomes: [
    { outcome: 'kept', count: 10 },
    { outcome: 'robots', count: 1 },
    { outcome: null, count: 26 },
  ],
  sitemapXml:
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <url><loc>https://example.com/docs/nets</loc><lastmod>2026-02-17</lastmod></url>\n</urlset>\n',
}

export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  createCrawl: {
    url: 'https://example.com',
    options: {
      spider_options: { max_depth: 1, page_limit: 10 },
      page_options: { only_main_content: true, include_links: false },
    },
  },
  createBatchCrawl: {
    urls: ['https://example.com', 'https://example.com/docs/nets'],
    options: { page_options: { only_main_content: true } },
  },
  scrapePage: { url: 'https://example.com/docs/nets', options: { page_options: { only_main_content: true } } },
  createSearch: { query: 'how to mend a net', search_options: { depth: 'basic' }, result_limit: 5 },
  createSitemap: { url: 'https://example.com', options: { include_subdomains: true } },
}
