/** A sitemap in the API's format. */
import { isTerminal } from '#contract/runs.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { AppError } from '#backend/errors.ts'
import { duration, instant } from '#backend/http/instants.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'

/** Paths of the signed links to the formats of a sitemap. */
export const filePath = (runId: string, form: 'json' | `xml/${number}`) => `/api/v1/files/sitemaps/${runId}/sitemap/${form}`

/** Whether the list is complete, even if empty: nothing is added after the end. */
export const hasResult = ({ status }: Run) => isTerminal(status)

/** Throws `no_result` while the list is incomplete. */
export function withResult(run: Run): Run {
  if (!hasResult(run)) throw new AppError('no_result')
  return run
}

/** The sitemap's object, with a link to its list. */
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
