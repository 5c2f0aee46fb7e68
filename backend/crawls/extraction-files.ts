/**
 * The data that plugins extracted from all pages of a crawl, as one file: JSON, JSON Lines or CSV, written while the documents are read.
 */
import type { EXTRACTION_FORMATS } from '#contract/crawls.ts'
import { addColumns, extractedRows } from '#contract/extracted-values.ts'
import type { ExtractedRow } from '#contract/extracted-values.ts'
import { csvLine, jsonLine } from '#backend/http/rows-text.ts'
import { storedDocuments } from './stored-documents.ts'
import type { ArchiveRun } from './crawl-archive.ts'
import type { CrawlPages } from './crawl-pages.ts'
import type { PageRow } from './present-crawl.ts'

export type ExtractionFormat = (typeof EXTRACTION_FORMATS)[number]

type Pages = Pick<CrawlPages, 'between' | 'documents'>
type Found = { url: string; title: string | null; extraction: unknown }

const CHARACTERS_AT_ONCE = 256 * 1024

/** The file in pieces. Pages without an extraction are left out. */
export async function* extractionFile(format: ExtractionFormat, pages: Pages, run: ArchiveRun): AsyncGenerator<string> {
  if (format === 'json') yield '['
  const columns = new Set<string>()
  if (format === 'csv') {
    // A table needs its columns first, so the documents are read twice rather than kept in memory.
    for await (const { extraction } of found(pages, run)) addColumns(columns, extractedRows(extraction))
    yield csvLine(['url', 'title', ...columns])
  }
  let piece = ''
  let isFirst = true
  for await (const one of found(pages, run)) {
    if (format === 'csv') for (const row of extractedRows(one.extraction)) piece += csvRow(one, row, columns)
    else piece += format === 'jsonl' ? jsonLine(one) : `${isFirst ? '\n' : ',\n'}${JSON.stringify(one)}`
    isFirst = false
    if (piece.length < CHARACTERS_AT_ONCE) continue
    yield piece
    piece = ''
  }
  yield format === 'json' ? `${piece}\n]\n` : piece
}

/** A page of the list: the extraction of each result, null without one. */
export async function* extractionList(
  { head, rows }: { head: { count: number; next: string | null; previous: string | null }; rows: PageRow[] },
  pages: Pick<CrawlPages, 'documents'>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`
  for await (const some of pages.documents(rows))
    for (const { document, row } of some) {
      const { id, title, url } = row
      yield (row === rows[0] ? '' : ',') + JSON.stringify({ uuid: id, url, title, extraction: extractionOf(document) ?? null })
    }
  yield ']}'
}

async function* found(pages: Pages, run: ArchiveRun): AsyncGenerator<Found> {
  for await (const { document, page } of storedDocuments({ pages, run })) {
    const extraction = extractionOf(document)
    if (extraction !== undefined) yield { url: page.url, title: page.title, extraction }
  }
}

const MARK = Buffer.from('"extraction":')

function extractionOf(document: Buffer): unknown {
  // A quick check without parsing: most documents have no extraction.
  if (!document.includes(MARK)) return undefined
  return (JSON.parse(document.toString()) as { extraction?: unknown } | null)?.extraction
}

const csvRow = ({ title, url }: Found, row: ExtractedRow, columns: ReadonlySet<string>): string =>
  csvLine([url, title, ...[...columns].map((name) => (Object.hasOwn(row, name) ? row[name] : null))])
