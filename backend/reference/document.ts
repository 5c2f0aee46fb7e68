/** Generates the OpenAPI 3.1 documents of the product from its contract. Source: https://spec.openapis.org/oas/v3.1.1 */
import type { EndpointSpec } from '#contract/endpoint.ts'
import { pageOptions, spiderOptions } from '#contract/crawls.ts'
import { FIRECRAWL_ENDPOINTS } from '#contract/firecrawl/endpoints.ts'
import { ENDPOINTS, SHAPES } from '#contract/index.ts'
import { FEED_TYPES, RUN_STATUSES } from '#contract/runs.ts'
import type { ApiDocument, ApiOperation, ApiResponse, JsonSchema } from '#contract/reference.ts'
import { SHAPE_EXAMPLES } from './examples.ts'
import { FIELD_TEXTS } from './field-texts.ts'
import { createJsonSchemas, refTo } from './json-schemas.ts'
import { operationOf } from './operation.ts'
import { firecrawlDocument } from './firecrawl-document.ts'
import { openPath } from './parameters.ts'

/** Everything, or only what an API key can call. */
export type Extent = 'all' | 'team' | 'firecrawl'

/** Tags that come first, in this order; the others follow in the order of the contract. */
const FIRST_TAGS = ['Crawl Requests', 'Crawl Results', 'Search Requests', 'Sitemap Requests', 'Proxy Servers', 'Subscriptions']

const TAG_TEXTS: Readonly<Record<string, string>> = {
  'Crawl Requests': 'Start a crawl, follow it live, stop it, take its results.',
  'Crawl Results': 'The pages that a crawl has stored.',
  'Search Requests': 'Search the web, and read the pages of the results.',
  'Sitemap Requests': 'List the URLs of a site without fetching its pages.',
  'Proxy Servers': 'Proxy servers that the team’s crawls may use.',
  Subscriptions: 'The plan of the team and what is left of it.',
  Agents: 'The Model Context Protocol: tools and resources for agents, at one URL.',
  'Own Pages': 'Search all pages that the team’s crawls have stored.',
}

/**
 * @param extent       `team` omits what an API key cannot call
 * @param productName  shown to people
 * @param version      of the product
 * @param baseUrl      of the installation
 */
export function createDocument(extent: Extent, needs: DocumentNeeds): ApiDocument {
  const steps = documentSteps(extent, needs)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Generates the document in steps of one operation each: all at once takes 55 ms in code that has not run before. */
export function* documentSteps(extent: Extent, { productName, version, baseUrl }: DocumentNeeds): Generator<undefined, ApiDocument> {
  const isFirecrawl = extent === 'firecrawl'
  const schemas = createJsonSchemas(isFirecrawl ? new Map() : SHAPES)
  const byKey = extent !== 'all'
  const paths: Record<string, Record<string, ApiOperation>> = {}
  const shown = [...(isFirecrawl ? FIRECRAWL_ENDPOINTS : ENDPOINTS)].filter(([, { access }]) => !byKey || access === 'team')
  for (const [name, endpoint] of inReadingOrder(shown)) {
    const path = (paths[openPath(endpoint.path)] ??= {})
    path[endpoint.method.toLowerCase()] = operationOf(name, endpoint, { schemas, byKey })
    yield
  }
  const tags = inOrder(shown.map(([, { tag }]) => tag))
  if (isFirecrawl) return firecrawlDocument({ productName, version, baseUrl }, { paths, tags })
  for (const [name, shape] of [
    ['SpiderOptions', spiderOptions],
    ['PageOptions', pageOptions],
  ] as const)
    schemas.write(shape, 'output', name)
  return {
    openapi: '3.1.1',
    info: { title: `${productName} API`, version, description: introduction(productName) },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, ...(TAG_TEXTS[name] && { description: TAG_TEXTS[name] }) })),
    paths,
    components: {
      schemas: withExamples({ ...withDocuments(schemas.components), ...handWritten() }),
      responses: RESPONSES,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of the team.' },
        Bearer: {
          type: 'http',
          scheme: 'bearer',
          description: byKey
            ? 'The same API key as `Authorization: Bearer`.'
            : 'The access token of a signed-in user, or an API key where one is enough.',
        },
      },
    },
  }
}

type DocumentNeeds = { productName: string; version: string; baseUrl: string }

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE']

