/** The endpoints of the Firecrawl API, v1 and v2. Their errors have the shape that its clients expect. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import * as endpoints from '#contract/firecrawl/endpoints.ts'
import type { Version } from '#contract/firecrawl/endpoints.ts'
import type { ExtractBody } from '#contract/firecrawl/shapes.ts'
import type { TeamActor } from '#backend/http/actor.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import type { Query } from '#backend/http/pagination.ts'
import { rawJson } from '#backend/http/reply.ts'
import { idempotencyKey } from '#backend/http/idempotency-key.ts'
import { route } from '#backend/http/route.ts'
import { sendJsonPieces } from '#backend/http/send-pieces.ts'
import { acceptUploads } from '#backend/http/uploads.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { createAccount } from './account.ts'
import { badRequest, Refused, sendFirecrawlError } from './errors.ts'
import type { createExtract } from './extract.ts'
import { crawlOfV1, scrapeOptionsOfV1 } from './from-v1.ts'
import type { Jobs } from './jobs.ts'
import type { MapSite } from './map.ts'
import type { ParseFile } from './parse.ts'
import type { Scrape } from './scrape.ts'
import type { createSearchWeb } from './search.ts'
import { bindMonitors } from './monitor-routes.ts'
import type { MonitorRouteNeeds } from './monitor-routes.ts'
import { numberOf } from './query.ts'
import { DOCUMENTS_AT_ONCE } from './status.ts'
import type { JobStatuses } from './parts.ts'
import { watchJobs } from './watch.ts'
import type { WatchNeeds } from './watch.ts'

const { SHARED, VERSIONS } = endpoints

type FirecrawlNeeds = {
  account: ReturnType<typeof createAccount>
  baseUrl: BaseUrl
  extract: ReturnType<typeof createExtract>
  jobs: Jobs
  jobStatuses: JobStatuses
  mapSite: MapSite
  ofMonitors: MonitorRouteNeeds
  parseFile: ParseFile
  runs: Runs
  scrape: Scrape
  searchWeb: ReturnType<typeof createSearchWeb>
  watch: WatchNeeds
}

/** All endpoints under `v1/` and `v2/`, and the socket that follows a job. */
export function firecrawlRoutes(needs: FirecrawlNeeds): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, _request, reply) => sendFirecrawlError(reply, error))
    acceptUploads(app)
    app.addHook('onClose', needs.parseFile.close)
    const endStreams = watchJobs(app.server as Parameters<typeof watchJobs>[0], needs.watch)
    app.addHook('preClose', async () => endStreams())
    bindPages(app, needs)
    bindMapAndSearch(app, needs)
    bindStarts(app, needs)
    bindMonitors(app, { ...needs.ofMonitors, baseUrl: needs.baseUrl })
    for (const version of VERSIONS) {
      bindReading(app, version, needs)
      bindJobs(app, version, needs)
      bindAccount(app, version, needs)
      app.all(`/${version}`, { onRequest: noSuchThing }, noAnswer)
      app.all(`/${version}/*`, { onRequest: noSuchThing }, noAnswer)
    }
  }
}

/** One page at once: of a URL, or of a file that was sent. */
function bindPages(app: FastifyInstance, { baseUrl, parseFile, scrape, watch }: FirecrawlNeeds): void {
  route(app, endpoints.v2Scrape, async ({ actor, body, reply, request }) => {
    const { integration: _i, origin: _o, ...wish } = body
    return rawJson(
      JSON.stringify(await counted(watch, actor, () => scrape.scrape(actor.teamId, wish, 'v2', { base: baseUrl(request), reply }))),
    )
  })
  route(app, endpoints.v1Scrape, async ({ actor, body, reply, request }) => {
    const { integration: _i, origin: _o, url, ...options } = body
    return rawJson(
      JSON.stringify(
        await counted(watch, actor, () =>
          scrape.scrape(actor.teamId, { url, ...scrapeOptionsOfV1(options) }, 'v1', { base: baseUrl(request), reply }),
        ),
      ),
    )
  })

  route(app, endpoints.v2Parse, async ({ actor, body, request }) => {
    const { integration: _i, origin: _o, ...options } = body
    // A form without a file was rejected earlier; a JSON body has none.
    const { upload } = request
    if (upload === null) throw badRequest('The file is missing: send a form with the parts options and file.')
    return rawJson(JSON.stringify(await counted(watch, actor, () => parseFile.parse(actor.share, upload, options))))
  })
}

