/**
 * How long the most expensive requests hold the API's event loop: every endpoint of the contract with its worst allowed call, over a database of
 * 100,000 runs and a million URLs. An endpoint without a row in `WORST` ends the script, so that a new one is thought about.
 *
 * The loop is watched from inside by `loop-monitor.js`. What counts is the time that a turn of the loop took without waiting for a processor
 * that others had: on a busy machine the rest is theirs. Each request is made several times and the smallest of its longest turns counts.
 * Bounds: 20 ms for a stranger, 50 ms with a key or token.
 */
import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillPath } from '#contract/endpoint.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { MAX_BATCH_URLS, MAX_URL_LENGTH, bodySizeOf } from '#contract/sizes.ts'
import { START } from '../start-command.ts'
import { ADMIN, SIZES, largeDatabase } from './large-database.ts'
import type { LargeDatabase } from './large-database.ts'
import { freePort, percentile } from './processes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ROUNDS = 3
const BOUND_MS = { stranger: 20, known: 50 }
const STRANGERS = 20
const LIVE_P99_MS = 200
const MOST_DISK_MS = 10
const SPARE_MIB = 50

type Asked = {
  params?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
  headers?: Record<string, string>
  path?: string
}
type Context = LargeDatabase['ids'] & { links: Record<'crawl' | 'result' | 'sitemap' | 'search', string>; nowhere: string }

/** Deepest page of the largest pages. */
const LAST = { page: 'last', page_size: 100 }
const NOTHING = '/nothing-like-that/'
const DAYS = { created_at__gte: '2020-01-01', created_at__lt: '2100-01-01' }

