import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withScheme } from '#web/runs/shared/target-url.ts'
import { createBatchCrawl, createCrawl } from '#contract/crawls.ts'
import type { ErrorBody } from '#contract/endpoint.ts'
import { checkForm, errorsIn, errorsOf, firstTabWithError } from '#web/runs/crawl/crawl-errors.ts'
import { DEFAULT_FORM, formOf, hasTarget, linesOf, normalised, startingPoints, withoutChanges } from '#web/runs/crawl/crawl-form.ts'
import { differences, requestBody } from '#web/runs/crawl/crawl-request.ts'
import type { CrawlForm } from '#web/runs/crawl/crawl-form.ts'

const FORM: CrawlForm = { ...DEFAULT_FORM, url: 'https://a.example/' }
const spider = (change: Partial<CrawlForm['spider_options']>): CrawlForm => ({
  ...FORM,
  spider_options: { ...FORM.spider_options, ...change },
})
const page = (change: Partial<CrawlForm['page_options']>): CrawlForm => ({ ...FORM, page_options: { ...FORM.page_options, ...change } })

const points = suite('starting points')
points('the starting points are a page, 50 pages and the whole site, within the limits of the plan', () => {
  const far = (bounds: Parameters<typeof startingPoints>[0]) => startingPoints(bounds).map((one) => [one.max_depth, one.page_limit])
  assert.equal(far({}), [
    [1, 1],
    [5, 50],
    [100, 10_000],
  ])
  assert.equal(far({ max_depth: 3, page_limit: 20 }), [
    [1, 1],
    [3, 20],
    [3, 20],
  ])
})
points('the first starting point is the initial state of the form', () => {
  const { max_depth, page_limit } = DEFAULT_FORM.spider_options
  assert.equal([max_depth, page_limit], [startingPoints({})[0]?.max_depth, startingPoints({})[0]?.page_limit])
})
points.run()

const request = suite('what the crawl form sends')

request('the request fits the contract, with the form’s own defaults', () => {
  const body = requestBody(FORM, true)
  const read = createCrawl.body.parse(body)
  assert.is(read.options.page_options.wait_time, 1000)
  assert.is(read.options.page_options.include_links, true)
  assert.is(read.options.spider_options.concurrent_requests, null)
  for (const absent of ['accept_cookies_selector', 'locale', 'article_text_only', 'html_in_markdown'])
    assert.not(absent in body.options.page_options, absent)
})

request('the request asks for the bare text of articles if main content is extracted', () => {
  const asked = (form: CrawlForm) => createCrawl.body.parse(requestBody(form, true)).options.page_options.article_text_only
  assert.is(asked(page({ article_text_only: true })), true)
  assert.is(asked(page({ article_text_only: true, only_main_content: false })), undefined)
  assert.is(asked(FORM), undefined)
})

request('the request asks for HTML tags in the Markdown, for main content and for whole pages', () => {
  const asked = (form: CrawlForm) => createCrawl.body.parse(requestBody(form, true)).options.page_options.html_in_markdown
  assert.is(asked(page({ html_in_markdown: true })), true)
  assert.is(asked(page({ html_in_markdown: true, only_main_content: false })), true)
  assert.is(asked(FORM), undefined)
})

request('the request omits options that a batch does not have', () => {
  const form: CrawlForm = {
    ...spider({ max_depth: 9, concurrent_requests: 4, proxy_server: 'p' }),
    crawl_type: 'batch',
    urls: ' https://a.example/1 \n\nhttps://a.example/2\n',
  }
  const body = requestBody(form, true)
  assert.equal(body.urls, ['https://a.example/1', 'https://a.example/2'])
  assert.equal(body.options.spider_options, { concurrent_requests: 4, proxy_server: 'p' })
  assert.ok(createBatchCrawl.body.safeParse(body).success)
})

request('the request asks for captured files only if pages are rendered', () => {
  const wishes = page({ pdf: true, screenshot: true })
  assert.equal(requestBody(wishes, true).options.page_options.actions, [{ type: 'pdf' }, { type: 'screenshot' }])
  assert.equal(requestBody(wishes, false).options.page_options.actions, [])
  assert.equal(requestBody(page({ pdf: true, ignore_rendering: true }), true).options.page_options.actions, [])
})

request('the form is read back unchanged from a crawl', () => {
  const form = {
    ...page({ extra_headers: [{ name: 'X-A', value: 'b' }], html_in_markdown: true, screenshot: true, locale: 'de-DE' }),
    spider_options: { ...FORM.spider_options, page_limit: 50, exclude_paths: ['/x/*'] },
  }
  const { options } = requestBody(form, true)
  assert.equal(formOf({ urls: [form.url], crawl_type: 'single', options }), form)
})

