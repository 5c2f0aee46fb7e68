/** Crawls each case of the hostile site with the running product, over HTTP like a user, and checks what the product stored and requested. */
import { readFileSync, readdirSync } from 'node:fs'
import { login } from '#contract/accounts.ts'
import type { CrawlRequest, CrawlResult, ModelUsage, UrlOutcome } from '#contract/crawls.ts'
import { createCrawl, followCrawl, getCrawl, getModelUsage, listOutcomes, listResults } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { setModelEndpoint } from '#contract/models.ts'
import { createSitemap, followSitemap, getSitemap } from '#contract/sitemaps.ts'
import { createApiKey } from '#contract/teams.ts'
import { startHostileSite } from './hostile-site.ts'
import type { HostileCase as SiteCase } from './hostile-site.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'

export type HostileCase = SiteCase & {
  what: string
  expect: SiteCase['expect'] & {
    limit?: number
    maxMs: number
    minGapMs?: number
    mustReach?: string[]
    mustNotReach?: string[]
    urls?: number
    urlsAtLeast?: number
    credentialsSeen?: number
    note?: string
  }
}

export type Verdict = {
  id: string
  group: string
  expected: string
  /** The stored outcome of its start URL: `timeout: the body stopped`. */
  ended: string
  tookMs: number
  requests: number
  bytes: number
  /** Expectations that do not hold. */
  faults: string[]
}

type CaseHits = { requests: number; bytes: number; minGapMs: number | null; urls: Record<string, number> }

/** The outcome of a run, as its team can read it. */
type Ended = {
  status: string
  /** Outcome and detail of every URL; empty for sitemaps and for refused starts. */
  urls: UrlOutcome[]
  /** Everything that was stored or shown, in one text. */
  shown: string
  /** Documents of the pages. */
  pages: string[]
  /** URLs of a sitemap. */
  listed: string[] | null
  /** The answer of a start that was refused. */
  refusal: string | null
  tookMs: number
}

/** The reasons of the site's list, with the matching outcomes. */
const KINDS: Record<string, string[]> = {
  redirect_loop: ['redirect_loop'],
  too_many_redirects: ['redirect_limit'],
  bad_redirect: ['bad_redirect'],
  unsupported_scheme: ['bad_redirect'],
  blocked_address: ['refused_address'],
  timeout: ['timeout'],
  too_large: ['too_large'],
  header_overflow: ['protocol'],
  protocol_error: ['protocol'],
  unsupported_encoding: ['bad_encoding'],
  reset: ['reset'],
  closed: ['reset'],
  refused: ['connect'],
  tls: ['tls'],
  dns: ['dns'],
  robots: ['robots', 'robots_unreachable'],
}

/** Where a site has no sitemap, the crawler follows its links; their number is not the one in the file. */
const FROM_LINKS = new Set(['sitemap-html'])
/**
 * Groups whose faults make the crawler careful with a host. Each of their cases has its own host name, which the site's name server
 * resolves to the same address, so that the faults of one do not affect another.
 */
const OWN_HOST_GROUPS = new Set(['net', 'slow', 'status'])
const SECRET_HEADERS = { Authorization: 'Bearer secret', Cookie: 'own=secret', 'X-Own': 'secret' }
const POLL_MS = 50

/** The page that models are asked about. It tells them to forget their task. */
const MODEL_PAGE = 'prompt-injection'
const MODEL_KEY = 'sk-hostile-canary'
const MODEL_SCHEMA = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
/** Cases whose answer must be stored; no answer of another case may be. */
const GOOD_MODELS = new Set(['llm-good', 'llm-limit', 'llm-huge-usage'])
/** The largest number of calls of a model for one page: three attempts of the question, and of its correction. */
const MOST_MODEL_CALLS = 6

/** Cases that need no browser, no webhook and no model. */
/** Cases that need a browser. */
const isDrawn = ({ needs, render }: SiteCase): boolean => render === true && needs === undefined

/** Cases that are servers of language models. */
const isModel = ({ needs }: SiteCase): boolean => needs === 'model'

const isApplicable = ({ needs, render }: SiteCase): boolean => !render && (needs === undefined || needs === 'dns')

export type HostileProduct = Awaited<ReturnType<typeof startHostileProduct>>

/**
 * The product and a hostile site of its own. The product may reach exactly the site's ports, but not the internal service behind them.
 *
 * @param models   then the cases are servers of language models, each set as the team's own before a crawl of one page
 * @param browser  program that renders pages: then the cases are those that need one, and each page is captured too
 */
