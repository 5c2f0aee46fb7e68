/** Sends a crawl's results as a zip archive while it is written. */
import type { FastifyReply } from 'fastify'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'
import { attachment, sendPieces } from '#backend/http/send-pieces.ts'
import type { Run } from '#backend/runs/run.ts'
import type { ArchiveFormat } from './crawl-archive.ts'
import type { CrawlFiles } from './crawl-files.ts'

/**
 * @param name   file name for the browser
 * @param blobs  where captured files are, to include them
 */
export function sendArchive(
  reply: FastifyReply,
  files: CrawlFiles,
  { blobs, run, format, name }: { blobs: BlobPlace | null; run: Run; format: ArchiveFormat; name: string },
): Promise<FastifyReply> {
  reply.header('content-disposition', attachment(name)).header('content-type', 'application/zip')
  const { no, kept, label, updatedAt } = run
  return sendPieces(reply, files.archive(format, { no, kept, label, updatedAt }, blobs))
}
