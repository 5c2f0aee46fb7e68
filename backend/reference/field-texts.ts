/** What fields mean, for people who call the API: by the name of their shape or endpoint, then by their dotted path. */
const IDS = { uuid: 'Its id.', created_at: 'When it was made, UTC.', updated_at: 'When it last changed, UTC.' }
const RUN = {
  ...IDS,
  status: 'Where it is: `new`, `running`, then `finished` or `failed`; `canceling`, then `canceled`.',
  duration: 'From start to end as `HH:MM:SS.ffffff`; null until it has ended.',
  number_of_documents: 'How many results there are so far.',
}

const SEARCH_OPTIONS = {
  language: 'Language of the results, such as `en`.',
  country: 'Country that results are for, such as `de`.',
  time_range: 'How old results may be. Default: `any`.',
  time_renge: 'An old misspelling of `time_range`, understood where that says nothing.',
  search_type: 'What is searched. Default: `web`.',
  depth: 'How well each result is looked at. Default: `basic`.',
}
const SITEMAP_OPTIONS = {
  include_subdomains: 'Also list addresses of subdomains.',
  ignore_sitemap_xml: "Follow links instead of reading the site's own sitemap files.",
  search: 'Words of which one at least must stand in an address.',
  include_paths: 'Only these paths are listed; `*` stands for anything.',
  exclude_paths: 'Paths that are left out; `*` stands for anything.',
  proxy_server: 'The slug of a proxy server of the team.',
}