/** The worst that each endpoint may be asked, by name. `[]`: its body alone, which all that take one are sent at full size. */
const WORST: Record<string, (context: Context) => Asked[]> = {
  ...forEach(
    'getSettings getProfile listOwnInvitations currentTeam listTeams listInvitations getPluginsSchema listAllProxies getUsage listPlans listSubscriptions getCurrentSubscription getSchema getTeamSchema getFirecrawlSchema getSchemaPage getSchemaViewer getModelEndpoint removeModelEndpoint describeAccountDeletion describeTeamDeletion mailDeletionCode',
    () => [{}],
  ),
  ...forEach('listApiKeys listMembers listProxies', () => [{ query: { page_size: 100 } }, { query: LAST }]),
  // Of right shape, so that they come as far as the hasher.
  login: () => [{ body: { email: 'stranger@example.org', password: 'Wrong-Horse-7!' } }],
  register: () => [{ body: { email: 'stranger@example.org', password: 'Wrong-Horse-7!', first_name: 'A', last_name: 'B' } }],
  forgotPassword: () => [{ body: { email: 'stranger@example.org' } }],
  ...forEach(
    'confirmPrivacyTerms install logout refreshToken resendVerifyEmail signInWithProvider updateProfile verifyToken acceptInvitationCode createApiKey createTeam inviteMember renameTeam createProxy testProxy cancelSubscription startSubscription takePaymentEvent deleteAccount setRetention setModelEndpoint',
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
  sendMcpMessage: () => [{ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
  linkArchive: ({ bigCrawl: id }) => [{ params: { id } }],
  followCrawl: ({ bigCrawl, heavyCrawl }) => [
    { params: { id: bigCrawl }, query: { after: 0, ids: true } },
    { params: { id: bigCrawl }, query: { prefetched: true } },
    { params: { id: heavyCrawl }, query: { prefetched: true } },
  ],
  getCrawl: ({ bigCrawl }) => [{ params: { id: bigCrawl } }],
  getResult: ({ bigCrawl, page }) => [{ params: { id: bigCrawl, resultId: page }, query: { prefetched: true } }],
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
  // What would really delete is measured where nothing fits: the rest of the measurements need what is there.
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
  getPlan: ({ plan }) => [{ params: { id: plan } }],
  getSubscription: ({ subscription }) => [{ params: { id: subscription } }],
  searchOwnPages: () => [
    { query: { q: 'a* b* c* d* -e "f g"', page_size: 100, page: 10 } },
    { query: { q: `${'word '.repeat(90)}`, typing: true } },
  ],
}

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

const textOf = (query: NonNullable<Asked['query']>): string =>
  new URLSearchParams(Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))).toString()

const longUrl = (n: number) => `http://127.0.0.1:9/${n}/`.padEnd(MAX_URL_LENGTH, 'x')

/** Close to all that options may weigh. */
const heavyOptions = () => ({
  spider_options: {},
  page_options: { exclude_tags: Array.from({ length: 50 }, (_, n) => `.${'a'.repeat(900)}${n}`) },
  plugin_options: {},
})

/** A body of the right type that is as hard to read as its size allows: many values, or one long text. */
function fullBodies(endpoint: EndpointSpec): string[] {
  const { bytes, values } = bodySizeOf(endpoint as Parameters<typeof bodySizeOf>[0])
  const many = `{"z":[${'{},'.repeat(Math.max(1, Math.min(values - 4, Math.floor((bytes - 20) / 3))))}{}]}`
  const long = `{"z":"${'\\u0061'.repeat(Math.floor((bytes - 20) / 6))}"}`
  return [many, long]
}

/** @param only  names of endpoints; none for all */
export async function requestsBench({ only }: { only: string[] }) {
  const missing = [...ENDPOINTS.keys()].filter((name) => WORST[name] === undefined)
  const strange = Object.keys(WORST).filter((name) => !ENDPOINTS.has(name))
  if (missing.length + strange.length > 0)
    throw new Error(`No worst request is known for ${missing.join(', ') || 'none'}; no endpoint is called ${strange.join(', ') || 'none'}.`)

  const seeding = performance.now()
  const { directory, ids } = await largeDatabase(installIn)
  console.log(`  database of ${SIZES.runs} runs and ${SIZES.urls} URLs: ${((performance.now() - seeding) / 1000).toFixed(0)} s`)
  const copy = mkdtempSync(join(tmpdir(), 'seine-bench-requests-run-'))
  cpSync(directory, copy, { recursive: true })
  const product = await start(copy)
  try {
    const context = { ...ids, ...(await linksOf(product, ids)), nowhere: '01910000-0000-7000-8000-000000000000' }
    const rows: Row[] = []
    for (const [name, endpoint] of ENDPOINTS) {
      if (only.length > 0 && !only.includes(name)) continue
      const asked = [
        ...WORST[name]!(context),
        ...(endpoint.body === undefined ? [] : fullBodies(endpoint).map((body): Asked => ({ ...WORST[name]!(context)[0], body }))),
      ]
      for (const request of asked) rows.push(await measure(product, name, endpoint, request))
    }
    print(rows)
    if (only.length === 0 || only.includes('strangers')) await strangers(product, context)
  } finally {
    await product.stop()
    rmSync(copy, { recursive: true, force: true })
  }
}

/** The longest turn of the event loop: as the clock saw it, what it computed, and without the waiting for a processor. */
type Turn = { heldMs: number; cpuMs: number; ownMs: number }

type Row = {
  name: string
  who: keyof typeof BOUND_MS
  what: string
  status: number
  tookMs: number
  mib: number
} & Turn

async function measure(product: Product, name: string, endpoint: EndpointSpec, asked: Asked): Promise<Row> {
  const who = endpoint.access === 'public' || endpoint.access === 'signed' ? 'stranger' : 'known'
  const row: Row = {
    name,
    who,
    what: describe(asked),
    status: 0,
    heldMs: Infinity,
    cpuMs: Infinity,
    ownMs: Infinity,
    tookMs: Infinity,
    mib: 0,
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await product.loop()
    const started = performance.now()
    const { status, bytes } = await product.send(endpoint, asked)
    row.tookMs = Math.min(row.tookMs, performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 30))
    const turn = await product.loop()
    row.status = status
    row.heldMs = Math.min(row.heldMs, turn.heldMs)
    row.cpuMs = Math.min(row.cpuMs, turn.cpuMs)
    row.ownMs = Math.min(row.ownMs, turn.ownMs)
    row.mib = bytes / 1024 / 1024
    // What takes long is not made to be measured finely.
    if (row.tookMs > 5000) break
  }
  return row
}

function describe({ query = {}, params = {}, body, path }: Asked): string {
  const parts = [path?.split('?')[0]?.split('/').slice(-2).join('/'), textOf(query)]
  const text =
    body === undefined
      ? ''
      : typeof body === 'string'
        ? `body of ${body.length}: ${body.slice(0, 12)}`
        : `body of ${JSON.stringify(body).length}`
  return [...parts, text, Object.values(params)[0]?.slice(0, 8)].filter(Boolean).join(' ').slice(0, 90)
}