/** The order for readers: endpoints that create and list, then those of one object, then those of its parts. */
function inReadingOrder(endpoints: [name: string, endpoint: EndpointSpec][]): [string, EndpointSpec][] {
  const place = ({ path, method }: EndpointSpec) => {
    const segments = path.split('/').filter(Boolean)
    return [segments.length, segments.at(-1)?.startsWith('{') ? 1 : 0, METHODS.indexOf(method)]
  }
  return endpoints.toSorted(([, one], [, other]) => {
    const there = place(other)
    const difference = place(one)
      .map((value, index) => value - (there[index] ?? 0))
      .find((value) => value !== 0)
    return difference ?? (one.path < other.path ? -1 : 1)
  })
}

function inOrder(tags: readonly string[]): string[] {
  const used = new Set(tags)
  return [...new Set([...FIRST_TAGS.filter((tag) => used.has(tag)), ...used])]
}

/** Fills in shapes that the contract leaves open: a crawl's results and options, which are passed on as they were stored. */
function withDocuments(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const { CrawlRequest: crawl, CrawlResult: found, ScrapedPage: scraped } = schemas
  if (found === undefined || crawl === undefined || scraped === undefined) return schemas
  const result = { ...found.properties?.['result'], anyOf: [{ type: 'string', format: 'uri' }, refTo('ResultDocument')] }
  const { options } = crawl.properties ?? {}
  const kept = {
    ...options?.properties,
    spider_options: describedRef('SpiderOptions', options?.properties?.['spider_options']),
    page_options: describedRef('PageOptions', options?.properties?.['page_options']),
  }
  return {
    ...schemas,
    CrawlRequest: { ...crawl, properties: { ...crawl.properties, options: { ...options, properties: kept } } },
    CrawlResult: { ...found, properties: { ...found.properties, result } },
    ScrapedPage: {
      ...scraped,
      properties: { ...scraped.properties, result: describedRef('ResultDocument', scraped.properties?.['result']) },
    },
  }
}

/** A reference that keeps the description of the field. */
const describedRef = (name: string, field: JsonSchema | undefined): JsonSchema => ({
  ...refTo(name),
  ...(field?.description && { description: field.description }),
})

const withExamples = (schemas: Record<string, JsonSchema>) =>
  Object.fromEntries(
    Object.entries(schemas)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, schema]) => [name, name in SHAPE_EXAMPLES ? { ...schema, examples: [SHAPE_EXAMPLES[name]] } : schema]),
  )

/** Shapes that the contract has only as types: documents of pages, events of streams, errors. */
function handWritten(): Record<string, JsonSchema> {
  const textOrNull: JsonSchema = { type: ['string', 'null'] }
  const event = (type: string, fields: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
    type: 'object',
    properties: {
      type: { const: type, description: 'Kind of the event.' },
      ...fields,
      seq: { type: 'integer', description: 'Number of the event; `after` resumes behind it.' },
    },
    required: ['type', 'data', ...required],
  })
  const state = (job: string) =>
    event('state', { status: { type: 'string', enum: [...RUN_STATUSES], description: 'Status of the job.' }, data: refTo(job) }, ['status'])
  const feed = event('feed', { data: refTo('FeedMessage') }, [])
  return {
    CrawlEvent: { oneOf: [state('CrawlRequest'), event('result', { data: refTo('CrawlResult') }, []), feed] },
    SearchEvent: { oneOf: [state('SearchRequest'), feed] },
    SitemapEvent: { oneOf: [state('SitemapRequest'), feed] },
    FeedMessage: object('FeedMessage', {
      id: { type: 'string' },
      type: { type: 'string', enum: [...FEED_TYPES] },
      message: { type: 'string' },
      timestamp: { type: 'string', format: 'date-time' },
      metadata: { type: 'object', additionalProperties: {} },
    }),
    ResultDocument: object(
      'ResultDocument',
      {
        metadata: { type: 'object', additionalProperties: textOrNull },
        markdown: { type: 'string' },
        links: { type: 'array', items: { type: 'string' } },
        html: { type: 'string' },
        extraction: {},
        validators: {
          type: 'object',
          properties: {
            etag: { ...textOrNull, description: 'The `ETag`; null if there was none.' },
            lastModified: { ...textOrNull, description: 'The `Last-Modified`; null if there was none.' },
            rules: { type: 'string', description: 'Which version of the product has read the page: another one reads it again.' },
          },
        },
      },
      ['metadata', 'markdown'],
    ),
    Error: object('Error', {
      code: { type: 'integer' },
      errors: { anyOf: [refTo('FieldErrors'), { type: 'array', maxItems: 0 }, { type: 'null' }] },
      message: { type: 'string' },
    }),
    FieldErrors: {
      type: 'object',
      description: 'Messages by field, nested like the body. Messages about no single field are under `non_field_errors`.',
      additionalProperties: {
        anyOf: [{ type: 'array', items: { type: 'string' } }, refTo('FieldErrors'), { type: 'array', items: refTo('FieldErrors') }],
      },
    },
  }
}

