/** Parameters in the path, the query and the headers of a call, besides those of its query's shape. */
import type { EndpointSpec } from '#contract/endpoint.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#contract/endpoint.ts'
import type { ApiParameter, JsonSchema } from '#contract/reference.ts'
import { RUN_KINDS, RUN_STATUSES } from '#contract/runs.ts'
import { MAX_DELETED_AT_ONCE, MAX_IDEMPOTENCY_KEY, MAX_URL_LENGTH } from '#contract/sizes.ts'
import { isPaged } from './json-schemas.ts'

const query = (name: string, description: string, schema: JsonSchema = { type: 'string' }): ApiParameter => ({
  name,
  in: 'query',
  description,
  schema,
})

const BOUNDS = { '': 'at exactly', __gt: 'after', __gte: 'at or after', __lt: 'before', __lte: 'at or before' }

const instants = (name: string, suffixes: readonly (keyof typeof BOUNDS)[] = ['', '__gt', '__gte', '__lt', '__lte']) =>
  suffixes.map((suffix) => query(name + suffix, `Only entries created ${BOUNDS[suffix]} this date or instant.`))

const texts = (name: string, what: string) => {
  const schema: JsonSchema = { type: 'string', maxLength: MAX_URL_LENGTH }
  return [
    query(name, what === 'URL' ? 'Only with this URL, in any spelling.' : `Only with exactly this ${what}.`, schema),
    query(`${name}__contains`, `Only where the ${what} contains this.`, schema),
    query(`${name}__startswith`, `Only where the ${what} begins with this.`, schema),
  ]
}

const RUNS = [
  query('status', 'Only in this status.', { type: 'string', enum: [...RUN_STATUSES] }),
  query('status__in', 'Only in one of these statuses, separated by commas.'),
  query('uuid', 'Only the one with this id.', { type: 'string', format: 'uuid' }),
  query('ordering', 'Field to order by; a minus in front reverses the order. Default: newest first.', {
    type: 'string',
    enum: ['created_at', 'status', 'duration', 'number_of_documents', 'label'].flatMap((by) => [by, `-${by}`]),
  }),
]

const DELETED: readonly ApiParameter[] = [
  { ...query('ids', `Ids to delete, separated by commas; at most ${MAX_DELETED_AT_ONCE}.`), required: true },
  { ...query('purge', 'Must be `true`.', { type: 'boolean' }), required: true },
]

const LEDGER: readonly ApiParameter[] = [
  query('content_type', 'Only of this kind.', { type: 'string', enum: [...RUN_KINDS] }),
  ...instants('created_at', ['__gte', '__lt']),
]

/** Filters of lists; a test compares them with the descriptions in the contract. */
const FILTERS: Readonly<Record<string, readonly ApiParameter[]>> = {
  listCrawls: [
    ...RUNS,
    ...texts('url', 'URL'),
    query('crawl_type', 'Only of this type.', { type: 'string', enum: ['single', 'batch'] }),
    query('schedule', 'Only those that the schedule with this id has started.', { type: 'string', format: 'uuid' }),
    ...instants('created_at'),
  ],
  deleteCrawls: DELETED,
  deleteSearches: DELETED,
  deleteSitemaps: DELETED,
  listResults: [...texts('url', 'URL'), ...instants('created_at')],
  listOutcomes: [
    query('outcome', 'Only URLs with this outcome, such as `kept`.'),
    query('outcome__in', 'Only URLs with one of these outcomes, separated by commas.'),
    query('http_status', 'Only URLs whose last answer had this status.', { type: 'integer' }),
    query('depth', 'Only URLs of this depth.', { type: 'integer' }),
    query('url__contains', 'Only URLs that contain this text.'),
  ],
  listSearches: [...RUNS, ...texts('query', 'query'), ...instants('created_at')],
  listSitemaps: [...RUNS, ...texts('url', 'URL'), ...instants('created_at')],
  listSitemapUrls: texts('url', 'URL'),
  usageHistory: LEDGER,
  exportUsage: LEDGER,
}

const PAGES = [
  query('page', 'Number of the page, from 1, or `last`. A page beyond the end gets 404.', {
    anyOf: [{ type: 'integer', minimum: 1 }, { const: 'last' }],
    default: 1,
  }),
  query('page_size', `Entries per page; at most ${MAX_PAGE_SIZE}, larger values count as ${MAX_PAGE_SIZE}.`, {
    type: 'integer',
    minimum: 1,
    default: DEFAULT_PAGE_SIZE,
  }),
]

const AFTER = query(
  'after',
  'The `seq` of the last event received: the stream continues after it. The header `Last-Event-ID` does the same.',
  {
    type: 'integer',
    minimum: 0,
  },
)

