/** The status of a job: its progress, its documents page by page, and the errors of its URLs. */
import { setImmediate } from 'node:timers/promises'
import { isTerminal } from '#contract/runs.ts'
import { canonicalUrlWithTracking } from '#backend/crawler/url/canonical-url.ts'
import type { Attachments } from '#backend/crawls/attachments.ts'
import type { CrawlOutcomes } from '#backend/crawls/crawl-outcomes.ts'
import type { CrawlPages, NumberedPage } from '#backend/crawls/crawl-pages.ts'
import type { PageHistory } from '#backend/crawls/page-history.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'
import { createCaptures } from './captures.ts'
import type { CapturedPages } from './captures.ts'
import { trackOf } from './change-tracking.ts'
import { presentDocument } from './document.ts'
import type { DocumentFacts } from './document.ts'
import { errorsOf } from './job-errors.ts'
import type { PageChanges } from './page-changes.ts'
import type { Asked } from './scrape-spec.ts'

/** Most documents, and bytes of documents, on one page of a status. */
export const DOCUMENTS_AT_ONCE = 100
export const BYTES_AT_ONCE = 10 * 1024 * 1024
/** Bytes of documents that are unpacked per read. */
const READ_BYTES = 1024 * 1024
const DAY_MS = 24 * 60 * 60 * 1000
/** The expiry date without retention. */
const NEVER = '9999-12-31T23:59:59.000Z'

export type Statuses = ReturnType<typeof createStatuses>

/** @param retentionDaysOf  days after which ended jobs of a team are deleted; null: never */
export function createStatuses({
  attachments,
  changes,
  history,
  links,
  outcomes,
  pages,
  retentionDaysOf,
}: {
  attachments: Attachments
  changes: Pick<PageChanges, 'lineDiff'>
  history: PageHistory
  links: FileLinks
  outcomes: CrawlOutcomes
  pages: CrawlPages
  retentionDaysOf: (teamId: string) => Promise<number | null>
}) {
  const captures = createCaptures({ attachments, links })
  return { heads, documents, document, errors: (run: Run) => errorsOf(outcomes, run), firstRow }

  /** The responses of runs of one team, without documents. */
  async function heads(parts: readonly { run: Run; asked: Asked }[]): Promise<Record<string, unknown>[]> {
    const days = await retentionDaysOf(parts[0]!.run.teamId)
    return parts.map(({ asked, run }) => headOf(run, asked, days))
  }

  /** Documents with `after` < ordinal ≤ `upTo` as JSON texts, in the order of storage. */
  async function* documents(
    run: Run,
    asked: Asked,
    after: number,
    upTo: number,
    base: string,
  ): AsyncGenerator<{ ordinal: number; text: Buffer }> {
    const [sources, track] = await Promise.all([sourcesOf(run), trackOf({ history, changes }, run, asked)])
    for (let from = after; from < upTo;) {
      const rows = await pages.between(run.no, from, upTo, DOCUMENTS_AT_ONCE)
      const end = rows.at(-1)?.ordinal
      if (end === undefined) return
      const captured = await captures.ofPages(run, asked, rows, base)
      for await (const group of pages.documents(rows, READ_BYTES))
        for (const { document: stored, row } of group) {
          const tracked = (await track?.(row, stored)) ?? undefined
          const presented = presentDocument(stored, asked, {
            ...(await factsOf(run, row, sources, captured)),
            changes: tracked,
            warnings: warningsOf(run, asked),
          })
          yield { ordinal: row.ordinal, text: Buffer.from(JSON.stringify(presented)) }
          // Parsing and serialising a large document takes milliseconds.
          await setImmediate()
        }
      from = end
    }
  }

  /** The row of a job's first page, in a list. */
  function firstRow(run: Run): Promise<NumberedPage[]> {
    return pages.between(run.no, 0, 1, 1)
  }

  /** One document. */
  async function document(
    run: Run,
    asked: Asked,
    row: NumberedPage,
    base: string,
    more: Partial<DocumentFacts>,
  ): Promise<Record<string, unknown>> {
    const [stored, sources, captured, track] = await Promise.all([
      pages.document(row.no),
      sourcesOf(run),
      captures.ofPages(run, asked, [row], base),
      trackOf({ history, changes }, run, asked),
    ])
    const tracked = (await track?.(row, stored)) ?? undefined
    return presentDocument(stored, asked, {
      ...(await factsOf(run, row, sources, captured)),
      changes: tracked,
      warnings: warningsOf(run, asked),
      ...more,
    })
  }

  async function factsOf(
    run: Run,
    row: NumberedPage,
    sources: ReadonlyMap<string, string>,
    captured: CapturedPages,
  ): Promise<DocumentFacts> {
    return {
      url: row.url,
      status: row.httpStatus,
      contentType: row.contentType,
      sourceURL: sources.get(row.url) ?? row.url,
      scrapeId: run.variant === 'batch' && run.seedCount === 1 ? run.id : row.id,
      ...(await captures.factsOf(run, captured.get(row.no))),
    }
  }

  /** Maps final URLs to the submitted ones that differ: clients match answers to their requests. */
  async function sourcesOf(run: Run): Promise<ReadonlyMap<string, string>> {
    const sources = new Map<string, string>()
    const submitted = new Set(run.seeds)
    for (const seed of run.seeds) {
      const url = canonicalUrlWithTracking(seed)
      // Of several submitted URLs of one page, the final URL itself is reported, else the first one.
      if (url !== null && !submitted.has(url) && !sources.has(url)) sources.set(url, seed)
    }
    if (run.variant !== 'batch') return sources
    const window = { page: 1, pageSize: run.seedCount + REDIRECTS, offset: 0, count: run.known }
    const { urls } = await outcomes.list(run, {}, () => window)
    for (const { detail, outcome, url } of urls) {
      if (detail === null || (outcome !== 'redirected' && outcome !== 'kept') || !/^https?:\/\//.test(detail)) continue
      if (submitted.has(detail) || sources.has(detail)) continue
      sources.set(detail, sources.get(url) ?? url)
    }
    return sources
  }
}

/** @param days  those after which the run is deleted; null: never */
function headOf(run: Run, { version, warnings }: Asked, days: number | null): Record<string, unknown> {
  const hasEnded = isTerminal(run.status)
  const done = run.kept + run.failed
  return {
    success: true,
    status: STATUSES[run.status] ?? 'scraping',
    total: hasEnded ? done : Math.max(done, Math.min(run.pageLimit, done + Math.max(0, run.known - run.settled))),
    completed: run.kept,
    creditsUsed: run.kept,
    expiresAt: days === null ? NEVER : iso((run.endedAt ?? run.createdAt) + days * DAY_MS),
    createdAt: iso(run.createdAt),
    ...(run.endedAt !== null && { completedAt: iso(run.endedAt), duration: Math.round((run.endedAt - run.createdAt) / 1000) }),
    ...(run.status === 'failed' && version === 'v2' && { error: `The job failed: ${run.reason ?? 'unknown reason'}` }),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
  }
}

/** Warnings of a crawl are about its options too, so they are in its status only. */
const warningsOf = ({ variant }: Run, { warnings }: Asked) => (variant === 'batch' ? warnings : [])

/** Most rows after a batch's own URLs that are read: they are redirect targets. */
const REDIRECTS = 1000
const STATUSES: Readonly<Record<string, string>> = { finished: 'completed', failed: 'failed', canceled: 'cancelled' }
const iso = (at: number) => new Date(at).toISOString()
export const isoOrNull = (at: number | null) => (at === null ? null : iso(at))