/**
 * What counts of a turn: waiting for the disk does, up to `MOST_DISK_MS`. It cannot be told from waiting for a thread of V8 that collects
 * garbage and has no processor, which on a busy machine takes a hundred milliseconds.
 */
const judged = ({ cpuMs, ownMs }: Pick<Turn, 'cpuMs' | 'ownMs'>) => Math.min(ownMs, cpuMs + MOST_DISK_MS)

function print(rows: Row[]) {
  for (const { name, who, what, status, heldMs, cpuMs, ownMs, tookMs, mib } of rows.toSorted((one, other) => other.ownMs - one.ownMs))
    console.log(
      `  ${judged({ cpuMs, ownMs }) > BOUND_MS[who] ? '!' : ' '} ${ownMs.toFixed(1).padStart(6)} ms of its own (${cpuMs.toFixed(1)} computing, ${heldMs.toFixed(0)} by the clock) ${tookMs.toFixed(0).padStart(6)} ms ${mib.toFixed(1).padStart(7)} MiB  ${status} ${name} ${what}`,
    )
  for (const who of ['stranger', 'known'] as const)
    console.log(
      `  ${who}: a turn of at most ${Math.max(0, ...rows.filter((row) => row.who === who).map(judged)).toFixed(1)} ms, ${BOUND_MS[who]} allowed`,
    )
}

/** Twenty strangers at once with the worst that they can send: does it answer, and is the memory given back? */
async function strangers(product: Product, context: Context) {
  await new Promise((resolve) => setTimeout(resolve, 25_000))
  const idle = (await product.loop()).rss
  const open = [...ENDPOINTS].filter(([, { access }]) => access === 'public')
  const requests = open.flatMap(([name, endpoint]) => {
    const plain = WORST[name]!(context)
    const full = endpoint.body === undefined ? [] : fullBodies(endpoint).map((body): Asked => ({ ...plain[0], body }))
    return [...plain, ...full].map((asked) => ({ endpoint, asked }))
  })
  // What the machine makes of it when there is nothing else to do.
  const quiet = await watchLive(product, () => new Promise((resolve) => setTimeout(resolve, 5000)))
  await product.loop()
  const busyTimes = await watchLive(product, async () => {
    const until = performance.now() + 10_000
    await Promise.all(
      Array.from({ length: STRANGERS }, async (_, at) => {
        for (let n = at; performance.now() < until; n += STRANGERS + 1)
          await product.send(requests[n % requests.length]!.endpoint, requests[n % requests.length]!.asked)
      }),
    )
  })
  const turn = await product.loop()
  const said = ({ wall, own }: LiveTimes) =>
    `p50 ${percentile(own, 0.5).toFixed(0)} ms, p99 ${percentile(own, 0.99).toFixed(0)} ms (by the clock ${percentile(wall, 0.5).toFixed(0)} and ${percentile(wall, 0.99).toFixed(0)} ms)`
  console.log(
    `  ${percentile(busyTimes.own, 0.99) > LIVE_P99_MS ? '!' : ' '} ${STRANGERS} strangers at once: /health/live ${said(busyTimes)}, ${LIVE_P99_MS} allowed; without them ${said(quiet)}; longest turn ${turn.ownMs.toFixed(1)} ms of its own, ${turn.cpuMs.toFixed(1)} computing`,
  )
  const busy = (await product.loop()).rss
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  const after = (await product.loop()).rss
  const [idleMiB, busyMiB, afterMiB] = [idle, busy, after].map((bytes) => Math.round(bytes / 1024 / 1024)) as [number, number, number]
  console.log(
    `  ${afterMiB - idleMiB > SPARE_MIB ? '!' : ' '} memory: ${idleMiB} MiB before, ${busyMiB} MiB at their end, ${afterMiB} MiB a minute later`,
  )
}

type LiveTimes = { wall: number[]; own: number[] }

/** Asks `/health/live` from a process of its own while the work lasts. */
async function watchLive(product: Product, work: () => Promise<unknown>): Promise<LiveTimes> {
  const watcher = fork(join(ROOT, 'scripts/bench/live-watch.js'), [`${product.base}/health/live`, String(product.pid)])
  await work()
  return new Promise((resolve, reject) => {
    watcher.once('message', (times) => resolve(times as LiveTimes))
    watcher.once('exit', (code) => reject(new Error(`the watcher ended with ${code}`)))
    watcher.send('stop')
  })
}

