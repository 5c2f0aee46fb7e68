/** Downloads by signed links: a crawl's documents, their archive, and its sitemap in three forms. */
import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ARCHIVE_FORMATS, EXPORT_CONTENTS, EXPORT_FORMATS, getFile } from '#contract/crawls.ts'
import { AppError } from '#backend/errors.ts'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import { queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { sendJson } from '#backend/http/reply.ts'
import { route } from '#backend/http/route.ts'
import { disposition } from '#backend/http/send-pieces.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { Attachments } from './attachments.ts'
import type { CrawlFiles } from './crawl-files.ts'
import type { CrawlPages } from './crawl-pages.ts'
import { sendArchive } from './send-archive.ts'
import { sendExport } from './send-export.ts'
import { sendGraph, sendList, sendMarkdown } from './send-sitemap.ts'

type Needs = {
  attachments: Attachments
  blobs?: BlobPlace
  files: CrawlFiles
  links: FileLinks
  pages: CrawlPages
  runs: Pick<Runs, 'readById'>
}

export function fileRoutes({ attachments, blobs, files, links, pages, runs }: Needs): FastifyPluginAsync {
  return async (app) => {
    route(app, getFile, async ({ params, request, reply }) => {
      // Refusals too: a page of another origin may see the reason.
      reply.header('access-control-allow-origin', '*').header('x-content-type-options', 'nosniff')
      links.check(pathOf(request), request.query as Query)
      if (params.kind !== 'crawls') throw new AppError('not_found')
      return sendCrawlFile(request, reply, params.id, params['*'].replace(/\/$/, '').toLowerCase())
    })
  }

  async function sendCrawlFile(request: FastifyRequest, reply: FastifyReply, runId: string, file: string): Promise<FastifyReply> {
    const run = await runs.readById('crawl', runId)
    const resultId = /^results\/([0-9a-f-]{36})\.json$/.exec(file)?.[1]
    if (resultId !== undefined) return sendJson(reply, 200, await pages.document((await pages.get(run.no, resultId)).no))
    const format = ARCHIVE_FORMATS.find((each) => file === `archive/${each}` || file === `archive/${each}/attachments`)
    const withFiles = file.endsWith('/attachments') ? (blobs ?? null) : null
    if (format !== undefined) return sendArchive(reply, files, { blobs: withFiles, run, format, name: `crawl-results-${run.id}.zip` })
    const attachmentId = /^attachments\/([0-9a-f-]{36})$/.exec(file)?.[1]
    if (attachmentId !== undefined) return sendAttachment(reply, run.no, attachmentId)
    for (const content of EXPORT_CONTENTS)
      for (const format of EXPORT_FORMATS)
        if (file === `export/${content}.${format}`) return sendExport(reply, files, { content, format, isSaved: true, run })
    if (file === 'sitemap/json') {
      if (queryText(request.query as Query, 'download') === 'true')
        reply.header('content-disposition', `attachment; filename="crawl-sitemap-${run.id}.json"`)
      return sendList(reply, files, run)
    }
    if (file === 'sitemap/graph') return sendGraph(reply, files, run)
    if (file === 'sitemap/markdown') return sendMarkdown(request, reply, files, run)
    throw new AppError('not_found')
  }

  async function sendAttachment(reply: FastifyReply, runNo: number, id: string): Promise<FastifyReply> {
    // The size and type of a file are in its row, so HEAD does not open it.
    const isHead = reply.request.method === 'HEAD'
    const found = isHead ? await attachments.find(runNo, id) : await attachments.open(runNo, id)
    if (found === null) throw new AppError('not_found')
    reply
      .header('content-type', found.mediaType)
      .header('content-length', found.bytes)
      .header('content-disposition', disposition('inline', found.filename))
      // Its content comes from an untrusted page.
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, no-store')
    // Fastify keeps this length for a stream alone.
    return reply.send('content' in found ? found.content : Readable.from([]))
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? ''
