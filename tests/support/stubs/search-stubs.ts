/**
 * Stand-ins for the search providers of the web, written from their public documents: they check a request as the documents require, and
 * answer with the documented shape. One server plays all three.
 */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { serve } from './serve.ts'

/** Without `category` it is one of the web; only the metasearch knows others. `fields` are what it says besides. */
export type StubHit = {
  url: string
  title: string
  description: string
  date?: string
  category?: 'news' | 'images'
  fields?: Record<string, string>
}
export type Asked = { path: string; parameters: Record<string, string>; headers: IncomingHttpHeaders }

/** A failure instead of an answer. */
export type Trouble =
  { status: number; body?: string; headers?: Record<string, string> } | { does: 'nothing' } | { does: 'close' } | { does: 'flood' }

const BRAVE_KEY = 'brave-key-of-tests'
const GOOGLE_KEY = 'google-key-of-tests'
const GOOGLE_CX = 'engine:of-tests'

/** Starts them. `hits` is what all three know; `trouble` applies to the next requests, or to all while it is set. */
export async function startSearchStubs({ hits = [] }: { hits?: StubHit[] } = {}) {
  const asked: Asked[] = []
  const server = createServer((request, response) => void answer(request.url ?? '/', request.headers, response))
  const { close, url } = await serve(server)
  const stubs = {
    asked,
    hits,
    /** Hits on a page of the metasearch. */
    pageSize: 10,
    trouble: null as Trouble | null,
    /** Called after a request was noted, before it is answered. */
    onRequest: async (_asked: Asked): Promise<void> => undefined,
    url,
    braveKey: BRAVE_KEY,
    googleKey: GOOGLE_KEY,
    googleCx: GOOGLE_CX,
    close,
  }
  return stubs

  async function answer(target: string, headers: IncomingHttpHeaders, response: ServerResponse) {
    const { pathname: path, searchParams } = new URL(target, stubs.url)
    const one: Asked = { path, parameters: Object.fromEntries(searchParams), headers }
    // At its start, the product asks without a query whether the instance can be used.
    if (one.parameters['q'] !== undefined) asked.push(one)
    await stubs.onRequest(one)
    if (stubs.trouble !== null) return makeTrouble(stubs.trouble, response)
    const [status, body] = answerOf(one)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function answerOf({ path, parameters, headers }: Asked): [number, unknown] {
    if (path === '/search') return searxng(parameters)
    if (path === '/res/v1/web/search') return brave(parameters, headers)
    if (path === '/customsearch/v1') return google(parameters)
    return [404, { detail: 'Not Found' }]
  }

  function searxng({ categories = 'general', format, q = '', pageno = '1', time_range: range }: Record<string, string>): [number, unknown] {
    if (format !== 'json') return [403, 'Forbidden']
    if (q === '' || !['day', 'week', 'month', 'year', undefined].includes(range)) return [400, { error: 'Invalid value' }]
    const from = (Number(pageno) - 1) * stubs.pageSize
    const known = stubs.hits.filter(({ category = 'general' }) => category === categories)
    const results = known.slice(from, from + stubs.pageSize).map(({ url, title, description, date, fields }, at) => ({
      url,
      title,
      content: description,
      engine: 'stub',
      parsed_url: [],
      template: 'default.html',
      engines: ['stub'],
      positions: [at + 1],
      score: 1 / (at + 1),
      category: categories,
      ...fields,
      ...(date !== undefined && { publishedDate: date }),
    }))
    return [
      200,
      { query: q, number_of_results: 0, results, answers: [], corrections: [], infoboxes: [], suggestions: [], unresponsive_engines: [] },
    ]
  }

  function brave(parameters: Record<string, string>, headers: IncomingHttpHeaders): [number, unknown] {
    const { q = '', count = '20', offset = '0', country, freshness } = parameters
    const refuse = (status: number, code: string, detail: string): [number, unknown] => [
      status,
      { type: 'ErrorResponse', error: { id: 'stub', status, code, detail }, time: 0 },
    ]
    if (headers['x-subscription-token'] !== BRAVE_KEY)
      return refuse(422, 'SUBSCRIPTION_TOKEN_INVALID', 'The provided subscription token is invalid.')
    const isFine =
      q !== '' &&
      q.length <= 400 &&
      q.split(/\s+/).length <= 50 &&
      Number(count) >= 1 &&
      Number(count) <= 20 &&
      Number(offset) <= 9 &&
      (country === undefined || /^([A-Z]{2}|ALL)$/.test(country)) &&
      (freshness === undefined || /^p[dwmy]$/.test(freshness))
    if (!isFine) return refuse(422, 'VALIDATION', 'Unable to validate request parameter(s)')
    const from = Number(offset) * Number(count)
    const results = stubs.hits.slice(from, from + Number(count)).map(({ url, title, description, date }) => ({
      type: 'search_result',
      subtype: 'generic',
      title,
      url,
      is_source_local: false,
      is_source_both: false,
      description,
      language: 'en',
      family_friendly: true,
      ...(date !== undefined && { page_age: date, age: date }),
    }))
    return [
      200,
      {
        type: 'search',
        query: { original: q, more_results_available: stubs.hits.length > from + Number(count) },
        web: { type: 'search', results, family_friendly: true },
      },
    ]
  }

  function google({ key, cx, q = '', num = '10', start = '1', dateRestrict, lr, gl }: Record<string, string>): [number, unknown] {
    const refuse = (code: number, message: string): [number, unknown] => [
      code,
      { error: { code, message, errors: [{ message, reason: 'badRequest' }] } },
    ]
    if (key !== GOOGLE_KEY) return refuse(400, 'API key not valid. Please pass a valid API key.')
    const isFine =
      cx === GOOGLE_CX &&
      q !== '' &&
      Number(num) >= 1 &&
      Number(num) <= 10 &&
      Number(start) >= 1 &&
      Number(start) + Number(num) <= 101 &&
      (dateRestrict === undefined || /^[dwmy]\d+$/.test(dateRestrict)) &&
      (lr === undefined || /^lang_[a-z]{2}(-[A-Z]{2})?$/.test(lr)) &&
      (gl === undefined || /^[a-z]{2}$/.test(gl))
    if (!isFine) return refuse(400, 'Request contains an invalid argument.')
    const from = Number(start) - 1
    const items = stubs.hits.slice(from, from + Number(num)).map(({ url, title, description }) => ({
      kind: 'customsearch#result',
      title,
      htmlTitle: title,
      link: url,
      displayLink: new URL(url).hostname,
      snippet: description,
      htmlSnippet: description,
    }))
    const request = {
      title: 'Google Custom Search',
      totalResults: String(stubs.hits.length),
      searchTerms: q,
      count: items.length,
      startIndex: from + 1,
    }
    const hasNext = stubs.hits.length > from + Number(num) && from + Number(num) < 100
    return [
      200,
      {
        kind: 'customsearch#search',
        queries: { request: [request], ...(hasNext && { nextPage: [{ ...request, startIndex: from + 1 + Number(num) }] }) },
        searchInformation: { searchTime: 0.1, totalResults: String(stubs.hits.length) },
        ...(items.length > 0 && { items }),
      },
    ]
  }
}

export type SearchStubs = Awaited<ReturnType<typeof startSearchStubs>>

function makeTrouble(trouble: Trouble, response: ServerResponse) {
  if ('status' in trouble)
    return response.writeHead(trouble.status, { 'content-type': 'text/html', ...trouble.headers }).end(trouble.body ?? '')
  if (trouble.does === 'close') return response.destroy()
  if (trouble.does === 'nothing') return undefined
  // More bytes than an answer may have, as fast as the client reads.
  const piece = Buffer.alloc(1024 * 1024, 'x')
  response.writeHead(200, { 'content-type': 'application/json' })
  const pour = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', pour)
  }
  return pour()
}

/** This many different hits. */
export const someHits = (count: number, host = 'hits.example'): StubHit[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://${host}/page/${at}`,
    title: `Hit number ${at}`,
    description: `What the provider says of ${at}`,
  }))