const below = (field: string, texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${field}.${name}`, text]))

export const FIELD_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SpiderOptions: {
    max_depth: 'How many links away from the start a page may be. 0 is the start alone.',
    page_limit: 'Most pages that are fetched, and so the most credits that are used.',
    concurrent_requests: 'Most fetches at a time; null leaves it to the server. The server has a limit of its own.',
    allowed_domains: 'Hosts that may be visited beside the start; `*.example.com` takes its subdomains.',
    exclude_paths: 'Paths that are left out; `*` stands for anything.',
    include_paths: 'Only these paths are kept; `*` stands for anything.',
    proxy_server: 'The slug of a proxy server of the team.',
  },
  BatchSpiderOptions: {
    concurrent_requests: 'Most fetches at a time; null leaves it to the server.',
    proxy_server: 'The slug of a proxy server of the team.',
  },
  PageOptions: {
    exclude_tags: 'CSS selectors of what is cut out of a page.',
    include_tags: 'CSS selectors of what is kept of a page; without any, the whole page.',
    wait_time: 'Milliseconds to wait in a rendered page, 0 to 60,000. Values beyond are moved to the bound.',
    include_html: 'Also keep the HTML.',
    only_main_content: 'Leave out navigation, headers, footers and the like.',
    include_links: 'Also keep the list of links.',
    timeout: 'Milliseconds that a page may take, 1,000 to 120,000. Values beyond are moved to the bound.',
    accept_cookies_selector: 'CSS selector of the button that agrees to cookies, for rendered pages.',
    locale: 'Language that pages are asked in, such as `de-DE`. Default: `en-US`.',
    extra_headers: 'Further request headers by their name.',
    actions: 'What is captured of a rendered page.',
    'actions.type': 'A screenshot or a PDF.',
    ignore_rendering: 'Never use a browser, even where there is one.',
  },
  createCrawl: {
    url: 'Where the crawl starts: an absolute http or https address. Echoed exactly as sent.',
    options: 'How far it goes and what is made of each page. Everything has a default.',
    'options.spider_options': 'How far it goes.',
    'options.page_options': 'What is made of each page.',
    'options.plugin_options': 'Options of plugins by the name of the plugin.',
  },
  createBatchCrawl: {
    urls: 'The addresses, 1 to 1,000. No links are followed.',
    options: 'What is made of each page. Everything has a default.',
    'options.spider_options': 'How they are fetched.',
    'options.page_options': 'What is made of each page.',
    'options.plugin_options': 'Options of plugins by the name of the plugin.',
  },
  CrawlRequest: {
    ...RUN,
    url: 'The start, as it was sent; null for a batch.',
    urls: 'The addresses of a batch; of a single crawl its one.',
    crawl_type: '`single` follows links from one address, `batch` fetches a list.',
    options: 'The options with their defaults filled in.',
    'options.spider_options': 'How far it goes.',
    'options.page_options': 'What is made of each page.',
    'options.plugin_options': 'Options of plugins by the name of the plugin.',
    sitemap: 'A signed link to the addresses that were found; null until there is one.',
    reason: 'Why it ended, in a word, such as `drained`, `page_limit`, `time_limit` or `canceled`.',
    counts: 'Addresses by how they ended.',
    'counts.known': 'Found so far.',
    'counts.kept': 'Stored as a result.',
    'counts.failed': 'Could not be fetched or read.',
    'counts.settled': 'Ended in any way.',
    'counts.pending': 'Still to be asked.',
  },
  CrawlResult: {
    ...IDS,
    url: 'Address of the page.',
    title: 'Title of the page; null where it has none.',
    result: 'A signed link to the document, or with `prefetched` the document itself.',
    attachments: 'Files that were captured of the page.',
  },
  Attachment: {
    uuid: 'Its id.',
    attachment: 'A signed link to the file.',
    attachment_type: 'What it is.',
    filename: 'A name to save it under.',
  },
  ResultDocument: {
    metadata: 'What the page says of itself: title, description, language, Open Graph and the like.',
    markdown: 'The page as Markdown.',
    html: 'The page as HTML, with `include_html`.',
    links: 'The links of the page, with `include_links`.',
    extraction: 'What plugins made of the page.',
  },
  UrlOutcome: {
    url: 'The address.',
    title: 'Title of the page, where it was kept.',
    depth: 'Links followed from the start.',
    outcome: 'How it ended, in a word, such as `kept`, `duplicate`, `robots` or `timeout`; null while it waits.',
    detail: 'What decided: the scope rule, the robots line, the error.',
    http_status: 'Status of the last answer.',
    tries: 'How often it was asked.',
    bytes: 'Size of the answer.',
    took_ms: 'Milliseconds that the last try took.',
  },
  createSearch: {
    query: 'What to look for.',
    search_options: 'Where and how to search.',
    result_limit: 'Most results, 1 to 20.',
  },
  SearchOptions: SEARCH_OPTIONS,
  SearchRequest: {
    ...RUN,
    query: 'What was looked for.',
    search_options: 'The options with their defaults filled in.',
    ...below('search_options', SEARCH_OPTIONS),
    result_limit: 'Most results.',
    reason: 'Why it ended, in a word.',
    result: 'A signed link to the hits, or with `prefetched` the hits themselves; null until there are any.',
  },
  SearchItem: {
    url: 'Address of the page.',
    title: 'Its title.',
    description: 'What it is about.',
    order: 'Rank, from 0.',
    depth: 'How well it was looked at; `basic` when its page could not be read.',
  },
  createSitemap: {
    url: 'The site: an absolute http or https address.',
    options: 'Which of its addresses are listed. Everything has a default.',
  },
  SitemapOptions: SITEMAP_OPTIONS,
  SitemapRequest: {
    ...RUN,
    url: 'The site, as it was sent.',
    options: 'The options with their defaults filled in.',
    ...below('options', SITEMAP_OPTIONS),
    reason: 'Why it ended, in a word, such as `done`, `url_limit` or `time_limit`.',
    result: 'A signed link to the addresses, or with `prefetched` the addresses themselves; null until there are any.',
  },
  SitemapUrl: { url: 'The address.', lastmod: 'When the site says that it last changed; null where it does not say.' },
  OwnPageHit: {
    uuid: 'Id of the result.',
    crawl_uuid: 'Id of the crawl that kept it.',
    url: 'Address of the page.',
    title: 'The title in pieces; empty for a page without one.',
    snippet: 'A passage with what was looked for, in pieces.',
    language: 'Two letters, where it is known.',
    created_at: 'When this version of the page was kept.',
    is_newest: 'False for a version that a later crawl has replaced.',
    score: 'Larger is better; comparable within one answer only.',
  },
  MarkedPart: { text: 'Plain text, never HTML.', is_match: 'True for a word that was looked for.' },
  OwnPagesAnswer: {
    count: 'How many pages match; a least number where `is_complete` is false.',
    suggestion: 'The query with its words mended, when nothing was found and this would find something.',
    is_complete: 'False when there are more matches than were looked at.',
    took_ms: 'Milliseconds that the search took.',
    index: 'How far the index is.',
    'index.indexed': 'Pages of the team in it.',
    'index.behind': 'Pages that are kept and not in it yet.',
  },
  FeedMessage: {
    id: 'Its id.',
    type: 'How much it matters.',
    message: 'One sentence for people.',
    timestamp: 'When it was said, UTC.',
    metadata: 'Facts of the message by their name.',
  },
  countOutcomes: {
    outcome: 'How they ended; null for those that wait.',
    count: 'How many did.',
  },
  Error: {
    code: 'The HTTP status.',
    errors: 'With status 400 the messages by field, or an empty list; null otherwise.',
    message: 'One sentence for people. Its words may change.',
  },
}

/** Fields that are still understood, and that nobody should begin to use. */
export const DEPRECATED_FIELDS: ReadonlySet<string> = new Set(['SearchOptions.time_renge'])

/** Fields of every paged list. */
export const PAGE_TEXTS: Readonly<Record<string, string>> = {
  count: 'How many there are in all.',
  next: 'Address of the next page; null on the last.',
  previous: 'Address of the page before; null on the first.',
  results: 'The entries of this page.',
}
