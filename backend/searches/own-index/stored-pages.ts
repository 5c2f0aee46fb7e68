/** Reads pages from the database for the code that builds or searches the index. */
import { createHash } from 'node:crypto'
import { readDocument } from '#backend/crawler/page/page-body.ts'
import type { StoredDocument, UnpackedBody } from '#backend/crawler/page/page-body.ts'
import { missingHolders, openBodies } from '#backend/crawler/page/page-groups.ts'
import type { BodyRow, OpenGroups } from '#backend/crawler/page/page-groups.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'

export type StoredPage = {
  no: number
  id: string
  url: string
  title: string | null
  language: string | null
  createdAt: number
  /** The result document; null when it is missing or cannot be read. */
  document: Partial<StoredDocument> | null
  /** Of the document. */
  rawBytes: number
}

export type PageRow = Omit<StoredPage, 'document' | 'rawBytes'> & { encoding: number | null; rawBytes: number | null; body: Buffer | null }

const COLUMNS =
  'page.no, page.id, page.url, page.title, page.language, page.created_at AS createdAt, page_body.encoding, page_body.raw_bytes AS rawBytes, page_body.body'

export function storedPages(connection: SqliteConnection) {
  const from = `SELECT ${COLUMNS} FROM page LEFT JOIN page_body ON page_body.page_no = page.no`
  const after = connection.prepare(`${from} WHERE page.no > ? AND page.no < ? ORDER BY page.no LIMIT ?`)
  const one = connection.prepare(`${from} WHERE page.no = ?`)
  const body = connection.prepare('SELECT page_no AS no, encoding, body FROM page_body WHERE page_no = ?')
  // Pages are crawled again in nearly the same order, so their earlier versions belong to few groups.
  const open: OpenGroups = new Map()
  const holdersOf = (rows: readonly PageRow[]) => missingHolders(rows).flatMap((no) => (open.has(no) ? [] : (body.all(no) as BodyRow[])))
  return {
    /** At most `limit` pages of a run after an ordinal, in order. */
    after(runNo: number, ordinal: number, limit: number): StoredPage[] {
      const rows = after.all(runNo * PAGES_PER_RUN + ordinal, (runNo + 1) * PAGES_PER_RUN, limit) as PageRow[]
      return pagesOfRows(rows, holdersOf(rows), open)
    },
    one(no: number): StoredPage | null {
      const rows = one.all(no) as PageRow[]
      return pagesOfRows(rows, holdersOf(rows), open)[0] ?? null
    },
  }
}

/**
 * Pages from their rows.
 *
 * @param holders  the rows that `missingHolders` asks for
 * @param groups   see `openBodies`
 */
export function pagesOfRows(rows: readonly PageRow[], holders: Iterable<BodyRow>, groups?: OpenGroups): StoredPage[] {
  const open = openBodies(rows, holders, groups)
  return rows.map(({ body, encoding, rawBytes, ...page }) => ({
    ...page,
    document: documentOf(() => open({ no: page.no, encoding, body })),
    rawBytes: rawBytes ?? 0,
  }))
}

function documentOf(open: () => UnpackedBody | null): Partial<StoredDocument> | null {
  try {
    const unpacked = open()
    return unpacked === null ? null : readDocument(unpacked)
  } catch {
    // Bytes were damaged on the disk: the page is still found by title and URL.
    return null
  }
}

/** The location of a page: host without `www` and path with query, for filters; and a number that all spellings of its URL share. */
export function placeOf(href: string): { host: string; path: string; key: number } {
  const url = URL.parse(href)
  if (url === null) return { host: '', path: href, key: numberOf(href) }
  const path = url.pathname + url.search
  // Scheme, fragment and a final slash do not distinguish pages.
  return { host: url.hostname.replace(/^www\./, ''), path, key: numberOf(`${url.host}${path.replace(/\/$/, '')}`) }
}

function numberOf(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  // 53 bits: the most that a JavaScript number represents exactly.
  return digest.readUIntBE(0, 6) * 32 + (digest[6]! >> 3)
}

/**
 * `en` of `en-GB`; null when the page declares nothing that could be a language. Of several codes for a language the one of BCP 47: pages in
 * Hebrew say `he` or, as Blogger does, `iw`.
 */
export function languageOf(given: string | null): string | null {
  const code = /^[a-z]{2,3}(?=$|[-_])/.exec(given?.trim().toLowerCase() ?? '')?.[0]
  return code === undefined ? null : new Intl.Locale(code).language
}
