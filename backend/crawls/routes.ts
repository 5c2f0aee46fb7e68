/** The crawl endpoints. */
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import {
  countChanges,
  countOutcomes,
  crawlGraph,
  crawlOverview,
  crawlSitemapMarkdown,
  createBatchCrawl,
  createCrawl,
  downloadCrawl,
  downloadExtractions,
  exportCrawl,
  deleteCrawls,
  followCrawl,
  getCrawl,
  getModelUsage,
  getResult,
  linkArchive,
  linkExport,
  listChanges,
  listCrawls,
  listExtractions,
  listOutcomes,
  listResults,
  rerunCrawl,
  stopCrawl,
} from '#contract/crawls.ts'
import { NO_USE } from '#backend/crawler/models/model-port.ts'
import type { ModelUse } from '#backend/crawler/models/model-port.ts'
import { changePreset, createPreset, deletePreset, listPresets } from '#contract/presets.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import { pagedAnswer, pageLinks, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { rawJson } from '#backend/http/reply.ts'
import { idempotencyKey } from '#backend/http/idempotency-key.ts'
import { route } from '#backend/http/route.ts'
import { attachment, sendJsonPieces, sendPieces } from '#backend/http/send-pieces.ts'
import type { Progress } from '#backend/runs/progress.ts'
import { readInstantBounds } from '#backend/http/query-filters.ts'
import { runRoutes } from '#backend/runs/run-routes.ts'
import { readUrlFilter } from '#backend/runs/url-filter.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { archiveName, extractionName } from './crawl-archive.ts'
import type { AttachedRows } from './attachments.ts'
import type { CrawlChanges } from './crawl-changes.ts'
import type { CrawlFiles } from './crawl-files.ts'
import type { createCrawlOverview } from './crawl-overview.ts'
import type { CrawlPages } from './crawl-pages.ts'
import type { CrawlOutcomes } from './crawl-outcomes.ts'
import { readOutcomeFilters } from './crawl-outcomes.ts'
import { archivePath, crawlSource, exportPath, presentCrawl, resultJson, resultLink } from './present-crawl.ts'
import type { PageRow } from './present-crawl.ts'
import type { CrawlOptions, Presets } from './presets.ts'
import type { RepeatCrawl } from './repeat-crawl.ts'
import { createRerunCrawl } from './rerun-crawl.ts'
import { sendArchive } from './send-archive.ts'
import { sendExport } from './send-export.ts'
import { sendGraph, sendMarkdown } from './send-sitemap.ts'
import type { StartCrawl } from './start-crawl.ts'

export type CrawlRouteNeeds = {
  attached: AttachedRows
  /** The folder of captured files; absent: archives do not contain them. */
  blobs?: BlobPlace
  baseUrl: BaseUrl
  changes: CrawlChanges
  files: CrawlFiles
  links: FileLinks
  /** What a run used of a language model; null for nothing. Absent: no models. */
  modelUseOf?: (runNo: number) => Promise<(ModelUse & { model: string }) | null>
  outcomes: CrawlOutcomes
  overview: ReturnType<typeof createCrawlOverview>
  pages: CrawlPages
  presets: Presets
  progress: Progress
  repeat: RepeatCrawl
  runs: Runs
  startCrawl: StartCrawl
}

/** All endpoints under `crawl-requests/`. */
export function crawlRoutes(needs: CrawlRouteNeeds): FastifyPluginAsync {
  return async (app) => {
    // Open streams would keep the server from closing.
    app.addHook('preClose', async () => needs.progress.close())
    bindStarts(app, needs)
    bindRuns(app, needs)
    bindPresets(app, needs)
    bindResults(app, needs)
    bindExtractions(app, needs)
    bindOutcomes(app, needs)
    bindChanges(app, needs)
    bindFiles(app, needs)
  }
}