type Product = Awaited<ReturnType<typeof start>>

async function start(directory: string) {
  const port = await freePort()
  const child: ChildProcess = spawn(
    process.execPath,
    [...START.flags, '--import', join(ROOT, 'scripts/bench/loop-monitor.js'), START.file],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        DATA_DIR: directory,
        PORT: String(port),
        LOG_LEVEL: 'fatal',
        ENTERPRISE_MODE: 'true',
        TRUST_PROXY: '1',
        EGRESS_ALLOW: '127.0.0.0/8',
        STRIPE_WEBHOOK_SECRET: 'whsec_bench',
      },
    },
  )
  const base = `http://127.0.0.1:${port}`
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  for (let tries = 0; ; tries += 1) {
    try {
      if ((await fetch(`${base}/health/ready`)).ok) break
    } catch {
      // It does not listen yet.
    }
    if (tries > 600 || child.exitCode !== null) throw new Error('the product did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  let from = 0
  let token = ''
  let tokenAt = -Infinity
  return { base, loop, pid: child.pid!, send, stop }

  function loop(): Promise<Turn & { rss: number }> {
    return new Promise((resolve) => {
      child.once('message', ({ loop: worst, rss }: { loop: Turn; rss: number }) => resolve({ ...worst, rss }))
      child.send('loop')
    })
  }

  async function send(endpoint: EndpointSpec, { params = {}, query = {}, body, headers = {}, path }: Asked) {
    const isKnown = endpoint.access !== 'public' && endpoint.access !== 'signed'
    const target = path ?? `${fillPath(endpoint.path, params)}?${textOf(query)}`
    from += 1
    const reply = await fetch(base + target, {
      method: endpoint.method,
      headers: {
        // Each from an address of its own: what limits allow in all is not the question here.
        'x-forwarded-for': `2001:db8:${(from >> 8).toString(16)}:${(from & 255).toString(16)}::1`,
        ...(isKnown && { authorization: `Bearer ${await access()}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      // Each stranger tries an account of his own, so that no limit of an account spares the hasher.
      ...(body !== undefined && {
        body: (typeof body === 'string' ? body : JSON.stringify(body)).replace('stranger@', `stranger${from}@`),
      }),
    })
    let bytes = 0
    if (reply.body) for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
    return { status: reply.status, bytes }
  }

  async function access(): Promise<string> {
    if (performance.now() - tokenAt < 200_000) return token
    const reply = await fetch(`${base}/api/v1/user/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    })
    token = ((await reply.json()) as { access: string }).access
    tokenAt = performance.now()
    return token
  }

  async function stop() {
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), 15_000)
    await gone
    clearTimeout(force)
  }
}

async function installIn(directory: string): Promise<void> {
  const product = await start(directory)
  const reply = await fetch(`${product.base}/api/v1/user/install/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  if (!reply.ok) throw new Error(`not installed: ${reply.status}`)
  // The first call makes the team.
  await product.send(ENDPOINTS.get('currentTeam')!, {})
  await product.stop()
}

/** Signed links, as the API gives them. */
async function linksOf(product: Product, ids: LargeDatabase['ids']): Promise<Pick<Context, 'links'>> {
  const read = async (path: string) => {
    const login = await fetch(`${product.base}/api/v1/user/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    })
    const { access } = (await login.json()) as { access: string }
    const reply = await fetch(product.base + path, { headers: { authorization: `Bearer ${access}` } })
    return (await reply.json()) as { sitemap: string; result: string }
  }
  const local = (link: string) => link.slice(link.indexOf('/api/'))
  const crawls = '/api/v1/core/crawl-requests/'
  return {
    links: {
      crawl: local((await read(`${crawls}${ids.bigCrawl}/`)).sitemap),
      result: local((await read(`${crawls}${ids.bigCrawl}/results/${ids.page}/`)).result),
      sitemap: local((await read(`/api/v1/core/sitemaps/${ids.bigSitemap}/`)).result),
      search: local((await read(`/api/v1/core/search/${ids.search}/`)).result),
    },
  }
}
