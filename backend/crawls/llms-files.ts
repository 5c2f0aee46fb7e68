/**
 * A crawl in the formats for language models: `llms.txt` lists its pages with a description, `llms-full.txt` has their full text.
 *
 * Source of the format: https://llmstxt.org/
 */
import type { ResultDocument } from '#contract/crawls.ts'
import { escapeText } from '#backend/crawler/formats/escape.ts'
import { escapeBrackets, sealLine } from '#backend/crawler/formats/seal-line.ts'
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
    const link = `[${escapeBrackets(asText(page.title ?? page.url))}](${linkTarget(page.url)})`
    yield Buffer.from(`${sealLine(`- ${link}${description === '' ? '' : `: ${escapeText(description)}`}`)}\n`)
  }
}

/** The text of each page below its title and URL. */
export async function* llmsText({ pages, run }: Needs): AsyncGenerator<Buffer> {
  for await (const { document, page } of storedDocuments({ pages, run }))
    yield Buffer.from(
      `# ${sealLine(asText(page.title ?? page.url))}\n\nSource: ${page.url}\n\n${(read(document).markdown ?? '').trim()}\n\n---\n\n`,
    )
}

const read = (document: Buffer) => JSON.parse(document.toString()) as Partial<Pick<ResultDocument, 'markdown' | 'metadata'>>

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().toWellFormed()
/** What a page says of itself is no markup: its author could add links, pictures and HTML. */
const asText = (text: string) => escapeText(oneLine(text))
const linkTarget = (url: string) => url.replace(/\(/g, '%28').replace(/\)/g, '%29')
