/** All results of a crawl as one zip archive, written while it is downloaded: reads the stored documents in groups. */
import type { ARCHIVE_FORMATS, ResultDocument } from '#contract/crawls.ts'
import { instant } from '#backend/http/instants.ts'
import type { Run } from '#backend/runs/run.ts'
import type { CrawlPages } from './crawl-pages.ts'
import { fileStem } from './file-stem.ts'
import { llmsIndex, llmsText } from './llms-files.ts'
import { storedDocuments } from './stored-documents.ts'
import { createZip } from './zip-writer.ts'

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number]

/** Bytes of lines per piece. */
const BYTES_AT_ONCE = 1024 * 1024

export type ArchiveRun = Pick<Run, 'no' | 'kept' | 'label' | 'updatedAt'>

/** A captured file. */
export type ArchivedFile = { filename: string; at: number; content: AsyncIterable<Uint8Array> }

type Needs = {
  format: ArchiveFormat
  pages: Pick<CrawlPages, 'between' | 'documents'>
  run: ArchiveRun
  /** Stored below `attachments/`. */
  attachments?: AsyncIterable<ArchivedFile> | null
}

/** The archive in pieces, with the crawl's results so far. */
export async function* crawlArchive({ attachments = null, format, pages, run }: Needs): AsyncGenerator<Buffer> {
  const zip = createZip()
  if (format === 'llms' && run.kept > 0) {
    yield* zip.stream('llms.txt', run.updatedAt, llmsIndex({ pages, run }))
    yield* zip.stream('llms-full.txt', run.updatedAt, llmsText({ pages, run }))
  } else if (format === 'json' || format === 'markdown') {
    const fileName = createFileNames()
    for await (const { page, document } of storedDocuments({ pages, run })) {
      const isMarkdown = format === 'markdown'
      const content = isMarkdown ? Buffer.from(readMarkdown(document)) : document
      yield await zip.entry(fileName(page.url, isMarkdown ? '.md' : '.json'), page.createdAt, content)
    }
  } else if (format === 'jsonl' && run.kept > 0) yield* zip.stream(`${archiveStem(run.label)}.jsonl`, run.updatedAt, lines({ pages, run }))
  const attachmentName = createFileNames()
  for await (const { at, content, filename } of attachments ?? []) {
    const dot = filename.lastIndexOf('.')
    yield* zip.stream(`attachments/${attachmentName(filename.slice(0, dot), filename.slice(dot))}`, at, content)
  }
  yield* zip.end()
}

/** One line per result. */
async function* lines(needs: Pick<Needs, 'pages' | 'run'>): AsyncGenerator<Buffer> {
  let some: Buffer[] = []
  let bytes = 0
  for await (const { page, document } of storedDocuments(needs)) {
    const head = JSON.stringify({ uuid: page.id, url: page.url, title: page.title, created_at: instant(page.createdAt) })
    some.push(Buffer.from(`${head.slice(0, -1)},"result":`), document, Buffer.from('}\n'))
    bytes += document.length
    if (bytes < BYTES_AT_ONCE) continue
    yield Buffer.concat(some)
    some = []
    bytes = 0
  }
  if (some.length > 0) yield Buffer.concat(some)
}

/** The archive's own name: the start URL without its scheme, unsafe characters replaced. */
export const archiveName = (url: string) => `${archiveStem(url)}_docs.zip`

/** The name of the file with all extracted data. */
export const extractionName = (url: string, format: string) => `${archiveStem(url)}_data.${format}`

const archiveStem = (url: string) => fileStem(url) || 'crawl'

const readMarkdown = (document: Buffer) => (JSON.parse(document.toString()) as Partial<ResultDocument>).markdown ?? ''

/** Makes unique file names from URLs, even for file systems that ignore case or the two ways to write an accent. */
function createFileNames() {
  const copies = new Map<string, number>()
  return (url: string, extension: string): string => {
    const stem = fileStem(url) || 'page'
    let name = stem + extension
    // A frequent name continues at its last number instead of trying all numbers again.
    for (let copy = copies.get(sameName(name)) ?? 1; copies.has(sameName(name));) {
      copy += 1
      copies.set(sameName(stem + extension), copy)
      name = `${stem}-${copy}${extension}`
    }
    copies.set(sameName(name), 1)
    return name
  }
}

const sameName = (name: string) => name.normalize('NFC').toLowerCase()
