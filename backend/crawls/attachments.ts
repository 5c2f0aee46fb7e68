/** Screenshots and PDFs of pages: a row that names each, and its content as a blob, found by a signed link. */
import type { Readable } from 'node:stream'
import type { CAPTURE_TYPES } from '#contract/crawls.ts'
import type { CrawlResult } from '#contract/crawls.ts'
import type { BlobContent, BlobStore } from '#backend/platform/blobs/blob-store.ts'
import { runBlobs } from '#backend/platform/blobs/blob-store.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { PageRow } from './present-crawl.ts'

export type AttachmentType = (typeof CAPTURE_TYPES)[number]
export type AttachmentRow = { id: string; pageNo: number; type: AttachmentType; filename: string; bytes: number }

/** The media type of each kind; the site's own header is never used. */
const MEDIA_TYPES: Record<AttachmentType, string> = { screenshot: 'image/png', pdf: 'application/pdf' }
const mediaTypeOf = ({ filename, type }: { filename: string; type: string }) =>
  filename.endsWith('.jpg') ? 'image/jpeg' : MEDIA_TYPES[type as AttachmentType]
/** Stands in a header, and in the name of a file that people save. */
const FILENAME = /^[\w-][\w.-]{0,99}$/

export type Attachments = ReturnType<typeof createAttachments>

export function createAttachments({
  blobs,
  database,
  newId,
  now,
}: {
  blobs: BlobStore
  database: Database
  newId: () => string
  now: () => number
}) {
  return { keep, ofPages, open }

  /** Keeps content for a page of an unfinished run. The blob is there before the row; without the row it goes with the run. Returns its id. */
  async function keep(
    { runNo, pageNo, type, filename }: { runNo: number; pageNo: number; type: AttachmentType; filename: string },
    content: BlobContent,
  ): Promise<string> {
    if (!FILENAME.test(filename)) throw new TypeError(`not a name of a file: ${JSON.stringify(filename)}`)
    const id = newId()
    const { bytes } = await blobs.put(attachmentKey(runNo, id), content)
    await database.insertInto('runBlob').values({ id, runNo, pageNo, type, filename, bytes, createdAt: now() }).execute()
    return id
  }

  /** Attachments of pages by the number of the page, in the order of keeping. */
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

  /** The content of an attachment of a run; null when there is none. */
  async function open(
    runNo: number,
    id: string,
  ): Promise<{ filename: string; mediaType: string; bytes: number; content: Readable } | null> {
    const row = await database
      .selectFrom('runBlob')
      .where('id', '=', id)
      .where('runNo', '=', runNo)
      .select(['type', 'filename'])
      .executeTakeFirst()
    const blob = row === undefined ? null : await blobs.get(attachmentKey(runNo, id))
    return blob === null ? null : { filename: row!.filename, mediaType: mediaTypeOf(row!), ...blob }
  }
}

/** Where the content of an attachment is. */
export const attachmentKey = (runNo: number, id: string) => `${runBlobs(runNo)}${id}`

/** Where an attachment is found by a signed link. */
export const attachmentPath = (runId: string, id: string) => `/api/v1/files/crawls/${runId}/attachments/${id}`

/** Attachments as they go over the wire. */
export const presentAttachments = (
  rows: readonly AttachmentRow[],
  { runId, links, baseUrl }: { runId: string; links: FileLinks; baseUrl: string },
): CrawlResult['attachments'] =>
  rows.map(({ id, type, filename }) => ({
    uuid: id,
    attachment: links.sign(baseUrl, attachmentPath(runId, id)),
    attachment_type: type,
    filename,
  }))

export type AttachedRows = ReturnType<typeof createAttachedRows>

/** Gives results the attachments of their pages, in place, as they are shown in lists, streams and alone. */
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
