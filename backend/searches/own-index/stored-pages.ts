/** Pages as the database keeps them, read by the code that builds or searches the index. */
import { createHash } from 'node:crypto'
import { readDocument, unpackBody } from '#backend/crawler/page/page-body.ts'
import type { StoredDocument } from '#backend/crawler/page/page-body.ts'
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
  return {
    /** At most `limit` pages of a run behind an ordinal, in order. */
    after: (runNo: number, ordinal: number, limit: number): StoredPage[] =>
      (after.all(runNo * PAGES_PER_RUN + ordinal, (runNo + 1) * PAGES_PER_RUN, limit) as PageRow[]).map(pageOfRow),
    one(no: number): StoredPage | null {
      const row = one.get(no) as PageRow | undefined
      return row === undefined ? null : pageOfRow(row)
    },
  }
}

/** A page from its row. */
export function pageOfRow({ body, encoding, rawBytes, ...page }: PageRow): StoredPage {
  return { ...page, document: body === null ? null : documentOf(encoding ?? 0, body), rawBytes: rawBytes ?? 0 }
}

function documentOf(encoding: number, body: Buffer): Partial<StoredDocument> | null {
  try {
    return readDocument(unpackBody({ encoding, body }))
  } catch {
    // One body that was damaged on the disk: its page is still found by title and address.
    return null
  }
}

/** Where a page is: host without `www` and path with query, for filters; and a number that all spellings of one page's address share. */
export function placeOf(href: string): { host: string; path: string; key: number } {
  const url = URL.parse(href)
  if (url === null) return { host: '', path: href, key: numberOf(href) }
  const path = url.pathname + url.search
  // Scheme, fragment and a last slash make no other page.
  return { host: url.hostname.replace(/^www\./, ''), path, key: numberOf(`${url.host}${path.replace(/\/$/, '')}`) }
}

function numberOf(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  // 53 bits: the most that a number holds exactly.
  return digest.readUIntBE(0, 6) * 32 + (digest[6]! >> 3)
}

/** `en` of `en-GB`; null when a page says nothing that could be a language. */
export function languageOf(given: string | null): string | null {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(given?.trim().toLowerCase() ?? '')?.[0] ?? null
}