/** Start a crawl of one URL or of a list, or an earlier one again. */
function bindStarts(app: FastifyInstance, { baseUrl, links, outcomes, presets, repeat, runs, startCrawl }: CrawlRouteNeeds): void {
  const rerun = createRerunCrawl({ outcomes, repeat, runs, startCrawl })
  route(app, createCrawl, async ({ actor, body, request }) =>
    presentCrawl(
      await startCrawl.startSingle(
        actor.teamId,
        { ...body, options: (await presetOf(actor.teamId, body.preset, request.body)) ?? body.options },
        idempotencyKey(request),
      ),
      links,
      baseUrl(request),
    ),
  )
  route(app, createBatchCrawl, async ({ actor, body, request }) => {
    const options = (await presetOf(actor.teamId, body.preset, request.body)) ?? body.options
    const run = await startCrawl.startBatch(actor.teamId, { ...body, options }, { idempotencyKey: idempotencyKey(request) })
    await setImmediate()
    return presentCrawl(run, links, baseUrl(request))
  })
  route(app, rerunCrawl, async ({ actor, body, params, request }) => {
    const asked = { failedOnly: body.failed_only, idempotencyKey: idempotencyKey(request) }
    return presentCrawl(await rerun(actor.teamId, params.id, asked), links, baseUrl(request))
  })

  /** The options of the preset that a body names, if any. */
  async function presetOf(teamId: string, named: string | undefined, sent: unknown): Promise<CrawlOptions | null> {
    if (named === undefined) return null
    const { options } = sent as { options?: unknown }
    if (options !== undefined && options !== null) throw fieldError('preset', 'Send either options or a preset.')
    return presets.optionsOf(teamId, named)
  }
}

/** List, read, stop, delete and follow crawls. */
function bindRuns(app: FastifyInstance, { attached, baseUrl, links, pages, progress, runs }: CrawlRouteNeeds): void {
  runRoutes(app, {
    baseUrl,
    endpoints: { list: listCrawls, read: getCrawl, stop: stopCrawl, deleteMany: deleteCrawls, follow: followCrawl },
    kind: 'crawl',
    present: (run, form) => presentCrawl(run, links, form.baseUrl),
    progress,
    runs,
    source: (form) => crawlSource({ ...form, attached, links, pages }),
    variants: ['single', 'batch'],
  })
}

/** The stored options of a team. */
function bindPresets(app: FastifyInstance, { presets }: CrawlRouteNeeds): void {
  route(app, listPresets, ({ actor }) => presets.list(actor.teamId))
  route(app, createPreset, ({ actor, body }) => presets.create(actor.teamId, body))
  route(app, changePreset, ({ actor, body, params }) => presets.change(actor.teamId, params.id, body))
  route(app, deletePreset, ({ actor, params }) => presets.remove(actor.teamId, params.id))
}

/** The pages of a crawl. */
function bindResults(app: FastifyInstance, { attached, baseUrl, files, links, pages, runs }: CrawlRouteNeeds): void {
  route(app, listResults, async ({ actor, params, query, request, reply }) => {
    const run = await runs.read(actor.teamId, 'crawl', params.id)
    const asked = request.query as Query
    const { window, pages: found } = await pages.list(run.no, pageFilters(asked), (count) => pageWindow(asked, count))
    const rows = await attached(run, found, baseUrl(request))
    const head = { count: window.count, ...pageLinks(hrefOf(baseUrl, request), window) }
    if (query.prefetched) return sendJsonPieces(reply, files.results({ head, rows }))
    const results = rows.map((row) => resultJson(row, resultLink(run.id, row, links, baseUrl(request))))
    return rawJson(`${JSON.stringify(head).slice(0, -1)},"results":[${results.join(',')}]}`)
  })
  route(app, getResult, async ({ actor, params, query, request, reply }) => {
    const run = await runs.read(actor.teamId, 'crawl', params.id)
    const [row] = (await attached(run, [await pages.get(run.no, params.resultId)], baseUrl(request))) as [PageRow]
    if (query.prefetched) return sendJsonPieces(reply, files.results({ head: null, rows: [row] }))
    return rawJson(resultJson(row, resultLink(run.id, row, links, baseUrl(request))))
  })
}

/** What a language model read from the pages, and what that used. */
function bindExtractions(app: FastifyInstance, { baseUrl, files, modelUseOf = async () => null, pages, runs }: CrawlRouteNeeds): void {
  route(app, listExtractions, async ({ actor, params, request, reply }) => {
    const run = await runs.read(actor.teamId, 'crawl', params.id)
    const asked = request.query as Query
    const { pages: rows, window } = await pages.list(run.no, pageFilters(asked), (count) => pageWindow(asked, count))
    return sendJsonPieces(
      reply,
      files.extractionList({ head: { count: window.count, ...pageLinks(hrefOf(baseUrl, request), window) }, rows }),
    )
  })
  route(app, downloadExtractions, async ({ actor, params, query, reply }) => {
    const { kept, label, no, updatedAt } = await runs.read(actor.teamId, 'crawl', params.id)
    const format = query.output_format
    reply.header('content-disposition', attachment(extractionName(label, format))).header('content-type', 'application/octet-stream')
    return sendPieces(reply, files.extractions(format, { no, kept, label, updatedAt }))
  })
  route(app, getModelUsage, async ({ actor, params }) => {
    const { no } = await runs.read(actor.teamId, 'crawl', params.id)
    const used = (await modelUseOf(no)) ?? { ...NO_USE, model: null }
    const { answerTokens, calls, cost, model, promptTokens } = used
    return { model, calls, prompt_tokens: promptTokens, answer_tokens: answerTokens, cost }
  })
}

