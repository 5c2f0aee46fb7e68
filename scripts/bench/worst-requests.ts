/**
 * The most expensive requests of each endpoint of the contract. `npm run bench -- requests` measures them; a test
 * (tests/scripts/worst-requests) fails when an endpoint has none, so that a new endpoint is not forgotten.
 */
import type { EndpointSpec } from '#contract/endpoint.ts'
import { FIRECRAWL_ENDPOINTS } from '#contract/firecrawl/endpoints.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { MAX_BATCH_URLS, MAX_URL_LENGTH, bodySizeOf } from '#contract/sizes.ts'
import type { LargeDatabase } from './large-database.ts'
import { worstOfMcp } from './worst-mcp.ts'
import { WORST_OF_FIRECRAWL } from './worst-firecrawl.ts'

/** One call of an endpoint; `path` replaces the endpoint's own where it is signed. */
export type Asked = {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  headers?: Record<string, string>
  path?: string
}
export type Context = LargeDatabase['ids'] & {
  links: Record<'crawl' | 'result' | 'sitemap' | 'search', string>
  webhook: string
  /** The name of the team. */
  team: string
  nowhere: string
}

/** The last page with the largest page size. */
const LAST = { page: 'last', page_size: 100 }
const NOTHING = '/nothing-like-that/'
const DAYS = { created_at__gte: '2020-01-01', created_at__lt: '2100-01-01' }

/** The endpoints of both APIs by name. */
export const MEASURED = new Map([...ENDPOINTS, ...FIRECRAWL_ENDPOINTS])

