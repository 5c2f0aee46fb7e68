/** The sitemap endpoints. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  createSitemap,
  deleteSitemaps,
  followSitemap,
  getSitemap,
  getSitemapFile,
  listSitemaps,
  listSitemapUrls,
  rerunSitemap,
  sitemapGraph,
  sitemapMarkdown,
  sitemapXml,
  stopSitemap,
} from '#contract/sitemaps.ts'
import type { SitemapOptions } from '#contract/sitemaps.ts'
import { AppError } from '#backend/errors.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import { pagedAnswer, pageWindow } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { idempotencyKey } from '#backend/http/idempotency-key.ts'
import { route } from '#backend/http/route.ts'
import { sendJsonPieces, sendPieces } from '#backend/http/send-pieces.ts'
import type { Progress } from '#backend/runs/progress.ts'
import type { Run } from '#backend/runs/run.ts'
import { runRoutes } from '#backend/runs/run-routes.ts'
import { readUrlFilter } from '#backend/runs/url-filter.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { filePath, hasResult, presentSitemap, withResult } from './present-sitemap.ts'
import { sendMarkdownList } from './send-site.ts'
import type { SiteFiles } from './site-files.ts'
import { sitemapSource } from './sitemap-progress.ts'
import type { SitemapUrls } from './sitemap-urls.ts'
import type { StartSitemap } from './start-sitemap.ts'
import { indexXml, xmlParts } from './xml-sitemap.ts'

export function sitemapRoutes({
  baseUrl,
  files,
  links,
  progress,
  runs,
  startSitemap,
  urls,
}: {
  baseUrl: BaseUrl
  files: SiteFiles
  links: FileLinks
  progress: Progress
  runs: Runs
  startSitemap: StartSitemap['startSitemap']
  urls: SitemapUrls
}): FastifyPluginAsync {
  return async (app) => {
    route(app, createSitemap, async ({ actor, body, request }) => {
      const run = await startSitemap(actor.teamId, body, idempotencyKey(request))
      return presentSitemap(run, links, baseUrl(request))
    })
    route(app, rerunSitemap, async ({ actor, params, request }) => {
      const { options, seeds } = await runs.requestOf(await runs.read(actor.teamId, 'sitemap', params.id))
      const body = { url: seeds[0] ?? '', options: options as SitemapOptions }
      const run = await startSitemap(actor.teamId, body, idempotencyKey(request))
      return presentSitemap(run, links, baseUrl(request))
    })
    runRoutes(app, {
      baseUrl,
      endpoints: { list: listSitemaps, read: getSitemap, stop: stopSitemap, deleteMany: deleteSitemaps, follow: followSitemap },
      kind: 'sitemap',
      present: (run, form) => presentSitemap(run, links, form.baseUrl),
      progress,
      resultText: (run) => (hasResult(run) ? files.list(run.no) : null),
      runs,
      source: (form) => sitemapSource({ ...form, links, listText: (run) => files.list(run.no) }),
    })

    route(app, sitemapGraph, async ({ actor, params, reply }) =>
      sendJsonPieces(reply, files.tree((await ended(actor.teamId, params.id)).no)),
    )
    route(app, sitemapMarkdown, async ({ actor, params, request, reply }) =>
      sendMarkdown(request, reply, await ended(actor.teamId, params.id)),
    )
    route(app, sitemapXml, async ({ actor, params, query, request, reply }) =>
      sendXml(request, reply, await ended(actor.teamId, params.id), query.part),
    )
    route(app, listSitemapUrls, async ({ actor, params, request }) => {
      const run = await runs.read(actor.teamId, 'sitemap', params.id)
      const asked = request.query as Query
      const { window, urls: some } = await urls.list(run.no, readUrlFilter(asked), (count) => pageWindow(asked, count))
      return pagedAnswer(hrefOf(baseUrl, request), window, some)
    })

    route(app, getSitemapFile, async ({ params, request, reply }) => {
      // Refusals too: a page of another origin may see the reason.
      reply.header('access-control-allow-origin', '*').header('x-content-type-options', 'nosniff')
      links.check(request.url.split('?', 1)[0] ?? '', request.query as Query)
      const run = withResult(await runs.readById('sitemap', params.id))
      const [, form, part] = /^sitemap\/(json|graph|markdown|xml)(?:\/(\d{1,7}))?\/?$/.exec(params['*'].toLowerCase()) ?? []
      if (form === 'xml') return sendXml(request, reply, run, part === undefined ? undefined : Number(part))
      if (part !== undefined || form === undefined) throw new AppError('not_found')
      if (form === 'json') return sendJsonPieces(reply, files.list(run.no))
      return form === 'graph' ? sendJsonPieces(reply, files.tree(run.no)) : sendMarkdown(request, reply, run)
    })
  }

  async function ended(teamId: string, runId: string): Promise<Run> {
    return withResult(await runs.read(teamId, 'sitemap', runId))
  }

  function sendMarkdown(request: FastifyRequest, reply: FastifyReply, run: Run): Promise<FastifyReply> {
    return sendMarkdownList(request, reply, `sitemap-${run.id}.md`, (form) => files.markdown(run.no, form))
  }

  /** One file of the sitemap, counted from 1; without a number the only file, or the index. */
  async function sendXml(request: FastifyRequest, reply: FastifyReply, run: Run, number: number | undefined): Promise<FastifyReply> {
    const parts = await xmlParts(urls, run.no)
    const name = number === undefined ? `sitemap-${run.id}.xml` : `sitemap-${run.id}-${number}.xml`
    if (number !== undefined && number > Math.max(1, parts.length)) throw new AppError('not_found')
    reply.header('content-type', 'application/xml').header('content-disposition', `attachment; filename="${name}"`)
    if (number === undefined && parts.length > 1) {
      const base = baseUrl(request)
      return reply.send(Buffer.from(indexXml(parts.map((_, at) => links.sign(base, filePath(run.id, `xml/${at + 1}`))))))
    }
    return sendPieces(reply, files.urlset(run.no, parts[(number ?? 1) - 1] ?? { from: 0, to: 0 }))
  }
}