/** The URLs of a site, and a search of the web. */
function bindMapAndSearch(app: FastifyInstance, { baseUrl, mapSite, searchWeb, watch }: FirecrawlNeeds): void {
  route(app, endpoints.v2Map, async ({ actor, body, reply }) => {
    const { id, links, warning } = await counted(watch, actor, () => mapSite(actor.teamId, body, reply))
    return { success: true as const, id, links: links.map((url) => ({ url })), ...(warning !== undefined && { warning }) }
  })
  route(app, endpoints.v1Map, async ({ actor, body, reply }) => {
    const { ignoreSitemap, sitemapOnly, ...shared } = body
    const sitemap = sitemapOnly === true ? 'only' : ignoreSitemap === true ? 'skip' : 'include'
    const { links, warning } = await counted(watch, actor, () => mapSite(actor.teamId, { ...shared, sitemap }, reply))
    return { success: true as const, links, ...(warning !== undefined && { warning }) }
  })
  route(app, endpoints.v2Search, async ({ actor, body, reply, request }) => {
    const { creditsUsed, data, id, warning } = await counted(watch, actor, () =>
      searchWeb(actor.teamId, body, 'v2', { base: baseUrl(request), reply }),
    )
    return rawJson(JSON.stringify({ success: true, data, creditsUsed, id, warning }))
  })
  route(app, endpoints.v1Search, async ({ actor, body, reply, request }) => {
    const { scrapeOptions, ...shared } = body
    const wish = { ...shared, scrapeOptions: scrapeOptions ? scrapeOptionsOfV1(scrapeOptions) : undefined }
    const { data, warning } = await counted(watch, actor, () => searchWeb(actor.teamId, wish, 'v1', { base: baseUrl(request), reply }))
    return rawJson(JSON.stringify({ success: true, data: data.web ?? [], warning }))
  })
}

/** Jobs that go on after the answer: crawls, batches, extractions. */
function bindStarts(app: FastifyInstance, { baseUrl, extract, jobs }: FirecrawlNeeds): void {
  route(app, endpoints.v2Crawl, async ({ actor, body: { ignoreSitemap, ...body }, request }) => {
    const crawl = ignoreSitemap === true ? { sitemap: 'skip' as const, ...body } : body
    const run = await jobs.startCrawlJob(actor.teamId, crawl, 'v2', keyOf(request))
    return started(baseUrl(request), `/v2/crawl/${run.id}`, run.id)
  })
  route(app, endpoints.v1Crawl, async ({ actor, body, request }) => {
    const run = await jobs.startCrawlJob(actor.teamId, crawlOfV1(body), 'v1', keyOf(request))
    return started(baseUrl(request), `/v1/crawl/${run.id}`, run.id)
  })
  route(app, endpoints.v2Batch, async ({ actor, body, request }) => {
    const { run, invalid } = await jobs.startBatch(actor.teamId, body, 'v2', keyOf(request))
    return started(baseUrl(request), `/v2/batch/scrape/${run.id}`, run.id, invalid)
  })
  route(app, endpoints.v1Batch, async ({ actor, body, request }) => {
    const { appendToId, ignoreInvalidURLs, integration: _i, maxConcurrency, origin: _o, urls, webhook, ...options } = body
    const batch = { ...scrapeOptionsOfV1(options), appendToId, ignoreInvalidURLs, maxConcurrency, urls, webhook }
    const { run, invalid } = await jobs.startBatch(actor.teamId, batch, 'v1', keyOf(request))
    return started(baseUrl(request), `/v1/batch/scrape/${run.id}`, run.id, invalid)
  })

  route(app, endpoints.v2Extract, ({ actor, body, request }) => startExtract(actor, body, 'v2', request))
  route(app, endpoints.v1Extract, ({ actor, body: { scrapeOptions, ...shared }, request }) =>
    startExtract(actor, { ...shared, scrapeOptions: scrapeOptions ? scrapeOptionsOfV1(scrapeOptions) : undefined }, 'v1', request),
  )

  async function startExtract({ teamId }: TeamActor, body: ExtractBody, version: Version, request: FastifyRequest) {
    const { invalid, run, warnings } = await extract.start(teamId, body, version, keyOf(request))
    return {
      success: true as const,
      id: run.id,
      ...invalidUrls(invalid),
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    }
  }
}

