/** Converts one endpoint of the contract to an operation of an OpenAPI 3.1 document. */
import type * as z from 'zod/mini'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { bodySizeOf } from '#contract/sizes.ts'
import type { BodySize } from '#contract/sizes.ts'
import type { ApiMedia, ApiOperation, ApiResponse, ApiReference } from '#contract/reference.ts'
import { ANSWER_EXAMPLES, BODY_EXAMPLES } from './examples.ts'
import { refTo } from './json-schemas.ts'
import type { JsonSchemas } from './json-schemas.ts'
import { IDEMPOTENT, parametersOf } from './parameters.ts'

/** The events of each stream, by endpoint name. */
const EVENTS: Readonly<Record<string, string>> = { followCrawl: 'CrawlEvent', followSearch: 'SearchEvent', followSitemap: 'SitemapEvent' }

const STREAM_EXAMPLE =
  'data: {"type":"feed","data":{"id":"17","type":"info","message":"Fetched 10 pages","timestamp":"2026-03-04T09:12:33.481920Z","metadata":{}},"seq":17}\n\n'

/** Raw Markdown, as it is sent if `Accept` names it and not JSON. */
const MARKDOWN = 'text/markdown; charset=utf-8'

/** Media types behind signed links, where there is more than JSON. */
const FILE_TYPES: Readonly<Record<string, readonly string[]>> = {
  getFile: ['application/json', MARKDOWN, 'application/zip', 'image/png', 'application/pdf', 'text/csv', 'application/x-ndjson'],
  getSitemapFile: ['application/json', MARKDOWN, 'application/xml'],
}

/** Endpoints whose JSON string is also sent as raw Markdown. */
const ALSO_MARKDOWN: readonly string[] = ['crawlSitemapMarkdown', 'sitemapMarkdown']

/** Refusals of single endpoints, besides those that follow from their kind. Those of the Firecrawl API hold for both versions. */
const OWN_REFUSALS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  install: { 403: 'Forbidden' },
  register: { 403: 'Forbidden' },
  registerInvited: { 403: 'Forbidden' },
  login: { 403: 'Forbidden' },
  signInWithProvider: { 403: 'Forbidden' },
  startOidcSignIn: { 403: 'Forbidden' },
  refreshToken: { 401: 'Unauthorized' },
  verifyToken: { 401: 'Unauthorized' },
  acceptInvitationCode: { 404: 'NotFound' },
  takePaymentEvent: { 403: 'Forbidden' },
  deleteAccount: { 409: 'Conflict' },
  deleteTeam: { 409: 'Conflict' },
  scrapePage: { 422: 'PageUnreadable', 504: 'PageLate' },
  ...Object.fromEntries(IDEMPOTENT.map((name) => [name, { 409: 'Conflict' }])),
  scrape: { 402: 'PaymentRequired', 408: 'Timeout' },
  crawl: { 402: 'PaymentRequired', 409: 'Conflict' },
  batch: { 402: 'PaymentRequired', 409: 'Conflict' },
  map: { 402: 'PaymentRequired', 408: 'Timeout' },
  search: { 402: 'PaymentRequired', 408: 'Timeout' },
  extract: { 402: 'PaymentRequired', 409: 'Conflict' },
  parse: { 408: 'Timeout' },
  runMonitor: { 402: 'PaymentRequired' },
}

const SECURITY: Record<EndpointSpec['access'], Record<string, string[]>[]> = {
  public: [],
  signed: [],
  user: [{ Bearer: [] }],
  'user+team': [{ Bearer: [] }],
  team: [{ ApiKey: [] }, { Bearer: [] }],
}

/** @param byKey  for readers who have only an API key */
export function operationOf(
  name: string,
  endpoint: EndpointSpec,
  { schemas, byKey }: { schemas: JsonSchemas; byKey: boolean },
): ApiOperation {
  const write = (shape: z.ZodMiniType | undefined, side: 'input' | 'output') => shape && schemas.write(shape, side, name)
  const asked = endpoint.query && schemas.writeQuery(endpoint.query, name)
  const answered = write(endpoint.answer, 'output')
  const body = write(endpoint.body, 'input')
  const parameters = parametersOf(name, endpoint, { asked, answered: answered && schemas.whole(answered), byKey })
  const example = BODY_EXAMPLES[name]
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: SECURITY[endpoint.access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        description: limitText(bodySizeOf(endpoint)),
        required: (body.required?.length ?? 0) > 0,
        content:
          endpoint.isUpload === true ? formOf(body) : { 'application/json': { schema: body, ...(example !== undefined && { example }) } },
        'x-limits': bodySizeOf(endpoint),
      },
    }),
    responses: {
      [endpoint.status ?? (answered || endpoint.media || endpoint.access === 'signed' ? 200 : 204)]: success(name, endpoint, answered),
      ...(endpoint.orEmpty && { 204: { description: 'Success; the answer is empty.' } }),
      ...(endpoint.media === 'text/event-stream' && {
        204: { description: 'The job has ended, and all its events were sent: do not connect again.' },
      }),
      ...refusals(endpoint, {
        mayBeWrong: parameters.length > 0 || body !== undefined,
        hasPages: parameters.some(({ name: given }) => given === 'page'),
      }),
      ...ownRefusals(name),
      ...(name === 'sendMcpMessage' && {
        202: { description: 'Success; the message was a notification.' },
        400: ofProtocol('Not a message of the protocol, or headers that contradict the body.'),
        404: ofProtocol('The method does not exist.'),
      }),
    },
  }
}

