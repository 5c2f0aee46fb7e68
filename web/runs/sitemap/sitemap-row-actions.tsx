/** What a user can do with a sitemap from its row in the log. */
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { RunRowActions } from '#web/runs/shared/run-row-actions.tsx'
import { SitemapDownloads } from './sitemap-downloads.tsx'
import { SITEMAP } from './use-sitemap.ts'

export const SitemapRowActions = ({ run }: { run: SitemapRequest }) => (
  <RunRowActions base={SITEMAP} run={run} download={<SitemapDownloads sitemap={run} look="icon" />} />
)