export async function startHostileProduct({
  maxHoldSeconds = 120,
  maxBodyMib = 64,
  browser = null,
  models = false,
}: { maxHoldSeconds?: number; maxBodyMib?: number; browser?: string | null; models?: boolean } = {}) {
  const site = await startHostileSite({ maxBodyMib, maxHoldSeconds })
  const product = await startProduct({
    CRAWL_HOST_CONCURRENCY: '32',
    EGRESS_ALLOW: site.allow,
    EGRESS_RESOLVER: site.resolver,
    WORKER_CONCURRENCY: '32',
    OPENAI_TIMEOUT_SECONDS: '3',
    ...(browser === null ? {} : { CHROMIUM_PATH: browser, RENDER_CONCURRENCY: '2' }),
  })
  const { access } = await call<{ access: string }>('POST', login.path, OWNER)
  const { key } = await call<{ key: string }>('POST', createApiKey.path, { name: 'hostile' }, { authorization: `Bearer ${access}` })
  const withKey = { 'x-api-key': key }
  const cases = (site.cases as HostileCase[]).filter(models ? isModel : browser === null ? isApplicable : isDrawn)
  return { cases, close, memoryMib, run, site }

  /** Runs and checks one case on its own paths. Others may run at the same time. */
  async function run(each: HostileCase): Promise<Verdict> {
    const ended = each.group === 'sitemap' ? await mapped(each) : models ? await extracted(each) : await crawled(each)
    const hits = await site.hits()
    const seen = hits.cases[each.id] as CaseHits | undefined
    const faults = judge(each, ended, seen)
    if (models) faults.push(...judgeModel(each, ended, await site.hits()))
    if (hits.canary.requests + hits.canary.udp > 0) faults.push(`the internal service was reached: ${JSON.stringify(hits.canary)}`)
    if (each.expect.credentialsSeen === 0) {
      if (hits.echo.some(({ authorization, cookie }) => authorization || cookie)) faults.push('credentials went to another origin')
      if (hits.echo.some(({ names }) => names.includes('x-own'))) faults.push('a header of the user went to another origin')
    }
    const { expect, group, id } = each
    const expected = [expect.outcome, expect.reason].filter(Boolean).join(' ')
    return {
      id,
      group,
      expected,
      ended: endOf(ended),
      tookMs: ended.tookMs,
      requests: seen?.requests ?? 0,
      bytes: seen?.bytes ?? 0,
      faults,
    }
  }

  /** Crawls one plain page with the case's model, using a key that must not appear anywhere else. */
  async function extracted(each: HostileCase): Promise<Ended> {
    const from = performance.now()
    const page = `${site.main}/c/${MODEL_PAGE}/`
    const endpoint = { base_url: each.url, api_key: MODEL_KEY, models: ['m'] }
    await call('PUT', setModelEndpoint.path, endpoint, { authorization: `Bearer ${access}` })
    const extract = { is_active: true, llm_model: 'm', extractor_schema: MODEL_SCHEMA, max_seconds: 15 }
    const options = {
      spider_options: { page_limit: 1 },
      page_options: { ignore_rendering: true },
      plugin_options: { openai_extract: extract },
    }
    const started = await start<CrawlRequest>(createCrawl.path, { url: page, options })
    if (started.refusal !== null) return refused(started.refusal, from)
    const params = { id: started.run.uuid }
    const run = await settled<CrawlRequest>(fillPath(getCrawl.path, params), from, 60_000)
    const tookMs = performance.now() - from
    const urls = await all<UrlOutcome>(fillPath(listOutcomes.path, params))
    const results = await all<CrawlResult>(`${fillPath(listResults.path, params)}?prefetched=true`)
    const pages = results.map(({ result }) => JSON.stringify(result))
    const usage = JSON.stringify(await call('GET', fillPath(getModelUsage.path, params), undefined, withKey))
    const shown = [JSON.stringify(run), JSON.stringify(urls), ...pages, usage, await text(fillPath(followCrawl.path, params))].join('\n')
    return { status: run.status, urls, shown, pages, listed: null, refusal: null, tookMs }
  }

  async function crawled({ expect, group, id, url: given }: HostileCase): Promise<Ended> {
    const from = performance.now()
    const url = OWN_HOST_GROUPS.has(group) ? given.replace(`${site.main}/`, `http://${id}.test:${site.port}/`) : given
    const options = {
      spider_options: { max_depth: 5, page_limit: expect.limit ?? 50 },
      page_options: {
        ...(browser === null ? { ignore_rendering: true } : { actions: [{ type: 'screenshot' }, { type: 'pdf' }] }),
        include_html: true,
        include_links: true,
        only_main_content: false,
        ...(id === 'redirect-drops-credentials' ? { extra_headers: SECRET_HEADERS } : {}),
      },
    }
    const started = await start<CrawlRequest>(createCrawl.path, { url, options })
    if (started.refusal !== null) return refused(started.refusal, from)
    const params = { id: started.run.uuid }
    const run = await settled<CrawlRequest>(fillPath(getCrawl.path, params), from, expect.maxMs)
    const tookMs = performance.now() - from
    const urls = await all<UrlOutcome>(fillPath(listOutcomes.path, params))
    const results = await all<CrawlResult>(`${fillPath(listResults.path, params)}?prefetched=true`)
    const pages = results.map(({ result, title, url: at }) => `${title}\n${at}\n${JSON.stringify(result)}`)
    const feed = await text(fillPath(followCrawl.path, params))
    const shown = [JSON.stringify(run), JSON.stringify(urls), ...pages, feed].join('\n')
    return { status: run.status, urls, shown, pages, listed: null, refusal: null, tookMs }
  }

  async function mapped({ expect, url }: HostileCase): Promise<Ended> {
    const from = performance.now()
    const started = await start<SitemapRequest>(createSitemap.path, { url, options: {} })
    if (started.refusal !== null) return refused(started.refusal, from)
    const params = { id: started.run.uuid }
    const run = await settled<SitemapRequest>(`${fillPath(getSitemap.path, params)}?prefetched=true`, from, expect.maxMs)
    const tookMs = performance.now() - from
    const feed = await text(fillPath(followSitemap.path, params))
    const listed = Array.isArray(run.result) ? run.result : []
    return { status: run.status, urls: [], shown: `${JSON.stringify(run)}\n${feed}`, pages: [], listed, refusal: null, tookMs }
  }

  async function start<T>(path: string, body: unknown): Promise<{ run: T; refusal: null } | { run: null; refusal: string }> {
    const reply = await ask('POST', path, body, withKey)
    const said = await reply.text()
    if (reply.ok) return { run: JSON.parse(said) as T, refusal: null }
    if (reply.status !== 400) throw new Error(`${path} was answered ${reply.status}: ${said}`)
    return { run: null, refusal: said }
  }

  async function settled<T extends { status: string }>(path: string, from: number, maxMs: number): Promise<T> {
    for (;;) {
      const run = await call<T>('GET', path, undefined, withKey)
      const isOver = run.status === 'finished' || run.status === 'failed' || run.status === 'canceled'
      // The limit is twice the case's time, so that the message can say how late it is.
      if (isOver || performance.now() - from > 2 * maxMs) return run
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  async function all<T>(path: string): Promise<T[]> {
    const found: T[] = []
    for (let page = 1; ; page += 1) {
      const query = `${path.includes('?') ? '&' : '?'}page_size=100&page=${page}`
      const { next, results } = await call<{ next: string | null; results: T[] }>('GET', path + query, undefined, withKey)
      found.push(...results)
      // Only the outcome of the start URL and the texts are checked: of a trap's thousands of links the first are enough.
      if (next === null || found.length >= 3000) return found
    }
  }

  async function text(path: string): Promise<string> {
    return (await ask('GET', path, undefined, withKey)).text()
  }

  async function call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
    const reply = await ask(method, path, body, headers)
    const said = await reply.text()
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${said}`)
    return JSON.parse(said) as T
  }

  function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(product.url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** Resident memory of all processes that work in the product's data folder; null if the system does not report it. */
  function memoryMib(): number | null {
    let kib = 0
    try {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) kib += residentKib(pid, `DATA_DIR=${product.dataDir}`)
    } catch {
      return null
    }
    return kib / 1024
  }

  async function close() {
    await product.close()
    await site.stop()
  }
}

function residentKib(pid: string, mark: string): number {
  try {
    if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark)) return 0
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return 0
  }
}

function refused(refusal: string, from: number): Ended {
  return { status: 'refused', urls: [], shown: refusal, pages: [], listed: null, refusal, tookMs: performance.now() - from }
}

function endOf({ listed, refusal, status, urls }: Ended): string {
  if (refusal !== null) return `refused: ${refusal}`
  if (listed !== null) return `${status}, ${listed.length} URLs`
  // A start URL that redirected to another host ends under the URL there.
  const last = urls.find(({ depth, outcome }) => depth === 0 && outcome !== 'redirected') ?? urls[0]
  if (last === undefined) return status
  return `${last.outcome}${last.http_status === null ? '' : ` ${last.http_status}`}${last.detail === null ? '' : `: ${last.detail}`}`
}

/** The case's expectations that do not hold. */
/** The page is stored whatever its model answers; an extraction is stored only if it fits the schema. */
function judgeModel(
  { id }: HostileCase,
  { pages, shown }: Ended,
  { hooks }: Awaited<ReturnType<HostileProduct['site']['hits']>>,
): string[] {
  const faults: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(what)
  }
  must(pages.length === 1 && pages[0]!.includes(`MARK-${MODEL_PAGE}`), 'the page was not kept')
  const isGood = GOOD_MODELS.has(id)
  must(pages[0]?.includes('"extraction"') === isGood, isGood ? 'no extraction is stored' : 'an extraction is stored')
  if (isGood) must(pages[0]!.includes('"extraction":{"ok":true}'), 'the extraction is another one')
  else must(shown.includes('The plugin openai_extract failed on'), 'nobody is told why')
  const own = hooks.filter((hook) => hook.id === id)
  must(own.length > 0 && own.length <= MOST_MODEL_CALLS, `the model was asked ${own.length} times`)
  must(
    own.every(({ headers }) => headers['authorization'] === `Bearer ${MODEL_KEY}`),
    'the key was not sent',
  )
  must(!shown.includes(MODEL_KEY) && own.every(({ body }) => !body.includes(MODEL_KEY)), 'the key is shown, or stands in a question')
  const { answer_tokens, prompt_tokens } = JSON.parse(/\{"model":.*\}/.exec(shown)![0]) as ModelUsage
  must(
    prompt_tokens >= 0 && answer_tokens >= 0 && prompt_tokens + answer_tokens < 50_000,
    `${prompt_tokens} + ${answer_tokens} tokens are counted`,
  )
  return faults
}

function judge({ expect, id }: HostileCase, ended: Ended, seen: CaseHits | undefined): string[] {
  const faults: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(what)
  }
  const { listed, pages, refusal, shown, status, tookMs, urls } = ended
  const reached = new Set(Object.keys(seen?.urls ?? {}).map((url) => url.replace(/^https?:\/\/[^/]+/, '')))
  must(['finished', 'failed', 'refused'].includes(status), `it is ${status}`)
  must(tookMs <= expect.maxMs, `it took ${Math.round(tookMs)} ms of ${expect.maxMs}`)
  must((seen?.bytes ?? 0) <= expect.maxBytes, `${seen?.bytes} bytes were sent, ${expect.maxBytes} allowed`)
  if (expect.maxHits !== undefined) must((seen?.requests ?? 0) <= expect.maxHits, `${seen?.requests} requests, ${expect.maxHits} allowed`)
  if (expect.minGapMs !== undefined)
    must((seen?.minGapMs ?? Infinity) >= expect.minGapMs, `a gap of ${seen?.minGapMs} ms, ${expect.minGapMs} asked`)
  if (expect.outcome === 'page' && listed === null) {
    must(status === 'finished', `it is ${status}`)
    must(
      pages.some((page) => page.includes(expect.text ?? `MARK-${id}`)),
      'no stored page has its text',
    )
  }
  if (expect.outcome === 'error') {
    must(pages.length === 0, 'a page was stored')
    must(isOfKind(expect.reason!, ended), `the reason is ${endOf(ended)}`)
  }
  if (expect.outcome === 'skip') {
    must(pages.length === 0, 'a page was stored')
    must(isOfKind(expect.reason!, ended), `the reason is ${endOf(ended)}`)
  }
  // After the end of a run no URL waits, and each has an outcome.
  if (refusal === null && listed === null) {
    must(urls.length > 0, 'no URL is listed')
    must(
      urls.every(({ outcome }) => outcome !== null && outcome !== 'internal'),
      'a URL has no outcome, or ended by a fault of the crawler',
    )
  }
  if (expect.notText !== undefined) must(!shown.includes(expect.notText), `${expect.notText} is shown`)
  for (const path of expect.mustReach ?? []) must(reached.has(path), `${path} was not asked`)
  for (const path of expect.mustNotReach ?? []) must(!reached.has(path), `${path} was asked`)
  if (listed !== null) {
    must(status === 'finished', `it is ${status}`)
    must(new Set(listed).size === listed.length, 'a URL is listed twice')
    if (expect.urls !== undefined && !FROM_LINKS.has(id)) must(listed.length === expect.urls, `${listed.length} URLs, ${expect.urls} asked`)
    if (expect.urlsAtLeast !== undefined) must(listed.length >= expect.urlsAtLeast, `${listed.length} URLs, ${expect.urlsAtLeast} asked`)
  }
  return faults
}

function isOfKind(kind: string, { refusal, urls }: Ended): boolean {
  if (refusal !== null) return kind === 'blocked_address' || kind === 'dns'
  const status = /^http_(\d+)$/.exec(kind)?.[1]
  if (status !== undefined)
    return urls.some(
      ({ http_status, outcome }) => http_status === Number(status) && (outcome === 'status' || outcome === 'retry_after_too_long'),
    )
  return urls.some(({ outcome }) => (KINDS[kind] ?? []).includes(outcome ?? ''))
}