request('options that the server has filled in are left open again', () => {
  const stored = (concurrent_requests: number, locale: string) =>
    formOf({ urls: [], crawl_type: 'single', options: { spider_options: { concurrent_requests }, page_options: { locale } } }, 16)
  assert.equal(differences(stored(16, 'en-US')), [])
  assert.equal(
    differences(stored(4, 'de-DE')).map(({ value }) => value),
    ['4', 'de-DE'],
  )
})

request('options that are missing or invalid are read as the defaults', () => {
  for (const options of [undefined, null, [], {}, { spider_options: 7, page_options: { actions: 'x', exclude_tags: [1] } }])
    assert.equal(formOf({ urls: ['https://a.example/'], crawl_type: 'single', options }), FORM)
})

const typedUrls = suite('URLs as people type them')

for (const [typed, sent, why] of [
  ['example.org', 'https://example.org', 'a host name'],
  ['example.org:8080/a?b#c', 'http://example.org:8080/a?b#c', 'a host name with another port than that of https'],
  ['example.org:443/a', 'https://example.org:443/a', 'a host name with the port of https'],
  ['127.0.0.1:80', 'http://127.0.0.1:80', 'an IP address with a port'],
  ['192.168.1.20/wiki', 'http://192.168.1.20/wiki', 'an IP address'],
  ['10.0.0.1:443', 'https://10.0.0.1:443', 'an IP address with the port of https'],
  ['[::1]:8080/', 'http://[::1]:8080/', 'an IPv6 address'],
  ['1.2.3.4.example.org', 'https://1.2.3.4.example.org', 'a host name that begins like an IP address'],
  ['localhost:3000/x', 'http://localhost:3000/x', 'localhost'],
  [' http://a.example ', 'http://a.example', 'a URL with a scheme'],
  ['ftp://a.example', 'ftp://a.example', 'a URL with a scheme that will be refused'],
  ['javascript:alert(1)', 'javascript:alert(1)', 'a javascript: URL stays as it is'],
  ['hello world', 'hello world', 'words stay as they are'],
  ['', '', 'an empty field'],
] as const)
  typedUrls(`${why}: ${typed}`, () => assert.is(withScheme(typed), sent))

typedUrls('empty lines of a batch are not counted', () => {
  assert.equal(linesOf('a\n\n  \nb\r\nc'), ['a', 'b', 'c'])
  assert.not(hasTarget({ ...FORM, crawl_type: 'batch', urls: '\n \n' }))
  assert.not(hasTarget({ ...FORM, url: '  ' }))
  assert.is(normalised({ ...FORM, url: 'a.example' }).url, 'https://a.example')
})

const difference = suite('differences from the defaults')

difference('the list of changes is empty at first, then names each change', () => {
  assert.equal(differences(FORM), [])
  const texts = (form: CrawlForm, renders = true) =>
    differences(form, renders).map(({ tab, name, value }) => `${tab}: ${name} ${value}`.trim())
  assert.equal(texts(spider({ max_depth: 3, page_limit: 5000, exclude_paths: ['a', 'b'], allowed_domains: ['x'] })), [
    'spider: Max depth 3',
    'spider: Page limit 5,000',
    'spider: 2 excluded paths',
    'spider: 1 allowed domain',
  ])
  assert.equal(texts(page({ include_links: false, only_main_content: false })), ['page: Whole page', 'page: Without links'])
  assert.equal(texts(page({ article_text_only: true })), ['page: Bare article text'])
  assert.equal(texts(page({ html_in_markdown: true })), ['page: HTML in Markdown'])
  assert.equal(texts(page({ article_text_only: true, only_main_content: false })), ['page: Whole page'])
  assert.equal(texts(page({ pdf: true }), false), [], 'what has no effect is not named')
  assert.equal(texts({ ...spider({ max_depth: 3 }), crawl_type: 'batch' }), [])
  assert.equal(differences(withoutChanges(spider({ max_depth: 3 }))), [])
})

difference('an emptied field has its default, so it is no change', () => {
  assert.equal(differences(spider({ max_depth: null, page_limit: null })), [])
  assert.equal(differences(page({ wait_time: null, timeout: null })), [])
  assert.is(requestBody(page({ wait_time: null }), true).options.page_options.wait_time, 1000)
})

const errors = suite('errors of the form')
const LIMITS = { maxConcurrency: 16 }