/** What was scraped and extracted before, and what a prompt would choose for a crawl. */
function bindReading(app: FastifyInstance, version: Version, { baseUrl, extract, jobs, scrape }: FirecrawlNeeds): void {
  route(app, SHARED.readScrape[version], async ({ actor, params, request }) =>
    rawJson(JSON.stringify(await scrape.stored(actor.teamId, params.job, baseUrl(request)))),
  )
  route(app, SHARED.extractStatus[version], async ({ actor, params, request }) =>
    rawJson(JSON.stringify(await extract.status(actor.teamId, params.job, baseUrl(request)))),
  )
  route(app, SHARED.previewCrawl[version], async ({ actor, body: { prompt, url } }) => ({
    success: true as const,
    data: { url, ...(await jobs.previewCrawl(actor.teamId, { prompt, url })) },
  }))
}

/** The state, the errors and the end of crawls and batches. */
function bindJobs(app: FastifyInstance, version: Version, { baseUrl, jobs, jobStatuses, runs }: FirecrawlNeeds): void {
  for (const endpoint of [SHARED.crawlStatus[version], SHARED.batchStatus[version]])
    route(app, endpoint, async ({ actor, params, reply, request }) => {
      const parts = await jobs.readParts(actor.teamId, params.job, version)
      const query = request.query as Query
      const skip = numberOf(query, 'skip', 0)
      const givenLimit = numberOf(query, 'limit', 1)
      const path = (request.url.split('?', 1)[0] ?? '').replace(/\/$/, '')
      const limit = Math.min(givenLimit ?? DOCUMENTS_AT_ONCE, DOCUMENTS_AT_ONCE)
      return sendJsonPieces(reply, jobStatuses.status(parts, { base: baseUrl(request), givenLimit, limit, path, skip }))
    })
  for (const endpoint of [SHARED.cancelCrawl[version], SHARED.cancelBatch[version]])
    route(app, endpoint, async ({ actor, params }) => {
      const parts = await jobs.readParts(actor.teamId, params.job, version)
      await Promise.all(parts.map(({ run }) => runs.stop(actor.teamId, 'crawl', run.id)))
      return { success: true as const, status: 'cancelled' as const }
    })
  for (const endpoint of [
    SHARED.crawlErrors[version],
    SHARED.crawlErrorsByDelete[version],
    SHARED.batchErrors[version],
    SHARED.batchErrorsByDelete[version],
  ])
    route(app, endpoint, async ({ actor, params }) => {
      const parts = await jobs.readParts(actor.teamId, params.job, version)
      return { success: true as const, ...(await jobStatuses.errors(parts)) }
    })
}

