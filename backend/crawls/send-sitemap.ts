/** A crawl's sitemap in its three forms, streamed: a list, a tree, and Markdown in one JSON string. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Run } from '#backend/runs/run.ts'
import { createSiteTree, markdownLine } from '#backend/sitemaps/site-tree.ts'
import { toSitePage } from './crawl-sitemap.ts'
import type { CrawlSitemap, ListedPage } from './crawl-sitemap.ts'

/** `[{ "url", "title" }]`. */
export const sendList = (reply: FastifyReply, sitemap: CrawlSitemap, run: Run) => sendJsonStream(reply, listText(sitemap.read(run)))

/** The nested tree of hosts and paths. */
export const sendGraph = (reply: FastifyReply, sitemap: CrawlSitemap, run: Run) => sendJsonStream(reply, treeText(sitemap.read(run)))

/** A bullet list: one JSON string, or plain Markdown for whoever asks for that and not for JSON. */
export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, sitemap: CrawlSitemap, run: Run): FastifyReply {
  const bites = sitemap.read(run)
  reply.header('content-disposition', `attachment; filename="sitemap-${run.id}.md"`)
  const accept = request.headers.accept ?? ''
  if (/text\/markdown/i.test(accept) && !/json/i.test(accept))
    return reply.header('content-type', 'text/markdown; charset=utf-8').send(readable(markdownText(bites)))
  return sendJsonStream(reply, jsonString(markdownText(bites)))
}

const readable = (texts: AsyncGenerator<string>) => Readable.from(texts, { objectMode: false })

const sendJsonStream = (reply: FastifyReply, texts: AsyncGenerator<string>) =>
  reply.header('content-type', 'application/json').send(readable(texts))

async function* listText(bites: AsyncGenerator<ListedPage[]>): AsyncGenerator<string> {
  let opening = '['
  for await (const bite of bites) {
    if (bite.length === 0) continue
    yield opening + bite.map((page) => JSON.stringify(page)).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

async function* treeText(bites: AsyncGenerator<ListedPage[]>): AsyncGenerator<string> {
  const tree = createSiteTree()
  for await (const bite of bites) for (const page of bite) tree.add(toSitePage(page))
  for (const piece of tree.write()) {
    yield piece
    await setImmediate()
  }
}

async function* markdownText(bites: AsyncGenerator<ListedPage[]>): AsyncGenerator<string> {
  for await (const bite of bites) yield bite.map((page) => markdownLine(toSitePage(page))).join('')
}

async function* jsonString(texts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield '"'
  for await (const text of texts) yield JSON.stringify(text).slice(1, -1)
  yield '"'
}