for (const [form, field, message, why] of [
  [spider({ max_depth: Number.NaN }), 'spider_options.max_depth', 'A valid integer is required.', 'not a number'],
  [spider({ max_depth: -1 }), 'spider_options.max_depth', 'greater than or equal to 0', 'below the minimum'],
  [spider({ page_limit: 0 }), 'spider_options.page_limit', 'greater than or equal to 1', 'a page limit of 0'],
  [spider({ concurrent_requests: 17 }), 'spider_options.concurrent_requests', 'less than or equal to 16', 'over the server’s maximum'],
  [page({ timeout: 5 }), 'page_options.timeout', 'greater than or equal to 1000', 'a timeout below the minimum'],
  [
    spider({ allowed_domains: ['a.example', 'https://b.example'] }),
    'spider_options.allowed_domains',
    'https://b.example: ',
    'C3: a scheme',
  ],
  [spider({ allowed_domains: ['a.example/docs'] }), 'spider_options.allowed_domains', 'a.example/docs: ', 'C3: a path'],
  [spider({ allowed_domains: ['a.example:99999'] }), 'spider_options.allowed_domains', 'a.example:99999: ', 'C3: a port out of range'],
  [spider({ allowed_domains: ['a.example:http'] }), 'spider_options.allowed_domains', 'a.example:http: ', 'C3: a port that is a word'],
  [{ ...FORM, url: 'ftp://a.example' }, 'target', 'Enter a valid URL', 'an ftp: URL'],
  [{ ...FORM, crawl_type: 'batch', urls: 'https://a.example\n\nnope' }, 'target', 'URL 2', 'a URL of a batch, counted without empty lines'],
] as const)
  errors(`our own rules report an error: ${why}`, () => {
    const found: Record<string, string | undefined> = checkForm(form as CrawlForm, LIMITS)
    assert.equal(Object.keys(found), [field])
    assert.ok(found[field]?.includes(message), found[field])
  })

errors('C3: hosts with ports and patterns are accepted', () => {
  const allowed_domains = [
    '*',
    '*:18080',
    '127.0.0.1:18080',
    '*.a.example',
    'shop[ab].a.example:8443',
    '[::1]:80',
    '[::1]',
    'münchen.de',
    'a.example:*',
  ]
  assert.equal(checkForm(spider({ allowed_domains }) as CrawlForm, LIMITS), {})
})

errors('a batch ignores options that it does not use', () => {
  assert.equal(checkForm({ ...spider({ max_depth: Number.NaN }), crawl_type: 'batch', urls: 'https://a.example' }, LIMITS), {})
})

const answer = (fields: ErrorBody['errors']): ErrorBody => ({ code: 400, errors: fields, message: 'Invalid input data.' })

for (const [body, expected, why] of [
  [answer({ url: ['This address is not allowed.'] }), { target: 'This address is not allowed.' }, 'the URL'],
  [answer({ urls: { '1': ['Enter a valid URL.'] } }), { target: 'URL 2: Enter a valid URL.' }, 'a URL of a batch'],
  [
    answer({ options: { spider_options: { proxy_server: ['Unknown proxy server.'] } } }),
    { 'spider_options.proxy_server': 'Unknown proxy server.' },
    'an option',
  ],
  [
    answer({ options: { spider_options: { exclude_paths: { '2': ['Too long.'] } } } }),
    { 'spider_options.exclude_paths': 'Entry 3: Too long.' },
    'an entry of a list',
  ],
  [
    answer({ options: { page_options: { actions: [{}, { type: ['"video" is not a valid choice.'] }] } } }),
    { 'page_options.screenshot': 'Entry 2: "video" is not a valid choice.' },
    'a list with an error per entry',
  ],
  [
    answer({ options: { page_options: { extra_headers: { Host: ['Enter a valid header value.'] } } } }),
    { 'page_options.extra_headers': 'Host: Enter a valid header value.' },
    'a header',
  ],
  [answer({ non_field_errors: ['No more crawls.'] }), { form: 'No more crawls.' }, 'an error of no field'],
  [answer({ options: { plugin_options: { x: ['No.'] } } }), { form: 'x: No.' }, 'a group without a control'],
  [answer([]), {}, 'an empty list of errors'],
  [answer(null), {}, 'nothing'],
] as const)
  errors(`an error of the server is shown at its control: ${why}`, () => {
    const found = errorsOf(body)
    if ('form' in expected) assert.ok(found.form?.includes(expected.form.replace('x: ', '')))
    else assert.equal(found, expected)
  })

errors('the tab of the first error is opened, unless the URL is wrong', () => {
  assert.is(firstTabWithError({ 'page_options.timeout': 'x', 'spider_options.page_limit': 'y' }), 'spider')
  assert.is(firstTabWithError({ 'page_options.timeout': 'x' }), 'page')
  assert.is(firstTabWithError({ target: 'x', 'page_options.timeout': 'x' }), null)
  assert.is(errorsIn({ 'page_options.timeout': 'x', 'spider_options.page_limit': 'y' }, 'page'), 1)
})

request.run()
typedUrls.run()
difference.run()
errors.run()