/** The worst requests by endpoint. `[]`: no request besides a full-size body, which is sent to every endpoint that takes a body. */
export const WORST: Record<string, (context: Context) => Asked[]> = {
  ...forEach(
    'getSettings getProfile listOwnInvitations currentTeam listTeams listInvitations getPluginsSchema listAllProxies getUsage listPlans listSubscriptions getCurrentSubscription getSchema getTeamSchema getFirecrawlSchema getSchemaPage getSchemaViewer getModelEndpoint listModelUsage removeModelEndpoint describeAccountDeletion describeTeamDeletion mailDeletionCode',
    () => [{}],
  ),
  ...forEach('listApiKeys listMembers listProxies', () => [{ query: { page_size: 100 } }, { query: LAST }]),
  // Valid, so that they reach the hasher.
  login: () => [{ body: { email: 'stranger@example.org', password: 'Wrong-Horse-7!' } }],
  register: () => [{ body: { email: 'stranger@example.org', password: 'Wrong-Horse-7!', first_name: 'A', last_name: 'B' } }],
  forgotPassword: () => [{ body: { email: 'stranger@example.org' } }],
  ...forEach(
    'confirmPrivacyTerms install logout refreshToken resendVerifyEmail signInWithProvider startOidcSignIn updateProfile verifyToken acceptInvitationCode createApiKey createTeam inviteMember renameTeam createProxy testProxy cancelSubscription startSubscription takePaymentEvent deleteAccount setRetention setModelEndpoint testModelEndpoint',
    () => [],
  ),
  ...forEach('manageSubscription renewSubscription', () => [{}]),
  ...forEach('checkPasswordReset verifyEmail resetPassword', () => [{ params: { token: 'x'.repeat(2000) } }]),
  ...forEach('readInvitation registerInvited', () => [{ params: { code: 'x'.repeat(2000) } }]),
  ...forEach('acceptInvitation declineInvitation deleteApiKey getTeam linkInvitation removeMember withdrawInvitation', ({ nowhere }) => [
    { params: { id: nowhere } },
  ]),
  ...forEach('countOutcomes getModelUsage crawlGraph crawlSitemapMarkdown', ({ bigCrawl }) => [{ params: { id: bigCrawl } }]),
  createCrawl: () => [{ body: { url: longUrl(0), options: heavyOptions() } }],
  createBatchCrawl: () => [{ body: { urls: Array.from({ length: MAX_BATCH_URLS }, (_, n) => longUrl(n)), options: heavyOptions() } }],
  scrapePage: () => [{ body: { url: longUrl(0), options: heavyOptions(), timeout: 1000 } }],
  createSearch: () => [{ body: { query: 'word '.repeat(50), result_limit: 20 } }],
  createSitemap: () => [
    { body: { url: longUrl(0), options: { include_paths: Array.from({ length: 50 }, (_, n) => `${'*a'.repeat(500)}${n}`) } } },
  ],
  downloadCrawl: ({ bigCrawl, heavyCrawl }) =>
    ['json', 'markdown', 'jsonl'].flatMap((output_format) =>
      [bigCrawl, heavyCrawl].map((id) => ({ params: { id }, query: { output_format } })),
    ),
  listExtractions: ({ bigCrawl, heavyCrawl }) => [
    { params: { id: bigCrawl }, query: LAST },
    { params: { id: heavyCrawl }, query: { page_size: 100 } },
  ],
  downloadExtractions: ({ bigCrawl, heavyCrawl }) =>
    ['json', 'jsonl', 'csv'].flatMap((output_format) => [bigCrawl, heavyCrawl].map((id) => ({ params: { id }, query: { output_format } }))),
  sendMcpMessage: worstOfMcp,
  linkArchive: ({ bigCrawl: id }) => [{ params: { id } }],
  followCrawl: ({ bigCrawl, heavyCrawl }) => [
    { params: { id: bigCrawl }, query: { after: 0, ids: true } },
    { params: { id: bigCrawl }, query: { prefetched: true } },
    { params: { id: heavyCrawl }, query: { prefetched: true } },
  ],
  getCrawl: ({ bigCrawl }) => [{ params: { id: bigCrawl } }],
  getResult: ({ bigCrawl, heavyCrawl, heavyPage, page }) => [
    { params: { id: bigCrawl, resultId: page }, query: { prefetched: true } },
    { params: { id: heavyCrawl, resultId: heavyPage }, query: { prefetched: true } },
  ],
  getFile: ({ links }) =>
    ['json', 'graph', 'markdown'].map((form) => ({ path: links.crawl.replace('/json', `/${form}`) })).concat([{ path: links.result }]),
  listCrawls: () => lists('url'),
  listSearches: () => lists('query').map(({ query }) => ({ query: { ...query, prefetched: true } })),
  listSitemaps: () => lists('url'),
  listOutcomes: ({ bigCrawl: id }) =>
    [
      LAST,
      { ...LAST, url__contains: NOTHING },
      { ...LAST, url__contains: 'article' },
      { ...LAST, outcome__in: 'limit,robots', url__contains: '7' },
      { ...LAST, outcome: 'pending' },
    ].map((query) => ({ params: { id }, query })),
  listResults: ({ bigCrawl, heavyCrawl }) => [
    ...[
      LAST,
      { ...LAST, url__contains: NOTHING, ...DAYS },
      { ...LAST, url__contains: 'article', ...DAYS },
      { ...LAST, url: 'https://nowhere.example/' },
      { ...LAST, prefetched: true },
    ].map((query) => ({
      params: { id: bigCrawl },
      query,
    })),
    { params: { id: heavyCrawl }, query: { page_size: 100, prefetched: true } },
  ],
  // Without matches, because later measurements need the data: see `WORST_AT_THE_END`.
  ...forEach('deleteCrawls deleteSearches deleteSitemaps', ({ nowhere }) => [
    { query: { purge: true, ids: Array.from({ length: 100 }, (_, n) => nowhere.slice(0, -3) + String(n).padStart(3, '0')).join() } },
  ]),
  deleteTeam: () => [{ query: { confirm: 'no such name' } }],
  getRetention: () => [{ query: { days: 1 } }],
  ...forEach('stopCrawl', ({ bigCrawl }) => [{ params: { id: bigCrawl } }]),
  ...forEach('stopSearch getSearch followSearch', ({ search }) => [{ params: { id: search }, query: { prefetched: true } }]),
  ...forEach('stopSitemap getSitemap followSitemap sitemapGraph sitemapMarkdown', ({ bigSitemap }) => [
    { params: { id: bigSitemap }, query: { prefetched: true } },
  ]),
  listSitemapUrls: ({ bigSitemap: id }) =>
    [LAST, { ...LAST, url__contains: NOTHING }, { ...LAST, url__contains: 'article' }].map((query) => ({ params: { id }, query })),
  sitemapXml: ({ bigSitemap: id }) => [{}, { part: 1 }, { part: 20 }].map((query) => ({ params: { id }, query })),
  getSearchFile: ({ links }) => [{ path: links.search }],
  getSitemapFile: ({ links }) => ['json', 'graph', 'markdown', 'xml'].map((form) => ({ path: links.sitemap.replace('/json', `/${form}`) })),
  ...forEach('changeProxy getProxy replaceProxy deleteProxy', () => [{ params: { slug: 'no-such-proxy' } }]),
  usageHistory: () => [{ query: LAST }, { query: { ...LAST, ...DAYS, content_type: 'crawl' } }],
  ...forEach('crawlOverview', ({ bigCrawl, heavyCrawl }) => [bigCrawl, heavyCrawl].map((id) => ({ params: { id } }))),
  countChanges: ({ bigCrawl, heavyCrawl }) => pairs(bigCrawl, heavyCrawl).map(([id, base]) => ({ params: { id }, query: { base } })),
  listChanges: ({ bigCrawl, heavyCrawl }) =>
    pairs(bigCrawl, heavyCrawl).flatMap(([id, base]) =>
      [undefined, 'added', 'removed', 'changed'].map((change) => ({ params: { id }, query: { base, change, ...LAST } })),
    ),
  exportCrawl: ({ bigCrawl, heavyCrawl }) =>
    ['results', 'urls'].flatMap((content) =>
      ['csv', 'jsonl'].flatMap((file_format) => [bigCrawl, heavyCrawl].map((id) => ({ params: { id }, query: { content, file_format } }))),
    ),
  linkExport: ({ bigCrawl: id }) => [{ params: { id }, query: { content: 'urls', file_format: 'csv' } }],
  rerunCrawl: ({ bigCrawl: id }) => [{ params: { id }, body: { failed_only: true } }, { params: { id } }],
  ...forEach('rerunSearch', ({ search: id }) => [{ params: { id } }]),
  ...forEach('rerunSitemap', ({ bigSitemap: id }) => [{ params: { id } }]),
  ...forEach('changePreset deletePreset', ({ nowhere: id }) => [{ params: { id } }]),
  createPreset: () => [{ body: { name: 'p', options: heavyOptions() } }],
  ...forEach('listPresets listWebhooks getLlmsText', () => [{}]),
  // A library searches the times of the cron expression; leap days on a certain weekday are the rarest.
  ...forEach('createSchedule previewSchedule', ({ heavyCrawl: crawl }) =>
    ['0 0 29 2 +1', '*/15 * * * *', `${Array.from({ length: 45 }, () => '0').join(',')} * * * *`].map((cron) => ({
      body: { crawl, name: 's', cron, timezone: 'America/New_York', is_active: false },
    })),
  ),
  ...forEach('changeSchedule deleteSchedule getSchedule runSchedule', ({ nowhere: id }) => [{ params: { id } }]),
  listSchedules: () => [{ query: { page_size: 100 } }],
  createWebhook: () => [{ body: { name: 'w', url: `https://hooks.example/${'x'.repeat(1900)}`, events: ['credits.low'] } }],
  ...forEach('changeWebhook deleteWebhook', ({ nowhere: id }) => [{ params: { id } }]),
  ...forEach('getWebhook getWebhookSecret rotateWebhookSecret testWebhook', ({ webhook: id }) => [{ params: { id } }]),
  listWebhookDeliveries: ({ webhook: id }) => [LAST, { ...LAST, status: 'failed' }].map((query) => ({ params: { id }, query })),
  getWebhookDelivery: ({ nowhere, webhook: id }) => [{ params: { id, deliveryId: nowhere } }],
  replayWebhook: ({ nowhere, webhook: id }) => [{ params: { id }, body: { deliveries: Array.from({ length: 100 }, () => nowhere) } }],
  exportUsage: () => ['csv', 'jsonl'].map((file_format) => ({ query: { file_format } })),
  ...WORST_OF_FIRECRAWL,
  getPlan: ({ plan }) => [{ params: { id: plan } }],
  getSubscription: ({ subscription }) => [{ params: { id: subscription } }],
  searchOwnPages: () => [
    { query: { q: 'a* b* c* d* -e "f g"', page_size: 100, page: 10 } },
    { query: { q: `${'word '.repeat(90)}`, typing: true } },
  ],
}

