/** Screenshots, PDFs and captured documents of pages: a row each, with the content as a blob, downloaded by a signed link. */
import type { Readable } from 'node:stream'
import { CAPTURE_TYPES } from '#contract/crawls.ts'
import type { CrawlResult } from '#contract/crawls.ts'
import type { BlobStore } from '#backend/platform/blobs/blob-store.ts'
import { AppError } from '#backend/errors.ts'
import { runBlobs } from '#backend/platform/blobs/blob-store.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { PageRow } from './present-crawl.ts'

/** `scrape` is a document with its URL as JSON, for the Firecrawl API alone. */
type AttachmentType = (typeof CAPTURE_TYPES)[number] | 'scrape'
type AttachmentRow = { id: string; pageNo: number; type: AttachmentType; filename: string; bytes: number }

/** Media types by kind; the site's own header is never used. */
const MEDIA_TYPES: Record<AttachmentType, string> = { screenshot: 'image/png', pdf: 'application/pdf', scrape: 'application/json' }
const mediaTypeOf = ({ filename, type }: { filename: string; type: string }) =>
  filename.endsWith('.jpg') ? 'image/jpeg' : MEDIA_TYPES[type as AttachmentType]

const RETRY_SECONDS = 5

export type Attachments = ReturnType<typeof createAttachments>

export function createAttachments({ blobs, database }: { blobs: Pick<BlobStore, 'get'>; database: Database }) {
  return { find, ofPages, open }

  /** Attachments by page number, oldest first. */
  async function ofPages(runNo: number, pageNos: readonly number[]): Promise<Map<number, AttachmentRow[]>> {
    const found = new Map<number, AttachmentRow[]>()
    if (pageNos.length === 0) return found
    const rows = await database
      .selectFrom('runBlob')
      .where('runNo', '=', runNo)
      .where('pageNo', 'in', pageNos)
      .select(['id', 'pageNo', 'type', 'filename', 'bytes'])
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    for (const row of rows) found.set(row.pageNo, [...(found.get(row.pageNo) ?? []), row as AttachmentRow])
    return found
  }

  /** A run's attachment without its content; null when there is none. */
  async function find(runNo: number, id: string): Promise<{ filename: string; mediaType: string; bytes: number } | null> {
    const row = await database
      .selectFrom('runBlob')
      .where('id', '=', id)
      .where('runNo', '=', runNo)
      .select(['type', 'filename', 'bytes'])
      .executeTakeFirst()
    return row === undefined ? null : { filename: row.filename, mediaType: mediaTypeOf(row), bytes: row.bytes }
  }

  /** The same with its content. Throws `unavailable` when its store does not answer. */
  async function open(
    runNo: number,
    id: string,
  ): Promise<{ filename: string; mediaType: string; bytes: number; content: Readable } | null> {
    const found = await find(runNo, id)
    const blob = found === null ? null : await blobs.get(attachmentKey(runNo, id)).catch(unavailable)
    return blob === null ? null : { ...found!, ...blob }
  }
}

function unavailable(cause: unknown): never {
  const message = 'The store of captured files does not answer. Please try again.'
  throw new AppError('unavailable', { cause, message, retryAfterSeconds: RETRY_SECONDS })
}

/** The blob key of an attachment's content. */
export const attachmentKey = (runNo: number, id: string) => `${runBlobs(runNo)}${id}`

/** The path of an attachment's signed link. */
export const attachmentPath = (runId: string, id: string) => `/api/v1/files/crawls/${runId}/attachments/${id}`

/** Attachments in the API's format. */
const presentAttachments = (
  rows: readonly AttachmentRow[],
  { runId, links, baseUrl }: { runId: string; links: FileLinks; baseUrl: string },
): CrawlResult['attachments'] =>
  rows.flatMap(({ id, type, filename }) => {
    const shown = CAPTURE_TYPES.find((each) => each === type)
    if (shown === undefined) return []
    return [{ uuid: id, attachment: links.sign(baseUrl, attachmentPath(runId, id)), attachment_type: shown, filename }]
  })

export type AttachedRows = ReturnType<typeof createAttachedRows>

/** Adds attachments to rows of pages, in place, for lists, streams and single results. */
export function createAttachedRows({ attachments, links }: { attachments: Pick<Attachments, 'ofPages'>; links: FileLinks }) {
  return async <Row extends PageRow>(run: { id: string; no: number }, rows: Row[], baseUrl: string): Promise<Row[]> => {
    const found = await attachments.ofPages(
      run.no,
      rows.map(({ no }) => no),
    )
    for (const row of rows) {
      const own = found.get(row.no)
      if (own !== undefined) row.attachments = JSON.stringify(presentAttachments(own, { runId: run.id, links, baseUrl }))
    }
    return rows
  }
}
