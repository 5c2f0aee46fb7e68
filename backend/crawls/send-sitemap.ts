/** A crawl's sitemap in its three forms, streamed: a list, a tree, and Markdown in one JSON string. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SitePage } from '#contract/sitemaps.ts'
import type { Run } from '#backend/runs/run.ts'
import { sendJsonTexts } from '#backend/http/send-texts.ts'
import { jsonList, sendMarkdownList, sendTree } from '#backend/sitemaps/send-site.ts'
import { toSitePage } from './crawl-sitemap.ts'
import type { CrawlSitemap } from './crawl-sitemap.ts'

/** `[{ "url", "title" }]`. */
export const sendList = (reply: FastifyReply, sitemap: CrawlSitemap, run: Run) =>
  sendJsonTexts(
    reply,
    jsonList(sitemap.read(run), (page) => page),
  )

/** The nested tree of hosts and paths. */
export const sendGraph = (reply: FastifyReply, sitemap: CrawlSitemap, run: Run) => sendTree(reply, sitePages(sitemap, run))

/** A bullet list: one JSON string, or plain Markdown for whoever asks for that and not for JSON. */
export const sendMarkdown = (request: FastifyRequest, reply: FastifyReply, sitemap: CrawlSitemap, run: Run) =>
  sendMarkdownList(request, reply, `sitemap-${run.id}.md`, sitePages(sitemap, run))

/** Throws at once when there is no sitemap. */
function sitePages(sitemap: CrawlSitemap, run: Run): AsyncGenerator<SitePage[]> {
  const bites = sitemap.read(run)
  return (async function* () {
    for await (const bite of bites) yield bite.map(toSitePage)
  })()
}
