/** Addresses of a site on their way out, in bites: as a JSON list, a tree, Markdown. Whatever their number, few are in hand. */
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SitePage } from '#contract/sitemaps.ts'
import { readable, sendJsonTexts } from '#backend/http/send-texts.ts'
import type { Texts } from '#backend/http/send-texts.ts'
import { createSiteTree, markdownLine } from './site-tree.ts'

/** The nested tree of hosts and paths. */
export const sendTree = (reply: FastifyReply, bites: AsyncIterable<SitePage[]>): FastifyReply => sendJsonTexts(reply, treeText(bites))

/** A bullet list: one JSON string, or plain Markdown for whoever asks for that and not for JSON. */
export function sendMarkdownList(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  bites: AsyncIterable<SitePage[]>,
): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${name}"`)
  const accept = request.headers.accept ?? ''
  if (/text\/markdown/i.test(accept) && !/json/i.test(accept))
    return reply.header('content-type', 'text/markdown; charset=utf-8').send(readable(markdownText(bites)))
  return sendJsonTexts(reply, jsonString(markdownText(bites)))
}

/** `[…]` with an item for each of the bites' members. */
export async function* jsonList<T>(bites: AsyncIterable<T[]>, write: (member: T) => unknown): AsyncGenerator<string> {
  let opening = '['
  for await (const bite of bites) {
    if (bite.length === 0) continue
    yield opening + bite.map((member) => JSON.stringify(write(member))).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

async function* treeText(bites: AsyncIterable<SitePage[]>): AsyncGenerator<string> {
  const tree = createSiteTree()
  for await (const bite of bites) for (const page of bite) tree.add(page)
  for (const piece of tree.write()) {
    yield piece
    await setImmediate()
  }
}

async function* markdownText(bites: AsyncIterable<SitePage[]>): AsyncGenerator<string> {
  for await (const bite of bites) yield bite.map(markdownLine).join('')
}

async function* jsonString(texts: Texts): AsyncGenerator<string> {
  yield '"'
  for await (const text of texts) yield JSON.stringify(text).slice(1, -1)
  yield '"'
}
