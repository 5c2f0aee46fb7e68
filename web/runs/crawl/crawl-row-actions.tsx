/** What one can do with a crawl from its row in the log. */
import { useState } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { pathTo } from '#web/navigation.ts'
import { fromLog } from '#web/runs/shared/way-back.ts'
import { IconButton, IconLink } from '#web/ui/form/button.tsx'
import { ArrowRightIcon, SitemapIcon, StopIcon } from '#web/ui/icons.tsx'
import { DownloadMenu } from './download-menu.tsx'
import { SitemapExplorer } from './sitemap-explorer.tsx'
import { useStopCrawl } from './use-crawl.ts'

export function CrawlRowActions({ run }: { run: CrawlRequest }) {
  const [exploring, setExploring] = useState(false)
  const stopping = useStopCrawl()
  return (
    <span className="inline-flex items-center justify-end">
      {isTerminal(run.status) ? (
        <DownloadMenu crawl={run} look="icon" />
      ) : (
        <IconButton
          label="Cancel Crawling"
          icon={StopIcon}
          tone="danger"
          busy={stopping.busy || run.status === 'canceling'}
          onClick={() => void stopping.stop(run.uuid)}
        />
      )}
      <IconButton
        label={run.sitemap === null ? 'Sitemap explorer (no sitemap yet)' : 'Sitemap explorer'}
        icon={SitemapIcon}
        disabled={run.sitemap === null}
        onClick={() => setExploring(true)}
      />
      <IconLink label="View details" icon={ArrowRightIcon} href={pathTo('crawlDetails', { requestId: run.uuid })} state={fromLog()} />
      <SitemapExplorer crawl={exploring ? run : null} onClose={() => setExploring(false)} />
    </span>
  )
}
