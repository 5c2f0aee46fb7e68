/**
 * All results of a crawl as one zip archive, made while it is read.
 *
 * Entries are announced in groups; the document of an entry is read from the tables when the archive comes to it, which is when
 * the reader has taken what was before. Whoever leaves in the middle leaves the rest unread.
 */
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ResultDocument } from '#contract/crawls.ts'
import { instant } from '#backend/http/instants.ts'
import type { Run } from '#backend/runs/run.ts'
import type { CrawlPages, NumberedPage } from './crawl-pages.ts'

export type ArchiveFormat = 'json' | 'markdown' | 'jsonl'

const ENTRIES_AT_ONCE = 100
const MAX_NAME = 150

/** The archive as a stream of bytes, with what the crawl has at this moment. */
export function crawlArchive({
  format,
  pages,
  run,
}: {
  format: ArchiveFormat
  pages: Pick<CrawlPages, 'between' | 'document'>
  run: Run
}): Readable {
  const zip = new ZipFile()
  const fileName = createFileNames()
  const output = zip.outputStream as Readable
  const fail = (cause: unknown) => void output.destroy(cause instanceof Error ? cause : new Error(String(cause)))
  zip.on('error', fail)
  let current: Readable | null = null
  output.once('close', () => current?.destroy())
  if (format === 'jsonl') addLines()
  else addGroup(0).catch(fail)
  return output

  /** Announces the next entries; the last of them announces the group after it before it is written itself. */
  async function addGroup(after: number): Promise<void> {
    const group = await pages.between(run.no, after, run.kept, ENTRIES_AT_ONCE)
    const last = group.at(-1)
    if (!last) {
      zip.end()
      return
    }
    for (const page of group) {
      const name = fileName(page.url, format === 'markdown' ? '.md' : '.json')
      const isLast = page === last
      zip.addReadStreamLazy(name, { mtime: new Date(page.createdAt) }, (callback) => callback(null, opened(entry(page, isLast))))
    }
  }

  /** The content of the entry whose turn it is. yazl leaves the faults of a source to its owner. */
  function opened(content: AsyncGenerator<Buffer | string>): Readable {
    current = Readable.from(content, { objectMode: false })
    current.once('error', fail)
    return current
  }

  async function* entry(page: NumberedPage, isLast: boolean): AsyncGenerator<Buffer> {
    if (isLast) await addGroup(page.ordinal)
    yield await content(page)
  }

  async function content(page: NumberedPage): Promise<Buffer> {
    const document = await pages.document(page.no)
    return format === 'markdown' ? Buffer.from(readMarkdown(document)) : document
  }

  /** One entry with a line for each result; none when there is no result. */
  function addLines() {
    if (run.kept > 0) {
      const name = `${archiveStem(run.label)}.jsonl`
      zip.addReadStreamLazy(name, { mtime: new Date(run.updatedAt) }, (callback) => callback(null, opened(lines())))
    }
    zip.end()
  }

  async function* lines(): AsyncGenerator<string> {
    for (let after = 0; after < run.kept;) {
      const group = await pages.between(run.no, after, run.kept, ENTRIES_AT_ONCE)
      const last = group.at(-1)
      if (!last) return
      after = last.ordinal
      for (const { no, id, url, title, createdAt } of group) {
        const head = JSON.stringify({ uuid: id, url, title, created_at: instant(createdAt) })
        yield `${head.slice(0, -1)},"result":${(await pages.document(no)).toString()}}\n`
      }
    }
  }
}

/** The archive's own name: the start URL without its scheme, unsafe characters replaced. */
export const archiveName = (url: string) => `${archiveStem(url)}_docs.zip`

const archiveStem = (url: string) => safeName(url) || 'crawl'

const readMarkdown = (document: Buffer) => (JSON.parse(document.toString()) as Partial<ResultDocument>).markdown ?? ''

/** Names of entries after their URLs, each once, whatever a file system thinks of capitals. */
function createFileNames() {
  const taken = new Set<string>()
  return (url: string, extension: string): string => {
    const stem = safeName(url) || 'page'
    let name = stem + extension
    for (let copy = 2; taken.has(name.toLowerCase()); copy += 1) name = `${stem}-${copy}${extension}`
    taken.add(name.toLowerCase())
    return name
  }
}

/** Letters, digits and a few marks that every file system takes: no path, no leading dot, no end that could be taken for something else. */
function safeName(url: string): string {
  return url
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[^\p{L}\p{N}._~%+=-]+/gu, '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_NAME)
    .toWellFormed()
    .replace(/^[._-]+|[._]+$/g, '')
}