/** Deletions of what the other requests need, in this order; each is sent once. */
export const WORST_AT_THE_END: [name: string, asked: (context: Context) => Asked][] = [
  ['deleteSitemaps', ({ bigSitemap }) => ({ query: { purge: true, ids: bigSitemap } })],
  ['deleteCrawls', ({ bigCrawl, crawls, heavyCrawl }) => ({ query: { purge: true, ids: [bigCrawl, heavyCrawl, crawls].join() } })],
  ['v2.deleteMonitor', ({ monitor }) => ({ params: { monitor } })],
  ['cancelSubscription', () => ({})],
  ['deleteTeam', ({ team }) => ({ query: { confirm: team } })],
]

/** Pairs of crawls to compare: both ways, and each with itself. */
const pairs = (one: string, other: string): [string, string][] => [
  [one, one],
  [one, other],
  [other, one],
]

function forEach(names: string, asked: (context: Context) => Asked[]) {
  return Object.fromEntries(names.split(' ').map((name) => [name, asked]))
}

const lists = (text: string) =>
  [
    LAST,
    { page_size: 100 },
    { ...LAST, [`${text}__contains`]: NOTHING, ...DAYS },
    { ...LAST, [`${text}__contains`]: 'shop', ...DAYS },
    { ...LAST, [text]: 'https://nowhere.example/' },
    { ...LAST, status__in: 'finished,failed,canceled', ...DAYS },
  ].map((query): { query: Record<string, string | number> } => ({ query }))

