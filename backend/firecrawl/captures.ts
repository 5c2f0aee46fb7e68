/** What was captured of the pages of a job: links to screenshots and PDFs, and the documents of `scrape` actions. */
import { text } from 'node:stream/consumers'
import { attachmentPath } from '#backend/crawls/attachments.ts'
import type { Attachments } from '#backend/crawls/attachments.ts'
import type { NumberedPage } from '#backend/crawls/crawl-pages.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Asked } from './scrape-spec.ts'

/** A document as it was when an action captured it. */
export type Scraped = { url: string; html: string }

type Captured = {
  /** Of the format; a signed link. */
  screenshot?: string | undefined
  /** Of the actions; absent if none was requested. */
  actions?: { screenshots: string[]; pdfs: string[]; scrapeIds: string[] }
}
export type CapturedPages = ReadonlyMap<number, Captured>

export function createCaptures({ attachments, links }: { attachments: Pick<Attachments, 'ofPages' | 'open'>; links: FileLinks }) {
  return { ofPages, factsOf }

  async function ofPages(
    run: Run,
    { formats, hasActions = false }: Pick<Asked, 'formats' | 'hasActions'>,
    rows: readonly NumberedPage[],
    base: string,
  ): Promise<CapturedPages> {
    const hasShot = formats.includes('screenshot')
    if (!hasShot && !hasActions) return new Map()
    const found = await attachments.ofPages(
      run.no,
      rows.map(({ no }) => no),
    )
    return new Map(
      rows.map(({ no }) => {
        const idsOf = (wanted: string) => (found.get(no) ?? []).flatMap(({ id, type }) => (type === wanted ? [id] : []))
        const linksOf = (wanted: 'screenshot' | 'pdf') => idsOf(wanted).map((id) => links.sign(base, attachmentPath(run.id, id)))
        const screenshots = linksOf('screenshot')
        // The screenshot of a format was taken last.
        const screenshot = hasShot ? screenshots.pop() : undefined
        return [no, { screenshot, ...(hasActions && { actions: { screenshots, pdfs: linksOf('pdf'), scrapeIds: idsOf('scrape') } }) }]
      }),
    )
  }

  /** Reads the documents of one page only: those of a hundred pages may have a gigabyte. */
  async function factsOf(run: Run, { actions, screenshot }: Captured = {}) {
    if (actions === undefined) return { screenshot }
    const { scrapeIds, ...others } = actions
    const scrapes: Scraped[] = []
    for (const id of scrapeIds) scrapes.push(...(await readScraped(run, id)))
    return { screenshot, actions: { ...others, scrapes } }
  }

  async function readScraped(run: Run, id: string): Promise<Scraped[]> {
    const opened = await attachments.open(run.no, id)
    // The run was deleted in the meantime.
    if (opened === null) return []
    const { html, url } = JSON.parse(await text(opened.content)) as Scraped
    return [{ url, html }]
  }
}
