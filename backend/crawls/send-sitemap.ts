/** A crawl's sitemap in its three forms. Each throws `no_sitemap` while there is none. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#backend/errors.ts'
import { sendJsonPieces } from '#backend/http/send-pieces.ts'
import type { Run } from '#backend/runs/run.ts'
import { sendMarkdownList } from '#backend/sitemaps/send-site.ts'
import type { CrawlFiles } from './crawl-files.ts'
import type { ListedRun } from './crawl-sitemap.ts'
import { hasSitemap } from './present-crawl.ts'

export const sendList = (reply: FastifyReply, files: CrawlFiles, run: Run) => sendJsonPieces(reply, files.list(listed(run)))

export const sendGraph = (reply: FastifyReply, files: CrawlFiles, run: Run) => sendJsonPieces(reply, files.tree(listed(run)))

export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, files: CrawlFiles, run: Run): Promise<FastifyReply> {
  const wanted = listed(run)
  return sendMarkdownList(request, reply, `sitemap-${run.id}.md`, (form) => files.markdown(wanted, form))
}

function listed(run: Run): ListedRun {
  if (!hasSitemap(run)) throw new AppError('no_sitemap')
  return { no: run.no, kept: run.kept }
}
