/** What one can do with a sitemap from its row in the log. */
import { isTerminal } from '#contract/runs.ts'
import type { SitemapRequest } from '#contract/sitemaps.ts'
import { pathTo } from '#web/navigation.ts'
import { fromLog } from '#web/runs/shared/way-back.ts'
import { IconButton, IconLink } from '#web/ui/form/button.tsx'
import { ArrowRightIcon, StopIcon } from '#web/ui/icons.tsx'
import { SitemapDownloads } from './sitemap-downloads.tsx'
import { useStopSitemap } from './use-sitemap.ts'

export function SitemapRowActions({ run }: { run: SitemapRequest }) {
  const stopping = useStopSitemap()
  return (
    <span className="inline-flex items-center justify-end">
      {isTerminal(run.status) ? (
        <SitemapDownloads sitemap={run} look="icon" />
      ) : (
        <IconButton
          label="Cancel Generation"
          icon={StopIcon}
          tone="danger"
          busy={stopping.busy || run.status === 'canceling'}
          onClick={() => void stopping.stop(run.uuid)}
        />
      )}
      <IconLink label="View details" icon={ArrowRightIcon} href={pathTo('sitemapDetails', { id: run.uuid })} state={fromLog()} />
    </span>
  )
}