/** What became of each URL, in a list and in numbers. */
function bindOutcomes(app: FastifyInstance, { baseUrl, outcomes, overview, runs }: CrawlRouteNeeds): void {
  route(app, listOutcomes, async ({ actor, params, request }) => {
    const run = await runs.read(actor.teamId, 'crawl', params.id)
    const asked = request.query as Query
    const { window, urls } = await outcomes.list(run, readOutcomeFilters(asked), (count) => pageWindow(asked, count))
    return pagedAnswer(hrefOf(baseUrl, request), window, urls)
  })
  route(app, countOutcomes, async ({ actor, params }) => outcomes.count(await runs.read(actor.teamId, 'crawl', params.id)))

  route(app, crawlOverview, async ({ actor, params }) => overview(await runs.read(actor.teamId, 'crawl', params.id)))
}

/** What has changed since another crawl. */
function bindChanges(app: FastifyInstance, { baseUrl, changes, runs }: CrawlRouteNeeds): void {
  route(app, countChanges, async ({ actor, params, query }) => changes.count(...(await bothOf(actor.teamId, params.id, query.base))))
  route(app, listChanges, async ({ actor, params, query, request }) => {
    const [run, since] = await bothOf(actor.teamId, params.id, query.base)
    const asked = request.query as Query
    const { window, pages: found } = await changes.list(run, since, query.change, (count) => pageWindow(asked, count))
    return pagedAnswer(hrefOf(baseUrl, request), window, found)
  })

  /** A crawl and the one to compare it with. */
  async function bothOf(teamId: string, id: string, base: string | undefined): Promise<[Run, Run]> {
    const run = await runs.read(teamId, 'crawl', id)
    const since = base ?? (await changes.olderThan(run))
    if (since === null) throw new AppError('no_result', { message: 'There is no older crawl of this start URL to compare with.' })
    const other = await runs.read(teamId, 'crawl', since).catch((cause: unknown) => {
      throw cause instanceof AppError && cause.code === 'not_found' ? fieldError('base', 'Unknown crawl.') : cause
    })
    return [run, other]
  }
}

/** Downloads: archives, exports, the map of the site, and links that need no key. */
function bindFiles(app: FastifyInstance, { baseUrl, blobs, files, links, runs }: CrawlRouteNeeds): void {
  route(app, downloadCrawl, async ({ actor, params, query, reply }) => {
    const run = await runs.read(actor.teamId, 'crawl', params.id)
    return sendArchive(reply, files, {
      blobs: query.attachments ? (blobs ?? null) : null,
      run,
      format: query.output_format,
      name: archiveName(run.label),
    })
  })
  route(app, exportCrawl, async ({ actor, params, query: { content, file_format: format }, reply }) => {
    const run = await runs.read(actor.teamId, 'crawl', params.id)
    return sendExport(reply, files, { content, format, run })
  })
  route(app, linkExport, async ({ actor, params, query, request }) => {
    const { id } = await runs.read(actor.teamId, 'crawl', params.id)
    return { link: links.sign(baseUrl(request), exportPath(id, query.content, query.file_format)) }
  })
  route(app, linkArchive, async ({ actor, params, query, request }) => {
    const { id } = await runs.read(actor.teamId, 'crawl', params.id)
    return { link: links.sign(baseUrl(request), archivePath(id, query.output_format, query.attachments)) }
  })
  route(app, crawlGraph, async ({ actor, params, reply }) => sendGraph(reply, files, await runs.read(actor.teamId, 'crawl', params.id)))
  route(app, crawlSitemapMarkdown, async ({ actor, params, request, reply }) =>
    sendMarkdown(request, reply, files, await runs.read(actor.teamId, 'crawl', params.id)),
  )
}

/** Which pages a list has, by its query. */
const pageFilters = (query: Query) => ({ url: readUrlFilter(query), createdAt: readInstantBounds(query, 'created_at') })
