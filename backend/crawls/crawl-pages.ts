/** The results of crawls: rows by their ordinal, documents as JSON text. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { documentJson, unpackBodyOutside } from '#backend/crawler/page/page-body.ts'
import type { UnpackedBody } from '#backend/crawler/page/page-body.ts'
import { missingHolders, openBodies } from '#backend/crawler/page/page-groups.ts'
import type { BodyRow } from '#backend/crawler/page/page-groups.ts'
import { AppError } from '#backend/errors.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { PageWindow } from '#backend/http/pagination.ts'
import type { InstantBound, TextFilter } from '#backend/http/query-filters.ts'
import { textConditions } from '#backend/runs/text-conditions.ts'
import type { PageRow } from './present-crawl.ts'

type PageFilters = { url: TextFilter; createdAt: InstantBound[] }

/**
 * A row with its event's number and its place among the crawl's results, from 1. Status and type are those of the answer; the metadata of the
 * same names may be the page's own.
 */
export type NumberedPage = PageRow & { eventSeq: number; ordinal: number; httpStatus: number; contentType: string | null }

/** Most bytes of documents, unpacked, that are read at once. */
const BYTES_AT_ONCE = 8 * 1024 * 1024

/** A larger document is never one of a group: see `page-groups.ts`. */
const LARGE_BYTES = 128 * 1024

/** Milliseconds of unpacking after which other requests get their turn. */
const TURN_MS = 10

const PAGE = ['no', 'id', 'url', 'title', 'createdAt'] as const

/** @param lists  where lists are read and counted, which takes long when a crawl has many results */
export function createCrawlPages({ database, lists = database }: { database: Database; lists?: Database }) {
  return { list, get, between, ordinalAt, documents, document }

  /** One page of a crawl's results, oldest first. */
  async function list(
    runNo: number,
    filters: PageFilters,
    windowOf: (count: number) => PageWindow,
  ): Promise<{ window: PageWindow; pages: PageRow[] }> {
    const window = windowOf(await countRows(filtered(runNo, filters)))
    const pages = await filtered(runNo, filters).select(PAGE).orderBy('no').limit(window.pageSize).offset(window.offset).execute()
    return { window, pages }
  }

  function filtered(runNo: number, { url, createdAt }: PageFilters) {
    let query = lists
      .selectFrom('page')
      .where('no', '>', runNo * PAGES_PER_RUN)
      .where('no', '<', (runNo + 1) * PAGES_PER_RUN)
    for (const condition of textConditions('url', url)) query = query.where(condition)
    for (const { operator, at } of createdAt) query = query.where('createdAt', operator, at)
    return query
  }

  /** One result of a crawl. Throws `not_found`. */
  async function get(runNo: number, id: string): Promise<PageRow> {
    const page = await database
      .selectFrom('page')
      .where('id', '=', id.toLowerCase())
      .where('runNo', '=', runNo)
      .select(PAGE)
      .executeTakeFirst()
    if (!page) throw new AppError('not_found')
    return page
  }

  /** At most `limit` results with `after` < ordinal ≤ `upTo`, in order. */
  async function between(runNo: number, after: number, upTo: number, limit: number): Promise<NumberedPage[]> {
    const first = runNo * PAGES_PER_RUN
    const rows = await database
      .selectFrom('page')
      .where('no', '>', first + after)
      .where('no', '<=', first + upTo)
      .select([...PAGE, 'eventSeq', 'httpStatus', 'contentType'])
      .orderBy('no')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...row, ordinal: row.no - first }))
  }

  /** How many of the first `kept` results have an event number of at most `seq`: numbers grow with ordinals, so halving finds it. */
  async function ordinalAt(runNo: number, seq: number, kept: number): Promise<number> {
    let low = 0
    let high = kept
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const page = await database
        .selectFrom('page')
        .where('no', '=', runNo * PAGES_PER_RUN + middle)
        .select('eventSeq')
        .executeTakeFirst()
      if (page && page.eventSeq <= seq) low = middle
      else high = middle - 1
    }
    return low
  }

  /**
   * Results with their stored documents, as the bytes of their JSON text, in groups that are not much over `bytesAtOnce` unpacked. Reads each
   * group with one statement. A document that is missing is `null`.
   */
  async function* documents<Row extends { no: number }>(
    rows: readonly Row[],
    bytesAtOnce = BYTES_AT_ONCE,
  ): AsyncGenerator<{ row: Row; document: Buffer }[]> {
    const nos = rows.map(({ no }) => no)
    const sizes = new Map<number, number>()
    if (nos.length > 0)
      for (const { pageNo, rawBytes } of await database
        .selectFrom('pageBody')
        .where('pageNo', 'in', nos)
        .select(['pageNo', 'rawBytes'])
        .execute())
        sizes.set(pageNo, rawBytes)
    let group: Row[] = []
    let bytes = 0
    for (const row of rows) {
      group.push(row)
      bytes += sizes.get(row.no) ?? 0
      if (bytes < bytesAtOnce) continue
      yield await withDocuments(group)
      group = []
      bytes = 0
    }
    if (group.length > 0) yield await withDocuments(group)
  }

  async function withDocuments<Row extends { no: number }>(rows: readonly Row[]): Promise<{ row: Row; document: Buffer }[]> {
    const found = await readDocuments(rows.map(({ no }) => no))
    return rows.map((row, at) => ({ row, document: found[at]! }))
  }

  /** Reads stored documents. Pages that are far apart each need their whole group, so the event loop gets a turn in between. */
  async function readDocuments(nos: number[]): Promise<Buffer[]> {
    const rows = await bodies(nos)
    const missing = missingHolders(rows)
    const open = openBodies(rows, missing.length === 0 ? [] : await bodies(missing))
    const found = new Map<number, Buffer>()
    let turnBegan = performance.now()
    for (const row of rows) {
      if (performance.now() - turnBegan > TURN_MS) {
        await nextTurn()
        turnBegan = performance.now()
      }
      const document = await documentOf(row, open)
      if (document !== null) found.set(row.no, document)
    }
    return nos.map((no) => found.get(no) ?? NULL)
  }

  async function bodies(nos: number[]): Promise<StoredBody[]> {
    return database.selectFrom('pageBody').where('pageNo', 'in', nos).select(['pageNo as no', 'encoding', 'rawBytes', 'body']).execute()
  }

  /** One stored document as the bytes of its JSON text. Throws `not_found`. */
  async function document(pageNo: number): Promise<Buffer> {
    const [found] = await readDocuments([pageNo])
    if (found === undefined || found === NULL) throw new AppError('not_found')
    return found
  }
}

export type CrawlPages = ReturnType<typeof createCrawlPages>

const NULL = Buffer.from('null')

type StoredBody = { no: number; encoding: number; rawBytes: number; body: Buffer }

/** Large documents are unpacked outside of the event loop; for small ones the way there costs more than the work. */
async function documentOf(row: StoredBody, open: (row: BodyRow) => UnpackedBody | null): Promise<Buffer | null> {
  const unpacked = row.rawBytes > LARGE_BYTES ? await unpackBodyOutside(row) : open(row)
  return unpacked === null ? null : documentJson(unpacked)
}