/** What a team is doing, and what it has used. */
function bindAccount(app: FastifyInstance, version: Version, { account }: FirecrawlNeeds): void {
  for (const endpoint of [SHARED.activeCrawls[version], SHARED.ongoingCrawls[version]])
    route(app, endpoint, async ({ actor }) => ({
      success: true as const,
      crawls: (await account.active(actor.teamId)).map(({ createdAt, id, label }) => ({
        id,
        teamId: actor.teamId,
        url: label,
        created_at: new Date(createdAt).toISOString(),
        options: {},
      })),
    }))
  route(app, SHARED.concurrency[version], ({ actor }) => account.concurrency(actor.teamId))
  route(app, SHARED.queue[version], ({ actor }) => account.queue(actor.teamId))
  route(app, SHARED.credits[version], async ({ actor }) => {
    const left = await account.credits(actor.teamId)
    return { success: true as const, data: usage(version, 'credits', left) }
  })
  route(app, SHARED.tokens[version], async ({ actor }) => {
    const { end, start } = await account.credits(actor.teamId)
    return { success: true as const, data: usage(version, 'tokens', { remaining: 0, plan: 0, start, end }) }
  })
  // Credits are recorded by team and job, not by key: with `byApiKey` the periods are the same, without keys.
  route(app, SHARED.creditHistory[version], async ({ actor }) => {
    return { success: true as const, periods: await account.creditHistory(actor.teamId) }
  })
  route(app, SHARED.tokenHistory[version], () => ({ success: true as const, periods: [] }))
}

/** Counts a waiting caller like the reader of a stream: both keep a connection open and read a run again and again. */
async function counted<T>(watch: WatchNeeds, actor: TeamActor, work: () => Promise<T>): Promise<T> {
  watch.enter(actor)
  try {
    return await work()
  } finally {
    watch.leave(actor)
  }
}

/** @param invalid  the URLs that were left out */
const started = (base: string, path: string, id: string, invalid: string[] | null = null) => ({
  success: true as const,
  id,
  url: `${base}${path}`,
  ...invalidUrls(invalid),
})

/** An empty list, too, shows that invalid URLs would have been left out. */
const invalidUrls = (invalid: string[] | null) => (invalid === null ? {} : { invalidURLs: invalid })

/** Endpoints of Firecrawl that we lack, by a segment of their path: subject and verb of the message. */
const MISSING: ReadonlyMap<string, string> = new Map([
  ['agent', 'The agent is'],
  ['browser', 'Browser sessions are'],
  ['interact', 'Browser sessions are'],
  ['deep-research', 'Deep research is'],
  ['llmstxt', 'Generation of llms.txt is'],
  ['exchange', 'The exchange is'],
  ['feedback', 'Feedback is'],
  ['support', 'Support is'],
  ['activity', 'The activity log is'],
  ['research', 'The search for papers is'],
  ['developer', 'The search for developers is'],
  ['upload-url', 'Uploading to a URL of its own is'],
])

async function noSuchThing(request: FastifyRequest): Promise<void> {
  const segments = (request.url.split('?', 1)[0] ?? '').split('/')
  const missing = segments.map((segment) => MISSING.get(segment.toLowerCase())).find((name) => name !== undefined)
  throw new Refused(
    404,
    missing === undefined
      ? `There is no ${request.method} ${segments.join('/').slice(0, 200)} here.`
      : `${missing} not available on this server.`,
  )
}

const noAnswer = async (_request: FastifyRequest, reply: FastifyReply) => reply

/** Clients of Firecrawl name the header `x-idempotency-key`. */
const keyOf = (request: FastifyRequest) => idempotencyKey(request, 'x-idempotency-key') ?? idempotencyKey(request)

/** The field names of v2 and, for v1, its own. */
function usage(
  version: Version,
  what: 'credits' | 'tokens',
  { end, plan, remaining, start }: { remaining: number; plan: number; start: string | null; end: string | null },
): Record<string, number | string | null> {
  if (version === 'v1')
    return { [`remaining_${what}`]: remaining, [`plan_${what}`]: plan, billing_period_start: start, billing_period_end: end }
  const Name = what === 'credits' ? 'Credits' : 'Tokens'
  return { [`remaining${Name}`]: remaining, [`plan${Name}`]: plan, billingPeriodStart: start, billingPeriodEnd: end }
}
