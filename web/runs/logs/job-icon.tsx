import type { RunKind } from '#contract/runs.ts'
import { CrawlIcon, SearchIcon, SitemapIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'

/** The icon of each kind of run, as in the sidebar. */
export const JOB_ICONS: Record<RunKind, Icon> = { crawl: CrawlIcon, search: SearchIcon, sitemap: SitemapIcon }