const IDEMPOTENCY: ApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text. A call with the same key and body within 24 hours gets the answer of the first call; with another body it gets 409.',
  schema: { type: 'string', maxLength: MAX_IDEMPOTENCY_KEY },
}
export const IDEMPOTENT: readonly string[] = [
  'createCrawl',
  'createBatchCrawl',
  'createSearch',
  'createSitemap',
  'rerunCrawl',
  'rerunSearch',
  'rerunSitemap',
  'runSchedule',
]

const TEAM: ApiParameter = {
  name: 'x-team-id',
  in: 'header',
  description: "The team that a signed-in user acts for; default: the user's oldest team. Ignored with an API key.",
  schema: { type: 'string', format: 'uuid' },
}

/** Descriptions of parameters in the contract's queries. */
const QUERY_TEXTS: Readonly<Record<string, string>> = {
  apikey: 'The API key, for clients that can be given nothing but a URL. A header is better: proxies log URLs.',
  content: 'What to export.',
  file_format: '`csv`, or `jsonl`: one JSON object a line.',
  base: 'Id of the crawl to compare with. Default: the newest older crawl of the same start.',
  change: 'Which pages are listed.',
  prefetched: 'Answer the content itself in `result`, instead of a link to it.',
  ids: 'Send a line `id: <seq>` before each event.',
  purge: 'Delete it, instead of only stopping it.',
  output_format: 'Format of the pages.',
  confirm: 'The name of the team.',
  days: 'Count the jobs that this many days would delete, instead of the days that apply.',
  revoke_keys: 'Also revoke the API keys that the member created, keys whose creator is unknown, and the invitations that the member sent.',
  attachments: '`true` adds screenshots and other captures, below `attachments/`.',
  part: 'Which part of a large sitemap, from 1.',
  q: 'The search query.',
  site: 'Only pages of this host, or below this path of it.',
  crawl: 'Only pages of the crawl with this id.',
  since: 'Only pages stored at or after this date or instant.',
  until: 'Only pages stored before this date or instant.',
  language: 'Only pages in this language: two letters.',
  status: 'Only deliveries with this status.',
  type: 'Only deliveries of this event.',
  typing: 'The user is still typing: match the last word as a prefix.',
}

const PATH_TEXTS: Readonly<Record<string, string>> = {
  id: 'The id.',
  resultId: 'The id of the result.',
  deliveryId: 'The id of the delivery.',
  token: 'The token of the link.',
  code: 'The code of the invitation.',
  slug: 'The slug.',
  kind: 'What the file belongs to, such as `crawls`.',
  file: 'Which file, as the link has it.',
}

const SIGNATURE = [
  { ...query('expires', 'Until when the link holds, as the link has it.'), required: true },
  { ...query('signature', 'What makes the link hold, as the link has it.'), required: true },
]

/** Keeps `{id}` and turns a final `*` into `{file}`, because OpenAPI cannot express the rest of a path. */
export const openPath = (path: string) => path.replace(/\*$/, '{file}')

/**
 * All parameters of an endpoint.
 *
 * @param asked     schema of its query
 * @param answered  schema of its answer
 * @param byKey     the caller has an API key, which determines the team
 */
export function parametersOf(
  name: string,
  endpoint: EndpointSpec,
  { asked, answered, byKey }: { asked: JsonSchema | undefined; answered: JsonSchema | undefined; byKey: boolean },
): ApiParameter[] {
  const own = queryParameters(asked, endpoint.query?.safeParse({}).data)
  const rest = [
    ...(FILTERS[name] ?? []),
    ...(answered && isPaged(answered) ? PAGES : []),
    ...(endpoint.media === 'text/event-stream' ? [AFTER] : []),
    ...(endpoint.access === 'signed' ? SIGNATURE : []),
    ...(IDEMPOTENT.includes(name) ? [IDEMPOTENCY] : []),
    ...(!byKey && (endpoint.access === 'user+team' || endpoint.access === 'team') ? [TEAM] : []),
  ]
  const named = new Set(rest.map((parameter) => parameter.name))
  return [...pathParameters(endpoint.path), ...own.filter((parameter) => !named.has(parameter.name)), ...rest]
}

function pathParameters(path: string): ApiParameter[] {
  return [...openPath(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_TEXTS[name] ?? '',
    schema: name === 'id' || name.endsWith('Id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }))
}

/** @param read  the result of parsing an empty query: shows defaults, and the type of values that arrive as text */
function queryParameters(asked: JsonSchema | undefined, read: unknown): ApiParameter[] {
  const values = (read ?? {}) as Record<string, unknown>
  return Object.entries(asked?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(asked?.required?.includes(name) && { required: true }),
    ...(QUERY_TEXTS[name] && { description: QUERY_TEXTS[name] }),
    schema: typeof values[name] === 'boolean' ? { type: 'boolean', default: values[name] } : schema,
  }))
}
