/** A sitemap as it goes over the wire. */
import { isTerminal } from '#contract/runs.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { AppError } from '#backend/errors.ts'
import { duration, instant } from '#backend/http/instants.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'

/** Where the forms of a sitemap are found by signed links. */
export const filePath = (runId: string, form: 'json' | `xml/${number}`) => `/api/v1/files/sitemaps/${runId}/sitemap/${form}`

/** True once the list is complete, even when it is empty: nothing is added after the end. */
export const hasResult = ({ status }: Run) => isTerminal(status)

/** Throws `no_result` while there is none. */
export function withResult(run: Run): Run {
  if (!hasResult(run)) throw new AppError('no_result')
  return run
}

/** The sitemap's object, its list linked. */
export const presentSitemap = (run: Run, links: FileLinks, baseUrl: string): SitemapRequest => ({
  uuid: run.id,
  url: run.seeds[0] ?? run.label,
  status: run.status,
  options: run.options as SitemapRequest['options'],
  reason: run.reason,
  duration: run.endedAt === null ? null : duration(run.endedAt - run.createdAt),
  result: hasResult(run) ? links.sign(baseUrl, filePath(run.id, 'json')) : null,
  number_of_documents: run.kept,
  created_at: instant(run.createdAt),
  updated_at: instant(run.updatedAt),
})
