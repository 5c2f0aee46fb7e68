/** Results over the wire: stored documents are put into the answer as the text they are, never read and written again. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FileLinks } from '#backend/http/file-links.ts'
import { rawJson } from '#backend/http/reply.ts'
import type { RawJson } from '#backend/http/reply.ts'
import type { CrawlPages } from './crawl-pages.ts'
import { resultJson } from './present-crawl.ts'
import type { PageRow } from './present-crawl.ts'

type Form = { baseUrl: string; links: FileLinks; pages: CrawlPages; prefetched: boolean; runId: string }

/** One result. */
export async function sendResult({ row, ...form }: Form & { row: PageRow }): Promise<RawJson> {
  for await (const [result] of resultTexts({ ...form, rows: [row] })) if (result !== undefined) return rawJson(result)
  throw new Error(`no text was made of result ${row.id}`)
}

/** A page of results. What fits into one reading is sent whole; more is streamed, so that a hundred long pages never stand in memory together. */
export async function sendResults(
  reply: FastifyReply,
  { head, ...form }: Form & { head: { count: number; next: string | null; previous: string | null }; rows: PageRow[] },
): Promise<RawJson | FastifyReply> {
  const groups = resultTexts(form)
  const first = await groups.next()
  const opening = `${JSON.stringify(head).slice(0, -1)},"results":[${first.value?.join(',') ?? ''}`
  const second = first.done ? first : await groups.next()
  if (second.done) return rawJson(`${opening}]}`)
  return reply.header('content-type', 'application/json').send(Readable.from(rest(opening, second.value, groups), { objectMode: false }))
}

async function* rest(opening: string, second: string[], groups: AsyncGenerator<string[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${opening},${second.join(',')}`)
  for await (const group of groups) yield Buffer.from(`,${group.join(',')}`)
  yield Buffer.from(']}')
}

/** The objects as JSON texts, in groups as large as one reading of documents. */
async function* resultTexts({ baseUrl, links, pages, prefetched, rows, runId }: Form & { rows: PageRow[] }): AsyncGenerator<string[]> {
  const text = (row: PageRow, document: string | null) => resultJson(runId, row, document, links, baseUrl)
  if (!prefetched) {
    yield rows.map((row) => text(row, null))
    return
  }
  let at = 0
  for await (const documents of pages.documents(rows.map(({ no }) => no))) {
    const group = rows.slice(at, at + documents.length)
    at += documents.length
    yield group.map((row, index) => text(row, documents[index] ?? 'null'))
  }
}