/** A form with a file and the options as JSON. */
const formOf = (options: ApiMedia['schema'] & object): Record<string, ApiMedia> => ({
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name and its media type.' }, options },
    },
  },
})

/** The limits of a body in words. */
export const limitText = ({ bytes, values, depth }: BodySize) =>
  `At most ${Math.floor(bytes / 1024)} KiB, ${values.toLocaleString('en-US')} values, and ${depth} lists and objects inside one another.`

function success(name: string, { media, access, status }: EndpointSpec, schema: ApiMedia['schema']): ApiResponse {
  const files = FILE_TYPES[name]
  const shown = name in ANSWER_EXAMPLES && { example: ANSWER_EXAMPLES[name] }
  if (files) return { description: 'The file.', content: Object.fromEntries(files.map((type) => [type, {}])) }
  if (media === 'text/event-stream') {
    const event = EVENTS[name]
    const lines = {
      type: 'string',
      description: 'Lines `data: <event>`, a blank line after each. Ignore lines that begin with a colon.',
    }
    return {
      description: 'The events as they happen. The stream ends by itself after the last.',
      content: { [media]: { schema: lines, example: STREAM_EXAMPLE, ...(event && { 'x-event': refTo(event) }) } },
    }
  }
  if (media === 'text/html') return { description: 'The page.', content: { [media]: { schema: { type: 'string' } } } }
  if (media === 'text/csv')
    return {
      description: 'The file.',
      content: { [media]: { schema: { type: 'string' } }, 'application/x-ndjson': { schema: { type: 'string' } } },
    }
  if (media)
    return {
      description: 'The file.',
      content: {
        [media]: media === 'application/zip' || media === 'application/octet-stream' ? {} : { schema: { type: 'string' }, ...shown },
      },
    }
  if (schema && name === 'sendMcpMessage') {
    const lines = {
      type: 'string',
      description: 'Lines `data: <message>`, a blank line after each: notifications of progress, then the answer.',
    }
    return {
      description: 'The answer, or an error of the protocol.',
      content: { 'application/json': { schema, ...shown }, 'text/event-stream': { schema: lines } },
    }
  }
  if (schema) {
    const raw = ALSO_MARKDOWN.includes(name) && { [MARKDOWN]: { schema: { type: 'string' } } }
    return { description: status === 201 ? 'Created.' : 'Success.', content: { 'application/json': { schema, ...shown }, ...raw } }
  }
  return { description: access === 'signed' ? 'The file.' : 'Success; the answer is empty.' }
}

/** A refusal in the format of the protocol or, before a message was parsed, of this API. */
const ofProtocol = (description: string): ApiResponse => ({
  description,
  content: { 'application/json': { schema: { anyOf: [refTo('Error'), refTo('McpAnswer')] } } },
})

const refusal = (name: string): ApiReference => ({ $ref: `#/components/responses/${name}` })

const ownRefusals = (name: string): Record<string, ApiReference> =>
  Object.fromEntries(Object.entries(OWN_REFUSALS[name.replace(/^v\d\./, '')] ?? {}).map(([status, shown]) => [status, refusal(shown)]))

/** The error responses; all have the same shape. */
function refusals(
  { access, body, path }: EndpointSpec,
  { hasPages, mayBeWrong }: { hasPages: boolean; mayBeWrong: boolean },
): Record<string, ApiReference> {
  const needsCaller = access !== 'public' && access !== 'signed'
  return {
    ...(mayBeWrong && { 400: refusal('InvalidInput') }),
    ...(needsCaller && { 401: refusal('Unauthorized') }),
    ...((needsCaller || access === 'signed') && { 403: refusal('Forbidden') }),
    ...((path.includes('{') || path.endsWith('*') || hasPages) && { 404: refusal('NotFound') }),
    ...(body && { 413: refusal('TooLarge'), 415: refusal('UnsupportedMediaType') }),
    429: refusal('TooManyRequests'),
    default: refusal('Failure'),
  }
}
