/**
 * A crawl in the formats for language models: `llms.txt` lists its pages with a description, `llms-full.txt` has their full text.
 *
 * Source of the format: https://llmstxt.org/
 */
import type { ResultDocument } from '#contract/crawls.ts'
import type { Run } from '#backend/runs/run.ts'
import { storedDocuments } from './stored-documents.ts'
import type { StoredNeeds } from './stored-documents.ts'

type Needs = StoredNeeds & { run: Pick<Run, 'no' | 'kept' | 'label'> }

/** Most characters of a description. */
const MOST_DESCRIPTION = 300

/** A heading, then a line per page: its title as a link, and its description. */
export async function* llmsIndex({ pages, run }: Needs): AsyncGenerator<Buffer> {
  yield Buffer.from(`# ${oneLine(run.label)}\n\n> Pages of ${oneLine(run.label)}. Their whole text is in llms-full.txt.\n\n## Pages\n\n`)
  for await (const { document, page } of storedDocuments({ pages, run })) {
    const description = oneLine(read(document).metadata?.['description'] ?? '').slice(0, MOST_DESCRIPTION)
    yield Buffer.from(`- [${linkText(page.title ?? page.url)}](${linkTarget(page.url)})${description === '' ? '' : `: ${description}`}\n`)
  }
}

/** The text of each page below its title and URL. */
export async function* llmsText({ pages, run }: Needs): AsyncGenerator<Buffer> {
  for await (const { document, page } of storedDocuments({ pages, run }))
    yield Buffer.from(`# ${oneLine(page.title ?? page.url)}\n\nSource: ${page.url}\n\n${(read(document).markdown ?? '').trim()}\n\n---\n\n`)
}

const read = (document: Buffer) => JSON.parse(document.toString()) as Partial<Pick<ResultDocument, 'markdown' | 'metadata'>>

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().toWellFormed()
/** Escapes characters that would end a link's text. */
const linkText = (text: string) => oneLine(text).replace(/[\\[\]]/g, '\\$&')
const linkTarget = (url: string) => url.replace(/\(/g, '%28').replace(/\)/g, '%29')