function object(name: string, fields: Record<string, JsonSchema>, required = Object.keys(fields)): JsonSchema {
  const texts = FIELD_TEXTS[name] ?? {}
  const properties = Object.entries(fields).map(([field, schema]) => [
    field,
    { ...schema, ...(texts[field] && { description: texts[field] }) },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, JsonSchema>, required }
}

function refusal(description: string, code: number, message: string, errors: unknown = null): ApiResponse {
  return { description, content: { 'application/json': { schema: refTo('Error'), example: { code, errors, message } } } }
}

const RESPONSES: Record<string, ApiResponse> = {
  InvalidInput: refusal('The request has invalid values.', 400, 'Invalid input data.', { url: ['Enter a valid URL.'] }),
  Unauthorized: refusal('The key or token is missing, unknown or expired.', 401, 'Unknown API key.'),
  Forbidden: refusal('Not allowed, or the credits are used up.', 403, 'You do not have permission to perform this action.'),
  NotFound: refusal('The object does not exist, or belongs to another team; of a list, the page does not exist.', 404, 'Not found.'),
  PageUnreadable: refusal('The page could not be fetched or read; `errors.url` says why.', 422, 'The page could not be read.'),
  PageLate: refusal('The page was not read in time; its crawl was stopped.', 504, 'The page was not read within 60 s.'),
  Conflict: refusal(
    'The `Idempotency-Key` was used with another body; of a deletion, `message` says what prevents it.',
    409,
    'This Idempotency-Key was used with another body.',
  ),
  TooLarge: refusal('The body is too large or has too many values.', 413, 'Request body is too large.'),
  UnsupportedMediaType: refusal('The body is not JSON.', 415, 'Unsupported media type "text/plain" in request.'),
  TooManyRequests: {
    ...refusal('Too many calls.', 429, 'Request was throttled. Expected available in 7 seconds.'),
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  },
  Failure: refusal('The server failed; `Retry-After` may say when to try again.', 500, 'An unexpected error occurred.'),
}

/** Uses paragraphs, sections and lists only: the dashboard renders no other Markdown. */
const introduction = (
  productName: string,
) => `Crawl sites, search the web and list the URLs of a site from your own programs. The dashboard shows what you start with the API, and the other way round.

## Authentication

Create a key under **API Keys** in the dashboard and send it with every call as the header \`X-API-Key\`. A key belongs to one team and can read and change only the data of that team. \`Authorization: Bearer <key>\` works too. Keep keys secret. If a key leaks, delete it in the dashboard: it stops working at once.

## Requests and answers

- Bodies and answers are JSON in UTF-8. Paths are served with and without their last slash, and unknown query parameters are ignored.
- Instants are UTC with microseconds, \`2026-03-04T09:12:33.481920Z\`; ids are UUIDs.
- Flags in a query are true for \`true\`, \`1\` and \`t\`.
- Links in answers, such as \`result\` and \`sitemap\`, open without a header and stop working after some hours. Reading the object again makes new ones. With \`prefetched=true\` the answer has the content instead of its link.

## Lists

Lists come in pages: \`page\` counts from 1, \`page_size\` is 25 and at most 100. \`next\` and \`previous\` are whole URLs, or null at the ends.

## Live events

The \`status/\` paths answer with server-sent events, one line \`data: <json>\` each, and close the connection after the last state. For a job that has ended, the stream has its results, its last messages and its final state.

## Errors

Every error has the same shape: \`code\` repeats the HTTP status, \`message\` is one sentence for people, and with status 400 \`errors\` has the messages of each field. Status 429 says in \`Retry-After\` how many seconds to wait; ${productName} does not limit ordinary calls with a key unless its operator has configured a limit.
`