/** Bodies of the right type that are as expensive to parse as their size allows: many values, or one long text. */
export function fullBodies(endpoint: EndpointSpec): string[] {
  const { bytes, values } = bodySizeOf(endpoint as Parameters<typeof bodySizeOf>[0])
  const many = `{"z":[${'{},'.repeat(Math.max(1, Math.min(values - 4, Math.floor((bytes - 20) / 3))))}{}]}`
  const long = `{"z":"${'\\u0061'.repeat(Math.floor((bytes - 20) / 6))}"}`
  return [many, long]
}

export const textOf = (query: NonNullable<Asked['query']>): string =>
  new URLSearchParams(Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))).toString()

const longUrl = (n: number) => `http://127.0.0.1:9/${n}/`.padEnd(MAX_URL_LENGTH, 'x')

/** Options near their size limit, with the selectors that are slowest to parse. */
const heavyOptions = () => ({
  spider_options: {},
  page_options: { exclude_tags: Array.from({ length: 50 }, (_, n) => `${'.a'.repeat(450)}${n}`) },
  plugin_options: {},
})

/** Endpoints without a worst request, and rows without an endpoint. */
export function unmatched(): { missing: string[]; strange: string[] } {
  return {
    missing: [...MEASURED.keys()].filter((name) => WORST[name] === undefined),
    strange: [...Object.keys(WORST), ...WORST_AT_THE_END.map(([name]) => name)].filter((name) => !MEASURED.has(name)),
  }
}
