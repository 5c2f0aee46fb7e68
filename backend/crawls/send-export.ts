/** Sends the results or URLs of a crawl as CSV or JSON Lines while they are read. */
import type { FastifyReply } from 'fastify'
import { sendRows } from '#backend/http/rows-text.ts'
import type { Run } from '#backend/runs/run.ts'
import type { ExportContent, ExportFormat } from './crawl-exports.ts'
import type { CrawlFiles } from './crawl-files.ts'

/** @param isSaved  by a person, for a spreadsheet program */
export function sendExport(
  reply: FastifyReply,
  files: CrawlFiles,
  { content, format, isSaved = false, run }: { content: ExportContent; format: ExportFormat; isSaved?: boolean; run: Run },
): Promise<FastifyReply> {
  const { kept, known, no, status } = run
  const rows = files.exported({ kept, known, no, status }, content, format)
  return sendRows(reply, { format, isSaved, name: `crawl-${content}-${run.id}`, rows })
}
